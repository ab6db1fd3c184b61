"""Features of the blocks of a page, independent of the language."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from math import log1p
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ilspfc.cleaning.annotation import title_variants
from ilspfc.cleaning.blocks.parsed import Block, ParsedPage
from ilspfc.cleaning.content.surroundings import (
    FAMILIES,
    LEVELS,
    Surroundings,
    read_surroundings,
)

if TYPE_CHECKING:
    Row = NDArray[Any]


# -- counts of characters by kind


class CharKind(IntEnum):
    """The kind of a character; each has one."""

    LETTER = 0
    UPPER = 1
    DIGIT = 2
    SPACE = 3
    COMMA = 4
    SENTENCE_END = 5
    COLON = 6
    PUNCTUATION = 7
    SEPARATOR = 8
    SYMBOL = 9
    UNSPACED = 10
    """Of a script without spaces between words."""
    BREAK = 11
    """A line feed: a br element."""
    MARK = 12
    INITIAL = 13
    """An upper-case letter at the start of a word; only in counts."""
    CLOSING = 14
    """What may stand after the end of a sentence: quotes and brackets."""


KINDS = 16

_COMMAS = ",;،，、；؛"
_SENTENCE_ENDS = ".!?。！？…؟۔।॥։።"
_COLONS = ":："
_SEPARATORS = "|»«›‹•·→←/><~▸▶►✓✔*+_#@"
_CLOSINGS = "\"'”’)]』」）"
_UNSPACED = (
    (0x0E00, 0x0F00),
    (0x1000, 0x10A0),
    (0x1780, 0x1800),
    (0x3040, 0x3100),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),
)
# By the category of Unicode, else by its first letter.
_BY_CATEGORY = {
    "Lu": CharKind.UPPER,
    "Lt": CharKind.UPPER,
    "N": CharKind.DIGIT,
    "M": CharKind.MARK,
    "P": CharKind.PUNCTUATION,
    "S": CharKind.SYMBOL,
    "C": CharKind.SYMBOL,
    "Z": CharKind.SPACE,
}
_BASIC_PLANE = 0x10000


@cache
def _kinds() -> NDArray[np.uint8]:
    """Return the kind of each character of the basic plane, and last that of the others."""
    table = np.zeros(_BASIC_PLANE + 1, np.uint8)
    for code in range(_BASIC_PLANE):
        category = unicodedata.category(chr(code))
        kind = _BY_CATEGORY.get(category) or _BY_CATEGORY.get(category[0])
        table[code] = kind or CharKind.LETTER
    for first, end in _UNSPACED:
        letters = table[first:end] == CharKind.LETTER
        table[first:end][letters] = CharKind.UNSPACED
    for chars, kind in (
        (_COMMAS, CharKind.COMMA),
        (_SENTENCE_ENDS, CharKind.SENTENCE_END),
        (_COLONS, CharKind.COLON),
        (_SEPARATORS, CharKind.SEPARATOR),
        (_CLOSINGS, CharKind.CLOSING),
        ("\n", CharKind.BREAK),
        ("\u200b", CharKind.SPACE),  # between the words of Thai, Lao, Burmese, Khmer
    ):
        table[[ord(char) for char in chars]] = kind
    table[_BASIC_PLANE] = CharKind.SYMBOL  # emoji, mostly
    return table


def count_kinds(
    texts: Sequence[str],
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the number of characters of each kind in texts, and their first and last kind.

    None of the texts is empty. The counts have the shape (texts, KINDS). The last kind is
    that of the last character but quotes and brackets, if there is one among the last three.
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    codes = np.frombuffer(
        "".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32
    )
    kinds = _kinds()[np.minimum(codes, _BASIC_PLANE)]
    ends = np.cumsum(lengths)
    starts = ends - lengths
    owners = np.repeat(np.arange(len(texts)), lengths)
    counts = np.bincount(owners * KINDS + kinds, minlength=len(texts) * KINDS)
    counts = counts.reshape(-1, KINDS)
    is_first = np.zeros(len(kinds), bool)
    is_first[starts] = True
    after_space = (kinds == CharKind.SPACE) | (kinds == CharKind.BREAK)
    is_first[1:] |= after_space[:-1]
    initials = owners[is_first & (kinds == CharKind.UPPER)]
    counts[:, CharKind.INITIAL] = np.bincount(initials, minlength=len(texts))
    last = kinds[ends - 1]
    for back in (2, 3):
        before = kinds[np.maximum(ends - back, starts)]
        last = np.where(last == CharKind.CLOSING, before, last)
    return counts, kinds[starts], last


STEPS = 254
"""A feature is stored as a whole number up to this."""


def log_scaled(values: Row | int, top: float) -> Row:
    """Return logarithms of counts, scaled to 1 for ``top``."""
    scaled: Row = np.log1p(values) / log1p(top)
    return scaled


def _padded(rows: Row, before: int, after: int) -> Row:
    # Much faster than numpy.pad, and a page is small.
    height, width = rows.shape
    padded = np.zeros((height, before + width + after), rows.dtype)
    padded[:, before : before + width] = rows
    return padded


def windowed(rows: Row, width: int) -> Row:
    """Return the sums of each row over ``width`` places around each place."""
    half = width // 2
    sums = np.cumsum(_padded(rows, half + 1, half), axis=1)
    sums_around: Row = sums[:, width:] - sums[:, :-width]
    return sums_around


def shifted(rows: Row, reach: int, steps: Sequence[int]) -> Row:
    """Return the rows of the neighbors at each of the steps; zero beyond the page."""
    padded = _padded(rows, reach, reach)
    count = rows.shape[1]
    return np.concatenate([padded[:, reach + k : reach + k + count] for k in steps])


def quantized(rows: Sequence[Row]) -> NDArray[np.uint8]:
    """Return features as whole steps from 0 to 1, one row each."""
    values = np.concatenate(rows).reshape(len(rows), -1)
    np.clip(values, 0, 1, out=values)
    values *= STEPS
    return np.asarray(np.rint(values, out=values), np.uint8)


# Words of a block that reads as prose, and the share of its characters inside anchors.
_PROSE_WORDS = 10
_PROSE_LINK_DENSITY = 1 / 3
# Boilerpipe's text density is words per line of this many characters.
_LINE_CHARS = 80


class Basics:
    """Counts of the blocks that several features share."""

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
    before, before_density, before_links = shifted(values, 1, [-1])
    after, after_density, _ = shifted(values, 1, [1])
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


_NEIGHBORS = 3
_WINDOWS = (3, 7, 15, 31)
_REPEAT_WINDOWS = (7, 31)
_TITLE_WORDS = 30
# The distance to what is not there.
_FAR = 1000
# By their likelihood to be content.
_TAG_ORDER = (
    "li td th div dt dd section article caption figcaption h6 h5 h4 h3 h2 h1 p blockquote pre"
).split()
_TAG_CODES = {tag: (i + 1) / len(_TAG_ORDER) for i, tag in enumerate(_TAG_ORDER)}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def place_rows(
    blocks: Sequence[Block], basics: Basics, codes: Row, title: str
) -> list[Row]:
    """Return features of the place of each block, its repeats and its likeness to the title."""
    count = len(blocks)
    places = np.arange(count)
    texts = [block.text.casefold() for block in blocks]
    variants = title_variants(title)
    title_words = set(title.casefold().split())
    overlap = [
        len(title_words.intersection(text.split()))
        if block.words <= _TITLE_WORDS
        else 0
        for block, text in zip(blocks, texts, strict=True)
    ]
    headings = np.array([_HEADINGS.get(block.tag, 0) for block in blocks])
    is_title = np.array([text in variants for text in texts])
    words = np.cumsum(basics.words)
    prose = np.cumsum(basics.prose)
    is_heading = headings > 0
    anchors = (is_title & is_heading) | (headings == 1)
    start = int(np.argmax(anchors)) if anchors.any() else -1
    since_title = (places - start) / count if start >= 0 else np.zeros(count)
    return [
        *repeat_rows(texts, basics.words),
        np.array(overlap) / max(len(title_words), 1),
        is_title,
        codes,
        headings / 6,
        np.array([block.is_frame for block in blocks]),
        np.array([block.is_hidden for block in blocks]),
        np.array([block.is_list_item for block in blocks]),
        np.array([block.comment != 0 for block in blocks]),
        np.array([block.cell > 0 for block in blocks]),
        np.array([len(block.bold_lines) > 0 for block in blocks]),
        np.array([block.level for block in blocks]) / 40,
        places / count,
        log_scaled(places, 1000),
        log_scaled(places[::-1], 1000),
        words / words[-1],
        (prose - basics.prose / 2) / max(prose[-1], 1),
        (since_title + 1) / 2,
        log_scaled(_since(is_heading), 200),
        log_scaled(_since(basics.is_prose), 200),
        log_scaled(_since(basics.is_prose[::-1])[::-1], 200),
        log_scaled(_since(basics.link_density > 0.5), 200),
        log_scaled(_since((basics.link_density > 0.5)[::-1])[::-1], 200),
        basics.words / basics.words.max(),
    ]


def repeat_rows(texts: Sequence[str], words: Row) -> list[Row]:
    """Return features of the blocks whose text is on the page more than once.

    Pages quote earlier posts, and show cards, menus and whole articles a second time for
    narrow screens; the first of equal texts is the one to keep.
    """
    count = len(texts)
    counts = dict.fromkeys(texts, 0)
    last = dict.fromkeys(texts, -_FAR)
    earlier, back = np.empty(count), np.empty(count)
    for place, text in enumerate(texts):
        earlier[place], back[place] = counts[text], place - last[text]
        counts[text] += 1
        last[text] = place
    later = np.array([counts[text] for text in texts]) - 1 - earlier
    repeated = np.stack([words * (earlier > 0), words * (later > 0), words])
    near = [windowed(repeated, width) for width in _REPEAT_WINDOWS]
    return [
        earlier / 8,
        later / 8,
        log_scaled(back, _FAR),
        *(again / around for *both, around in near for again in both),
        np.full(count, repeated[0].sum() / words.sum()),
    ]


def _since(marks: NDArray[np.bool_]) -> Row:
    """Return the distance to the last marked block, a great number without one."""
    places = np.arange(len(marks))
    last = np.maximum.accumulate(np.where(marks, places, -_FAR))
    return np.asarray(places - last)


def page_rows(basics: Basics, codes: Row) -> list[Row]:
    """Return features of the page as a whole, the same for each block."""
    words = basics.words.sum()
    values = [
        log_scaled(words, 20000),
        log_scaled(len(basics.words), 2000),
        (basics.link_density * basics.words).sum() / words,
        basics.prose.sum() / words,
        log_scaled(basics.words.max(), 2000),
        basics.is_prose.mean(),
        log_scaled(words / len(basics.words), 100),
        (basics.words * (codes == _TAG_CODES["p"])).sum() / words,
        (basics.words * (codes == _TAG_CODES["li"])).sum() / words,
    ]
    return [np.full(len(basics.words), value) for value in values]


def neighbor_rows(basics: Basics, codes: Row) -> list[Row]:
    """Return features of the neighbors of each block."""
    words = log_scaled(basics.words, 1000)
    near = np.stack([words, basics.link_density, basics.ends_sentence, codes])
    steps = [k for k in range(-_NEIGHBORS, _NEIGHBORS + 1) if k]
    far = np.stack([words, basics.link_density])
    rows = [*shifted(near, _NEIGHBORS, steps), *shifted(far, 5, [-5, -4, 4, 5])]
    sums = np.stack([basics.plain, basics.words, basics.prose, basics.ends_sentence])
    for width in _WINDOWS:
        plain, all_words, prose, ends = windowed(sums, width)
        rows += [
            log_scaled(plain / width, 300),
            plain / np.maximum(all_words, 1),
            log_scaled(prose / width, 300),
            ends / width,
        ]
    return rows


_LEVELS_SUMMED = (0, 1, 2, 3, 4, 6)
_ROOT_SHARES = (0.55, 0.75, 0.9)


def element_rows(surroundings: Surroundings, basics: Basics) -> list[Row]:
    """Return features of the elements around each block."""
    around, words = surroundings.around, basics.words
    values = np.stack(
        [words, basics.link_density * words, np.ones(len(words)), basics.prose]
    )
    sums = surroundings.sums_inside(values)
    totals = np.maximum(sums[:, :1], 1)
    inside, linked, blocks, prose = sums
    at = around[list(_LEVELS_SUMMED)]
    size = np.maximum(inside[at], 1)
    by_level = [
        inside[at] / totals[0],
        linked[at] / size,
        log_scaled(blocks[at], 500),
        prose[at] / size,
        prose[at] / totals[3],
        log_scaled(inside[at], 5000),
    ]
    rows = list(np.stack(by_level, axis=1).reshape(-1, len(words)))
    for share in _ROOT_SHARES:
        root = int(np.flatnonzero(prose >= share * prose[0])[-1])
        within = (around[0] >= root) & (around[0] < surroundings.ends[root])
        rows += [
            within,
            (surroundings.depths[around[0]] - surroundings.depths[root]) / 40 + 0.5,
        ]
    for level in range(3):
        paths = surroundings.paths[around[level]]
        groups = np.stack([np.bincount(paths, row)[paths] for row in values])
        rows += [
            log_scaled(groups[2], 200),
            log_scaled(groups[0] / groups[2], 200),
            groups[1] / groups[0],
            groups[3] / totals[3],
            groups[0] / totals[0],
        ]
    return rows


# The nearness of an element at each level around a block, and of one further out.
_NEARNESS = np.rint((1 - np.arange(LEVELS + 1) / (LEVELS + 1)) * STEPS).astype(np.uint8)


def family_rows(surroundings: Surroundings) -> NDArray[np.uint8]:
    """Return the nearness of the innermost element of each family around each block."""
    around = surroundings.around
    near = _bits(surroundings.outer)[around[0]] * _NEARNESS[LEVELS]
    bits = _bits(surroundings.families)
    for level, nearness in enumerate(_NEARNESS[:LEVELS]):
        np.maximum(near, bits[around[level]] * nearness, out=near)
    return np.asarray(near[:, :FAMILIES].T)


def _bits(masks: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the bits of masks, the lowest first, with the shape (masks, 64)."""
    parts = masks.astype("<i8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(parts, axis=1, bitorder="little")


class PageFeatures(NamedTuple):
    """The features of a page's blocks, one column a block.

    With them the words of each block, and the share of its characters inside anchors.
    """

    values: NDArray[np.uint8]
    words: NDArray[Any]
    surroundings: Surroundings
    link_density: NDArray[Any]


def read_features(page: ParsedPage, title: str) -> PageFeatures:
    """Return the features of a page with at least one block."""
    blocks = page.blocks
    basics = Basics(blocks)
    surroundings = read_surroundings(page)
    codes = np.array([_TAG_CODES.get(block.tag, 0) for block in blocks])
    rows = [
        *text_rows(basics),
        *place_rows(blocks, basics, codes, title),
        *boilerpipe_rows(basics),
        *page_rows(basics, codes),
        *neighbor_rows(basics, codes),
        *element_rows(surroundings, basics),
    ]
    values = np.concatenate([quantized(rows), family_rows(surroundings)])
    return PageFeatures(values, basics.words, surroundings, basics.link_density)
