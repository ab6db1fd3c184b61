"""Pairing of the founding paper and ILSP-FC: one kind of evidence after the other.

Links between versions, URL patterns, images, then similar structure: fingerprints of titles,
headings, lists and paragraph lengths.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from statistics import median

import numpy as np

from ilspfc.documents import DocumentPair
from ilspfc.pairing.evidence.claims import (
    Documents,
    Marks,
    find_by_urls,
    find_by_versions,
)
from ilspfc.pairing.evidence.images import critical_bound
from ilspfc.pairing.outcome import rank
from ilspfc.pairing.page_content import PairingDocument, ratio
from ilspfc.text.arrays import FloatArray
from ilspfc.text.log_odds import to_probability

# Pairs from which the ratio of the lengths of two languages is known.
_MIN_SURE_PAIRS = 5
_MAX_LOG_RATIO = 0.5
# Weights of Jaccard coefficient and ratios in the score of a pair by images.
_WEIGHTS = (0.6, 0.2, 0.2)


@dataclass(frozen=True, slots=True)
class PairingBounds:
    """Bounds on the differences of two pages that are compared (000, section 3.9).

    The values are ILSP-FC's; ``min_jaccard`` is for the images that two pages share.
    """

    threshold: float = 0.5
    max_depth_difference: int = 1
    min_length_ratio: float = 0.4
    min_paragraph_ratio: float = 0.6
    min_jaccard: float = 0.6

    def accept(self, source: PairingDocument, target: PairingDocument) -> bool:
        """Test whether two pages may be a pair."""
        return (
            abs(source.depth - target.depth) <= self.max_depth_difference
            and ratio(source.tokens, target.tokens) >= self.min_length_ratio
            and ratio(source.paragraphs, target.paragraphs) >= self.min_paragraph_ratio
        )


def assign(claims: Iterable[DocumentPair]) -> list[DocumentPair]:
    """Return pairs with each document once: greedily, the most probable first."""
    # Rounded, so that the last digit of a sum does not decide.
    ordered = sorted(
        claims, key=lambda p: (-round(p.probability, 9), p.source, p.target)
    )
    taken: set[str] = set()
    pairs = []
    for pair in ordered:
        if pair.source not in taken and pair.target not in taken:
            taken |= {pair.source, pair.target}
            pairs.append(pair)
    return pairs


def language_log_ratio(
    pairs: Iterable[DocumentPair], documents: Iterable[PairingDocument]
) -> float:
    """Return the logarithm of how much longer text is in the target language.

    The median over pairs that are sure; 0 where there are too few of them.
    """
    chars = {d.id: sum(n for n in d.fingerprint if n > 0) for d in documents}
    ratios = [
        math.log(chars[pair.target] / chars[pair.source])
        for pair in pairs
        if chars[pair.source] and chars[pair.target]
    ]
    if len(ratios) < _MIN_SURE_PAIRS:
        return 0.0
    return min(max(median(ratios), -_MAX_LOG_RATIO), _MAX_LOG_RATIO)


def critical_images(documents: Iterable[PairingDocument]) -> dict[str, frozenset[str]]:
    """Return the images of each document that may tell its translation."""
    pool = list(documents)
    frequency = Counter(name for document in pool for name in document.images)
    bound = critical_bound(list(frequency.values()), len(pool))
    return {
        document.id: frozenset(n for n in document.images if frequency[n] <= bound)
        for document in pool
    }


def find_by_images(
    sources: Documents, targets: Documents, min_jaccard: float
) -> Iterator[DocumentPair]:
    """Yield the pairs that share their critical images, scored as in ILSP-FC.

    A document is compared with those that have one of its images in common.
    """
    images = critical_images([*sources.values(), *targets.values()])
    owners: dict[str, list[str]] = defaultdict(list)
    for identity in targets:
        for name in images[identity]:
            owners[name].append(identity)
    for source in sources.values():
        own = images[source.id]
        for identity in sorted({owner for name in own for owner in owners[name]}):
            target = targets[identity]
            jaccard = len(own & images[identity]) / len(own | images[identity])
            if jaccard < min_jaccard:
                continue
            measures = (
                jaccard,
                ratio(source.paragraphs, target.paragraphs),
                ratio(source.tokens, target.tokens),
            )
            score = sum(w * m for w, m in zip(_WEIGHTS, measures, strict=True))
            yield DocumentPair(source.id, identity, score, "images")


# -- similar structure (000, section 3.9) ------------------------------------------------

# Only pages that meet ILSP-FC's bound on paragraphs are compared, as in the paper; and the
# distance of fingerprints with a smaller ratio of lengths is over one half in any case.
MIN_PARAGRAPH_RATIO = 0.6
MIN_FINGERPRINT_RATIO = 0.5
# Two lengths are the same when their ratio, corrected by that of the languages, is within
# this logarithm. Translations are rarely of equal length, as the paper's integers ask.
LENGTH_TOLERANCE = 0.35
# Replacing one type code by another is a smaller difference than losing a paragraph.
_TYPE_MISMATCH_COST = 0.5
# How much the likeness in size weighs beside the distance.
_SIZE_WEIGHT = 0.2
# The machine's probability on the border between pairs and others.
_BORDER = 0.5
# Candidates of a document, and how common a feature may be to propose any.
_CANDIDATES = 15
_MAX_POSTINGS = 200
# Lengths fall into classes of this logarithm, with the borders at two offsets.
_CLASS_WIDTH = 0.7
_GRAM = 2


def tolerant_distance(
    a: Sequence[int], b: Sequence[int], *, log_ratio: float = 0.0
) -> float:
    """Return the edit distance of two fingerprints over the length of the longer.

    Lengths match within a tolerance, type codes exactly; insertions and deletions cost 1.
    ``log_ratio`` is the logarithm of how much longer text is in the language of ``b``.

    >>> tolerant_distance([-2, 28, 145], [-2, 31, 150])
    0.0
    >>> tolerant_distance([-2, 28, 145, 90], [-2, 28])
    0.5
    """
    if not a or not b:
        return 1.0
    costs = _substitution_costs(np.asarray(a, float), np.asarray(b, float), log_ratio)
    columns = np.arange(len(b) + 1, dtype=float)
    row = columns
    for i in range(len(a)):
        # Along a row each insertion costs 1, so the minimum over all starts of a run of
        # insertions is a running minimum of the cost less the column.
        step = np.empty_like(row)
        step[0] = i + 1
        step[1:] = np.minimum(row[1:] + 1, row[:-1] + costs[i])
        row = np.minimum.accumulate(step - columns) + columns
    return float(row[-1]) / max(len(a), len(b))


def _substitution_costs(a: FloatArray, b: FloatArray, log_ratio: float) -> FloatArray:
    log_a, log_b = np.log(np.maximum(a, 1)), np.log(np.maximum(b, 1))
    apart = np.abs(log_b[None, :] - log_a[:, None] - log_ratio) > LENGTH_TOLERANCE
    code_a, code_b = a[:, None] < 0, b[None, :] < 0
    mismatch = _TYPE_MISMATCH_COST * (a[:, None] != b[None, :])
    return np.where(code_a & code_b, mismatch, np.where(code_a | code_b, 1.0, apart))


def _features(fingerprint: Sequence[int]) -> set[tuple[object, ...]]:
    """Return the features of a fingerprint in an index: runs of length classes and codes."""
    features: set[tuple[object, ...]] = set()
    for offset in (0.0, 0.5):
        classes = [
            code if code < 0 else int(math.log(code + 1) / _CLASS_WIDTH + offset)
            for code in fingerprint
        ]
        for start in range(len(classes) - _GRAM + 1):
            features.add((offset, *classes[start : start + _GRAM + 1]))
        features.add((offset, "size", round(math.log(len(classes) + 1) / 0.2 + offset)))
    return features


class _Index:
    """Proposes documents of similar structure."""

    def __init__(self, documents: Iterable[PairingDocument]) -> None:
        self._postings: dict[tuple[object, ...], list[str]] = defaultdict(list)
        for document in documents:
            for feature in _features(document.fingerprint):
                self._postings[feature].append(document.id)

    def propose(self, document: PairingDocument) -> list[str]:
        """Return the documents that share the most and the rarest features."""
        scores: Counter[str] = Counter()
        for feature in _features(document.fingerprint):
            owners = self._postings.get(feature, ())
            if 0 < len(owners) <= _MAX_POSTINGS:
                for owner in owners:
                    scores[owner] += 1 / len(owners)  # type: ignore[assignment]
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [identity for identity, _ in ranked[:_CANDIDATES]]


def iter_features(
    sources: Documents,
    targets: Documents,
    *,
    log_ratio: float = 0.0,
) -> Iterator[tuple[str, str, tuple[float, float, float]]]:
    """Yield the candidates with the paper's three features (000, section 3.9).

    They are the ratio of the lengths of the fingerprints, the ratio of paragraphs, and the
    edit distance over the length of the longer fingerprint.
    """
    forward, backward = _Index(targets.values()), _Index(sources.values())
    candidates = {(s.id, t) for s in sources.values() for t in forward.propose(s)}
    candidates |= {(s, t.id) for t in targets.values() for s in backward.propose(t)}
    for source_id, target_id in sorted(candidates):
        source, target = sources[source_id], targets[target_id]
        a, b = source.fingerprint, target.fingerprint
        lengths = ratio(len(a), len(b))
        paragraphs = ratio(source.paragraphs, target.paragraphs)
        if lengths >= MIN_FINGERPRINT_RATIO and paragraphs >= MIN_PARAGRAPH_RATIO:
            distance = tolerant_distance(a, b, log_ratio=log_ratio)
            yield source_id, target_id, (lengths, paragraphs, distance)


def find_by_structure(
    sources: Documents,
    targets: Documents,
    *,
    log_ratio: float = 0.0,
    svm: PolynomialSvm | None = None,
) -> Iterator[DocumentPair]:
    """Yield the pairs of similar structure, as a support vector machine judges.

    ``log_ratio`` is the logarithm of how much longer text is in the targets' language;
    ``svm`` is the shipped machine unless given. Beyond its border the probability is 0.5 and
    a quarter each of the machine's certainty and of the likeness, so at most 1.
    """
    compared = list(iter_features(sources, targets, log_ratio=log_ratio))
    if not compared:
        return
    machine = svm or structure_svm()
    judged = machine.probability(np.array([features for _, _, features in compared]))
    for (source_id, target_id, features), sureness in zip(
        compared, judged.tolist(), strict=True
    ):
        if sureness > _BORDER:
            _, paragraphs, distance = features
            # Short pages are often alike in structure: the sizes then tell them apart.
            tokens = ratio(sources[source_id].tokens, targets[target_id].tokens)
            size = (tokens + paragraphs) / 2
            likeness = (1 - distance) * (1 - _SIZE_WEIGHT * (1 - size))
            certainty = 2 * sureness - 1
            probability = 0.5 + (certainty + likeness) / 4
            yield DocumentPair(source_id, target_id, probability, "structure")


# Features of the shipped machine (000, section 3.9), in the order of its vectors.
FEATURES = ("fingerprint_ratio", "paragraph_ratio", "distance")


@dataclass(frozen=True, slots=True)
class PolynomialSvm:
    """Decides by the kernel (gamma · x·v + constant) ** degree.

    ``vectors`` are the support vectors, shape (m, features); ``coefficients`` their
    weights with the sign of their class, shape (m,).
    """

    vectors: FloatArray
    coefficients: FloatArray
    intercept: float
    degree: int
    gamma: float
    constant: float

    def decide(self, features: FloatArray) -> FloatArray:
        """Return the signed distance from the border of vectors, shape (n,).

        Above 0 a vector is on the side of the pairs; +1 and -1 are the margins.
        """
        kernel = (self.gamma * features @ self.vectors.T + self.constant) ** self.degree
        return np.asarray(kernel @ self.coefficients + self.intercept, np.float64)

    def probability(self, features: FloatArray) -> FloatArray:
        """Return the logistic function of the decision: 0.5 at the border, 0.73 at the margin."""
        found: FloatArray = to_probability(np.clip(self.decide(features), -30, 30))
        return found


@lru_cache(maxsize=1)
def structure_svm() -> PolynomialSvm:
    """Return the machine of ``evaluation/train_svm.py``."""
    file = files(__package__).joinpath("structure_svm.json")
    return read_svm(file.read_text("utf-8"))


def read_svm(text: str) -> PolynomialSvm:
    """Return the machine in a JSON text; ValueError for one of other features."""
    data = json.loads(text)
    if tuple(data.pop("features")) != FEATURES:
        raise ValueError(f"no support vector machine of {', '.join(FEATURES)}")
    vectors, coefficients = (
        np.array(data.pop(name), np.float64) for name in ("vectors", "coefficients")
    )
    return PolynomialSvm(vectors, coefficients, **data)


# -- all kinds of evidence ---------------------------------------------------------------


def pair_documents(
    sources: Iterable[PairingDocument],
    targets: Iterable[PairingDocument],
    *,
    marks: Marks,
    bounds: PairingBounds,
) -> list[DocumentPair]:
    """Return the pairs of documents in two languages, one-to-one.

    In order: links between versions, URL patterns, images, structure; each sees only the
    documents that the ones before it left. Links between versions need no likeness; for
    the others ``bounds`` hold. ``marks`` are the codes and names of each language, by
    which URLs tell it. The order of the documents plays no part.
    """
    left = {d.id: d for d in sorted(sources, key=lambda d: d.id)}
    right = {d.id: d for d in sorted(targets, key=lambda d: d.id)}
    everything = [*left.values(), *right.values()]
    found: list[DocumentPair] = []

    def settle(claims: Iterable[DocumentPair], *, check: bool = True) -> None:
        likely = [
            claim
            for claim in claims
            if claim.probability >= bounds.threshold
            and (not check or bounds.accept(left[claim.source], right[claim.target]))
        ]
        for pair in assign(likely):
            del left[pair.source], right[pair.target]
            found.append(pair)

    settle(find_by_versions(left, right), check=False)
    settle(find_by_urls(left, right, marks))
    settle(find_by_images(left, right, bounds.min_jaccard))
    log_ratio = language_log_ratio(found, everything)
    settle(find_by_structure(left, right, log_ratio=log_ratio))
    return sorted(found, key=rank)
