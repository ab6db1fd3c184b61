"""Measures alignment: seconds of CPU, memory and growth by the length of the texts.

``python -m benchmarks.alignment [SENTENCES …]`` aligns made-up texts, the same at every
run: words by Zipf's law, of which four in five are translated by one word each, sentences
of 4 to 36 words, of which one in twelve is merged with the next on one side and one in
thirty left out. Each size runs in a process of its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.sides import TextPair
from ilspfc.lexicon.ibm1 import learn_tables

if TYPE_CHECKING:
    from ilspfc.alignment.beads import Bead

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
VOCABULARY = 10_000
TRANSLATED = 0.8
# The targets: sentences a side, seconds of CPU, megabytes, with one lexicon round.
TARGETS = {1_000: (1.5, 400.0), 10_000: (15.0, 400.0)}


def make_texts(sentences: int, seed: int = 1) -> tuple[TextPair, set[tuple[int, int]]]:
    """Return two made-up texts, and the pairs of sentences that translate each other."""
    random = np.random.default_rng(seed)
    cumulated = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7))
    codes = [_spell(number) for number in range(VOCABULARY)]
    other = [_spell(number) for number in random.permutation(VOCABULARY)]
    source: list[str] = []
    target: list[str] = []
    links: set[tuple[int, int]] = set()
    while len(source) < sentences:
        size = int(random.integers(4, 37))
        words = np.searchsorted(cumulated, random.random(size) * cumulated[-1])
        drawn = np.searchsorted(cumulated, random.random(size) * cumulated[-1])
        found = np.where(random.random(size) < TRANSLATED, words, drawn)
        left = " ".join(codes[word] for word in words) + "."
        right = " ".join(other[word] for word in random.permutation(found)) + "."
        fate = random.random()
        if fate < 1 / 30:
            source.append(left)
        elif fate < 2 / 30:
            target.append(right)
        elif fate < 2 / 30 + 1 / 12 and target:
            target[-1] += " " + right
            source.append(left)
            links.add((len(source) - 1, len(target) - 1))
        else:
            source.append(left)
            target.append(right)
            links.add((len(source) - 1, len(target) - 1))
    return TextPair(source, target), links


def _spell(number: int) -> str:
    letters = "aeioubdfgklmnprstvz"
    spelled = ""
    number += 19
    while number:
        number, digit = divmod(number, len(letters))
        spelled += letters[digit]
    return spelled


def align(pair: TextPair, rounds: int) -> list[Bead]:
    """Align two texts."""
    tokenizers = ("eng", "deu")
    (beads,) = align_texts([pair], tokenizers, learn_tables, rounds=rounds)
    return beads


def measure(sentences: int, rounds: int) -> None:
    """Print seconds of CPU, megabytes and the share of links found for one size."""
    pair, links = make_texts(sentences)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    beads = align(pair, rounds)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = {(s, t) for bead in beads for s in bead.source for t in bead.target}
    share = len(found & links) / len(links)
    print(
        f"{sentences}\t{rounds}\t{seconds:.2f}\t{peak / 1024:.0f}\t"
        f"{(peak - before) / 1024:.0f}\t{share:.3f}"
    )


def main() -> int:
    """Measure every size in a process of its own; return 1 if a target is missed."""
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]), int(sys.argv[3]))
        return 0
    sizes = [int(size) for size in sys.argv[1:]] or list(SIZES)
    is_met = True
    print("sentences a side, lexicon rounds: seconds of CPU, a thousand sentences; MB")
    for size in sizes:
        for rounds in (1, 3) if size <= 10_000 else (1,):
            command = [sys.executable, "-m", "benchmarks.alignment", "--one"]
            answer = subprocess.run(
                [*command, str(size), str(rounds)], check=True, capture_output=True
            )
            cells = [float(cell) for cell in answer.stdout.split()]
            print(
                f"{size:,}, {rounds}: {cells[2]:.1f} s, {cells[2] / size * 1000:.2f} s;"
                f" {cells[3]:.0f} MB, links found {cells[5]:.3f}",
                flush=True,
            )
            limit = TARGETS.get(size) if rounds == 1 else None
            if limit:
                is_met &= cells[2] < limit[0] and cells[3] < limit[1]
    print("Targets met." if is_met else "Targets missed.")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
