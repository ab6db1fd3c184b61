"""Language: pages in the languages of the crawl."""

from __future__ import annotations

from ilspfc.pipelines.stage import StagePipeline


class LanguagePipeline(StagePipeline):
    """Drops pages in other languages, and pages with too little text in theirs."""

    stage = "language"
