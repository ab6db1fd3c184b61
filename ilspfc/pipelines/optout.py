"""Opt-outs: pages whose owner reserves text and data mining."""

from __future__ import annotations

from ilspfc.documents import Page
from ilspfc.pipelines.stage import StagePipeline, work_of


class OptOutPipeline(StagePipeline):
    """Takes down the signals of a page and drops it where the policy says so."""

    stage = "optout"

    def process_item(self, item: object) -> object:
        """Decide about the page by all signals that were found."""
        if not isinstance(item, Page) or item.document is None:
            return item
        document, work = item.document, work_of(item)
        document.optouts, document.is_reserved = work.optouts, work.is_reserved
        if document.is_reserved:
            self._crawler.stats.inc_value("optout/reserved_pages")
        self.drop_if_ended(item, work)
        return item
