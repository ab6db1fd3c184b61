"""``scrapy dedup CORPUS_DIR``."""

from __future__ import annotations

from ilspfc.command import CorpusCommand


class Command(CorpusCommand):
    """Runs the dedup stage over a corpus."""

    stage = "dedup"
