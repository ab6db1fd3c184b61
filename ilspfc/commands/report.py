"""``scrapy report CORPUS_DIR``."""

from __future__ import annotations

from ilspfc.command import CorpusCommand


class Command(CorpusCommand):
    """Runs the report stage over a corpus."""

    stage = "report"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Write the report of a corpus"
