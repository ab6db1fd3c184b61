"""Learned relevance in a crawl: one learner a language, fitted in a worker."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from hashlib import blake2b
from math import inf
from pathlib import Path

from scrapy.settings import BaseSettings

from ilspfc.classification.definition import Domain
from ilspfc.classification.learned import (
    Example,
    PageWords,
    RelevanceLearner,
    fit_model,
    load_learners,
    make_training_set,
    save_learners,
)
from ilspfc.classification.relevance import Thresholds
from ilspfc.documents import Document
from ilspfc.exceptions import WorkerLostError
from ilspfc.workers import WorkerPool


class DecidesBy(StrEnum):
    """Evidence that decides whether a page is kept: ``CLASSIFICATION_DECIDES_BY``."""

    TERMS = "terms"
    BOTH = "both"
    ALL = "all"
    LEARNED = "learned"


def is_learning(settings: BaseSettings) -> bool:
    """Test whether a crawl trains a classifier."""
    return settings["CLASSIFICATION_DECIDES_BY"] in {DecidesBy.ALL, DecidesBy.LEARNED}


# Median terms in a thousand tokens from which a page that the terms accept is certainly
# relevant: where the confidence of ILSP-FC reaches 1, with the usual weight of 100.
FULL_DENSITY = 20.0
# Fitting takes some tenths of a second; more than this is an error.
_FIT_CPU_SECONDS = 60.0


class LearnedRelevance:
    """Gives the documents of a crawl a probability, and learns from them.

    Pages wait while the model is fitted, so that the same pages in the same order get the
    same probabilities. ``path`` is the file that keeps the learners for the next run. A page
    that the terms refuse and that has the probability ``trusted`` is no counter-example: the
    model that decides would unlearn what it knows beyond the terms.
    """

    def __init__(
        self,
        domain: Domain,
        langs: tuple[str, ...],
        thresholds: Thresholds,
        path: Path,
        trusted: float = inf,
    ) -> None:
        self._trusted = trusted
        self._unit = domain.median_weight() or 1.0
        self._thresholds = thresholds
        self._path = path
        self._key = blake2b(repr((domain, thresholds)).encode()).hexdigest()
        known = load_learners(path, self._key)
        self.learners = {lang: known.get(lang) or RelevanceLearner() for lang in langs}
        self._lock = asyncio.Lock()
        self._is_changed = False

    def example(self, document: Document, words: PageWords) -> Example:
        """Return a scored document as the learner of its language sees it."""
        features, counts = words
        relevance = document.relevance / self._unit
        density = 1000 * relevance / max(document.tokens, 1)
        is_accepted = self._thresholds.accept(document)
        target = min(1.0, density / FULL_DENSITY) if is_accepted else 0.0
        return Example(features, counts, relevance, density, target)

    async def judge(
        self, document: Document, words: PageWords, workers: WorkerPool
    ) -> bool:
        """Set the probability of a scored document with these words, then learn from it.

        It stays None until there is a model. Returns False if fitting was lost.
        """
        async with self._lock:
            learner = self.learners[document.lang]
            example = self.example(document, words)
            if learner.model is not None:
                document.probability = learner.model.probability(example)
            if not example.target and (document.probability or 0.0) >= self._trusted:
                return True
            learner.learn(document.id, example)
            self._is_changed = True
            if not learner.is_due:
                return True
            training = make_training_set(learner)
            try:
                model, _ = await workers.measure(_FIT_CPU_SECONDS, fit_model, training)
            except WorkerLostError:
                learner.take(learner.model)
                return False
            learner.take(model)
            self.save()
            return True

    def save(self) -> None:
        """Write the learners, if they have changed."""
        if self._is_changed:
            save_learners(self.learners, self._path, self._key)
            self._is_changed = False
