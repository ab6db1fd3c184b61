"""Pairing by URLs, sizes and anchors, judged by aligned sentences: paper 002.

Candidates are prepared by its appendix A (section 3) and judged by its equations 4 to 6
(section 4). The product of equation 5 is taken as a geometric mean: as it is printed no page
of more than a few sentences could reach any threshold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.comparison import Candidates, Comparison, align_blocks
from ilspfc.pairing.evidence.lexicon import (
    MIN_SENTENCE,
    UNTRANSLATED_COST,
)
from ilspfc.pairing.ranking import assign_greedily
from ilspfc.papers.near_urls import CandidateOptions, prepare_candidates
from ilspfc.papers.page_dictionary import make_dictionary
from ilspfc.text.arrays import FloatArray, IdArray

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_array

    from ilspfc.pairing.combined import LearnLexicon
    from ilspfc.pairing.page_arrays import Pages

    Segments = Iterator[tuple[IdArray, IdArray]]

LOW_SIMILARITY = 0.1
"""Similarity below which a sentence is low (section 4.2, without a figure there)."""

MAX_LOW_SHARE = 0.75
"""Share of low sentences above which a candidate is no pair (section 4.2, as above)."""

MAX_STOP_WORDS = 30
"""Stop words of a language, which do not count: the most frequent on the site (section 4.2)."""

# Share of the words of a language on the site that are stop words at most.
_STOP_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class PwccOptions(CandidateOptions):
    """The preparation of candidates, and the least similarity of a pair.

    ``threshold`` is that of the geometric mean of the sentences' similarities. The paper has log 0.65 for its
    product (section 4.2); ``evaluation.pwcc`` fits this one.
    """

    threshold: float = 0.08


AS_PRINTED = PwccOptions(folders="same", candidates=0)
"""The paper's preparation of candidates, but for the anchors.

The paper requires all known words to agree (``min_agreement`` 1), by a list of names made by
hand: by a dictionary that was learned hardly a page has a candidate then.
"""


def find_by_sentences(
    comparison: Comparison, options: PwccOptions, learn: LearnLexicon
) -> tuple[Candidates, FloatArray]:
    """Return the pairs and the similarity of their aligned sentences."""
    dictionary = make_dictionary(comparison, learn)
    candidates = prepare_candidates(comparison, dictionary, options)
    scores = judge_candidates(comparison, dictionary, candidates)
    chosen = assign_greedily(candidates, scores, max(options.threshold, MIN_SENTENCE))
    return candidates.take(chosen), scores[chosen]


class Translations(dict[int, set[int]]):
    """Cache of the translations of left-side words, of which a site has few."""

    def __init__(self, lexicon: csr_array) -> None:
        super().__init__()
        self._lexicon = lexicon

    def __missing__(self, word: int) -> set[int]:
        start, end = self._lexicon.indptr[word : word + 2]
        found = self[word] = set(self._lexicon.indices[start:end].tolist())
        return found


def judge_candidates(
    comparison: Comparison, dictionary: csr_array, candidates: Candidates
) -> FloatArray:
    """Return the similarity of each candidate (equations 4 to 6), in [0, 1]."""
    translations = Translations(dictionary)
    stops = find_stop_words(comparison.left), find_stop_words(comparison.right)
    pairs = zip(candidates.rows.tolist(), candidates.columns.tolist(), strict=True)
    scores = [
        page_similarity(
            (
                similarity(a[~stops[0][a]], b[~stops[1][b]], translations)
                for a, b in align_sentences(comparison, *pair)
            )
        )
        for pair in pairs
    ]
    return np.array(scores, np.float64)


def find_stop_words(pages: Pages) -> npt.NDArray[np.bool_]:
    """Return a mask of the stems that are stop words of a language, shape (stems,)."""
    numbers = np.asarray(pages.clean.stems.sum(axis=0)).ravel()
    count = min(MAX_STOP_WORDS, int(_STOP_SHARE * np.count_nonzero(numbers)))
    stops = np.zeros(len(numbers), bool)
    stops[np.argsort(-numbers, kind="stable")[:count]] = True
    return stops


def page_similarity(similarities: Iterable[float | None]) -> float:
    """Return the geometric mean of the similarities of aligned sentences, in [0, 1].

    Equations 5 and 6, None for sentences without a word; 0 where nothing is aligned or too
    many sentences are low.

    >>> page_similarity([0.5, 0.5, None]), page_similarity([0.5, 0.0, 0.0, 0.0, 0.0])
    (0.5, 0.0)
    """
    known = [one for one in similarities if one is not None]
    low = sum(one < LOW_SIMILARITY for one in known)
    if not known or low > MAX_LOW_SHARE * len(known):
        return 0.0
    total = sum(math.log(max(one, MIN_SENTENCE)) for one in known)
    return math.exp(total / len(known))


def similarity(
    source: IdArray, target: IdArray, translations: Mapping[int, set[int]]
) -> float | None:
    """Return equation 4 of two sentences, in [0, 1]; None where one of them is empty.

    Each word of the source counts 1 where one of its translations is in the target, else
    -0.2, also where the dictionary lacks it; the sum is divided by the longer sentence.
    """
    if not len(source) or not len(target):
        return None
    words = set(target.tolist())
    hits = sum(not translations[word].isdisjoint(words) for word in source.tolist())
    count = hits - UNTRANSLATED_COST * (len(source) - hits)
    return max(count / max(len(source), len(target)), 0.0)


# -- sentences (section 4.1) -------------------------------------------------------------


def align_sentences(comparison: Comparison, row: int, column: int) -> Segments:
    """Yield the stems of the sentences of two pages that stand for each other, by length.

    After Gale and Church, as in section 4.1: blocks first, then sentences within them.
    """
    left, right = comparison.left, comparison.right
    texts = left.clean, right.clean
    kinds = texts[0].kinds[row], texts[1].kinds[column]
    lengths = texts[0].lengths[row], texts[1].lengths[column]
    table = comparison.table
    sentences = (
        left.page_sentences(row, texts[0], table.left_stems),
        right.page_sentences(column, texts[1], table.right_stems),
    )
    sizes = [
        side.sentence_lengths(page, text, table.lengths)
        for side, page, text in zip((left, right), (row, column), texts, strict=True)
    ]
    ratio = comparison.log_ratio
    for blocks in align_blocks(kinds, lengths, ratio):
        a, b = (
            [one for block in side[part] for one in block]
            for side, part in zip(sentences, blocks, strict=True)
        )
        if len(a) == len(b):
            yield from zip(a, b, strict=True)
            continue
        long = [
            np.concatenate(side[part]) for side, part in zip(sizes, blocks, strict=True)
        ]
        flat = np.zeros(len(a), np.int8), np.zeros(len(b), np.int8)
        for one, other in align_blocks(flat, (long[0], long[1]), ratio):
            yield np.concatenate(a[one]), np.concatenate(b[other])
