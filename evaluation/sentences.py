"""Measures sentence splitting on sentences of our own, about 100 a language.

``python -m evaluation.sentences [--part tuned|judged] [--errors]`` prints precision, recall
and F1 of the boundaries inside paragraphs, and how many paragraphs come out right as a
whole, beside those of the library alone. It fails where F1 of the judged part is below its
floor in ``baseline.json``.

``evaluation/sentences.<language>.txt`` has a paragraph a line, its sentences separated by
`` | ``. Every other line, from the second, is judged; the rules may look at the others.
The sentences were written for what splitters err on: abbreviations, initials, ordinals,
numbers of lists and laws, addresses, quotations. In running text there are fewer of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path

import sentencex

from evaluation.data import PROJECT
from ilspfc.text.codes import to_iso639_3
from ilspfc.text.sentences import split_sentences

LANGS = ("de", "it", "en", "fr", "es", "el", "pt")
PARTS = ("tuned", "judged")
_SEPARATOR = " | "


def read_paragraphs(lang: str, part: str) -> list[list[str]]:
    """Return the sentences of each paragraph of a part."""
    path = Path(__file__).parent / f"sentences.{lang}.txt"
    lines = path.read_text("utf-8").splitlines()
    return [line.split(_SEPARATOR) for line in lines[PARTS.index(part) :: 2]]


def boundaries(sentences: list[str]) -> set[int]:
    """Return the places inside a paragraph where sentences end, blanks not counted."""
    lengths = (len("".join(sentence.split())) for sentence in sentences)
    return set(list(accumulate(lengths))[:-1])


def measure(
    paragraphs: list[list[str]], split: Callable[[str], list[str]]
) -> tuple[float, float, float, float, list[tuple[list[str], list[str]]]]:
    """Return precision, recall, F1, the share of right paragraphs, and the wrong ones."""
    right = found = wanted = 0
    errors = []
    for gold in paragraphs:
        pieces = split(" ".join(gold))
        ours, theirs = boundaries(pieces), boundaries(gold)
        right += len(ours & theirs)
        found += len(ours)
        wanted += len(theirs)
        if ours != theirs:
            errors.append((gold, pieces))
    f1 = 2 * right / (found + wanted)
    whole = 1 - len(errors) / len(paragraphs)
    return right / found, right / wanted, f1, whole, errors


def _split_by_library(lang: str, text: str) -> list[str]:
    return list(sentencex.segment(lang, text))


def main() -> int:
    """Print the table; return 1 where a figure is below its floor."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="judged")
    parser.add_argument("--errors", action="store_true", help="print what is wrong")
    args = parser.parse_args()
    baseline = PROJECT / "evaluation" / "baseline.json"
    floors = json.loads(baseline.read_text("utf-8"))["sentences"]
    low = []
    print(
        "| language | sentences | precision | recall | F1 | paragraphs | library, F1 |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for lang in LANGS:
        paragraphs = read_paragraphs(lang, args.part)
        code = to_iso639_3(lang)
        *figures, errors = measure(paragraphs, partial(split_sentences, lang=code))
        alone = measure(paragraphs, partial(_split_by_library, lang))[2]
        cells = " | ".join(f"{figure:.3f}" for figure in figures)
        print(f"| {lang} | {sum(map(len, paragraphs))} | {cells} | {alone:.3f} |")
        if args.part == "judged" and figures[2] < floors[lang]:
            low.append(f"{lang}: F1 {figures[2]:.3f} is below {floors[lang]}")
        for gold, pieces in errors * args.errors:
            print(
                f"  wanted {_SEPARATOR.join(gold)}\n  found  {_SEPARATOR.join(pieces)}"
            )
    print(*low, sep="\n")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
