"""The perplexities that texts of a domain have to each other, and the bounds they give."""

from __future__ import annotations

import math
import random

import pytest

from ilspfc.classification.perplexity.page_perplexity import (
    LEAST_WORDS,
    MIN_PIECES,
    PIECE_WORDS,
    held_out_bounds,
    held_out_perplexities,
    train,
)

Sentences = list[list[str]]


def _text(seed: int, words: int, prefix: str = "w") -> Sentences:
    """Sentences of ten words, of which the first of the vocabulary are frequent."""
    rng = random.Random(seed)
    vocabulary = [f"{prefix}{number}" for number in range(200)]
    weights = [1 / (number + 1) for number in range(200)]
    return [rng.choices(vocabulary, weights, k=10) for _ in range(words // 10)]


def test_a_text_has_no_part_in_its_own_model() -> None:
    """A text with words of its own is all unknown words to the others."""
    texts = [_text(number, PIECE_WORDS) for number in range(4)]
    alike = held_out_perplexities(texts)
    with_other = held_out_perplexities([*texts[:3], _text(9, PIECE_WORDS, "x")])
    assert len(alike) == len(with_other) == 4
    assert max(alike) < 1e5
    assert max(with_other) > 1e9


def test_texts_are_scored_page_by_page() -> None:
    texts = [_text(1, 2 * PIECE_WORDS + LEAST_WORDS), _text(2, PIECE_WORDS + 50)]
    assert len(held_out_perplexities(texts)) == 3 + 1
    assert held_out_perplexities([[], *texts]) == held_out_perplexities(texts)


def test_a_single_text_is_cut() -> None:
    text = _text(1, 10 * PIECE_WORDS)
    values = held_out_perplexities([text])
    assert len(values) == 10
    own = train(text)
    assert min(values) > own.perplexity(text)


def test_bounds_are_what_half_and_most_of_the_texts_keep_to() -> None:
    texts = [_text(number, 2 * PIECE_WORDS) for number in range(20)]
    bounds = held_out_bounds(texts)
    assert bounds is not None
    high, medium, last = bounds
    values = held_out_perplexities(texts)
    assert sum(value <= high for value in values) == len(values) / 2
    assert sum(value > medium for value in values) == len(values) * 0.05
    assert last == math.inf


def test_more_text_gives_lower_bounds() -> None:
    few = held_out_bounds([_text(number, PIECE_WORDS) for number in range(MIN_PIECES)])
    many = held_out_bounds([_text(number, PIECE_WORDS) for number in range(100)])
    assert few is not None
    assert many is not None
    assert many[0] < few[0]


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [[]],
        [_text(1, 10)],
        [_text(number, PIECE_WORDS) for number in range(MIN_PIECES - 1)],
        [[["same"] * 10] * 40] * 20,
    ],
    ids=["none", "empty", "sentence", "few", "all alike"],
)
def test_texts_that_cannot_say_give_no_bounds(texts: list[Sentences]) -> None:
    assert held_out_bounds(texts) is None
