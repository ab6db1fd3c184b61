"""What perplexity texts of the domain have under a model of the other texts of the domain.

It says which perplexities are those of the domain: they depend on the language and on how
much text there is, so that no number fits all.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.classification.perplexity.page_perplexity import DEFAULT_ORDER, train
from ilspfc.exceptions import DomainError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A model is trained so often, each time without another part of the texts.
FOLDS = 5
# A piece of text with so many words counts as one page, and so many are enough for one:
# the perplexity of a few sentences is chance.
PIECE_WORDS = 300
LEAST_WORDS = 100
# With fewer pieces, shares of them say nothing.
MIN_PIECES = 10
# Of the pieces so many are below the bounds of HIGH and MEDIUM.
BOUND_SHARES = (0.5, 0.95)

Sentences = list[list[str]]


def held_out_bounds(
    texts: Sequence[Sentences],
    order: int = DEFAULT_ORDER,
) -> tuple[float, float, float] | None:
    """Return the upper bounds of the buckets HIGH, MEDIUM and NORMAL for a domain.

    ``texts`` are the sentences, as words, of each text. A half of the domain's own pieces
    is within HIGH, 95 % are within MEDIUM; NORMAL has no bound. None where the texts are
    too short to say.
    """
    values = [
        value for value in held_out_perplexities(texts, order) if value < math.inf
    ]
    if len(values) < MIN_PIECES:
        return None
    high, medium = np.quantile(values, BOUND_SHARES).tolist()
    return (high, medium, math.inf) if 1 < high < medium else None


def held_out_perplexities(
    texts: Sequence[Sentences], order: int = DEFAULT_ORDER
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
            model = train(chain.from_iterable(others), order)
        except DomainError:  # there is no other text
            continue
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
