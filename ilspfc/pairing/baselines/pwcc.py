"""Pairing by URLs, sizes and anchors, judged by aligned sentences: paper 002.

Candidates are prepared by its appendix A and judged by its equations 4 to 6. The corpus
teaches the dictionary, where the paper was given one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from ilspfc.pairing.assignment import assign_greedily
from ilspfc.pairing.comparison import Candidates, Matches
from ilspfc.pairing.evidence.identical_tokens import IDENTICAL
from ilspfc.pairing.segment_pairs import iter_segments
from ilspfc.pairing.sentence_similarity import list_translations, page_similarity

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ilspfc.pairing.combined import LearnLexicon
    from ilspfc.pairing.comparison import Comparison
    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray, IntArray

THRESHOLD = 0.65
"""The least mean similarity (geometric) of the sentences: the paper's log 0.65."""

# Pages that are as near as can be by URL are kept by their sizes: so many.
_CANDIDATES = 15
# Appendix A, 20 kB of HTML: here the ratio of the texts' lengths.
_MIN_SIZE_RATIO = 0.5


def prepare_candidates(comparison: Comparison) -> Candidates:
    """Return the pages with the most directories in common, at the nearest depth.

    Source: 002, appendix A, both ways.
    """
    parts = [_nearest(comparison.left, comparison.right)]
    columns, rows = _nearest(comparison.right, comparison.left)
    parts.append((rows, columns))
    return Candidates.union(parts, len(comparison.right))


def _nearest(own: Pages, other: Pages) -> tuple[IntArray, IntArray]:
    directories = [_directories(document.url) for document in other.documents]
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, path in enumerate(directories):
        groups[path].append(row)
    sizes = np.maximum(other.sizes, 1)
    rows: list[int] = []
    columns: list[int] = []
    nearest: dict[tuple[str, ...], list[int]] = {}
    for row, document in enumerate(own.documents):
        path = _directories(document.url)
        if path not in nearest:
            nearest[path] = _nearest_groups(path, groups)
        found = np.array(nearest[path], int)
        distance = np.abs(np.log(sizes[found] / max(own.sizes[row], 1)))
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


def judge(
    comparison: Comparison, candidates: Candidates, lexicon: csr_array
) -> FloatArray:
    """Return the similarity of each candidate (equations 4 to 6), in [0, 1].

    It is the geometric mean of the similarities of the aligned sentences.
    """
    similarities = np.zeros(len(candidates))
    translations = list_translations(lexicon)
    for number, (row, column) in enumerate(
        zip(candidates.rows.tolist(), candidates.columns.tolist(), strict=True)
    ):
        ratio = comparison.left.sizes[row] / max(comparison.right.sizes[column], 1)
        if not _MIN_SIZE_RATIO <= ratio <= 1 / _MIN_SIZE_RATIO:
            continue
        similarities[number] = page_similarity(
            iter_segments(
                comparison.left, comparison.right, row, column, comparison.log_ratio
            ),
            translations,
        )
    return similarities


def learn_dictionary(comparison: Comparison, learn: LearnLexicon) -> csr_array:
    """Return a dictionary from pages that share the most tokens with each other."""
    found = Candidates.union([IDENTICAL.propose(comparison)], len(comparison.right))
    scores = IDENTICAL.score(comparison, found)
    chosen = assign_greedily(found, scores, 0.2)
    best = found.take(chosen)
    comparison.learn_from(Matches(best.rows, best.columns, scores[chosen]))
    segments, documents = [], []
    for number, (row, column) in enumerate(
        zip(best.rows.tolist(), best.columns.tolist(), strict=True)
    ):
        lesson = list(
            iter_segments(
                comparison.left, comparison.right, row, column, comparison.log_ratio
            )
        )
        segments += lesson
        documents += [number] * len(lesson)
    lexicon, _ = learn(segments, documents)
    return lexicon
