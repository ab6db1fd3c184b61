"""Fitting the model that knows a subject by its words: the statistics of learned relevance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.classification.learned import FEATURES, LearnedModel, weigh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    from ilspfc.classification.learned import Example, RelevanceLearner
    from ilspfc.text.arrays import FloatArray


_FOLDS = 3
# The inverse strength of the penalty on weights: of the words, of the terms, of Platt's line.
_WORDS_C = 10.0
_TERMS_C = 1.0
_PLATT_C = 1e6
# Log odds beyond this say more than so few examples can.
_MAX_ODDS = 7.0


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """What a model is fitted to: examples, the irrelevant first, and how to weigh them.

    ``idf`` are the inverse document frequencies of the features, ``shares`` how many pages
    of the crawl each example stands for.
    """

    examples: Sequence[Example]
    irrelevant: int
    idf: NDArray[np.float32]
    shares: FloatArray


def make_training_set(learner: RelevanceLearner) -> TrainingSet:
    """Return what a learner remembers, in an order that is that of no crawl."""
    kinds = [[known[key] for key in sorted(known)] for known in learner.examples]
    shares = [
        np.full(len(kind), number / len(kind))
        for kind, number in zip(kinds, learner.seen, strict=True)
    ]
    idf = np.log((1 + sum(learner.seen)) / (1 + learner.pages)) + 1
    return TrainingSet(
        kinds[0] + kinds[1],
        len(kinds[0]),
        idf.astype(np.float32),
        np.concatenate(shares),
    )


def fit_model(training: TrainingSet) -> LearnedModel:
    """Return the model of a training set that holds pages of both kinds.

    The same set gives the same model, to the bit, on one machine.
    """
    examples = training.examples
    targets = np.array([example.target for example in examples])
    matrix = _to_matrix(examples, training.idf)
    # Both kinds have the same say in the weights, and their true one in the probability.
    balanced = np.ones(len(examples))
    balanced[: training.irrelevant] = targets.sum() / training.irrelevant
    weights, bias = _fit_line(matrix, targets, balanced, _WORDS_C)
    values = _values_out_of_fold(matrix, targets, balanced)
    slope, offset = _fit_platt(values, targets, training.shares)
    by_words = 1 / (
        1 + np.exp(-np.clip(slope * values + offset, -_MAX_ODDS, _MAX_ODDS))
    )
    evidence = np.stack([example.evidence for example in examples])
    term_weights, term_bias = _fit_line(evidence, by_words, training.shares, _TERMS_C)
    share = float(np.average(by_words, weights=training.shares))
    return LearnedModel(
        weights=weights.astype(np.float32),
        idf=training.idf,
        bias=bias,
        slope=slope,
        offset=offset,
        term_weights=np.maximum(term_weights, 0.0),
        term_bias=term_bias,
        prior=float(np.log(share / (1 - share))),
    )


def _to_matrix(examples: Sequence[Example], idf: NDArray[np.float32]) -> csr_matrix:
    """Return the TF-IDF of the examples, a row each."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    rows = [weigh(example, idf) for example in examples]
    columns = np.concatenate([example.features for example in examples])
    starts = np.cumsum([0, *map(len, rows)])
    shape = (len(rows), FEATURES)
    return csr_matrix((np.concatenate(rows), columns.astype(np.int32), starts), shape)


def _values_out_of_fold(
    matrix: csr_matrix, targets: FloatArray, shares: FloatArray
) -> FloatArray:
    """Return the value of each example by a regression that has not seen it."""
    values = np.empty(len(targets))
    folds = np.arange(len(targets)) % _FOLDS
    for fold in range(_FOLDS):
        rest, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        weights, bias = _fit_line(matrix[rest], targets[rest], shares[rest], _WORDS_C)
        values[held] = matrix[held] @ weights + bias
    return values


def _fit_line(
    matrix: csr_matrix | FloatArray, targets: FloatArray, shares: FloatArray, c: float
) -> tuple[FloatArray, float]:
    """Return weights and bias of a logistic regression on targets from 0 to 1.

    A target t counts as a success with the weight t and a failure with the weight 1 - t.
    """
    # Imported late: it takes a second, and most crawls never come here.
    from scipy.sparse import issparse, vstack  # noqa: PLC0415
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    good, bad = np.flatnonzero(targets > 0), np.flatnonzero(targets < 1)
    stack = vstack if issparse(matrix) else np.concatenate
    rows = stack([matrix[good], matrix[bad]])
    weights = np.concatenate([(shares * targets)[good], (shares * (1 - targets))[bad]])
    model = LogisticRegression(C=c, solver="liblinear", random_state=0)
    model.fit(rows, np.arange(rows.shape[0]) < len(good), sample_weight=weights)
    return model.coef_[0], float(model.intercept_[0])


def _fit_platt(
    values: FloatArray, targets: FloatArray, shares: FloatArray
) -> tuple[float, float]:
    """Return the line whose logistic function makes probabilities of values.

    The targets are drawn in a little, as Platt does, so that few examples that are told
    apart without an error do not make for certainty.
    """
    relevant = float((shares * targets).sum())
    irrelevant = float((shares * (1 - targets)).sum())
    high, low = (relevant + 1) / (relevant + 2), 1 / (irrelevant + 2)
    soft = low + (high - low) * targets
    slope, offset = _fit_line(values[:, None], soft, shares, _PLATT_C)
    return max(float(slope[0]), 0.0), offset
