"""``scrapy report CORPUS_DIR``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.command import CorpusCommand

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus


class Command(CorpusCommand):
    """Writes the report of a corpus, which every command over a corpus does."""

    stage = "report"

    def make(self, corpus: Corpus) -> None:
        """Do nothing before the report."""
