"""Measures the lexicon: tokens, training both ways, growth, memory, the store.

``python -m benchmarks.lexicon`` trains on made-up bitext, the same at every run: words by
Zipf's law, of which four in five are translated, in another order, by one word each. That
is harder than text, where fewer different words stand together.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.lexicon.ibm1 import Options, train
from ilspfc.lexicon.lexicon_file import LexiconStore
from ilspfc.text.tokens import tokenize
from ilspfc.text.vocabulary import Segments, Vocabulary

if TYPE_CHECKING:
    from ilspfc.lexicon.translation_model import Lexicon

SEGMENTS = 15_000
MEAN_TOKENS = 12
VOCABULARY = 30_000
TRANSLATED = 0.8
SIZES = (3_750, 7_500, 15_000, 30_000, 60_000, 120_000)
TEXT = (
    "Die Gefährdungsbeurteilung nach § 5 des Gesetzes ist für 1.250 Beschäftigte zu"
    " führen. The employer shall assess the risks to safety and health at work. "
)
# The targets.
MAX_SECONDS = 5.0
MAX_MEGABYTES = 500.0


def make_bitext(segments: int, seed: int = 1) -> tuple[Segments, Segments]:
    """Return both sides of made-up pairs of segments of 1 to 23 tokens."""
    random = np.random.default_rng(seed)
    cumulated = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7))
    lengths = random.integers(1, 2 * MEAN_TOKENS, segments)
    drawn = random.random(lengths.sum()) * cumulated[-1]
    ids = np.searchsorted(cumulated, drawn).astype(np.int32)
    translation = np.random.default_rng(0).permutation(VOCABULARY).astype(np.int32)
    other = np.searchsorted(cumulated, random.random(ids.size) * cumulated[-1])
    is_translated = random.random(ids.size) < TRANSLATED
    target = np.where(is_translated, translation[ids], other).astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return Segments(ids, offsets), Segments(target, offsets)


def learn(segments: int, iterations: int) -> Lexicon:
    """Train both ways on so many pairs of segments."""
    source, target = make_bitext(segments)
    options = Options(iterations=iterations)
    return train(source, target, (VOCABULARY, VOCABULARY), options=options)


def seconds(action: Callable[[], object]) -> float:
    """Return the seconds of CPU that an action takes."""
    started = time.process_time()
    action()
    return time.process_time() - started


def peak_megabytes(action: Callable[[], object]) -> float:
    """Return the memory that an action takes at most, without what was there before."""
    tracemalloc.start()
    action()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def report_store(lexicon: Lexicon) -> None:
    """Print how long the store takes to keep and to give what was learned."""
    words = Vocabulary(f"w{number}" for number in range(VOCABULARY))
    entries = lexicon.entries().spell(words, words)
    with (
        tempfile.TemporaryDirectory() as folder,
        LexiconStore(Path(folder) / "lexicon.db") as store,
    ):

        def put() -> None:
            for site in range(10):
                store.put(("deu", "ita"), f"{site}.example", entries, "2026-01-01")

        print(f"store, 10 sites of {len(entries):,} entries: {seconds(put):.1f} s")
        read = seconds(lambda: store.entries(("deu", "ita")))
        print(f"store, all entries of a language pair: {read:.1f} s")


def main() -> int:
    """Print all figures; return 1 if a target is missed."""
    text = TEXT * 10
    number = len(tokenize(text, "deu")) * 200
    taken = seconds(lambda: [tokenize(text, "deu") for _ in range(200)])
    print(f"tokens: {number / taken / 1e6:.1f} million a second")
    # The target is for making the bitext known, too: from numbers of words to entries.
    longest = 0.0
    for iterations in (4, 8):
        taken = seconds(lambda n=iterations: learn(SEGMENTS, n))  # type: ignore[misc]
        longest = max(longest, taken)
        print(
            f"{SEGMENTS:,} segments, {iterations} iterations both ways: {taken:.1f} s"
        )
    for size in SIZES:
        taken = seconds(lambda n=size: learn(n, 8))  # type: ignore[misc]
        print(f"{size:,} segments, 8 iterations: {taken:.1f} s")
    megabytes = peak_megabytes(lambda: learn(SEGMENTS, 4))
    print(f"{SEGMENTS:,} segments, peak memory: {megabytes:.0f} MB")
    most = peak_megabytes(lambda: learn(SIZES[-1], 4))
    print(f"{SIZES[-1]:,} segments, peak memory: {most:.0f} MB")
    report_store(learn(SEGMENTS, 4))
    is_met = longest < MAX_SECONDS and max(megabytes, most) < MAX_MEGABYTES
    print("Targets met." if is_met else "Targets missed.")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
