"""Relevance of a page to the domain: how well a language model of the domain predicts it.

Remus and Biemann 2016, "Domain-Specific Corpus Expansion with Focused Webcrawling": the
perplexity of a page decides how soon its links are followed, the lower the sooner.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ilspfc.classification.perplexity.kneser_ney import (
    BOS,
    EOS,
    UNK,
    Level,
    estimate_levels,
)
from ilspfc.exceptions import DomainError
from ilspfc.text.word_split import split_words

logger = logging.getLogger(__name__)

# The paper's order and shortest sentence (section 3.1).
DEFAULT_ORDER = 5
MIN_SENTENCE_WORDS = 5
# log10 p of a word that the model does not know: topicrawler's value.
UNKNOWN_LOG10 = -10.0
_BITS = math.log2(10)


class NgramModel:
    """Gives words their probability by the n - 1 words before them in the sentence.

    ``words`` are the vocabulary by number and begin with ``<unk>``, ``<s>``, ``</s>``;
    ``levels`` hold the orders from 1 on. The first n - 1 words of an n-gram are
    themselves an n-gram of the model. ``unknown_log10`` takes the place of the unigram
    probability of unknown words; with None it is the model's own. The default is
    topicrawler's (-7 would give the paper's maximum, "around 10^7"): the fewer the domain
    texts, the likelier the model's own estimate makes unknown words, and the pages of other
    subjects that have them (figures in ``docs/perplexity.md``).
    """

    def __init__(self, words: Sequence[str], levels: Sequence[Level]) -> None:
        self.words = list(words)
        self.levels = tuple(levels)
        self.unknown_log10: float | None = UNKNOWN_LOG10
        self._numbers = {word: number for number, word in enumerate(self.words)}

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.levels)

    def log10_probabilities(
        self, sentences: Iterable[Sequence[str]]
    ) -> NDArray[np.float32]:
        """Return log10 p of each word and each end of a sentence, in their order.

        A sentence is padded with ``<s>`` and ``</s>``; one without words is left out.
        Where an n-gram c w is not in the model, p(w | c) = b(c) p(w | c without its first
        word), with b(c) = 1 for a context that is not in the model (Katz back-off as in
        the ARPA format).
        """
        tokens = self._number(sentences)
        size = len(self.words)
        scores = self.levels[0].log10[tokens]
        if self.unknown_log10 is not None:
            scores[tokens == UNK] = self.unknown_log10
        # The n-grams found that go on: where they start, and their places in the level.
        starts = np.flatnonzero(tokens != EOS)
        contexts = tokens[starts]
        for length, (lower, level) in enumerate(
            zip(self.levels, self.levels[1:], strict=False), 1
        ):
            scores[starts + length] += lower.backoff[contexts]
            keys = contexts * size + tokens[starts + length]
            # Bisection takes half the time where the keys come in their order.
            by_key = keys.argsort()
            places, is_found = level.find(keys[by_key])
            starts, places = starts[by_key][is_found], places[is_found]
            scores[starts + length] = level.log10[places]
            goes_on = tokens[starts + length] != EOS
            starts, contexts = starts[goes_on], places[goes_on]
        predicted: NDArray[np.float32] = scores[tokens != BOS]
        return predicted

    def perplexity(self, sentences: Iterable[Sequence[str]]) -> float:
        """Return 2 ** H with H = -1/|X| Σ log2 p(x), over all words and sentence ends X.

        The lower, the closer to the domain texts; infinite where there are no sentences
        (Remus and Biemann 2016, section 3.2).
        """
        entropy = self.mean_entropy(sentences)
        return 2.0**entropy if entropy < 1024 else math.inf

    def mean_entropy(self, sentences: Iterable[Sequence[str]]) -> float:
        """Return H of :meth:`perplexity`, in bits; infinite where there are no sentences."""
        scores = self.log10_probabilities(sentences)
        if not scores.size:
            return math.inf
        return -float(scores.mean(dtype=np.float64)) * _BITS

    def entropies(self, sentences: Iterable[Sequence[str]]) -> list[float]:
        """Return H of each sentence, in bits a word or end; none may be empty."""
        read = list(sentences)
        if not read:
            return []
        sizes = [len(sentence) + 1 for sentence in read]
        scores = self.log10_probabilities(read).astype(np.float64)
        starts = np.cumsum([0, *sizes[:-1]])
        means: list[float] = (np.add.reduceat(scores, starts) / sizes).tolist()
        return [-mean * _BITS for mean in means]

    def _number(self, sentences: Iterable[Sequence[str]]) -> NDArray[np.int64]:
        """Return the numbers of the words of padded sentences, one after another."""
        tokens: list[int] = []
        for sentence in filter(len, sentences):
            tokens.append(BOS)
            tokens.extend(map(self._numbers.get, sentence, repeat(UNK)))
            tokens.append(EOS)
        return np.array(tokens, dtype=np.int64)


def iter_sentences(
    texts: Iterable[str],
    split: Callable[[str], Iterable[str]],
    min_words: int = MIN_SENTENCE_WORDS,
) -> Iterator[list[str]]:
    """Yield the words of each sentence that has at least ``min_words`` of them.

    ``split`` cuts a text into sentences; no sentence goes from one text into the next.
    """
    for text in texts:
        for sentence in split(text):
            words = split_words(sentence)
            if len(words) >= min_words:
                yield words


def train(sentences: Iterable[Sequence[str]], order: int = DEFAULT_ORDER) -> NgramModel:
    """Train an interpolated modified Kneser-Ney model of an order from 1 on.

    How, and which errors: :func:`~ilspfc.classification.perplexity.kneser_ney.estimate_levels`.
    """
    return NgramModel(*estimate_levels(sentences, order))


def text_files(source: Path) -> list[Path]:
    """Return a text file, or the ``*.txt`` of a folder in their order."""
    return [source] if source.is_file() else sorted(source.glob("*.txt"))


def train_from_files(
    source: Path,
    split: Callable[[str], Iterable[str]],
) -> NgramModel:
    """Train a model from a text (UTF-8), or from the texts ``*.txt`` in a folder.

    A file that cannot be read is left out with a warning. DomainError: the folder has no
    such file, none can be read, or they have no sentence of five words.
    """
    paths = text_files(source)
    if not paths:
        raise DomainError(f"{source}: no domain texts, there is no .txt file in it")
    texts = TextFiles(paths)
    try:
        return train(iter_sentences(texts, split))
    except DomainError:
        if len(texts.errors) == len(paths):
            raise DomainError(
                f"{texts.errors[0]}; save the domain texts as UTF-8"
            ) from None
        raise DomainError(
            f"{source}: the domain texts have no sentence of {MIN_SENTENCE_WORDS} words"
        ) from None


class TextFiles:
    """Reads text files one by one; ``errors`` names those that cannot be read."""

    def __init__(self, paths: Iterable[Path], *, warn: bool = True) -> None:
        self._paths = paths
        self._warn = warn
        self.errors: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for path in self._paths:
            try:
                yield path.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                self.errors.append(f"{path}: {error}")
                if self._warn:
                    logger.warning("Domain text left out: %s", self.errors[-1])


# A model is trained so often, each time without another part of the texts.
FOLDS = 5
# Words of a piece of text that counts as one page, and smallest number for one:
# the perplexity of a few sentences is chance.
PIECE_WORDS = 300
LEAST_WORDS = 100
# With fewer pieces, shares of them say nothing.
MIN_PIECES = 10
# Shares of the pieces below the bounds of HIGH and MEDIUM.
BOUND_SHARES = (0.5, 0.95)

Sentences = list[list[str]]


def held_out_bounds(
    texts: Sequence[Sentences], unknown_log10: float = UNKNOWN_LOG10
) -> tuple[float, float, float] | None:
    """Return the upper bounds of the buckets HIGH, MEDIUM and NORMAL for a domain.

    ``texts`` are the sentences, as words, of each text. A half of the domain's own pieces
    is within HIGH, 95 % are within MEDIUM; NORMAL has no bound. None where the texts are
    too short to say. ``unknown_log10`` is that of the models.
    """
    found = held_out_perplexities(texts, unknown_log10)
    values = [value for value in found if value < math.inf]
    if len(values) < MIN_PIECES:
        return None
    high, medium = np.quantile(values, BOUND_SHARES).tolist()
    return (high, medium, math.inf) if 1 < high < medium else None


def held_out_perplexities(
    texts: Sequence[Sentences], unknown_log10: float = UNKNOWN_LOG10
) -> list[float]:
    """Return the perplexity of each piece of the texts under a model without its part.

    Whole texts are put into five parts of about the same length, so that no text has a
    part in its own model; of fewer texts each is a part. A single text is cut.
    """
    texts = [text for text in texts if text]
    if len(texts) == 1:
        texts = _cut(texts[0])
    folds = _fold(texts)
    values = []
    for number, fold in enumerate(folds):
        others = chain(*(folds[:number] + folds[number + 1 :]))
        try:
            model = train(chain.from_iterable(others))
        except DomainError:  # there is no other text
            continue
        model.unknown_log10 = unknown_log10
        values += [model.perplexity(piece) for text in fold for piece in _pieces(text)]
    return values


def _cut(text: Sentences) -> list[Sentences]:
    """Cut a text into as many parts as there are folds, one after the other."""
    size = math.ceil(len(text) / FOLDS)
    return [text[start : start + size] for start in range(0, len(text), size)]


def _fold(texts: Sequence[Sentences]) -> list[list[Sentences]]:
    """Put texts into parts: the longest ones first, each where there is least."""
    folds: list[list[Sentences]] = [[] for _ in range(min(FOLDS, len(texts)))]
    words = [0] * len(folds)
    for text in sorted(texts, key=_count_words, reverse=True):
        place = words.index(min(words))
        folds[place].append(text)
        words[place] += _count_words(text)
    return folds


def _pieces(text: Sentences) -> Iterator[Sentences]:
    """Yield the pieces of a text; a last one that is too short is left out."""
    piece: Sentences = []
    words = 0
    for sentence in text:
        piece.append(sentence)
        words += len(sentence)
        if words >= PIECE_WORDS:
            yield piece
            piece, words = [], 0
    if words >= LEAST_WORDS:
        yield piece


def _count_words(text: Sentences) -> int:
    return sum(map(len, text))
