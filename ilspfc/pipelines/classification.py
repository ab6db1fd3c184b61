"""Classification: pages about the domain."""

from __future__ import annotations

from contextlib import suppress

from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.exceptions import DiskError
from ilspfc.pipelines.stage import StagePipeline


class ClassificationPipeline(StagePipeline):
    """Drops irrelevant pages; a learner, if the crawl has one, gives them a probability."""

    stage = "classification"

    async def process_item(self, item: object) -> object:
        """Drop a page that is not about the domain; learn from it all the same."""
        if not isinstance(item, FetchedPage):
            return item
        learned, document = self.job.learned, item.document
        words = item.work.words if item.work is not None else None
        if learned is not None and document is not None and words is not None:
            with self.job.disk:
                is_fitted = await learned.judge(document, words, self.job.workers)
            if not is_fitted:
                self.count("fits_lost")
        self.apply_verdict(item)
        return item

    def close_spider(self) -> None:
        """Keep the learned model for the next run."""
        if self.job.learned is not None:
            with suppress(DiskError), self.job.disk:  # reported by the crawl
                self.job.learned.save()
