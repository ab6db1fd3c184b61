"""Classification: whether the page is about the domain."""

from __future__ import annotations

from ilspfc.classification.relevance import ClassificationReason
from ilspfc.documents import Page
from ilspfc.pipelines.base import StagePipeline


class ClassificationPipeline(StagePipeline):
    """Scores pages by the domain's terms and texts; without a domain all are kept."""

    stage = "classification"

    def process_item(self, item: object) -> object:
        """Set the page's relevance, topics and subdomains; drop an irrelevant page."""
        if not isinstance(item, Page) or item.document is None:
            return item
        document, job = item.document, self.job
        is_measured = job.models is not None and job.models.measure(document)
        if job.relevance is not None:
            job.relevance.score(document)
            if not job.thresholds.accept(document):
                raise self.drop(item, ClassificationReason.OFF_TOPIC)
        if is_measured and document.perplexity > job.thresholds.perplexity:
            raise self.drop(item, ClassificationReason.HIGH_PERPLEXITY)
        return item
