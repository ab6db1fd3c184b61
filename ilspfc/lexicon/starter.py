"""Lexicons shipped with the package: a modest prior for corpora with few sure pairs.

They were learned from sites of technical documentation (``evaluation/train_lexicon.py``)
and message catalogs (``evaluation/catalog_lexicon.py``). There is a file for each language
pair, a line for each stem pair and site: source, target, score, segments, documents, site.
"""

from __future__ import annotations

import csv
import gzip
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING

from ilspfc.lexicon.lexicon_file import sum_up

if TYPE_CHECKING:
    from ilspfc.lexicon.entries import Entry

FOLDER = files("ilspfc.lexicon") / "starter"


def starter_entries(langs: tuple[str, str], *, without_site: str = "") -> list[Entry]:
    """Return the entries of two languages (ISO 639-3) from all sites but one.

    The list is empty for a language pair without a starter lexicon.
    """
    first, second = sorted(langs)
    path = FOLDER / f"{first}-{second}.tsv.gz"
    if not path.is_file():
        return []
    with path.open("rb") as stream, gzip.open(stream, "rt", encoding="utf-8") as lines:
        rows = [
            (source, target, float(score), int(segments), int(segments), int(documents))
            for source, target, score, segments, documents, site in csv.reader(
                lines, delimiter="\t", quoting=csv.QUOTE_NONE
            )
            if site != without_site
        ]
    found = [
        sum_up(*words, list(group))
        for words, group in groupby(rows, key=lambda row: (row[0], row[1]))
    ]
    return found if first == langs[0] else [entry.transpose() for entry in found]
