"""Measures what the quick look at the words of segments costs in quality.

``python -m evaluation.segment_language [--part calibration|test]`` prints, for stretches of
text by length on pages of another language than theirs or of their own: how many of the
page's own are told by their words alone, so that they need not be read, and how many of
those that identification finds foreign are taken for the page's own because of it.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from evaluation.data import DATA, skip_text
from evaluation.language import PAIRS, stretches
from ilspfc.language.identification import PageIdentifier
from ilspfc.language.labels import group_of
from ilspfc.language.segment_filter import SegmentJudge
from ilspfc.text.codes import to_iso639_3

LENGTHS = (25, 40, 80, 100)
_FURTHER_PAIRS = ("en zh", "en ja", "en th", "en ko")
_FOREIGN = 1000


def measure(identifier: PageIdentifier, lang: str, chars: int, part: str) -> list[int]:
    """Return own stretches, those told by words, foreign ones, those not found any more."""
    data = stretches(part, chars)
    own = [text for code, text in data if code == lang]
    others = [text for code, text in data if code not in group_of(lang)]
    Random(1).shuffle(others)
    found = identifier.identify(others[:_FOREIGN], lang)
    foreign = [
        text for text, one in zip(others, found, strict=False) if one.lang != lang
    ]
    judge = SegmentJudge(identifier, lang)
    judge.find_doubtful(own)
    return [
        len(own),
        len(own) - len(judge.find_doubtful(own)),
        len(foreign),
        len(foreign) - sum(judge.find_foreign(foreign)),
    ]


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("calibration", "test"), default="test")
    args = parser.parse_args()
    if not (DATA / "data" / "language").is_dir():
        print(skip_text())
        return 0
    pairs = [
        tuple(map(to_iso639_3, pair.split())) for pair in (*PAIRS, *_FURTHER_PAIRS)
    ]
    print("| characters | own | told by words | foreign | no longer found |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for chars in LENGTHS:
        rows = [
            measure(PageIdentifier(langs), lang, chars, args.part)
            for langs in pairs
            for lang in langs
        ]
        own, told, foreign, lost = map(sum, zip(*rows, strict=True))
        print(
            f"| {chars} | {own} | {told / own:.3f} | {foreign} | {lost} |", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
