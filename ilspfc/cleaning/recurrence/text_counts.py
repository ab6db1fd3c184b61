"""Counts of the texts that recur on the pages of a site, in bounded memory and in a file."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from ilspfc.atomic import open_atomic
from ilspfc.cleaning.recurrence.fingerprints import RecurringTexts

if TYPE_CHECKING:
    from ilspfc.cleaning.recurrence.fingerprints import PagePrints

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
