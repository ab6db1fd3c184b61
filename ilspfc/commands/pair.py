"""``scrapy pair CORPUS_DIR``."""

from __future__ import annotations

from ilspfc.command import CorpusCommand


class Command(CorpusCommand):
    """Runs the pairing stage over a corpus."""

    stage = "pairing"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Find which documents of a corpus translate each other"
