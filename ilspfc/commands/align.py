"""``scrapy align CORPUS_DIR``."""

from __future__ import annotations

from ilspfc.command import CorpusCommand


class Command(CorpusCommand):
    """Runs the alignment stage over a corpus."""

    stage = "alignment"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Align the segments of the document pairs of a corpus"
