"""Candidates of paper 002: pages near by URL, of like size, with anchors that agree.

Source: section 3 and appendix A.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Candidates

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Comparison
    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray, IntArray

    Mask = npt.NDArray[np.bool_]

MAX_SIZE_DIFFERENCE = 20_000
"""Bytes of HTML by which two pages may differ: appendix A has 20 kB."""

MIN_AGREEMENT = 0.3
"""Share of the anchors' words in the dictionary whose translation is among the other's."""

# Pages that are compared with a page of all that are as near: with addresses that tell nothing
# that would be the whole site.
_CANDIDATES = 15


def prepare_candidates(comparison: Comparison, dictionary: csr_array) -> Candidates:
    """Return the pages that may translate each other, by appendix A in both directions."""
    left, right = comparison.left, comparison.right
    anchors = _Anchors.read(left, right, dictionary)
    parts = [
        _nearest(left, right, anchors),
        _nearest(right, left, anchors.transpose())[::-1],
    ]
    return Candidates.union(parts, len(right))


def _nearest(own: Pages, other: Pages, anchors: _Anchors) -> tuple[IntArray, IntArray]:
    """Return for each page those of the other side that are the nearest of what fits."""
    own_folders, other_folders = _folders(own), _folders(other)
    own_bytes, other_bytes = _html_bytes(own), _html_bytes(other)
    sizes = np.maximum(other.clean.sizes, 1)
    rows, columns = [], []
    for path, some in own_folders.items():
        levels = list(_levels(path, other_folders))
        for row in some:
            difference = np.abs(other_bytes - own_bytes[row])
            fits = ~(difference >= MAX_SIZE_DIFFERENCE)
            agreeing, is_similar = anchors.compare(row)
            fits &= is_similar
            found = next(
                (level[fits[level]] for level in levels if fits[level].any()), None
            )
            if found is None:
                continue
            distance = np.abs(np.log(sizes[found] / max(own.clean.sizes[row], 1)))
            best = np.lexsort((distance, -agreeing[found]))[:_CANDIDATES]
            rows += [row] * len(best)
            columns += found[best].tolist()
    return np.array(rows, np.int64), np.array(columns, np.int64)


def _folders(pages: Pages) -> Mapping[tuple[str, ...], list[int]]:
    """Return the pages by the folders of their URLs."""
    folders: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, document in enumerate(pages.documents):
        folders[tuple(urlsplit(document.url).path.split("/")[1:-1])].append(row)
    return folders


def _levels(
    path: tuple[str, ...], folders: Mapping[tuple[str, ...], list[int]]
) -> Iterator[IntArray]:
    """Yield the pages by nearness to a path, the nearest first.

    The most folders in common come first, of these the least difference in depth.
    """
    names = set(path)

    def rank(other: tuple[str, ...]) -> tuple[int, int]:
        """Return the sort key of a path: folders in common, difference in depth."""
        return -len(names & set(other)), abs(len(path) - len(other))

    for _, group in groupby(sorted(folders, key=rank), key=rank):
        yield np.array([page for one in group for page in folders[one]], np.int64)


def _html_bytes(pages: Pages) -> FloatArray:
    """Return the size of each page's HTML, NaN where it is not known."""
    sizes = np.array([document.html_bytes for document in pages.documents], np.float64)
    return np.where(sizes > 0, sizes, np.nan)


@dataclass(frozen=True, slots=True)
class _Anchors:
    """Words of the links that lead to the pages of two sides, shape (pages, stems), 0 or 1.

    ``translated`` are those of the own side in the other's language, ``other_translated``
    the reverse; ``known`` counts the words of each page that the wordlist has.
    """

    own: csr_array
    other: csr_array
    translated: csr_array
    other_translated: csr_array
    known: FloatArray
    other_known: FloatArray

    @classmethod
    def read(cls, left: Pages, right: Pages, wordlist: csr_array) -> _Anchors:
        """Return the anchors of two sides, the left as the own."""
        own, other = _flag(left.anchor_stems), _flag(right.anchor_stems)
        words = _flag(wordlist)
        return cls(
            own,
            other,
            _flag(own @ words),
            _flag(other @ words.T),
            own @ (np.asarray(words.sum(axis=1)) > 0),
            other @ (np.asarray(words.sum(axis=0)) > 0),
        )

    def transpose(self) -> _Anchors:
        """Return the same with the other side as the own."""
        return _Anchors(
            self.other,
            self.own,
            self.other_translated,
            self.translated,
            self.other_known,
            self.known,
        )

    def compare(self, row: int) -> tuple[FloatArray, Mask]:
        """Return the number of words of a page and of each other one that translate each other.

        Beside it, whether the pages' anchors are similar: enough of the words that are in
        the wordlist have their translation there. A page to which no link is known is
        similar to all.
        """
        found = (self.other @ self.translated[[row]].T).toarray().ravel()
        found += (self.other_translated @ self.own[[row]].T).toarray().ravel()
        known = self.known[row] + self.other_known
        is_silent = (np.diff(self.other.indptr) == 0) | (self.own[[row]].nnz == 0)
        return found, is_silent | (found >= MIN_AGREEMENT * known)


def _flag(counts: csr_array) -> csr_array:
    """Return 1 for each value above 0."""
    flags = csr_array(counts)
    return csr_array(
        (np.ones(flags.nnz), flags.indices, flags.indptr), shape=flags.shape
    )
