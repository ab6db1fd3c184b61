"""Measures the language model of perplexity: training, size, ARPA files, scoring.

``python -m benchmarks.perplexity`` trains on a million tokens of a made-up language of
50,000 words: a Markov chain with Zipf's law, the same at every run. Where KenLM is
installed, it scores the same pages with the same model.
"""

from __future__ import annotations

import gc
import math
import sys
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ilspfc.classification.perplexity.arpa import read_arpa
from ilspfc.classification.perplexity.page_perplexity import (
    NgramModel,
    iter_sentences,
    train,
)

TOKENS = 1_000_000
VOCABULARY = 50_000
PAGE_TOKENS = 1_500
PAGES = 200
ROUNDS = 10
# Every word has so many usual followers, and one of them follows it this often.
FOLLOWERS = 20
FOLLOWED = 0.6
# The targets.
MAX_TRAINING_SECONDS = 60.0
MAX_PAGE_MILLISECONDS = 3.0

Sentences = list[list[str]]


class Language:
    """A made-up language; ``zipf`` is the share of a word by its rank."""

    def __init__(self, size: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.zipf = 1 / (np.arange(size) + 2.7)
        self.zipf /= self.zipf.sum()
        self._cumulated = self.zipf.cumsum()
        self._followers = self._draw(random, (size, FOLLOWERS))
        self.words = [_spell(number) for number in range(size)]

    def _draw(
        self, random: np.random.Generator, shape: tuple[int, ...]
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        drawn = np.searchsorted(self._cumulated, random.random(shape))
        return np.minimum(drawn, self.zipf.size - 1)

    def write(self, tokens: int, seed: int, unknown: float = 0.0) -> Sentences:
        """Return sentences of 5 to 35 words, ``tokens`` in all.

        A share of the words is replaced by words that are not in the language.
        """
        random = np.random.default_rng(seed)
        count = tokens // 20 + 1
        chain = np.empty((count, 35), dtype=np.int64)
        chain[:, 0] = self._draw(random, (count,))
        for place in range(1, 35):
            usual = self._followers[
                chain[:, place - 1], random.integers(FOLLOWERS, size=count)
            ]
            other = self._draw(random, (count,))
            chain[:, place] = np.where(random.random(count) < FOLLOWED, usual, other)
        is_unknown = random.random(chain.shape) < unknown
        lengths = random.integers(5, 36, size=count)
        sentences: Sentences = []
        for row, strange, length in zip(chain, is_unknown, lengths, strict=True):
            pairs = zip(row[:length].tolist(), strange.tolist(), strict=False)
            sentence = [
                f"x{self.words[n]}" if odd else self.words[n] for n, odd in pairs
            ]
            sentences.append(sentence[:tokens])
            tokens -= len(sentences[-1])
            if tokens <= 0:
                break
        return sentences


def _spell(number: int) -> str:
    """Return a word of letters for a number."""
    letters = ""
    while number or not letters:
        number, digit = divmod(number, 26)
        letters += chr(ord("a") + digit)
    return letters + "e"


def measure(action: Callable[[], object]) -> float:
    """Return the seconds that an action takes."""
    gc.collect()
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def peak_megabytes(action: Callable[[], object]) -> float:
    """Return the memory that an action takes at most, without what was there before."""
    tracemalloc.start()
    action()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def page_milliseconds(
    score: Callable[[Sentences], object], pages: Sequence[Sentences]
) -> float:
    """Return the mean over pages of the shortest time that one takes in several rounds.

    The rounds go through all pages, so that none finds its n-grams in the cache.
    """
    shortest = [math.inf] * len(pages)
    for _ in range(ROUNDS):
        for place, page in enumerate(pages):
            started = time.perf_counter()
            score(page)
            shortest[place] = min(shortest[place], time.perf_counter() - started)
    return sum(shortest) / len(shortest) * 1000


def report_scoring(model: NgramModel, language: Language, arpa: Path) -> float:
    """Print the time per page of several kinds; return the longest."""
    longest = 0.0
    scorers: dict[str, Callable[[Sentences], object]] = {"numpy": model.perplexity}
    if find_spec("kenlm"):
        scorers["KenLM"] = _kenlm_scorer(arpa)
    for unknown in (0.0, 0.1, 0.5):
        pages = [
            language.write(PAGE_TOKENS, seed=1000 + page, unknown=unknown)
            for page in range(PAGES)
        ]
        for name, scorer in scorers.items():
            milliseconds = page_milliseconds(scorer, pages)
            print(f"page, {unknown:.0%} unknown words, {name}: {milliseconds:.2f} ms")
            if name == "numpy":
                longest = max(longest, milliseconds)
    milliseconds = page_milliseconds(_prepare, pages)
    print(f"page, text to words: {milliseconds:.2f} ms")
    return longest + milliseconds


def _prepare(page: Sentences) -> object:
    texts = (" ".join(words) for words in page)
    return deque(iter_sentences(texts, lambda text: [text]), maxlen=0)


def _kenlm_scorer(arpa: Path) -> Callable[[Sentences], object]:
    kenlm = import_module("kenlm").Model(str(arpa))
    return lambda page: sum(kenlm.score(" ".join(words)) for words in page)


def write_arpa(model: NgramModel, path: Path) -> None:
    """Write a model as an ARPA file in UTF-8."""
    words = np.array(model.words, dtype=object)
    columns: list[np.ndarray] = []
    with path.open("w", encoding="utf-8") as file:
        file.write("\\data\\\n")
        for n, level in enumerate(model.levels, 1):
            file.write(f"ngram {n}={level.keys.size}\n")
        for n, level in enumerate(model.levels, 1):
            contexts, last = np.divmod(level.keys, words.size)
            columns = [*(column[contexts] for column in columns), last]
            spelled = map(" ".join, zip(*(words[c] for c in columns), strict=True))
            fields = [level.log10.astype(str), spelled]
            if level.backoff.size:
                fields.append(level.backoff.astype(str))
            file.write(f"\n\\{n}-grams:\n")
            file.writelines("\t".join(row) + "\n" for row in zip(*fields, strict=True))
        file.write("\n\\end\\\n")


def main() -> int:
    """Print all figures; return 1 if a target is missed."""
    language = Language(VOCABULARY, seed=1)
    corpus = language.write(TOKENS, seed=2)
    used = len({word for sentence in corpus for word in sentence})
    print(
        f"{sum(map(len, corpus)):,} tokens, {len(corpus):,} sentences, {used:,} words"
    )
    training_seconds = min(measure(lambda: train(corpus)) for _ in range(3))
    print(f"training: {training_seconds:.1f} s")
    print(f"training, peak memory: {peak_megabytes(lambda: train(corpus)):.0f} MB")
    model = train(corpus)
    arrays = [
        a for level in model.levels for a in (level.keys, level.log10, level.backoff)
    ]
    ngrams = [level.keys.size for level in model.levels]
    print(f"n-grams: {sum(ngrams):,} ({', '.join(f'{n:,}' for n in ngrams)})")
    print(f"model, arrays: {sum(array.nbytes for array in arrays) / 1e6:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        arpa = Path(folder) / "model.arpa"
        write_arpa(model, arpa)
        print(f"ARPA, size: {arpa.stat().st_size / 1e6:.0f} MB")
        print(f"ARPA, reading: {measure(lambda: read_arpa(arpa)):.1f} s")
        milliseconds = report_scoring(model, language, arpa)
    is_met = (
        training_seconds < MAX_TRAINING_SECONDS and milliseconds < MAX_PAGE_MILLISECONDS
    )
    print("Targets met." if is_met else "Targets missed.")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
