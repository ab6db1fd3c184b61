"""Classification: pages about the domain."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any

from ilspfc.crawl.domain_terms import make_thresholds
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.crawl.learned_relevance import LEARNED, LearnedRelevance
from ilspfc.exceptions import DiskError
from ilspfc.pipelines.stage import StagePipeline


class ClassificationPipeline(StagePipeline):
    """Drops irrelevant pages; a learner, if the crawl has one, gives them a probability."""

    stage = "classification"

    @cached_property
    def learned(self) -> LearnedRelevance | None:
        """The learner of relevance, None unless the setting asks for it."""
        arguments, settings = self.job.arguments, self._crawler.settings
        domain = arguments.domain
        if domain is None or settings["CLASSIFICATION_MODEL"] != LEARNED:
            return None
        thresholds = make_thresholds(domain, settings)
        path = self.job.files.relevance
        return LearnedRelevance(domain, arguments.langs, thresholds, path)

    async def process_item(self, item: Any) -> Any:
        """Drop a page that is not about the domain; learn from it all the same."""
        if not isinstance(item, FetchedPage):
            return item
        learned, document = self.learned, item.document
        words = item.work.words if item.work is not None else None
        if learned is not None and document is not None and words is not None:
            with self.job.disk:
                is_fitted = await learned.judge(document, words, self.job.workers)
            if not is_fitted:
                self.count("classification/fits_lost")
        self.apply_verdict(item)
        return item

    def close_spider(self) -> None:
        """Keep the learned model for the next run."""
        if self.learned is not None:
            with suppress(DiskError), self.job.disk:  # reported by the crawl
                self.learned.save()
