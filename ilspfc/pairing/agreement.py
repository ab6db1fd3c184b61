"""Three and more languages: where A pairs with B and B with C, A should pair with C.

Each two languages are judged by themselves first. Then a candidate gains by what the pairs
of both its pages with a third language say, and loses where they name another page.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.model import logit, probability

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ilspfc.pairing.judged import Judged
    from ilspfc.pairing.sparse import FloatArray

    Languages = tuple[str, str]
    # The partner of a document, and how probable the pair is.
    Partners = Mapping[str, tuple[str, float]]

# What a certain way over other languages adds to the log odds, and a certain way to
# another page takes away: fitted to sites left out (evaluation/pairing_left_out.py).
SUPPORT = 2.4
CONFLICT = 1.5
# Less probable pairs tell nothing of a third language.
_MIN_PROBABILITY = 0.3


def agree(
    judged: Mapping[Languages, Sequence[Judged]],
) -> dict[Languages, list[Judged]]:
    """Return what was judged of each two languages in the light of the other languages."""
    ways = find_ways(judged)
    return {
        langs: [_reconsider(site, ways[langs]) for site in sites]
        for langs, sites in judged.items()
    }


def find_ways(
    judged: Mapping[Languages, Sequence[Judged]],
) -> dict[Languages, dict[tuple[str, str], float]]:
    """Return for each two languages which documents pair by way of others, how probably."""
    partners: dict[Languages, Partners] = {}
    for (first, second), sites in judged.items():
        pairs = [pair for site in sites for pair in _pairs(site)]
        partners[first, second] = {a: (b, p) for a, b, p in pairs}
        partners[second, first] = {b: (a, p) for a, b, p in pairs}
    return {langs: _ways(partners, langs) for langs in judged}


def _pairs(judged: Judged) -> Iterator[tuple[str, str, float]]:
    for place in judged.chosen.tolist():
        pair_probability = float(judged.probabilities[place])
        if pair_probability >= _MIN_PROBABILITY:
            source = judged.left[judged.candidates.rows[place]]
            target = judged.right[judged.candidates.columns[place]]
            yield source, target, pair_probability


def _ways(
    partners: Mapping[Languages, Partners], langs: Languages
) -> dict[tuple[str, str], float]:
    """Return how probable each pair is by the ways over a third language, one or more."""
    first, second = langs
    doubts: dict[tuple[str, str], float] = {}
    for third in sorted({lang for pair in partners for lang in pair} - {*langs}):
        onwards = partners.get((third, second), {})
        for source, (middle, there) in partners.get((first, third), {}).items():
            if middle in onwards:
                target, onward = onwards[middle]
                doubt = doubts.get((source, target), 1.0)
                doubts[source, target] = doubt * (1 - there * onward)
    return {pair: 1 - doubt for pair, doubt in doubts.items()}


def measure_ways(
    judged: Judged, ways: Mapping[tuple[str, str], float]
) -> tuple[FloatArray, FloatArray]:
    """Return what ways over other languages say of each candidate, shape (candidates,).

    The first array has the ways to the candidate, in [0, 1], the second the best way from
    one of its pages to another one.
    """
    by_source: dict[str, list[tuple[str, float]]] = defaultdict(list)
    by_target: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for (source, target), way in ways.items():
        by_source[source].append((target, way))
        by_target[target].append((source, way))
    support = np.zeros(len(judged.candidates))
    conflict = np.zeros(len(judged.candidates))
    pairs = zip(
        judged.candidates.rows.tolist(), judged.candidates.columns.tolist(), strict=True
    )
    for place, (row, column) in enumerate(pairs):
        source, target = judged.left[row], judged.right[column]
        support[place] = ways.get((source, target), 0.0)
        others = [way for other, way in by_source.get(source, ()) if other != target]
        others += [way for other, way in by_target.get(target, ()) if other != source]
        conflict[place] = max(others, default=0.0)
    return support, conflict


def _reconsider(judged: Judged, ways: Mapping[tuple[str, str], float]) -> Judged:
    support, conflict = measure_ways(judged, ways)
    logits = logit(judged.probabilities) + SUPPORT * support - CONFLICT * conflict
    return judged.with_probabilities(probability(logits))
