"""Evidence from the links of a site.

Link votes: pages that translate each other link to translations in the same order. The
ordered link lists of each sure pair are aligned; each aligned pair of links votes for the
pages it leads to. Voting works on menus, tables of contents and links to the next page,
and is cheaper and uses the link graph better than 001's iteration.

Neighbors (after 001, section 3.2): the outgoing and incoming links of two pages are
compared through the pairs of the last round.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import NO_MATCHES, Candidates, Comparison
from ilspfc.pairing.evidence.kind import EvidenceKind
from ilspfc.pairing.page_arrays import Pages
from ilspfc.pairing.sparse import (
    inverse_frequencies,
    make_counts,
    normalize_rows,
    pair_products,
    weigh,
)
from ilspfc.text.arrays import FloatArray, IntArray

# A link on a larger share of pages belongs to the site's menu; menus are aligned once.
MENU_SHARE = 0.3
# Weight of the menus, in pages.
MENU_WEIGHT = 3.0
# Bonus for links at the same relative position, added to the score of their pages.
_DIAGONAL = 0.05
# Votes at which the score is half of its limit.
_HALF = 0.3
MAX_LINKS = 250


class LinkVotes(EvidenceKind):
    """Share of both pages' votes that the pair receives."""

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return the pairs with votes."""
        votes = _cached_votes(comparison)
        return None if votes is None else votes.nonzero()

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the score of each candidate, in [0, 1]."""
        votes = _cached_votes(comparison)
        if votes is None or not votes.nnz:
            return np.zeros(len(candidates))
        own = np.asarray(votes[candidates.rows, candidates.columns]).ravel()
        row = np.asarray(votes.sum(axis=1)).ravel()[candidates.rows]
        column = np.asarray(votes.sum(axis=0)).ravel()[candidates.columns]
        share: FloatArray = own / np.sqrt(np.maximum(row * column, 1e-12))
        score: FloatArray = share * own / (own + _HALF)
        return score


def _cached_votes(comparison: Comparison) -> csr_array | None:
    """Return the votes, shape (left pages, right pages), or None without sure pairs."""
    sure, scores = comparison.sure, comparison.scores
    if sure is None or scores is None or not len(sure) or not _have_links(comparison):
        return None
    if comparison.votes is None:
        comparison.votes = _count_votes(comparison, scores)
    return comparison.votes


def _have_links(comparison: Comparison) -> bool:
    return all(
        any(map(len, side.links)) for side in (comparison.left, comparison.right)
    )


def _count_votes(comparison: Comparison, scores: csr_array) -> csr_array:
    sure = comparison.sure or NO_MATCHES
    left, left_menu = _split_menu(comparison.left)
    right, right_menu = _split_menu(comparison.right)
    found, worths = [np.zeros((0, 2), np.int64)], [np.zeros(0)]
    jobs = [(left_menu, right_menu, MENU_WEIGHT)]
    for a, b, p in zip(sure.rows, sure.columns, sure.probabilities, strict=True):
        jobs.append((left[a], right[b], float(p)))
    for a_links, b_links, weight in jobs:
        if not len(a_links) or not len(b_links):
            continue
        pairs = align_links(a_links, b_links, scores)
        worth = weight * len(pairs) / max(len(a_links), len(b_links))
        if len(a_links) != len(b_links):
            worth /= 2
        found.append(np.array(pairs, np.int64).reshape(-1, 2))
        worths.append(np.full(len(pairs), worth))
    pages = np.concatenate(found)
    shape = (len(comparison.left), len(comparison.right))
    return csr_array((np.concatenate(worths), (pages[:, 0], pages[:, 1])), shape=shape)


def _split_menu(pages: Pages) -> tuple[list[IntArray], IntArray]:
    """Return the links of each page outside the menu, and the links of the menu."""
    links = [_distinct(part[part != row]) for row, part in enumerate(pages.links)]
    total = np.bincount(
        np.concatenate([np.zeros(0, np.int64), *links]), minlength=len(pages)
    )
    in_menu = total > max(MENU_SHARE * len(pages), 3)
    places: dict[int, list[int]] = defaultdict(list)
    for part in links:
        for place, target in enumerate(part[in_menu[part]]):
            places[int(target)].append(place)
    menu = sorted(places, key=lambda target: (np.mean(places[target]), target))
    return (
        [part[~in_menu[part]][:MAX_LINKS] for part in links],
        np.array(menu[:MAX_LINKS], np.int64),
    )


def _distinct(links: IntArray) -> IntArray:
    """Return the distinct links, in order of first occurrence."""
    _, first = np.unique(links, return_index=True)
    return links[np.sort(first)]


def align_links(
    left: IntArray, right: IntArray, scores: csr_array
) -> list[tuple[int, int]]:
    """Return the monotone alignment of two link lists with the highest total score.

    ``scores`` are those of the pages that they lead to. Links at the same relative
    position are preferred if the pages have no scores.
    """
    known = scores[left][:, right].toarray()
    places = np.arange(len(left))[:, None] / len(left)
    places = np.abs(places - np.arange(len(right))[None, :] / len(right))
    gains = known + _DIAGONAL * (1 - np.minimum(places * 4, 1))
    table = np.zeros((len(left) + 1, len(right) + 1))
    for number in range(len(left)):
        row = table[number].copy()
        row[1:] = np.maximum(row[1:], table[number, :-1] + gains[number])
        table[number + 1] = np.maximum.accumulate(row)
    pairs = []
    i, j = len(left), len(right)
    while i and j:
        if table[i, j] == table[i, j - 1]:
            j -= 1
        elif table[i, j] == table[i - 1, j]:
            i -= 1
        else:
            pairs.append((int(left[i - 1]), int(right[j - 1])))
            i, j = i - 1, j - 1
    return pairs


class Neighbors(EvidenceKind):
    """Mean cosine of outgoing and of incoming links.

    Proposes nothing: link votes already find what neighbors could.
    """

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]; 0 before there are pairs."""
        matches = comparison.matches
        if matches is None or not len(matches) or not _have_links(comparison):
            return np.zeros(len(candidates))
        shape = (len(comparison.left), len(comparison.right))
        ones = np.ones(len(matches))
        bridge = csr_array((ones, (matches.rows, matches.columns)), shape=shape)
        total = np.zeros(len(candidates))
        for incoming in (False, True):
            left = _weigh_links(comparison.left, incoming=incoming) @ bridge
            right = _weigh_links(comparison.right, incoming=incoming)
            total += pair_products(
                normalize_rows(csr_array(left)),
                normalize_rows(right),
                candidates.rows,
                candidates.columns,
            )
        return total / 2


def _weigh_links(pages: Pages, *, incoming: bool) -> csr_array:
    """Return the IDF-weighted outgoing or incoming links, shape (pages, pages)."""
    rows = [np.unique(part).astype(np.int32) for part in pages.links]
    graph = make_counts(rows, len(pages))
    if incoming:
        graph = csr_array(graph.T)
    return weigh(graph, inverse_frequencies(graph))


LINK_VOTES = LinkVotes("link_votes", "links", learns=True)
NEIGHBORS = Neighbors("neighbors", "links", learns=True)
