"""Measures language identification on text in 79 languages.

``python -m evaluation.language [--part calibration|test]`` prints, for sets of languages
that a crawl may ask for, how many stretches of text are labeled rightly by length, without
and with the language of their page as prior; how many in other languages are refused and
how many of the crawl's own are lost; and the same for languages learned from a text. It
fails where a figure is below its floor in ``baseline.json``.

The data are lingua's test data. Each paragraph belongs to the calibration or to the test
part by the hash of its text; constants were chosen on the first alone. Stretches with
lines of HTTP headers, which the data have as text, are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import DATA, PROJECT, skip_text
from ilspfc.language.identification import PageIdentifier
from ilspfc.language.labels import OTHER, group_of
from ilspfc.text.codes import to_iso639_3

if TYPE_CHECKING:
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
# Groups of languages that are alike, for texts of two words.
CLOSE = (
    "da nb sv",
    "es pt fr it ro ca",
    "de en fr es it nl",
    "cs sk pl sl hr",
    "ru uk be bg mk",
)
# Languages of the data that the model does not know.
UNKNOWN = ("mi", "ti", "tn", "ts")
LENGTHS = (20, 30, 40, 80, 100, 200)
# On a page nine paragraphs of ten are taken to be in its language.
OWN_SHARE = 0.9
# A stretch may be so much longer than asked for: its last word, not a whole address.
_MAX_EXCESS = 20
_HEADER_RE = re.compile(r"\bGMT\b|Connection: |Content-|Varnish|Age: \d|&#\d")
_COLUMNS = (
    *("own", "alone", "lost", "refused"),
    *("page", "page_kept", "page_found", "page_refused"),
)


def _part_of(text: str) -> str:
    digest = blake2b(text.encode(), digest_size=1).digest()
    return ("calibration", "test")[digest[0] % 2]


def read_texts(part: str, kind: str = "paragraphs") -> Iterator[Stretch]:
    """Yield the paragraphs, or other texts, of a part of the data."""
    path = DATA / "data" / "language" / f"lingua-{kind}.tsv"
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
        (lang, piece)
        for lang, text in read_texts(part)
        for piece in cut(text, chars)
        if len(piece) <= chars + _MAX_EXCESS and not _HEADER_RE.search(piece)
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


def measure(
    langs: Sequence[str], data: Sequence[Stretch], identifier: PageIdentifier
) -> dict[str, float]:
    """Return the figures of a crawl for some languages on stretches of one length."""
    own = [row for row in data if row[0] in langs]
    alike = frozenset().union(*map(group_of, langs))
    foreign = [row for row in data if row[0] not in alike]
    gold = np.array([lang for lang, _ in own])
    following = dict(zip(langs, [*langs[1:], langs[0]], strict=True))
    alone = _label(identifier, own, [""] * len(own))
    kept = _share(_label(identifier, own, gold.tolist()) == gold)
    abroad = [following[lang] for lang, _ in own]
    found = _share(_label(identifier, own, abroad) == gold)
    pages = [langs[number % len(langs)] for number in range(len(foreign))]
    refused = _label(identifier, foreign, pages) != np.array(pages, dtype="<U8")
    return {
        "own": len(own),
        "alone": _share(alone == gold),
        "lost": _share(alone == OTHER),
        "refused": _share(_label(identifier, foreign, [""] * len(foreign)) == OTHER),
        "page": OWN_SHARE * kept + (1 - OWN_SHARE) * found,
        "page_kept": kept,
        "page_found": found,
        "page_refused": _share(refused),
    }


def _show(name: str, figures: dict[str, float]) -> None:
    values = [f"{figures['own']:>6}", *(f"{figures[key]:.4f}" for key in _COLUMNS[1:])]
    print(f"| {name} | {' | '.join(values)} |", flush=True)


def _heading(title: str) -> None:
    print(f"\n{title}\n\n| languages | {' | '.join(_COLUMNS)} |")
    print(f"| --- |{' ---: |' * len(_COLUMNS)}")


def _mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the figures over all stretches: each set weighs what it has of its own."""
    sizes = [row["own"] for row in rows]
    means = {
        key: float(np.average([row[key] for row in rows], weights=sizes))
        for key in _COLUMNS[1:]
    }
    return {"own": sum(sizes), **means}


def measure_sets(part: str) -> dict[str, dict[str, float]]:
    """Print the figures of all sets by length; return them, and the means over those of six."""
    identifiers = {
        name: PageIdentifier(
            [to_iso639_3(code) for code in name.split()],
        )
        for name in (*SIX, *PAIRS)
    }
    means = {}
    for chars in LENGTHS:
        data = stretches(part, chars)
        _heading(f"{chars} characters, {len(data)} stretches")
        rows = []
        for name, identifier in identifiers.items():
            rows.append(measure(identifier.langs, data, identifier))
            _show(name, rows[-1])
            means[f"{name}, {chars}"] = rows[-1]
        means[str(chars)] = _mean(rows[: len(SIX)])
        _show("mean of six", means[str(chars)])
    return means


def measure_words(part: str) -> dict[str, dict[str, float]]:
    """Print the figures of close languages on pairs of words; return them and their mean."""
    data = list(read_texts(part, "wordpairs"))
    _heading("Two words, in close languages")
    figures = {}
    for name in CLOSE:
        identifier = PageIdentifier([to_iso639_3(code) for code in name.split()])
        figures[f"{name}, words"] = measure(identifier.langs, data, identifier)
        _show(name, figures[f"{name}, words"])
    mean = _mean(list(figures.values()))
    _show("mean", mean)
    return {**figures, "words": mean}


def measure_learned(part: str, folder: Path) -> dict[str, dict[str, float]]:
    """Print the figures of languages that are learned from the other part's text."""
    other = "calibration" if part == "test" else "test"
    texts = list(read_texts(other))
    means = {}
    for chars in (30, 100):
        data = stretches(part, chars)
        _heading(f"Learned from a text, beside English: {chars} characters")
        rows = []
        for code in UNKNOWN:
            lang = to_iso639_3(code)
            path = folder / f"{code}.txt"
            path.write_text(
                "\n".join(text for own, text in texts if own == lang), "utf-8"
            )
            langs = (lang, "eng")
            identifier = PageIdentifier(langs, [(lang, path)])
            rows.append(measure(langs, data, identifier))
            _show(f"{code} ({path.stat().st_size // 1000} kB), en", rows[-1])
        means[f"learned-{chars}"] = _mean(rows)
    return means


def find_failures(
    figures: dict[str, dict[str, float]], floors: dict[str, dict[str, float]]
) -> list[str]:
    """Return what is below its floor; of what is lost the floor is a ceiling."""
    failures = []
    for length, bounds in floors.items():
        for key, bound in bounds.items():
            value = figures[length][key]
            if value > bound if key == "lost" else value < bound:
                failures.append(f"{length}: {key} is {value:.4f}, the bound is {bound}")
    return failures


def main() -> int:
    """Print all figures; return 1 if one is below its floor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--part", choices=("calibration", "test"), default="test")
    arguments = parser.parse_args()
    part = arguments.part
    if not (DATA / "data" / "language").is_dir():
        print(skip_text())
        return 0
    figures = measure_words(part) | measure_sets(part)
    with tempfile.TemporaryDirectory() as folder:
        figures |= measure_learned(part, Path(folder))
    floors = json.loads((PROJECT / "evaluation" / "baseline.json").read_text("utf-8"))
    failures = find_failures(figures, floors["language"])
    print(*failures or ["All figures are at or above their floors."], sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
