"""Pairing by URLs, sizes and anchors, judged by aligned sentences: paper 002.

Candidates are prepared by its appendix A and judged by its equations 4 to 6. The corpus
teaches the dictionary, where the paper was given one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from ilspfc.pairing.comparison import Candidates, Matches
from ilspfc.pairing.evidence.identical import IDENTICAL
from ilspfc.pairing.evidence.lexicon import list_translations, page_similarity
from ilspfc.pairing.ranking import assign_greedily

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ilspfc.pairing.combined import LearnLexicon
    from ilspfc.pairing.comparison import Comparison
    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray, IntArray

THRESHOLD = 0.65
"""Least geometric mean of the similarities of the sentences: the paper's log 0.65."""

# Pages that are kept of those nearest by URL: those with the nearest sizes.
_CANDIDATES = 15
# Appendix A, 20 kB of HTML: here the ratio of the texts' lengths.
_MIN_SIZE_RATIO = 0.5


def prepare_candidates(comparison: Comparison) -> Candidates:
    """Return the pages with the most directories in common, at the nearest depth.

    Source: 002, appendix A, both ways.
    """
    rows, columns = _nearest(comparison.right, comparison.left)[::-1]
    parts = [_nearest(comparison.left, comparison.right), (rows, columns)]
    return Candidates.union(parts, len(comparison.right))


def _nearest(own: Pages, other: Pages) -> tuple[IntArray, IntArray]:
    directories = [_directories(document.url) for document in other.documents]
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, path in enumerate(directories):
        groups[path].append(row)
    sizes = np.maximum(other.clean.sizes, 1)
    rows: list[int] = []
    columns: list[int] = []
    nearest: dict[tuple[str, ...], list[int]] = {}
    for row, document in enumerate(own.documents):
        path = _directories(document.url)
        if path not in nearest:
            nearest[path] = _nearest_groups(path, groups)
        found = np.array(nearest[path], int)
        distance = np.abs(np.log(sizes[found] / max(own.clean.sizes[row], 1)))
        found = found[np.argsort(distance, kind="stable")[:_CANDIDATES]]
        rows += [row] * len(found)
        columns += found.tolist()
    return np.array(rows, np.int64), np.array(columns, np.int64)


def _directories(url: str) -> tuple[str, ...]:
    return tuple(urlsplit(url).path.split("/")[1:-1])


def _nearest_groups(
    path: tuple[str, ...], groups: dict[tuple[str, ...], list[int]]
) -> list[int]:
    """Return the pages in the folders with the most names in common with a path."""

    def rank(other: tuple[str, ...]) -> tuple[int, int]:
        return -len(set(path) & set(other)), abs(len(path) - len(other))

    best = min(map(rank, groups), default=(0, 0))
    return [
        page for other, pages in groups.items() if rank(other) == best for page in pages
    ]


def find_by_sentences(
    comparison: Comparison, learn: LearnLexicon
) -> tuple[Candidates, FloatArray]:
    """Return the pairs and the similarity of their aligned sentences."""
    translations = list_translations(_learn_dictionary(comparison, learn))
    candidates = prepare_candidates(comparison)
    scores = _score(comparison, candidates, translations)
    chosen = assign_greedily(candidates, scores, THRESHOLD)
    return candidates.take(chosen), scores[chosen]


def _score(
    comparison: Comparison, candidates: Candidates, translations: list[set[int]]
) -> FloatArray:
    """Return the similarity of each candidate (equations 4 to 6), in [0, 1]."""
    scores = np.zeros(len(candidates))
    left, right = comparison.left.clean, comparison.right.clean
    pairs = zip(candidates.rows.tolist(), candidates.columns.tolist(), strict=True)
    for number, (row, column) in enumerate(pairs):
        ratio = left.sizes[row] / max(right.sizes[column], 1)
        if _MIN_SIZE_RATIO <= ratio <= 1 / _MIN_SIZE_RATIO:
            segments = comparison.segments(row, column)
            scores[number] = page_similarity(segments, translations)
    return scores


def _learn_dictionary(comparison: Comparison, learn: LearnLexicon) -> csr_array:
    """Return a dictionary from pages that share the most tokens with each other."""
    proposed = IDENTICAL.propose(comparison)
    found = Candidates.union([proposed] if proposed else [], len(comparison.right))
    scores = IDENTICAL.score(comparison, found)
    chosen = assign_greedily(found, scores, 0.2)
    best = found.take(chosen)
    comparison.learn_from(Matches(best.rows, best.columns, scores[chosen]))
    pairs = zip(best.rows.tolist(), best.columns.tolist(), strict=True)
    lessons = [
        (number, segment)
        for number, pair in enumerate(pairs)
        for segment in comparison.segments(*pair)
    ]
    lexicon, _ = learn([one for _, one in lessons], [number for number, _ in lessons])
    return lexicon
