"""Relevance learned from the pages of the crawl itself.

A page is looked at in two ways, by its words and by its terms, and each teaches the other
(co-training, Blum and Mitchell 1998). The term score labels the pages; from them a linear
SVM (003, topic filtering) over hashed TF-IDF learns which words are those of the subject, and
Platt's method (1999) makes a probability of its value. By that, in turn, the term score becomes one; the
two are taken together as if they were independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ilspfc.atomic import open_atomic
from ilspfc.text.arrays import FloatArray
from ilspfc.text.log_odds import to_log_odds, to_probability
from ilspfc.text.word_split import split_words

if TYPE_CHECKING:
    Arrays = Mapping[str, NDArray[Any]]

    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC


# Number of hashed features.
FEATURES = 1 << 16
# Pages that are learned from, of each kind (relevant and not) and language.
MAX_EXAMPLES = 500
# Words of a page that are read, and different ones that are kept.
MAX_WORDS = 4000
MAX_PAGE_FEATURES = 400
# Pages from which the model is fitted, and those of each kind …
FIRST_FIT = 30
MIN_OF_KIND = 5
# … and again when there is this part more than at the last fit.
_GROWTH = 0.5
_MAX_CACHED_WORDS = 200_000


@dataclass(frozen=True, slots=True)
class Example:
    """Page as the model sees it: hashed words, their counts, and the scores of its terms.

    ``relevance`` is the paper's p, ``density`` p a thousand tokens, both in weights of a
    median term; ``target`` is how sure the terms are, from 0 (not relevant) to 1.
    """

    features: NDArray[np.uint32]
    counts: NDArray[np.uint16]
    relevance: float
    density: float
    target: float

    @property
    def evidence(self) -> NDArray[np.float64]:
        """Features of the terms for a logistic regression."""
        return np.log1p(np.maximum([self.relevance, self.density], 0.0))


#: The hashed words of a page, rising, and how often each is there.
PageWords = tuple["NDArray[np.uint32]", "NDArray[np.uint16]"]


class PageFeatures:
    """Text to hashed stems. ``stem`` is that of the language."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        self._hash = lru_cache(_MAX_CACHED_WORDS)(partial(_hash, stem))

    def read(self, texts: Iterable[str]) -> PageWords:
        """Return the features of the texts of a page, rising, and their frequencies."""
        words: list[str] = []
        for text in texts:
            words += split_words(text)
            if len(words) > MAX_WORDS:
                break
        counted = Counter(map(self._hash, words[:MAX_WORDS]))
        items = sorted(counted.most_common(MAX_PAGE_FEATURES))
        features = np.fromiter((item[0] for item in items), np.uint32, len(items))
        counts = np.fromiter((item[1] for item in items), np.uint16, len(items))
        return features, counts


def _hash(stem: Callable[[str], str], word: str) -> int:
    return crc32(stem(word).encode("utf-8", "surrogatepass")) % FEATURES


@dataclass(frozen=True, slots=True)
class LearnedModel:
    """A fitted model: all that a probability is worked out of.

    ``weights`` are those of the words, ``idf`` their inverse document frequencies, ``bias``,
    ``slope`` and ``offset`` lead from their sum to the log odds; ``term_weights`` and
    ``term_bias`` do so from a page's terms. ``prior`` is the log odds of any page.
    """

    weights: NDArray[np.float32]
    idf: NDArray[np.float32]
    term_weights: FloatArray
    bias: float
    slope: float
    offset: float
    term_bias: float
    prior: float

    def probability(self, example: Example) -> float:
        """Return the probability that a page is relevant."""
        by_terms = float(example.evidence @ self.term_weights) + self.term_bias
        odds = self.word_odds(example) + by_terms - self.prior
        return float(to_probability(odds))

    def word_odds(self, example: Example) -> float:
        """Return the log odds that a page is relevant by its words alone."""
        values = weigh(example, self.idf)
        value = float(values @ self.weights[example.features]) + self.bias
        return self.slope * value + self.offset


@dataclass(slots=True)
class RelevanceLearner:
    """Learns one language of a crawl, page by page.

    What it remembers is bounded: of each kind the pages with the smallest ids, which are
    hashes of URLs, so that they are a fair sample, and the same in whichever order the
    pages came. ``seen`` counts the pages of each kind, irrelevant and relevant, ``pages``
    those that a word is on. Fitting is the caller's to do where it costs nothing: when
    :attr:`is_due`, with :func:`~ilspfc.classification.learned.fit_model`.
    """

    examples: tuple[dict[str, Example], dict[str, Example]] = field(
        default_factory=lambda: ({}, {})
    )
    seen: list[int] = field(default_factory=lambda: [0, 0])
    pages: NDArray[np.uint32] = field(
        default_factory=lambda: np.zeros(FEATURES, np.uint32)
    )
    next_fit: int = FIRST_FIT
    model: LearnedModel | None = None

    def learn(self, identity: str, example: Example) -> None:
        """Learn from a page, in place of an earlier state of it."""
        for kind, known in enumerate(self.examples):
            if (earlier := known.pop(identity, None)) is not None:
                self.seen[kind] -= 1
                self.pages[earlier.features] -= 1
        kind = int(example.target > 0)
        self.seen[kind] += 1
        self.pages[example.features] += 1
        known = self.examples[kind]
        known[identity] = example
        if len(known) > MAX_EXAMPLES:
            del known[max(known)]

    @property
    def is_due(self) -> bool:
        """True when there are enough new pages to fit the model again."""
        is_enough = min(map(len, self.examples)) >= MIN_OF_KIND
        return is_enough and sum(self.seen) >= self.next_fit

    def take(self, model: LearnedModel | None) -> None:
        """Use a model until there is that much more to learn from again."""
        self.model = model
        self.next_fit = int(sum(self.seen) * (1 + _GROWTH))


def weigh(example: Example, idf: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the TF-IDF of a page's features, a vector of length 1."""
    values = np.log1p(example.counts.astype(np.float32)) * idf[example.features]
    length = np.sqrt(values @ values)
    return values / length if length else values


# Raised when the features or the arrays change; a file of another version is not used.
_VERSION = 2
_KEY = "key"


def save_learners(
    learners: Mapping[str, RelevanceLearner], path: Path, key: str
) -> None:
    """Write the learners of a crawl by language; ``key`` names what they learned from."""
    arrays: dict[str, Any] = {_KEY: np.array(f"{_VERSION} {key}")}
    for lang, learner in learners.items():
        for name, value in _to_arrays(learner).items():
            arrays[f"{lang}/{name}"] = value
    with open_atomic(path, sync=False) as file:
        np.savez(file, **arrays)


def load_learners(path: Path, key: str = "") -> dict[str, RelevanceLearner]:
    """Return the learners in a file by language.

    There are none where the file is missing, damaged, of another version, or about something
    else than ``key``: a crawl then learns anew.
    """
    try:
        # Opened here, for NumPy leaves a file open that it cannot read.
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        version, _, known = str(arrays.pop(_KEY)).partition(" ")
        if version != str(_VERSION) or (key and known != key):
            return {}
        by_lang: dict[str, dict[str, NDArray[Any]]] = {}
        for name, value in arrays.items():
            lang, _, field = name.partition("/")
            by_lang.setdefault(lang, {})[field] = value
        return {lang: _from_arrays(fields) for lang, fields in by_lang.items()}
    except (OSError, EOFError, ValueError, KeyError, IndexError, BadZipFile):
        return {}


def _to_arrays(learner: RelevanceLearner) -> dict[str, NDArray[Any]]:
    kinds = [sorted(known.items()) for known in learner.examples]
    items = kinds[0] + kinds[1]
    examples = [example for _, example in items]
    arrays: dict[str, NDArray[Any]] = {
        "ids": np.array([identity.encode() for identity, _ in items], dtype=bytes),
        "sizes": np.array([len(example.features) for example in examples], np.int64),
        # The empty arrays give the type where there are no examples.
        "features": np.concatenate(
            [np.zeros(0, np.uint32), *(example.features for example in examples)]
        ),
        "counts": np.concatenate(
            [np.zeros(0, np.uint16), *(example.counts for example in examples)]
        ),
        "scores": np.array(
            [(e.relevance, e.density, e.target) for e in examples], np.float64
        ).reshape(-1, 3),
        "seen": np.array([*learner.seen, learner.next_fit], np.int64),
        "pages": learner.pages,
    }
    if (model := learner.model) is not None:
        arrays |= {
            "weights": model.weights,
            "idf": model.idf,
            "term_weights": model.term_weights,
            "line": np.array(
                [model.bias, model.slope, model.offset, model.term_bias, model.prior]
            ),
        }
    return arrays


def _from_arrays(arrays: Arrays) -> RelevanceLearner:
    """Return the learner of one language; ValueError where arrays do not fit together."""
    features, counts, sizes = arrays["features"], arrays["counts"], arrays["sizes"]
    is_whole = sizes.sum() == len(features) == len(counts)
    by_feature = [
        arrays[name] for name in ("pages", "weights", "idf") if name in arrays
    ]
    if (
        not is_whole
        or any(values.shape != (FEATURES,) for values in by_feature)
        or (features >= FEATURES).any()
    ):
        raise ValueError("the arrays do not fit together")
    *seen, next_fit = arrays["seen"].tolist()
    learner = RelevanceLearner(
        seen=seen, pages=arrays["pages"].copy(), next_fit=next_fit
    )
    ends = np.cumsum(sizes)
    for identity, words, times, (relevance, density, target) in zip(
        arrays["ids"].tolist(),
        np.split(features, ends)[:-1],
        np.split(counts, ends)[:-1],
        arrays["scores"].tolist(),
        strict=True,
    ):
        example = Example(words, times, relevance, density, target)
        learner.examples[int(target > 0)][identity.decode()] = example
    if "line" in arrays:
        learner.model = LearnedModel(
            arrays["weights"],
            arrays["idf"],
            arrays["term_weights"],
            *arrays["line"].tolist(),
        )
    return learner


_FOLDS = 3
# The inverse strength of the penalty on weights: of the words, of the terms, of Platt's line.
_WORDS_C = 10.0
_MAX_STEPS = 10_000  # of the SVM's solver
_TERMS_C = 1.0
_PLATT_C = 1e6
# Log odds beyond this say more than so few examples can.
_MAX_ODDS = 7.0


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Examples that a model is fitted to, the irrelevant first, and their weights.

    ``idf`` are the inverse document frequencies of the features, ``shares`` the number of
    pages of the crawl that each example stands for.
    """

    examples: Sequence[Example]
    irrelevant: int
    idf: NDArray[np.float32]
    shares: FloatArray


def make_training_set(learner: RelevanceLearner) -> TrainingSet:
    """Return the examples of a learner, in an order independent of the crawl."""
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
    weights, bias = _fit_svm(matrix, targets, balanced)
    values = _values_out_of_fold(matrix, targets, balanced)
    slope, offset = _fit_platt(values, targets, training.shares)
    odds = np.clip(slope * values + offset, -_MAX_ODDS, _MAX_ODDS)
    by_words = to_probability(odds)
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
        prior=float(to_log_odds(share)),
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
    """Return the value of each example by an SVM that has not seen it."""
    values = np.empty(len(targets))
    folds = np.arange(len(targets)) % _FOLDS
    for fold in range(_FOLDS):
        rest, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        weights, bias = _fit_svm(matrix[rest], targets[rest], shares[rest])
        values[held] = matrix[held] @ weights + bias
    return values


def _fit_svm(
    matrix: csr_matrix, targets: FloatArray, shares: FloatArray
) -> tuple[FloatArray, float]:
    """Return weights and bias of a linear SVM on targets from 0 to 1 (LIBLINEAR)."""
    # Imported late: it takes a second, and most crawls never come here.
    from sklearn.svm import LinearSVC  # noqa: PLC0415

    model = LinearSVC(C=_WORDS_C, max_iter=_MAX_STEPS, random_state=0)
    return _fit(model, matrix, targets, shares)


def _fit_line(
    matrix: FloatArray, targets: FloatArray, shares: FloatArray, c: float
) -> tuple[FloatArray, float]:
    """Return weights and bias of a logistic regression on targets from 0 to 1."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    model = LogisticRegression(C=c, solver="liblinear", random_state=0)
    return _fit(model, matrix, targets, shares)


def _fit(
    model: LinearSVC | LogisticRegression,
    matrix: csr_matrix | FloatArray,
    targets: FloatArray,
    shares: FloatArray,
) -> tuple[FloatArray, float]:
    """Fit a linear classifier; return its weights and bias.

    A target t counts as a success with the weight t and a failure with the weight 1 - t.
    """
    from scipy.sparse import issparse, vstack  # noqa: PLC0415

    good, bad = np.flatnonzero(targets > 0), np.flatnonzero(targets < 1)
    stack = vstack if issparse(matrix) else np.concatenate
    rows = stack([matrix[good], matrix[bad]])
    weights = np.concatenate([(shares * targets)[good], (shares * (1 - targets))[bad]])
    model.fit(rows, np.arange(rows.shape[0]) < len(good), sample_weight=weights)
    return model.coef_[0], float(model.intercept_[0])


def _fit_platt(
    values: FloatArray, targets: FloatArray, shares: FloatArray
) -> tuple[float, float]:
    """Return the line whose logistic function makes probabilities of values.

    The targets are drawn in a little, as Platt does, so that few examples that are
    separable do not make for certainty.
    """
    relevant = float((shares * targets).sum())
    irrelevant = float((shares * (1 - targets)).sum())
    high, low = (relevant + 1) / (relevant + 2), 1 / (irrelevant + 2)
    soft = low + (high - low) * targets
    slope, offset = _fit_line(values[:, None], soft, shares, _PLATT_C)
    return max(float(slope[0]), 0.0), offset
