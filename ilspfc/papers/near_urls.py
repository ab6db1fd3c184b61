"""Candidates of paper 002: pages near by URL, of like size, with anchors that agree.

Source: section 3 and appendix A. By default, unlike there, folders are compared after
translation: pages that are alike by the dictionary teach which folders stand for each other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

import numpy as np
from scipy.sparse import csr_array, hstack

from ilspfc.pairing.comparison import Candidates, Comparison, Matches
from ilspfc.pairing.evidence.lexicon import LEXICON
from ilspfc.text.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.page_arrays import Pages

    Mask = npt.NDArray[np.bool_]

Folders = Literal["translated", "same"]
# The folders above a page.
Path = tuple[str, ...]

MAX_SIZE_DIFFERENCE = 20_000
"""Bytes of HTML by which two pages may differ: appendix A has 20 kB."""

# Pairs of pages that a translation of a folder is learned from, so that none confirms itself,
# and their least share of the pages in either folder.
_MIN_PAIRS = 2
_MIN_SHARE = 0.2

_WORD_RE = re.compile(r"[-_+ ]+")


@dataclass(frozen=True, slots=True)
class CandidateOptions:
    """Rules of the preparation of candidates.

    ``folders`` are compared as they are named (the paper), or without the words of languages
    and after translation. Of the anchor words in the dictionary ``min_agreement`` must be
    translated among the other page's (the paper: all). Of more than ``candidates`` pages that
    are as near those are taken that are the most alike by the dictionary (0: all, as in the
    paper).
    """

    folders: Folders = "translated"
    min_agreement: float = 0.3
    candidates: int = 15


def prepare_candidates(
    comparison: Comparison, dictionary: csr_array, options: CandidateOptions
) -> Candidates:
    """Return the pages that may translate each other, by appendix A in both directions."""
    sides = comparison.left, comparison.right
    marks = frozenset[str]()
    if options.folders == "translated":
        marks = marks.union(*comparison.marks.values())
    paths = [[_split_path(d.url, marks) for d in side.documents] for side in sides]
    if options.folders == "translated" and comparison.sure is not None:
        names = learn_folders(paths[0], paths[1], comparison.sure)
        paths[1] = [tuple(names.get(name, name) for name in path) for path in paths[1]]
    projected = [
        LEXICON.project(comparison, dictionary, to_left) for to_left in (False, True)
    ]
    left, right = (
        _Side(side, of, csr_array(hstack(texts)))
        for side, of, texts in zip(
            sides, paths, zip(*projected, strict=True), strict=True
        )
    )
    anchors = _Anchors.read(*sides, dictionary)
    parts = [
        _nearest(left, right, anchors, options),
        _nearest(right, left, anchors.transpose(), options)[::-1],
    ]
    comparison.forget()
    return Candidates.union(parts, len(comparison.right))


def learn_folders(
    left: Sequence[Path], right: Sequence[Path], pairs: Matches
) -> dict[str, str]:
    """Return the left side's name of folders of the right side.

    Folders stand for each other whose pages are paired with each other the most often, by
    their share of the pairs in either; each has one counterpart.
    """
    counts: Counter[tuple[str, str]] = Counter()
    lefts: Counter[str] = Counter()
    rights: Counter[str] = Counter()
    for row, column in zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True):
        own, other = set(left[row]), set(right[column])
        lefts.update(own)
        rights.update(other)
        counts.update(product(own, other))
    shares = sorted(
        (-count / (lefts[a] + rights[b] - count), a, b)
        for (a, b), count in counts.items()
        if count >= _MIN_PAIRS
    )
    taken: set[str] = set()
    names: dict[str, str] = {}
    for share, a, b in shares:
        if -share >= _MIN_SHARE and a not in taken and b not in names:
            names[b] = a
            taken.add(a)
    return names


def _split_path(url: str, marks: frozenset[str]) -> Path:
    """Return the folders of a URL; with ``marks`` without these words, lowercased."""
    folders = urlsplit(url).path.split("/")[1:-1]
    if not marks:
        return tuple(folders)
    names = (
        "-".join(w for w in _WORD_RE.split(unquote(f).casefold()) if w not in marks)
        for f in folders
    )
    return tuple(filter(None, names))


class _Side:
    """The pages of a language by their folders.

    ``words`` are theirs in both languages, for the likeness of pages, shape (pages, stems of
    both), rows of norm 1 in each language; ``bytes`` the sizes of the HTML, NaN where not known.
    """

    def __init__(self, pages: Pages, paths: Sequence[Path], words: csr_array) -> None:
        self.words = words
        self.postings = csr_array(words.T)
        sizes = np.array([document.html_bytes for document in pages.documents], float)
        self.bytes = np.where(sizes > 0, sizes, np.nan)
        self.folders: dict[Path, list[int]] = defaultdict(list)
        for row, path in enumerate(paths):
            self.folders[path].append(row)


def _nearest(
    own: _Side, other: _Side, anchors: _Anchors, options: CandidateOptions
) -> tuple[IntArray, IntArray]:
    """Return for each page those of the other side that are the nearest of what fits."""
    rows, columns = [], []
    for path, some in own.folders.items():
        levels = list(_levels(path, other.folders))
        for row in some:
            fits = ~(np.abs(other.bytes - own.bytes[row]) >= MAX_SIZE_DIFFERENCE)
            fits &= anchors.agree(row, options.min_agreement)
            found = next(
                (level[fits[level]] for level in levels if fits[level].any()), None
            )
            if found is None:
                continue
            if 0 < options.candidates < len(found):
                likeness = (own.words[[row]] @ other.postings).toarray().ravel()[found]
                best = np.argsort(-likeness, kind="stable")[: options.candidates]
                found = found[best]
            rows += [row] * len(found)
            columns += found.tolist()
    return np.array(rows, np.int64), np.array(columns, np.int64)


def _levels(path: Path, folders: Mapping[Path, list[int]]) -> Iterator[IntArray]:
    """Yield the pages by nearness to a path, the nearest first.

    The most folders in common come first, of these the least difference in depth.
    """
    names = set(path)

    def rank(other: Path) -> tuple[int, int]:
        """Return the sort key of a path: folders in common, difference in depth."""
        return -len(names & set(other)), abs(len(path) - len(other))

    for _, group in groupby(sorted(folders, key=rank), key=rank):
        yield np.array([page for one in group for page in folders[one]], np.int64)


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

    def agree(self, row: int, share: float) -> Mask:
        """Return a mask of the other pages whose anchors are similar to those of a page.

        Enough of the words that are in the wordlist have their translation there. A page to
        which no link is known is similar to all.
        """
        found = (self.other @ self.translated[[row]].T).toarray().ravel()
        found += (self.other_translated @ self.own[[row]].T).toarray().ravel()
        known = self.known[row] + self.other_known
        is_silent = (np.diff(self.other.indptr) == 0) | (self.own[[row]].nnz == 0)
        agreed: Mask = is_silent | (found >= share * known)
        return agreed


def _flag(counts: csr_array) -> csr_array:
    """Return 1 for each value above 0."""
    flags = csr_array(counts)
    return csr_array(
        (np.ones(flags.nnz), flags.indices, flags.indptr), shape=flags.shape
    )
