"""Perplexity of a test set, with the words that the model does not know and without."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ilspfc.classification.perplexity.page_perplexity import NgramModel

# Sentences that are scored at a time, so that a test set of any size fits into memory.
_BATCH = 10_000


@dataclass(frozen=True, slots=True)
class TestSetScore:
    """Numbers of sentences, words and unknown words, and the perplexity of the test set.

    ``oov`` counts unknown words in, ``no_oov`` leaves them out (004, figure 2); both are
    infinite where nothing is left.
    """

    sentences: int
    words: int
    unknown: int
    oov: float
    no_oov: float


def score_test_set(
    model: NgramModel, sentences: Iterable[Sequence[str]]
) -> TestSetScore:
    """Return the score of sentences, as words, under a model; empty ones are left out."""
    known = frozenset(model.words)
    number = words = unknown = 0
    log10, log10_unknown = 0.0, 0.0
    stream = iter(sentences)
    while batch := list(islice(stream, _BATCH)):
        batch = [sentence for sentence in batch if sentence]
        scores = model.log10_probabilities(batch).astype(float)
        is_unknown = [
            flag
            for sentence in batch
            for flag in (*(word not in known for word in sentence), False)
        ]
        number += len(batch)
        words += sum(map(len, batch))
        unknown += sum(is_unknown)
        log10 += float(scores.sum())
        log10_unknown += float(scores[is_unknown].sum()) if scores.size else 0.0
    tokens = words + number
    return TestSetScore(
        number,
        words,
        unknown,
        _perplexity(log10, tokens),
        _perplexity(log10 - log10_unknown, tokens - unknown),
    )


def _perplexity(log10: float, tokens: int) -> float:
    """Return 10 to the mean of -log10 p, which is 2 ** H."""
    mean = -log10 / tokens if tokens else math.inf
    return 10.0**mean if mean < 308 else math.inf
