"""Language: pages in the languages of the crawl."""

from __future__ import annotations

from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.pipelines.stage import StagePipeline


class LanguagePipeline(StagePipeline):
    """Drops pages in other languages, and pages with too little text in theirs."""

    stage = "language"

    def process_item(self, item: object) -> object:
        """Drop a page that is not in a language of the crawl."""
        if isinstance(item, FetchedPage):
            self.apply_verdict(item)
        return item
