"""Near-duplicates by shared paragraphs (000, section 3.8), found in an inverted index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from ilspfc.dedup.hashes import DIGEST_BYTES, DocumentParagraphs
from ilspfc.text.arrays import IntArray

MIN_PARAGRAPHS = 3
"""A document of fewer paragraphs repeats only one with the very same ones."""
MIN_COLLECTION = 5
"""A document of fewer paragraphs is no collection of others (evaluation/NOTEBOOK.md)."""
# A paragraph of more documents is one of the site, and says nothing of what a page repeats.
_MOST_DOCUMENTS = 10


def find_near_duplicates(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
) -> dict[str, str]:
    """Return the document that stays for each that goes.

    A document goes when it shares more than ``threshold`` of its paragraphs with one that
    stays and has at least as many (the paper's rule: intersection over the shorter list).
    Of two documents the one with fewer distinct paragraphs goes, then the one whose
    language fits less, then the one with fewer tokens, then the one with the longer URL,
    then the one with the larger id, so that the order of a crawl plays no part.

    A document of fewer than three goes only when another has the very same
    paragraphs: a chapter's title page, whose one heading its sections repeat, is no
    near-duplicate of them.
    """
    pool = _sort_by_size(documents)
    paragraphs = SharedParagraphs(pool)
    survivors: dict[str, str] = {}
    for place, document in enumerate(pool):
        alike = _find_alike(paragraphs, place, threshold)
        if alike:
            survivors[document.id] = pool[min(alike)[1]].id
        else:
            paragraphs.register(place)
    return survivors


def find_collections(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
) -> dict[str, str]:
    """Return the document with most of the text of each that others hold between them.

    Archives, tags and home pages of blogs repeat whole posts or their beginnings, a manual
    on one page its chapters. What several shorter documents repeat more than ``threshold``
    of goes, and they stay. What one document repeats so much of is a version of that, unless
    fewer words of its beginning are in its URL: the archive of one post.

    Shorter documents have fewer distinct paragraphs, but at least ``MIN_PARAGRAPHS``: the
    posts of a thread, each on a page of its own, do not replace the thread. They are called
    foreign by no more marks.
    """
    pool = _sort_by_size(documents)[::-1]
    paragraphs = SharedParagraphs(pool)
    nowhere = max((document.foreign_marks for document in pool), default=0) + 1
    # The fewest foreign marks of a document that stays and has the paragraph.
    marks = np.full(paragraphs.width, nowhere)
    found: dict[str, str] = {}
    for size, group in groupby(range(len(pool)), paragraphs.sizes.tolist().__getitem__):
        needed = int(threshold * size) + 1
        staying = []
        for place in group:
            fewest = pool[place].foreign_marks
            repeated = int((marks[paragraphs[place]] <= fewest).sum())
            original: DocumentParagraphs | None = None
            if size >= MIN_COLLECTION and repeated >= needed:
                original = _find_original(pool, paragraphs, place, threshold)
            if original is not None:
                found[pool[place].id] = original.id
            elif size >= MIN_PARAGRAPHS:
                staying.append(place)
        for place in staying:
            own = paragraphs[place]
            paragraphs.register(place)
            marks[own] = np.minimum(marks[own], pool[place].foreign_marks)
    return found


def _find_original(
    pool: Sequence[DocumentParagraphs],
    paragraphs: SharedParagraphs,
    place: int,
    threshold: float,
) -> DocumentParagraphs | None:
    """Return the document that one repeats most of, None if it is but a version of that.

    A version shares more than ``threshold`` of its paragraphs, with or without those of the
    site, with one other document, whose URL says no more of the text.
    """
    parts: list[tuple[int, int]] = []
    least = needed = int(threshold * paragraphs.sizes[place]) + 1
    while not parts:  # the fewer are needed, the more documents are compared
        parts = [(shared, part) for part, shared in paragraphs.find(place, least)]
        least = (least + 1) // 2
    shared, part = max(parts)
    document, original = pool[place], pool[part]
    is_page_of_its_own = (
        original.url_words > document.url_words
        and original.foreign_marks <= document.foreign_marks
    )
    is_version = shared >= needed or paragraphs.share(place, part) > threshold
    return original if not is_version or is_page_of_its_own else None


def find_lists(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
    named: Callable[[str], Iterable[str]],
) -> dict[str, str]:
    """Return the document with most of the text of each list of documents that it links to.

    ``named`` returns those that a document links to by their titles. The parts of a list are
    those of which it has the beginning; unlike parts of a collection they may be longer than
    it, or have one paragraph. They have more than ``threshold`` of its text, none of them
    alone, and all of it is in documents that stay, so that none is lost.
    """
    pool = _sort_by_size(documents)
    paragraphs = SharedParagraphs(pool)
    places = {document.id: place for place, document in enumerate(pool)}
    # The number of documents that have a paragraph, without the lists found.
    owners = paragraphs.frequency.copy()
    found: dict[str, str] = {}
    for place, document in enumerate(pool):
        own, size = paragraphs[place], int(paragraphs.sizes[place])
        if not MIN_COLLECTION <= size == len(own) or owners[own].min() < 2:
            continue
        hashes = document.hashes
        parts = {places[one] for one in named(document.id) if one in places} - {place}
        shared = {
            part: np.isin(own, paragraphs[part])
            for part in parts
            if pool[part].foreign_marks <= document.foreign_marks
            and not hashes.isdisjoint(pool[part].paragraphs[:2])
        }
        if not shared:
            continue
        most = max(shared, key=lambda part: (shared[part].sum(), part))
        repeated = np.any(list(shared.values()), axis=0).sum()
        if shared[most].sum() <= threshold * size < repeated:
            found[document.id] = pool[most].id
            owners[own] -= 1
    return found


def _sort_by_size(documents: Iterable[DocumentParagraphs]) -> list[DocumentParagraphs]:
    """Return the documents with text, those before others that near-duplicates stay for."""
    pool = [document for document in documents if document.digests]
    counts = {document.id: len(document.hashes) for document in pool}
    pool.sort(key=lambda d: (-counts[d.id], d.misfit, -d.tokens, d.preference))
    return pool


def find_untranslated_copies(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
) -> dict[str, str]:
    """Return the original of each copy of a page in the folder of another language.

    A copy shares more than ``threshold`` of the paragraphs of the *longer* of the two with
    a document that fewer marks call foreign. It may be the longer one: a line that says
    that the page is not translated yet makes it so. The length of the paper's rule would
    keep it.
    """
    pool = [document for document in documents if document.digests]
    pool.sort(key=lambda d: d.preference)
    if not pool or pool[0].foreign_marks == pool[-1].foreign_marks:
        return {}
    paragraphs = SharedParagraphs(pool)
    sizes = paragraphs.sizes.tolist()
    originals: dict[str, str] = {}
    registered = 0
    for place, document in enumerate(pool):
        while pool[registered].foreign_marks < document.foreign_marks:
            paragraphs.register(registered)
            registered += 1
        alike = [
            (rank, other)
            for rank, other in _find_alike(paragraphs, place, threshold)
            if sizes[other] == sizes[place] or -rank > threshold * sizes[other]
        ]
        if alike:
            originals[document.id] = pool[min(alike)[1]].id
    return originals


def _find_alike(
    paragraphs: SharedParagraphs, place: int, threshold: float
) -> list[tuple[int, int]]:
    """Return the documents that share enough with one, the number shared negated first.

    They share more than ``threshold`` of its paragraphs; all, and have no others, where it
    is short.
    """
    count = int(paragraphs.sizes[place])
    is_short = count < MIN_PARAGRAPHS
    needed = count if is_short else int(threshold * count) + 1
    return [
        (-overlap, other)
        for other, overlap in paragraphs.find(place, needed)
        if not is_short or paragraphs.sizes[other] == count
    ]


# -- inverted index ----------------------------------------------------------------------


def _number(documents: Sequence[DocumentParagraphs]) -> IntArray:
    """Return a number for each paragraph of all documents, the same for the same digest."""
    data = b"".join(document.digests for document in documents)
    halves = np.frombuffer(data, np.uint64).reshape(-1, DIGEST_BYTES // 8)
    order = np.argsort(halves[:, 0])
    is_new = _differ(halves[order], 0)
    if (is_new != (is_new | _differ(halves[order], 1))).any():
        # Half a digest tells all paragraphs apart but for one corpus in millions.
        order = np.lexsort((halves[:, 1], halves[:, 0]))
        is_new = _differ(halves[order], 0) | _differ(halves[order], 1)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    return numbers


def _differ(halves: npt.NDArray[np.uint64], column: int) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows that differ from their predecessor in a column."""
    values = halves[:, column]
    is_new = np.ones(len(values), bool)
    is_new[1:] = values[1:] != values[:-1]
    return is_new


class SharedParagraphs:
    """The distinct paragraphs of documents; only those that several have are kept.

    Documents go by their place in the sequence. ``sizes`` are their numbers of distinct
    paragraphs, ``width`` is greater than the number of any paragraph, ``frequency`` is the
    number of documents that have each.
    """

    def __init__(self, documents: Sequence[DocumentParagraphs]) -> None:
        counts = [len(document.digests) // DIGEST_BYTES for document in documents]
        places = np.repeat(np.arange(len(documents), dtype=np.int64), counts)
        numbers = _number(documents)
        self.width = width = int(numbers.max(initial=0)) + 1
        entries = np.sort(places * width + numbers)
        entries = entries[np.diff(entries, prepend=-1) > 0]
        places, numbers = np.divmod(entries, width)
        self.sizes: IntArray = np.bincount(places, minlength=len(documents))
        self.frequency: IntArray = np.bincount(numbers, minlength=width)
        is_shared = self.frequency[numbers] > 1
        places, numbers = places[is_shared], numbers[is_shared]
        # The rarest first, ties by the digest.
        self._numbers = numbers[np.lexsort((numbers, self.frequency[numbers], places))]
        shared = np.bincount(places, minlength=len(documents))
        self._starts = np.concatenate([[0], np.cumsum(shared)])
        # The registered owners of a paragraph are a chain of entries, the last one first.
        self._last = np.full(width, -1, np.int64)
        self._before = np.full(len(numbers), -1, np.int64)
        self._places = places
        self._marked = np.zeros(width, bool)

    def __getitem__(self, place: int) -> IntArray:
        """Return the paragraphs that a document shares with any other, the rarest first."""
        return self._numbers[self._starts[place] : self._starts[place + 1]]

    def share(self, place: int, other: int) -> float:
        """Return the share of a document's paragraphs that another has, without the site's."""
        own, theirs = self[place], self[other]
        unshared = int(self.sizes[place]) - len(own)
        own = own[self.frequency[own] <= _MOST_DOCUMENTS]
        return float(np.isin(own, theirs).sum() / max(unshared + len(own), 1))

    def register(self, place: int) -> None:
        """Let a document be found from now on."""
        own, start = self[place], int(self._starts[place])
        self._before[start : start + len(own)] = self._last[own]
        self._last[own] = np.arange(start, start + len(own))

    def find(self, place: int, needed: int) -> Iterator[tuple[int, int]]:
        """Yield the registered documents that share ``needed`` paragraphs, and how many.

        Not all documents are compared: two sets of which one has ``n`` members and that
        share ``needed`` of them share one among any ``n - needed + 1``, so also among the
        rarest of these.
        """
        own = self[place]
        unshared = int(self.sizes[place]) - len(own)
        probes = int(self.sizes[place]) - needed + 1 - unshared
        if probes <= 0:
            return
        candidates = self._owners(own[:probes])
        if not candidates:
            return
        rows = [self[candidate] for candidate in candidates]
        self._marked[own] = True
        hits = self._marked[np.concatenate(rows)]
        self._marked[own] = False
        starts = np.cumsum([0, *(len(row) for row in rows[:-1])])
        overlaps = np.add.reduceat(hits.astype(np.int64), starts)
        for candidate, overlap in zip(candidates, overlaps.tolist(), strict=True):
            if overlap >= needed:
                yield candidate, overlap

    def _owners(self, numbers: IntArray) -> list[int]:
        """Return the registered documents that have any of some paragraphs."""
        # Views give integers several times faster than arrays do.
        before, places = self._before.data, self._places.data
        found: set[int] = set()
        for last in self._last[numbers].tolist():
            entry = last
            while entry >= 0:
                found.add(places[entry])
                entry = before[entry]
        return sorted(found)
