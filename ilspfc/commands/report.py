"""``scrapy report CORPUS_DIR``."""

from __future__ import annotations

from ilspfc.command import CorpusCommand


class Command(CorpusCommand):
    """Runs the report stage over a corpus."""

    stage = "report"
    summary = "Write the report of a corpus"
