"""Pairing by neighbors in the link graph: the iterative method of paper 001.

For cost, candidates from an index are scored, not all pages with all others, and the
iterations start from the internal similarity instead of at random. By default only neighbors
that are paired count; ``AS_PRINTED`` are the parameters of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ilspfc.pairing.combined import LearnLexicon
from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.evidence.identical import IDENTICAL
from ilspfc.pairing.evidence.lexicon import LEXICON
from ilspfc.pairing.evidence.shape import FINGERPRINT, common_share
from ilspfc.pairing.page_arrays import Pages
from ilspfc.pairing.ranking import assign_greedily
from ilspfc.pairing.sparse import (
    document_frequencies,
    make_counts,
    pair_products,
    row_norms,
)
from ilspfc.papers.page_dictionary import make_dictionary, propose
from ilspfc.text.arrays import FloatArray, IntArray

Weights = Literal["none", "weigh", "leave-out", "paired"]

SMOOTHING = 1
"""The constant c of equation 6, which the paper does not name."""

LOW_WEIGHT = float(np.log(2))
"""Weight (equation 6) below which a page is left out: that of one half the pages link to."""


@dataclass(frozen=True, slots=True)
class EtsOptions:
    """The paper's parameters (section 4), and what replaces some of them by default.

    ``alpha`` weighs the neighbors (equation 1), ``beta`` the content against the structure
    (equation 2). Pairs are taken until there are ``max_pairs`` (0: as many as the smaller
    side has pages) or they are less alike than ``min_similarity`` (algorithm 3). ``weights``
    says what is done with the weights of neighbors (equation 6): nothing, weigh them
    (weight 1), leave out those of low weight (weight 2), or weigh them and count those alone
    that are paired; then ``prior`` is the weight of neighbors without agreement that each
    page is given, so that few neighbors say little. Pages whose text has fewer than
    ``min_bytes`` are left out (section 4.1); pages whose lengths have a smaller ratio than
    ``min_size_ratio`` are no candidates (section 3.2, without a figure there).
    """

    alpha: float = 0.15
    beta: float = 0.6
    iterations: int = 3
    max_pairs: int = 0
    min_similarity: float = 0.0
    weights: Weights = "paired"
    prior: int = 10
    min_bytes: int = 100
    min_size_ratio: float = 0.3


AS_PRINTED = EtsOptions(alpha=0.6, weights="none")
"""The paper's own parameters."""


@dataclass(frozen=True, slots=True)
class Internal:
    """Candidates with their internal similarity (section 3.2), each in [0, 1].

    ``content`` is S_cb, ``structure`` S_struct; shape (candidates,).
    """

    candidates: Candidates
    content: FloatArray
    structure: FloatArray


def find_by_neighbors(
    comparison: Comparison, options: EtsOptions, learn: LearnLexicon
) -> tuple[Candidates, FloatArray]:
    """Return the pairs and their enhanced translation similarity, the most alike first."""
    dictionary = make_dictionary(comparison, learn)
    internal = measure_internal(comparison, dictionary, options)
    *_, enhanced = iterate(comparison, internal, options)
    chosen = choose(comparison, internal.candidates, enhanced, options)
    return internal.candidates.take(chosen), enhanced[chosen]


def choose(
    comparison: Comparison,
    candidates: Candidates,
    enhanced: FloatArray,
    options: EtsOptions,
) -> IntArray:
    """Return the places of the pairs, the most alike first (algorithm 3)."""
    chosen = assign_greedily(candidates, enhanced, max(options.min_similarity, 1e-9))
    limit = options.max_pairs or min(
        int(_is_large(side, options).sum())
        for side in (comparison.left, comparison.right)
    )
    return chosen[:limit]


# -- the internal similarity (section 3.2) -----------------------------------------------


def measure_internal(
    comparison: Comparison, dictionary: csr_array, options: EtsOptions
) -> Internal:
    """Return the candidates and their internal similarity."""
    candidates = _propose(comparison, dictionary, options)
    tags = [_tags(side) for side in (comparison.left, comparison.right)]
    return Internal(
        candidates,
        translated_share(
            comparison.left.clean.stems,
            comparison.right.clean.stems,
            candidates,
            dictionary,
        ),
        common_share(tags[0], tags[1], candidates),
    )


def _propose(
    comparison: Comparison, dictionary: csr_array, options: EtsOptions
) -> Candidates:
    comparison.set_lexicon(dictionary)
    found = propose(comparison, (IDENTICAL, FINGERPRINT, LEXICON))
    left, right = comparison.left, comparison.right
    a, b = left.clean.sizes[found.rows], right.clean.sizes[found.columns]
    b = b / np.exp(comparison.log_ratio)
    fits = np.minimum(a, b) >= options.min_size_ratio * np.maximum(a, b)
    fits &= _is_large(left, options)[found.rows]
    fits &= _is_large(right, options)[found.columns]
    return found.take(fits)


def _is_large(pages: Pages, options: EtsOptions) -> npt.NDArray[np.bool_]:
    sizes = np.array([document.text_bytes for document in pages.documents], np.int64)
    return sizes >= options.min_bytes


def translated_share(
    left: csr_array, right: csr_array, candidates: Candidates, dictionary: csr_array
) -> FloatArray:
    """Return the share of the left page's words with a translation in the right page.

    ``left`` and ``right`` count the words of pages; a word counts as often as the page has
    it. 0 for pages without a word.
    """
    words, there = (
        csr_array(dictionary > 0, dtype="f4"),
        csr_array(right > 0, dtype="f4"),
    )
    shares = np.zeros(len(candidates))
    starts = np.searchsorted(candidates.rows, np.arange(left.shape[0] + 1))
    for row in np.nonzero(np.diff(starts))[0].tolist():
        part = slice(starts[row], starts[row + 1])
        counts = left[[row]]
        if counts.nnz:
            pages = there[candidates.columns[part]]
            found = csr_array(words[counts.indices] @ pages.T) > 0
            shares[part] = counts.data @ found / counts.data.sum()
    return shares


def _tags(pages: Pages) -> Sequence[str]:
    """Return the tags of each page; the kinds of its paragraphs where they are not known."""
    return [
        document.tags or "".join(chr(kind) for kind in frame.tolist())
        for document, frame in zip(pages.documents, pages.frames, strict=True)
    ]


# -- the external and the enhanced similarity (section 3.3) ------------------------------


def iterate(
    comparison: Comparison, internal: Internal, options: EtsOptions
) -> Iterator[FloatArray]:
    """Yield the similarity of the candidates before and after each iteration.

    The internal similarity (equation 2), then the enhanced one (algorithm 2). Each iteration
    ends with the greatest at 1: the paper's normalization.
    """
    inner = options.beta * internal.content + (1 - options.beta) * internal.structure
    sides = tuple(_Neighbors(s, options) for s in (comparison.left, comparison.right))
    enhanced = inner
    yield enhanced
    for _ in range(options.iterations):
        if options.weights == "paired":
            external = _external_of_pairs(
                internal.candidates, enhanced, sides, options.prior
            )
        else:
            external = _external(internal.candidates, enhanced, sides)
        enhanced = options.alpha * external + (1 - options.alpha) * inner
        enhanced = enhanced / max(float(enhanced.max(initial=0)), 1e-12)
        yield enhanced


def weigh_pages(pointing: IntArray | FloatArray) -> FloatArray:
    """Return the weights of pages by the number of pages that link to each (equation 6).

    >>> weigh_pages(np.array([3, 0, 1])).round(2).tolist()
    [0.0, 1.39, 0.69]
    """
    return np.log((len(pointing) + SMOOTHING) / (pointing + SMOOTHING))


class _Neighbors:
    """The pages that link to each page, and those that it links to."""

    def __init__(self, pages: Pages, options: EtsOptions) -> None:
        number = len(pages)
        rows = [np.setdiff1d(part, [row]) for row, part in enumerate(pages.links)]
        links = make_counts([row.astype(np.int32) for row in rows], number)
        self.directions = links, csr_array(links.T)
        weights = weigh_pages(document_frequencies(links))
        self.weights = np.ones(number)
        if options.weights in {"weigh", "paired"}:
            self.weights = weights
        least = LOW_WEIGHT if options.weights == "leave-out" else -np.inf
        near = csr_array(links + self.directions[1])
        near.sort_indices()
        self.of = [
            some[weights[some] >= least]
            for some in np.split(near.indices, near.indptr[1:-1])
        ]


def _external_of_pairs(
    candidates: Candidates,
    enhanced: FloatArray,
    sides: tuple[_Neighbors, ...],
    prior: int,
) -> FloatArray:
    """Return the likeness of the paired neighbors of each candidate.

    Ours, for algorithm 1: as there, twice the weight of the neighbors in common over that of
    all. But neighbors are matched on the whole site (algorithm 3), each counts as much as its
    pair is alike, and others not at all: a page without a translation is no evidence. Links
    to a page and links from it are compared by themselves.
    """
    left, right = sides
    chosen = assign_greedily(candidates, enhanced, 1e-9)
    rows, columns = candidates.rows[chosen], candidates.columns[chosen]
    factors = (
        np.sqrt(left.weights[rows] * enhanced[chosen]),
        np.sqrt(right.weights[columns] * enhanced[chosen]),
    )
    common = np.zeros(len(candidates))
    total = np.full(len(candidates), 2.0 * prior)
    for from_left, from_right in zip(left.directions, right.directions, strict=True):
        a = csr_array(from_left[:, rows].multiply(factors[0]))
        b = csr_array(from_right[:, columns].multiply(factors[1]))
        common += pair_products(a, b, candidates.rows, candidates.columns)
        total += row_norms(a)[candidates.rows] ** 2
        total += row_norms(b)[candidates.columns] ** 2
    external: FloatArray = 2 * common / np.maximum(total, 1e-12)
    return external


def _external(
    candidates: Candidates, enhanced: FloatArray, sides: tuple[_Neighbors, ...]
) -> FloatArray:
    """Return the likeness of the neighbors of each candidate (algorithm 1)."""
    left, right = sides
    starts = np.searchsorted(candidates.rows, np.arange(len(left.of) + 1))
    external = np.zeros(len(candidates))
    is_near = np.zeros(len(right.of), bool)
    for row in np.nonzero(np.diff(starts))[0].tolist():
        own = left.of[row]
        parts = [np.arange(starts[page], starts[page + 1]) for page in own.tolist()]
        places = np.concatenate([np.zeros(0, np.int64), *parts])
        # The most alike first; ties go to the lower pages.
        places = places[np.lexsort((places, -enhanced[places]))]
        columns = candidates.columns[places]
        for number in range(starts[row], starts[row + 1]):
            other = right.of[candidates.columns[number]]
            is_near[other] = True
            near = places[is_near[columns]]
            is_near[other] = False
            if len(near):
                total = _match(candidates.take(near), enhanced[near], sides)
                external[number] = 2 * total / (len(own) + len(other))
    return external


def _match(
    ranked: Candidates, enhanced: FloatArray, sides: tuple[_Neighbors, ...]
) -> float:
    """Return the sum over the greedy pairs of candidates, the most alike first."""
    total, left, right = 0.0, set(), set()
    pairs = ranked.rows.tolist(), ranked.columns.tolist(), enhanced.tolist()
    for a, b, score in zip(*pairs, strict=True):
        if a not in left and b not in right:
            left.add(a)
            right.add(b)
            total += score * (sides[0].weights[a] + sides[1].weights[b]) / 2
    return total
