"""Classification: whether the page is about the domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.classification.relevance import ClassificationReason
from ilspfc.documents import Page
from ilspfc.pipelines.base import StagePipeline

if TYPE_CHECKING:
    from ilspfc.documents import Document
    from ilspfc.learned_relevance import LearnedRelevance


class ClassificationPipeline(StagePipeline):
    """Scores pages by the domain's terms and texts; without a domain all are kept."""

    stage = "classification"

    async def process_item(self, item: object) -> object:
        """Set the page's relevance, topics and subdomains; drop an irrelevant page."""
        if not isinstance(item, Page) or item.document is None:
            return item
        document, job = item.document, self.job
        is_measured = job.models is not None and job.models.measure(document)
        if job.relevance is not None:
            job.relevance.score(document)
            if job.learned is not None:
                await self._judge(document, job.learned)
            if (reason := job.thresholds.reason(document)) is not None:
                raise self.drop(item, reason)
        if is_measured and document.perplexity > job.thresholds.perplexity:
            raise self.drop(item, ClassificationReason.HIGH_PERPLEXITY)
        return item

    async def _judge(self, document: Document, learned: LearnedRelevance) -> None:
        if not await learned.judge(document, self.job.workers):
            self._crawler.stats.inc_value("classification/fits_lost")

    def close_spider(self) -> None:
        """Keep what was learned for the next run."""
        if self.job.learned is not None:
            self.job.learned.save()
