"""``scrapy dedup CORPUS_DIR``."""

from __future__ import annotations

from ilspfc.command import CorpusCommand


class Command(CorpusCommand):
    """Runs the dedup stage over a corpus."""

    stage = "dedup"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Put near-duplicate documents of a corpus apart"
