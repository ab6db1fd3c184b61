"""Lexicons that come with the package: a modest prior for corpora of few sure pairs.

They were learned on sites of technical documentation (``evaluation/train_lexicon.py``) and from
message catalogs (``evaluation/catalog_lexicon.py``): a file each language pair, a line each pair
of stems and site: source, target, score, segments, documents, site.
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
    """Return the entries of two ISO 639-3 languages from all sites but one.

    Empty for a language pair without a starter lexicon.
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
