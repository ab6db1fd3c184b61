"""Lexicons shipped with the package: a modest prior for corpora with few sure pairs.

They were learned from sites of technical documentation (``evaluation/train_lexicon.py``)
and message catalogs and names of emoji (``evaluation/catalog_lexicon.py``). There is a file for each language
pair, a line for each stem pair and site: source, target, score, segments, documents, site.
"""

from __future__ import annotations

import bz2
import csv
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.lexicon_file import sum_up
from ilspfc.text.arrays import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


FOLDER = files("ilspfc.lexicon") / "starter"
PIVOT = "eng"
"""The language that nearly all starter lexicons have on one side."""
MIN_PIVOT_SCORE = 0.25
"""Minimum score of a pair of words found through the pivot, as in the lexicons that ship. Of
the pairs from .3 on, .77 are in the direct German-Italian lexicon, from .2 on .69."""


@lru_cache(maxsize=4)  # several stages and calls want the same
def starter_entries(langs: tuple[str, str], *, without_site: str = "") -> list[Entry]:
    """Return the entries of two languages (ISO 639-3) from all sites but one.

    Two languages without a lexicon of their own are joined through English. The list is
    empty if either has no lexicon with English. All callers get the same list.
    """
    found = _read_entries(langs, without_site)
    if found or PIVOT in langs:
        return found
    left, right = (_read_entries((lang, PIVOT), without_site) for lang in langs)
    return _join(left, right) if left and right else []


def _join(left: Sequence[Entry], right: Sequence[Entry]) -> list[Entry]:
    """Return the pairs of source words of two lexicons with the same target language.

    The score is the geometric mean of p(right | left) and p(left | right), each summed over
    the words between: an ambiguous one divides its probability among its translations.
    """
    middle = sorted(
        {entry.target for entry in left} & {entry.target for entry in right}
    )
    numbers = {word: number for number, word in enumerate(middle)}
    (lefts, a), (rights, b) = (_tabulate(side, numbers) for side in (left, right))
    forward = _by_row(a)[:, :-1] @ _by_row(b.T)[:-1]
    backward = _by_row(b)[:, :-1] @ _by_row(a.T)[:-1]
    joined = forward.multiply(backward.T).tocoo()
    scores: FloatArray = np.sqrt(joined.data)
    kept = np.flatnonzero(scores >= MIN_PIVOT_SCORE)
    rows, columns = joined.row[kept].tolist(), joined.col[kept].tolist()
    return sorted(
        (
            Entry(lefts[row], rights[column], round(score, 2))
            for row, column, score in zip(
                rows, columns, scores[kept].tolist(), strict=True
            )
        ),
        key=lambda entry: (entry.source, entry.target),
    )


def _tabulate(
    entries: Sequence[Entry], targets: dict[str, int]
) -> tuple[list[str], csr_array]:
    """Return the source words, and their scores with each target, (sources, targets + 1).

    The last column is of all other targets, which count in the sums of the rows.
    """
    # Imported late, so that crawls without a lexicon start faster.
    from scipy.sparse import csr_array  # noqa: PLC0415

    words = sorted({entry.source for entry in entries})
    numbers = {word: number for number, word in enumerate(words)}
    width = len(targets)
    rows = [numbers[entry.source] for entry in entries]
    columns = [targets.get(entry.target, width) for entry in entries]
    scores = [entry.score for entry in entries]
    shape = (len(words), width + 1)
    return words, csr_array((scores, (rows, columns)), shape=shape)


def _by_row(table: csr_array) -> csr_array:
    """Return a table with rows that sum to 1."""
    sums = np.asarray(table.sum(axis=1)).ravel()
    return table.multiply(1 / np.maximum(sums, 1e-12)[:, None]).tocsr()


def _read_entries(langs: tuple[str, str], without_site: str) -> list[Entry]:
    """Return the entries of the file of a language pair, none without one."""
    first, second = sorted(langs)
    path = FOLDER / f"{first}-{second}.tsv.bz2"
    if not path.is_file():
        return []
    # Traversable does not promise a hash; files, and those in an archive, have one.
    found = _read_file(path, without_site)  # type: ignore[arg-type]
    return [*found] if first == langs[0] else [entry.transpose() for entry in found]


@lru_cache(maxsize=4)  # pairing and alignment ask for the same
def _read_file(path: Traversable, without_site: str) -> tuple[Entry, ...]:
    """Return the entries of a file, in the order of its languages."""
    with path.open("rb") as stream, bz2.open(stream, "rt", encoding="utf-8") as lines:
        rows = [
            (source, target, float(score), int(segments), int(documents))
            for source, target, score, segments, documents, site in csv.reader(
                lines, delimiter="\t", quoting=csv.QUOTE_NONE
            )
            if site != without_site
        ]
    return tuple(
        sum_up(*words, list(group))
        for words, group in groupby(rows, key=lambda row: (row[0], row[1]))
    )
