"""Pairing of the founding paper and ILSP-FC: one kind of evidence after the other."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

from ilspfc.documents import DocumentPair
from ilspfc.pairing.evidence.claims import (
    Documents,
    Marks,
    find_by_urls,
    find_by_versions,
)
from ilspfc.pairing.evidence.images import critical_bound
from ilspfc.pairing.page_content import PairingDocument, ratio
from ilspfc.papers.structure import find_by_structure

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
    return sorted(found, key=lambda p: (-p.probability, p.source, p.target))
