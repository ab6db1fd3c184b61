"""What the text of a block is like, whatever its language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ilspfc.cleaning.content.characters import CharKind, count_kinds
from ilspfc.cleaning.content.scales import log_scaled, shifted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ilspfc.cleaning.blocks.parsed import Block

    Row = NDArray[Any]

# Words of a block that reads as prose, and the share of its characters inside anchors.
_PROSE_WORDS = 10
_PROSE_LINK_DENSITY = 1 / 3
# Boilerpipe's text density is words per line of this many characters.
_LINE_CHARS = 80


class Basics:
    """Counts of the blocks that several features are made of."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        counts, self.first, self.last = count_kinds([block.text for block in blocks])
        self.counts = counts.astype(np.float64).T
        kind = self.counts
        unspaced = kind[CharKind.UNSPACED]
        spaces = kind[CharKind.SPACE] + kind[CharKind.BREAK]
        self.chars = counts[:, : CharKind.INITIAL].sum(axis=1) - spaces
        self.chars += kind[CharKind.CLOSING]
        self.letters = kind[CharKind.LETTER] + kind[CharKind.UPPER] + unspaced
        self.words = spaces + 1 + unspaced / 2
        link_chars = np.array([block.link_chars for block in blocks], float)
        self.link_density = np.minimum(link_chars / np.maximum(self.chars, 1), 1)
        self.ends_sentence = self.last == CharKind.SENTENCE_END
        self.is_prose = (self.words >= _PROSE_WORDS) & (
            self.link_density <= _PROSE_LINK_DENSITY
        )
        self.prose = np.where(self.is_prose, self.words * (1 - self.link_density), 0.0)
        self.plain = self.words * (1 - self.link_density)


def text_rows(basics: Basics) -> list[Row]:
    """Return features of the text of each block alone."""
    kind, words, letters = basics.counts, basics.words, np.maximum(basics.letters, 1)
    chars = np.maximum(basics.chars, 1)
    return [
        log_scaled(words, 1000),
        log_scaled(chars, 6000),
        basics.link_density,
        log_scaled(basics.plain, 1000),
        letters / words / 12,
        kind[CharKind.UPPER] / letters,
        kind[CharKind.INITIAL] / words,
        kind[CharKind.DIGIT] / chars,
        kind[CharKind.COMMA] / words * 4,
        log_scaled(kind[CharKind.COMMA], 50),
        kind[CharKind.SENTENCE_END] / words * 4,
        log_scaled(kind[CharKind.SENTENCE_END], 50),
        kind[CharKind.COLON] / words * 2,
        kind[CharKind.PUNCTUATION] / words * 2,
        kind[CharKind.CLOSING] / words * 2,
        kind[CharKind.SEPARATOR] / words * 2,
        kind[CharKind.SYMBOL] / words * 2,
        kind[CharKind.UNSPACED] / letters,
        log_scaled(kind[CharKind.BREAK], 30),
        basics.ends_sentence,
        basics.last / 15,
        basics.first / 15,
    ]


def boilerpipe_rows(basics: Basics) -> list[Row]:
    """Return the labels of Boilerpipe's two classifiers (boilerpy3's NumWordsRules, DensityRules).

    Its lines are counted from the characters, without wrapping the words.
    """
    words = basics.words
    lines = np.maximum((basics.chars + words) // _LINE_CHARS, 1)
    density = words / lines
    values = np.stack([words, density, basics.link_density])
    before, _, before_links = shifted(values, 1, [-1])
    after, after_density, _ = shifted(values, 1, [1])
    before_density = shifted(values, 1, [-1])[1]
    by_words = np.where(
        before_links <= 0.555556,
        (words > 16) | (after > 15) | (before > 4),
        (words > 40) | (after > 17),
    )
    by_density = np.where(
        before_links <= 0.555556,
        np.where(
            density <= 9,
            (after_density > 10) | (before_density > 4),
            after_density != 0,
        ),
        after_density > 11,
    )
    is_text = basics.link_density <= 0.333333
    return [by_words & is_text, by_density & is_text]
