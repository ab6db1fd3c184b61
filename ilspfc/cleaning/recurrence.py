"""Recurrence of blocks over the pages of a site: fingerprints, and their counts in bounded memory and in a file."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ilspfc.atomic import open_atomic
from ilspfc.cleaning.annotation import data_tables
from ilspfc.cleaning.blocks.tags import HEADING_TAGS

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import Block, ParsedPage


# Of a page with more blocks those that are most like content are counted.
_MAX_BLOCKS = 500
_NUMBER_RE = re.compile(r"\d+")


class RecurringTexts(NamedTuple):
    """Recurring texts of a site as sorted fingerprints.

    ``doubtful`` are those of ``all`` that are boilerplate on most of their pages.
    """

    all: NDArray[np.uint64]
    doubtful: NDArray[np.uint64]


class PagePrints(NamedTuple):
    """Distinct fingerprints of a page, sorted, with a mask of those of content."""

    prints: NDArray[np.uint64]
    content: NDArray[np.bool_]


def _fingerprint(block: Block) -> int:
    """Return a 64-bit key of a block's text, its numbers left out, and of its element.

    The heading of a page is another block than the link to it in a table of contents.
    """
    is_link = 2 * block.link_words > block.words
    text = _NUMBER_RE.sub("0", block.text.casefold())
    data = f"{block.tag} {is_link:d} {text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest())


def read_prints(blocks: Sequence[Block]) -> tuple[NDArray[np.uint64], PagePrints]:
    """Return the fingerprint of each block, and those of the page.

    Blocks beyond the limit that are no content have the fingerprint 0.
    """
    content = _content_of(blocks)
    scores = np.array([block.score or 0.0 for block in blocks])
    order = np.lexsort((-scores, ~content))[: max(_MAX_BLOCKS, int(content.sum()))]
    prints = np.zeros(len(blocks), np.uint64)
    chosen = (_fingerprint(blocks[place]) for place in order.tolist())
    prints[order] = np.fromiter(chosen, np.uint64, len(order))
    counted = order[:_MAX_BLOCKS]
    different, first = np.unique(prints[counted], return_index=True)
    return prints, PagePrints(different, content[counted][first])


def _content_of(blocks: Sequence[Block]) -> NDArray[np.bool_]:
    return np.fromiter((block.is_content for block in blocks), np.bool_, len(blocks))


def site_blocks(
    blocks: Sequence[Block], prints: NDArray[np.uint64], known: RecurringTexts
) -> list[int]:
    """Return the places of the content blocks that are boilerplate of the site.

    The page's own text is content that does not recur. Recurring blocks before and behind
    it are boilerplate; within it, where labels and headings of the text recur, only blocks
    that are boilerplate on most of their pages and neither a heading nor in a table of data. The title stays, headings stay with the text that they
    head, list items and cells with those beside them. A page without text of its own, a
    copy of others, stays as it is.
    """
    content = _content_of(blocks)
    recurs = content & np.isin(prints, known.all)
    own = np.flatnonzero(content & ~recurs)
    if not (recurs.any() and len(own)):
        return []
    doubtful = recurs & np.isin(prints, known.doubtful)
    tables = data_tables(blocks)
    own_groups = {_group(blocks[place], tables) for place in own.tolist()} - {None}
    first, last = int(own[0]), int(own[-1])
    while first and blocks[first - 1].tag in HEADING_TAGS and not doubtful[first - 1]:
        first -= 1
    found = []
    for place in np.flatnonzero(recurs).tolist():
        block = blocks[place]
        if block.is_title or _group(block, tables) in own_groups:
            continue
        is_inside = first <= place <= last
        is_label = block.tag in HEADING_TAGS or block.table in tables
        if not is_inside or (doubtful[place] and not is_label):
            found.append(place)
    return found


def _group(block: Block, tables: frozenset[int]) -> tuple[str, int] | None:
    """Return the list of a block, its table of data, or its row in another table."""
    if block.list_number > 0:
        return "list", block.list_number
    if block.table in tables:
        return "table", block.table
    return ("row", block.row) if block.row else None


class SiteReviser:
    """Reviser that marks recurring blocks as boilerplate after a backend.

    Made for one page. ``page`` then has its fingerprints with what was content before,
    ``marked`` the number of blocks that were content and are no more.
    """

    def __init__(self, known: RecurringTexts | None) -> None:
        self._known = known
        self.page: PagePrints | None = None
        self.marked = 0

    def revise(self, parsed: ParsedPage) -> None:
        """Read the fingerprints of a page and mark its recurring blocks as boilerplate."""
        blocks = parsed.blocks
        if not blocks:
            return
        prints, self.page = read_prints(blocks)
        if self._known is None:
            return
        for place in site_blocks(blocks, prints, self._known):
            blocks[place].is_content = False
            self.marked += 1


# -- counts of recurring texts, in bounded memory and in a file

# Pages are counted in batches, which cost little more than a page: of _FIRST_BATCH pages
# at first, later of an eighth of the pages before them, of _MAX_BATCH at most.
_FIRST_BATCH = 16
_MAX_BATCH = 64


# A text recurs on at least MIN_PAGES pages of one site and language that are at least the
# SHARE of those seen.
SHARE = 0.05
MIN_PAGES = 10
MAX_TEXTS = 8192
"""Fingerprints kept of a site and language, 16 bytes each."""
MAX_SITES = 200
"""Sites and languages that are remembered, those seen last: 26 MB at most."""


class TextCounts:
    """Number of pages of a site and language with each text, and with it as content.

    A summary of Misra and Gries, merged batch by batch as Agarwal et al. (Mergeable
    summaries, PODS 2012, section 2) do: where there are more than ``max_texts``, the
    count of the first that is too many is taken off all. Counts are thus never too high,
    and too low by at most the number of fingerprints counted over ``max_texts``.
    """

    def __init__(self, max_texts: int = MAX_TEXTS) -> None:
        self._max_texts = max_texts
        self._waiting: list[PagePrints] = []
        self.pages = 0
        self.prints = np.zeros(0, np.uint64)
        self.counts = np.zeros((2, 0), np.uint32)  # pages, of them as content

    def __len__(self) -> int:
        return len(self.prints)

    def add(self, page: PagePrints) -> bool:
        """Count a page; return whether its batch is full and the counts have changed."""
        self.pages += 1
        self._waiting.append(page)
        if len(self._waiting) < min(max(_FIRST_BATCH, self.pages // 8), _MAX_BATCH):
            return False
        self.merge()
        return True

    def merge(self) -> None:
        """Count the pages of the open batch."""
        if not self._waiting:
            return
        pages, self._waiting = self._waiting, []
        prints = np.concatenate([self.prints, *(page.prints for page in pages)])
        content = np.concatenate([self.counts[1], *(page.content for page in pages)])
        weights = np.ones(len(prints), np.uint32)
        weights[: len(self.prints)] = self.counts[0]
        self.prints, places = np.unique(prints, return_inverse=True)
        size = len(self.prints)
        self.counts = np.stack(
            [np.bincount(places, each, size) for each in (weights, content)]
        ).astype(np.uint32)
        self._prune()

    def _prune(self) -> None:
        if len(self) <= self._max_texts:
            return
        totals, content = self.counts.astype(np.int64)
        rank = len(totals) - self._max_texts - 1
        left = totals - np.partition(totals, rank)[rank]
        stays = left > 0
        # Rounded up: what was content once is worth knowing.
        content = -(-content * left // totals)
        self.prints = self.prints[stays]
        self.counts = np.stack([left, content])[:, stays].astype(np.uint32)

    def recurring(self) -> RecurringTexts:
        """Return the recurring texts by the pages of the full batches.

        Texts that were never content are left out: they need no second judgment.
        """
        least = max(MIN_PAGES, SHARE * self.pages)
        recurs = (self.counts[0] >= least) & (self.counts[1] > 0)
        doubtful = recurs & (2 * self.counts[1] < self.counts[0])
        return RecurringTexts(self.prints[recurs], self.prints[doubtful])


class SiteTexts:
    """Recurring texts of each site, in any of its languages.

    Languages are counted apart: untranslated text is on a page of each language and would
    seem to recur.
    """

    def __init__(self) -> None:
        self.pages = 0  # counted in this run
        self.counts: OrderedDict[tuple[str, str], TextCounts] = OrderedDict()
        self._known: dict[str, RecurringTexts] = {}

    def known(self, site: str) -> RecurringTexts | None:
        """Return the recurring texts of a site, None if there are none."""
        return self._known.get(site)

    def learn(self, site: str, lang: str, page: PagePrints) -> None:
        """Count a page of a site, in a language."""
        self.pages += 1
        counts = self.counts.get((site, lang))
        if counts is None:
            counts = TextCounts()
            self._add(site, lang, counts)
        self.counts.move_to_end((site, lang))
        if counts.add(page):
            self._update(site)

    def restore(self, site: str, lang: str, counts: TextCounts) -> None:
        """Restore the counts of a site and language of an earlier run."""
        self._add(site, lang, counts)
        self._update(site)

    def _add(self, site: str, lang: str, counts: TextCounts) -> None:
        self.counts[site, lang] = counts
        if len(self.counts) > MAX_SITES:
            (oldest, _), _ = self.counts.popitem(last=False)
            self._update(oldest)

    def _update(self, site: str) -> None:
        parts = [
            counts.recurring()
            for (other, _), counts in self.counts.items()
            if other == site
        ]
        if parts:
            every = np.unique(np.concatenate([part.all for part in parts]))
            doubtful = np.unique(np.concatenate([part.doubtful for part in parts]))
            if len(every):
                self._known[site] = RecurringTexts(every, doubtful)
                return
        self._known.pop(site, None)


# Raised when fingerprints or arrays change; a file of another version is not used.
_VERSION = 1
_SEPARATOR = "\t"


def save_site_texts(texts: SiteTexts, path: Path) -> None:
    """Write the counts of all sites and languages, those that came last at the end."""
    counts = list(texts.counts.values())
    for each in counts:
        each.merge()
    names = [_SEPARATOR.join(key) for key in texts.counts]
    with open_atomic(path, sync=False) as file:
        np.savez(
            file,
            version=np.array(_VERSION),
            names=np.array([name.encode() for name in names], dtype=bytes),
            pages=np.array([each.pages for each in counts], np.int64),
            sizes=np.array([len(each) for each in counts], np.int64),
            prints=np.concatenate(
                [np.zeros(0, np.uint64), *(each.prints for each in counts)]
            ),
            counts=np.concatenate(
                [np.zeros((2, 0), np.uint32), *(each.counts for each in counts)], axis=1
            ),
        )


def load_site_texts(path: Path) -> SiteTexts:
    """Return the counts of a file; none if it is missing, damaged or of another version."""
    texts = SiteTexts()
    try:
        # Opened here, for NumPy leaves a file open that it cannot read.
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            if int(file["version"]) != _VERSION:
                return texts
            names, pages, sizes = file["names"], file["pages"], file["sizes"]
            prints, counts = file["prints"], file["counts"]
        if sizes.sum() != len(prints) or counts.shape != (2, len(prints)):
            return texts
        ends = np.cumsum(sizes)[:-1]
        parts = zip(
            names.tolist(),
            pages.tolist(),
            np.split(prints, ends),
            np.split(counts, ends, axis=1),
            strict=True,
        )
        for name, number, part_prints, part_counts in parts:
            site, lang = name.decode().split(_SEPARATOR)
            part = TextCounts()
            part.pages, part.prints, part.counts = number, part_prints, part_counts
            texts.restore(site, lang, part)
    except (OSError, EOFError, ValueError, KeyError, IndexError, BadZipFile):
        return SiteTexts()
    return texts
