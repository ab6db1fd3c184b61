"""What recurs on the sites of a crawl, in a file: arrays alone, nothing that is run."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from ilspfc.atomic import open_atomic
from ilspfc.cleaning.recurrence.counts import RecurrenceRules, SiteTexts, TextCounts

if TYPE_CHECKING:
    from pathlib import Path

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


def load_site_texts(path: Path, rules: RecurrenceRules) -> SiteTexts:
    """Return what a file knows of sites.

    It is nothing where the file is missing, damaged or of another version: a crawl then
    counts anew.
    """
    texts = SiteTexts(rules)
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
            part = TextCounts(rules.max_texts)
            part.pages, part.prints, part.counts = number, part_prints, part_counts
            texts.restore(site, lang, part)
    except (OSError, EOFError, ValueError, KeyError, IndexError, BadZipFile):
        return SiteTexts(rules)
    return texts
