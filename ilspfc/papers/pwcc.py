"""Pairing by URLs, sizes and anchors, judged by aligned sentences: paper 002.

Candidates are prepared by its appendix A (section 3): pages near by URL, of like size, with
anchors that agree. By default, unlike there, folders are compared after translation: pages that
are alike by the dictionary teach which folders stand for each other. Candidates are judged by its
equations 4 to 6 (section 4). The product of equation 5 is taken as a geometric mean: as it is
printed no page of more than a few sentences could reach any threshold.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Literal
from urllib.parse import unquote, urlsplit

import numpy as np
from scipy.sparse import csr_array, hstack

from ilspfc.pairing.combined import LearnLexicon
from ilspfc.pairing.comparison import Candidates, Comparison, Matches, align_blocks
from ilspfc.pairing.evidence.lexicon import (
    LEXICON,
    MIN_SENTENCE,
    UNTRANSLATED_COST,
)
from ilspfc.pairing.page_arrays import Pages
from ilspfc.pairing.ranking import assign_greedily
from ilspfc.papers.page_dictionary import make_dictionary
from ilspfc.text.arrays import BoolArray, FloatArray, IdArray, IntArray

Segments = Iterator[tuple[IdArray, IdArray]]


# -- candidates (appendix A) -------------------------------------------------------------

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
class PwccOptions:
    """Rules of the preparation of candidates, and the least similarity of a pair.

    ``folders`` are compared as they are named (the paper), or without the words of languages
    and after translation. Of the anchor words in the dictionary ``min_agreement`` must be
    translated among the other page's (the paper: all). Of more than ``candidates`` pages that
    are as near those are taken that are the most alike by the dictionary (0: all, as in the
    paper). ``threshold`` is that of the geometric mean of the sentences' similarities; the paper
    has log 0.65 for its product (section 4.2), ``evaluation.pwcc`` fits this one.
    """

    folders: Folders = "translated"
    min_agreement: float = 0.3
    candidates: int = 15
    threshold: float = 0.08


AS_PRINTED = PwccOptions(folders="same", candidates=0)
"""The paper's preparation of candidates, but for the anchors.

The paper requires all known words to agree (``min_agreement`` 1), by a list of names made by
hand: by a dictionary that was learned hardly a page has a candidate then.
"""


def prepare_candidates(
    comparison: Comparison, dictionary: csr_array, options: PwccOptions
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
    texts = zip(*projected, strict=True)
    wordlist = _flag(dictionary)
    wordlists = wordlist, csr_array(wordlist.T)
    left, right = map(_Side, sides, paths, texts, wordlists)
    parts = [_nearest(left, right, options), _nearest(right, left, options)[::-1]]
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
    ``anchors`` are the words of the links that lead to the pages, ``translated`` what they are in
    the other language, both of the shape (pages, stems), 0 or 1; ``known`` counts the words of
    each page that the wordlist has.
    """

    def __init__(
        self,
        pages: Pages,
        paths: Sequence[Path],
        texts: Iterable[csr_array],
        wordlist: csr_array,
    ) -> None:
        self.words = csr_array(hstack(texts))
        self.postings = csr_array(self.words.T)
        self.anchors = _flag(pages.anchor_stems)
        self.translated = _flag(self.anchors @ wordlist)
        self.known = self.anchors @ (np.asarray(wordlist.sum(axis=1)) > 0)
        sizes = np.array([document.html_bytes for document in pages.documents], float)
        self.bytes = np.where(sizes > 0, sizes, np.nan)
        self.folders: dict[Path, list[int]] = defaultdict(list)
        for row, path in enumerate(paths):
            self.folders[path].append(row)


def _nearest(
    own: _Side, other: _Side, options: PwccOptions
) -> tuple[IntArray, IntArray]:
    """Return for each page those of the other side that are the nearest of what fits."""
    rows, columns = [], []
    for path, some in own.folders.items():
        levels = list(_levels(path, other.folders))
        for row in some:
            fits = ~(np.abs(other.bytes - own.bytes[row]) >= MAX_SIZE_DIFFERENCE)
            fits &= _agree(own, other, row, options.min_agreement)
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


def _agree(own: _Side, other: _Side, row: int, share: float) -> BoolArray:
    """Return a mask of the other pages whose anchors are similar to those of a page.

    Enough of the words that are in the wordlist have their translation there. A page to which
    no link is known is similar to all.
    """
    found = (other.anchors @ own.translated[[row]].T).toarray().ravel()
    found += (other.translated @ own.anchors[[row]].T).toarray().ravel()
    known = own.known[row] + other.known
    is_silent = (np.diff(other.anchors.indptr) == 0) | (own.anchors[[row]].nnz == 0)
    agreed: BoolArray = is_silent | (found >= share * known)
    return agreed


def _flag(counts: csr_array) -> csr_array:
    """Return 1 for each value above 0."""
    flags = csr_array(counts)
    return csr_array(
        (np.ones(flags.nnz), flags.indices, flags.indptr), shape=flags.shape
    )


# -- their similarity (section 4) --------------------------------------------------------

LOW_SIMILARITY = 0.1
"""Similarity below which a sentence is low (section 4.2, without a figure there)."""

MAX_LOW_SHARE = 0.75
"""Share of low sentences above which a candidate is no pair (section 4.2, as above)."""

MAX_STOP_WORDS = 30
"""Stop words of a language, which do not count: the most frequent on the site (section 4.2)."""

# Share of the words of a language on the site that are stop words at most.
_STOP_SHARE = 0.01


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


def find_stop_words(pages: Pages) -> BoolArray:
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
