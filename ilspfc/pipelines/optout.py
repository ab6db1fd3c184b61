"""Opt-outs: pages whose owner reserves text and data mining."""

from __future__ import annotations

from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.pipelines.stage import StagePipeline


class OptOutPipeline(StagePipeline):
    """Counts reserved pages, and drops them where the policy says so."""

    stage = "optout"

    def process_item(self, item: object) -> object:
        """Drop a reserved page, unless reservations are only recorded."""
        if isinstance(item, FetchedPage):
            if item.document is not None and item.document.is_reserved:
                self.count("optout/reserved_pages")
            self.apply_verdict(item)
        return item
