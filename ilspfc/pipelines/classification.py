"""Classification: pages about the domain."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from math import inf
from typing import Any

from ilspfc.classification.relevance import OFF_TOPIC_REASONS
from ilspfc.crawl.domain_terms import make_thresholds
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.crawl.learned_relevance import DecidesBy, LearnedRelevance, is_learning
from ilspfc.documents import Document
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
        if domain is None or not is_learning(settings):
            return None
        thresholds = make_thresholds(domain, settings)
        path = self.job.files.relevance
        return LearnedRelevance(
            domain, arguments.langs, thresholds, path, self._bound_of_model()
        )

    def _bound_of_model(self) -> float:
        """Return the probability from which a page is kept; infinite if terms decide."""
        settings = self._crawler.settings
        if settings["CLASSIFICATION_DECIDES_BY"] != DecidesBy.LEARNED:
            return inf
        return settings.getfloat("DECISIONS_MIN_RELEVANCE")

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
            self._let_model_decide(item, document)
        self.apply_verdict(item)
        return item

    def _let_model_decide(self, page: FetchedPage, document: Document) -> None:
        """Keep a page that the model finds relevant and the terms do not, if it decides.

        Pages that it is against are put apart at the end, by what it has learned by then.
        """
        work = page.work
        if work is None or work.verdicts.get(self.stage) not in OFF_TOPIC_REASONS:
            return
        if (document.probability or 0.0) >= self._bound_of_model():
            work.verdicts[self.stage] = None
            self.count("classification/kept_by_model")

    def close_spider(self) -> None:
        """Keep the learned model for the next run."""
        if self.learned is not None:
            with suppress(DiskError), self.job.disk:  # reported by the crawl
                self.learned.save()
