"""``scrapy export CORPUS_DIR``."""

from __future__ import annotations

from ilspfc.command import CorpusCommand


class Command(CorpusCommand):
    """Runs the exports stage over a corpus."""

    stage = "exports"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Write the cesAlign and TMX files of a corpus"
