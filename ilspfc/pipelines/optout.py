"""Opt-outs: pages whose owner reserves text and data mining."""

from __future__ import annotations

from typing import Any

from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.pipelines.stage import StagePipeline


class OptOutPipeline(StagePipeline):
    """Counts reserved pages, and drops them where the policy says so."""

    stage = "optout"

    def process_item(self, item: Any) -> Any:
        """Drop a reserved page, unless reservations are only recorded."""
        document = item.document if isinstance(item, FetchedPage) else None
        if document is not None and document.is_reserved:
            self.count("optout/reserved_pages")
        return super().process_item(item)
