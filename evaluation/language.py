"""Measures language identification on text in 79 languages.

``python -m evaluation.language [--part calibration|test] [--sets]`` prints, for sets of
languages that a crawl may ask for, how many stretches of text are labeled rightly by
length, without and with the language of their page as prior; how many in other languages
are refused and how many of the crawl's own are lost; and the same for languages that are
learned from a text. It fails where a figure is below its floor in ``baseline.json``.

The data are lingua's test data. Each paragraph belongs to the calibration or to the test
part by the hash of its text; constants were chosen on the first alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import DATA, PROJECT, skip_text
from ilspfc.language.codes import to_iso639_3
from ilspfc.language.identify import PageIdentifier
from ilspfc.language.labels import OTHER, group_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

Stretch = tuple[str, str]  # language (ISO 639-3), text

SIX = (
    "de en fr es it el",
    "de en fr es it pt",
    "cs sk pl sl hr bg",
    "da sv fi nl de en",
    "ru uk be bg mk sr",
    "nb ro hu lt lv et",
    "ar fa ur hi he tr",
    "zh ja ko vi th en",
)
PAIRS = ("de it", "en el", "en hr", "en fr", "es pt", "cs sk", "da nb", "nl af")
# Languages of the data that the model does not know.
UNKNOWN = ("mi", "ti", "tn", "ts")
LENGTHS = (20, 30, 40, 80, 100, 200)
# On a page nine paragraphs of ten are taken to be in its language.
OWN_SHARE = 0.9


def _part_of(text: str) -> str:
    digest = blake2b(text.encode(), digest_size=1).digest()
    return ("calibration", "test")[digest[0] % 2]


def read_texts(part: str) -> Iterator[Stretch]:
    """Yield the paragraphs of a part of the data."""
    path = DATA / "data" / "language" / "lingua-paragraphs.tsv"
    for line in path.read_text("utf-8").split("\n"):
        code, _, text = line.partition("\t")
        if text and _part_of(text) == part:
            yield to_iso639_3(code), text


def cut(text: str, chars: int) -> Iterator[str]:
    """Yield stretches of at least ``chars`` characters, cut between words."""
    spaced = text.count(" ") * 20 > len(text)
    current = ""
    for word in text.split(" ") if spaced else text:
        current += (" " if current and spaced else "") + word
        if len(current) >= chars:
            yield current
            current = ""


def stretches(part: str, chars: int) -> list[Stretch]:
    """Return the stretches of one length."""
    return [
        (lang, piece) for lang, text in read_texts(part) for piece in cut(text, chars)
    ]


def _label(
    identifier: PageIdentifier, data: Sequence[Stretch], page_langs: Sequence[str]
) -> NDArray[np.str_]:
    """Return the label of each stretch on a page in the language beside it."""
    labels = np.full(len(data), OTHER, dtype="<U8")
    by_page = defaultdict(list)
    for number, page_lang in enumerate(page_langs):
        by_page[page_lang].append(number)
    for page_lang, numbers in by_page.items():
        for start in range(0, len(numbers), 500):
            some = numbers[start : start + 500]
            found = identifier.identify([data[n][1] for n in some], page_lang)
            labels[some] = [verdict.lang for verdict in found]
    return labels


def _share(right: NDArray[np.bool_]) -> float:
    return float(np.mean(right)) if len(right) else float("nan")


def measure(langs: Sequence[str], data: Sequence[Stretch]) -> dict[str, float]:
    """Return the figures of a crawl for some languages on stretches of one length."""
    identifier = PageIdentifier(langs)
    own = [row for row in data if row[0] in langs]
    alike = frozenset().union(*map(group_of, langs))
    foreign = [row for row in data if row[0] not in alike]
    gold = np.array([lang for lang, _ in own])
    following = dict(zip(langs, [*langs[1:], langs[0]], strict=True))
    alone = _label(identifier, own, [""] * len(own))
    at_home = _label(identifier, own, [lang for lang, _ in own])
    abroad = _label(identifier, own, [following[lang] for lang, _ in own])
    pages = [langs[number % len(langs)] for number in range(len(foreign))]
    kept, found = _share(at_home == gold), _share(abroad == gold)
    return {
        "own": len(own),
        "alone": _share(alone == gold),
        "lost": _share(alone == OTHER),
        "refused": _share(_label(identifier, foreign, [""] * len(foreign)) == OTHER),
        "page_kept": kept,
        "page_found": found,
        "page": OWN_SHARE * kept + (1 - OWN_SHARE) * found,
        "page_lost": _share(at_home != gold),
        "page_refused": _share(
            _label(identifier, foreign, pages) != np.array(pages, dtype="<U8")
        ),
    }
