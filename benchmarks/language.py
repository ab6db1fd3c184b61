"""Measures what identifying languages costs.

``python -m benchmarks.language`` prints the seconds and megabytes that a worker for six
languages takes to start, what it takes more once lingua has been asked about all of them,
and the CPU that texts of several lengths take: alone, and as the paragraphs of a page.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

from ilspfc.documents import Paragraph
from ilspfc.language.identification import PageIdentifier

LANGS = ("deu", "eng", "fra", "spa", "ita", "ell")
LENGTHS = (10, 20, 40, 80, 160, 320, 640)
PARAGRAPHS = 40
REPEATS = 50
# Each may be in several of the languages, in all five with Latin letters the first.
ASKED = (
    "Menu",
    "Portal Alpina",
    "Sensation international",
    "Formula normal",
    "Total central",
)
_START = f"""
import json, resource, sys, time
def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
import numpy
before = megabytes()
wall, cpu = time.perf_counter(), time.process_time()
from ilspfc.language.identification import page_identifier
identifier = page_identifier(tuple({LANGS!r}))
identifier.identify(["Ein erster Satz."])
started = [time.perf_counter() - wall, time.process_time() - cpu, megabytes(), before]
cpu = time.process_time()
identifier.identify({ASKED!r})
print(json.dumps([*started, time.process_time() - cpu, megabytes()]))
"""
_WORDS = (
    "der arbeitgeber stellt die nötige ausrüstung und prüft sie jedes jahr wer auf dem dach"
    " arbeitet muss sich gegen absturz sichern lärm schädigt das gehör und der schaden ist"
    " nicht heilbar deshalb tragen alle in halle einen gehörschutz vor beginn jeder schicht"
).split()


def _texts(chars: int) -> list[str]:
    """Return paragraphs of a length, no two alike."""
    texts = []
    for number in range(PARAGRAPHS):
        step = 1 + number % 7
        words = (_WORDS[(number + step * n) % len(_WORDS)] for n in range(chars))
        texts.append(" ".join(words)[:chars])
    return texts


def measure_start() -> None:
    """Print what a worker takes to start, in a process of its own."""
    answer = subprocess.run(
        [sys.executable, "-c", _START], check=True, capture_output=True
    )
    wall, cpu, peak, before, asked_cpu, asked_peak = json.loads(answer.stdout)
    print(
        f"start for {len(LANGS)} languages: {wall:.2f} s by the clock, {cpu:.2f} s CPU;"
        f" {peak:.0f} MB at most, {before:.0f} MB of them Python and NumPy\n"
        f"once lingua has been asked about five of them: {asked_cpu:.2f} s CPU more;"
        f" {asked_peak:.0f} MB at most"
    )


def _microseconds(identifier: PageIdentifier, pages: list[list[Paragraph]]) -> float:
    started = time.process_time()
    for page in pages:
        identifier.identify_page(page, "de")
    return (time.process_time() - started) / len(pages) * 1e6


def main() -> int:
    """Print all figures."""
    measure_start()
    identifier = PageIdentifier(LANGS)
    print(
        f"\n| characters | alone, µs | one of {PARAGRAPHS} on a page, µs | page, ms |"
    )
    print("| ---: | ---: | ---: | ---: |")
    identifier.identify(_texts(LENGTHS[-1]))  # what is cached is there from the start
    for chars in LENGTHS:
        texts = _texts(chars)
        alone = [[Paragraph(text)] for text in texts]
        pages = [[Paragraph(text) for text in texts] for _ in range(REPEATS)]
        one, page = _microseconds(identifier, alone), _microseconds(identifier, pages)
        print(f"| {chars} | {one:.0f} | {page / PARAGRAPHS:.0f} | {page / 1000:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
