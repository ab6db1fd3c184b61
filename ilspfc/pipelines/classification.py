"""Classification: whether the page is about the domain."""

from __future__ import annotations

from contextlib import suppress

from ilspfc.documents import Page
from ilspfc.exceptions import DiskError
from ilspfc.pipelines.stage import StagePipeline, work_of


class ClassificationPipeline(StagePipeline):
    """Looks at the scores by the domain's terms and texts; without a domain all are kept."""

    stage = "classification"

    async def process_item(self, item: object) -> object:
        """Set the page's relevance, topics and subdomains; drop an irrelevant page."""
        if not isinstance(item, Page) or item.document is None:
            return item
        document, work = item.document, work_of(item)
        scores = work.scores
        document.relevance, document.terms = scores.relevance, scores.terms
        document.subdomains = scores.subdomains
        document.perplexity = scores.perplexity
        learned, words = self.job.learned, work.words
        if learned is not None and words is not None:
            with self.job.disk:
                is_fitted = await learned.judge(document, words, self.job.workers)
            if not is_fitted:
                self._crawler.stats.inc_value("classification/fits_lost")
        self.drop_if_ended(item, work)
        return item

    def close_spider(self) -> None:
        """Keep what was learned for the next run."""
        if self.job.learned is not None:
            with suppress(DiskError), self.job.disk:  # the crawl tells of it
                self.job.learned.save()
