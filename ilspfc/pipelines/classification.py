"""Classification: whether the page is about the domain."""

from __future__ import annotations

from ilspfc.classification.relevance import ClassificationReason
from ilspfc.documents import Page
from ilspfc.pipelines.base import StagePipeline


class ClassificationPipeline(StagePipeline):
    """Scores pages by the domain's terms; a crawl without a domain keeps every page."""

    stage = "classification"

    def process_item(self, item: object) -> object:
        """Set the page's relevance, topics and subdomains; drop an irrelevant page."""
        if not isinstance(item, Page) or item.document is None:
            return item
        if self.job.relevance is None:
            return item
        self.job.relevance.score(item.document)
        if not self.job.thresholds.accept(item.document):
            raise self.drop(item, ClassificationReason.OFF_TOPIC)
        return item
