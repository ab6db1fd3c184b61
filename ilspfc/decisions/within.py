"""Bilingual pages: detection of text that translates other text of the same page.

The blocks of the two languages are aligned monotonically, whether languages alternate by
paragraph, half of the page or column. Blocks that translate each other have proportional
lengths, the same types, and words that are translations in the available lexicon; if the
languages alternate by paragraph, they are neighbors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ilspfc.decisions.content import PageBlocks, read_blocks
from ilspfc.decisions.counterparts import (
    MAX_BLOCKS,
    compare_tokens,
    find_path,
    hash_tokens,
)
from ilspfc.documents import Paragraph, ParagraphType
from ilspfc.text.arrays import FloatArray, IntArray
from ilspfc.text.tokens import tokenize

# Minimum share of the text in the smaller language: quotes and menus have less.
_MIN_SHARE = 0.25
# Minimum number of blocks in each language.
_MIN_BLOCKS = 2
# Minimum sum of the log odds of a site's pages: short pages may match by chance.
_MIN_SITE_ODDS = 6.0
# Standard deviation of the log length ratio: of translations, and at most of any two blocks.
_SPREAD, _ANY_SPREAD = 0.35, 1.1
_OTHER_KIND = -2.0
# Cost of a block without a partner; gains of neighbors on the page and of equal tokens.
_ALONE, _NEIGHBOR, _TOKENS = 0.7, 1.0, 2.0
# Gain of translated words, and the required lead of their share over the mean.
_WORDS, _MORE_WORDS = 10.0, 0.15
# Code is English on pages in any language.
_CODE = frozenset({ParagraphType.CODE, ParagraphType.PREFORMATTED})


Translations: TypeAlias = "Mapping[str, Collection[str]]"
"""Tokens of a language, with their translations into another."""


def score_within(
    paragraphs: Sequence[Paragraph],
    lang: str,
    langs: Sequence[str],
    find_translations: Callable[[str, str], Translations] = lambda *langs: {},
) -> tuple[str, float]:
    """Return the second language of a page, and the log odds that it translates the first.

    ``paragraphs`` are its text, each with its language; ``lang`` is the language of the page,
    ``langs`` are the candidates; ``find_translations`` is called with two of them. The log
    odds are -inf for a page that is monolingual except for quotes or menus.
    """
    texts = [one for one in paragraphs if one.type not in _CODE]
    page = read_blocks(texts)
    sizes: defaultdict[str, float] = defaultdict(float)
    for one, length in zip(texts, page.lengths.tolist(), strict=True):
        sizes[one.lang or ""] += length
    second = max(langs, key=lambda code: sizes[code] * (code != lang), default="")
    sides = [
        np.array([n for n, one in enumerate(texts) if one.lang == code], np.int64)
        for code in (lang, second)
    ]
    numbers = len(sides[0]), len(sides[1])
    if (
        second == lang
        or min(sizes[lang], sizes[second]) < _MIN_SHARE * max(sum(sizes.values()), 1)
        or min(numbers) < _MIN_BLOCKS
        or max(numbers) > MAX_BLOCKS
    ):
        return second, -np.inf
    odds = _weigh_shapes(page, *sides)
    tokens = [hash_tokens(texts[n].text for n in side) for side in sides]
    cosines = compare_tokens(*tokens)
    odds += _TOKENS * (cosines - cosines.mean())
    words = [
        [set(tokenize(texts[n].text, code)) for n in side]
        for side, code in zip(sides, (lang, second), strict=True)
    ]
    odds += _weigh_words(words[0], words[1], find_translations(lang, second))
    matched = find_path(odds + 2 * _ALONE)
    rows = np.nonzero(matched >= 0)[0]
    alone = sum(numbers) - 2 * len(rows)
    return second, float(odds[rows, matched[rows]].sum() - _ALONE * alone)


def _weigh_shapes(page: PageBlocks, left: IntArray, right: IntArray) -> FloatArray:
    """Return the log odds of block pairs by length, type and place, shape (left, right)."""
    rows, columns = left[:, None], right[None]
    lengths = np.log1p(page.lengths)
    distance = lengths[rows] - lengths[columns]
    distance -= np.log(page.lengths[left].sum() / page.lengths[right].sum())
    # Lengths are no evidence if all blocks are equally long.
    spread = np.clip(distance.std(), _SPREAD, _ANY_SPREAD)
    odds = np.log(spread / _SPREAD) - distance**2 / 2 * (_SPREAD**-2 - spread**-2)
    odds += _OTHER_KIND * (page.kinds[rows] != page.kinds[columns])
    weighed: FloatArray = odds + _NEIGHBOR * (np.abs(rows - columns) == 1)
    return weighed


def _weigh_words(
    left: Sequence[set[str]], right: Sequence[set[str]], translations: Translations
) -> FloatArray:
    """Return the log odds of block pairs by translated tokens, shape (left, right)."""
    places: defaultdict[str, set[int]] = defaultdict(set)
    for place, tokens in enumerate(right):
        for token in tokens:
            places[token].add(place)
    shares, weights = np.zeros((len(left), len(right))), np.zeros((len(left), 1))
    for row, tokens in enumerate(left):
        known = tokens & translations.keys()
        for token in known:
            found = set().union(*(places.get(t, ()) for t in translations[token]))
            shares[row, list(found)] += 1 / len(known)
        weights[row] = len(known) / max(len(tokens), 1)
    weighed: FloatArray = _WORDS * weights * (shares - shares.mean() - _MORE_WORDS)
    return weighed


def choose_within(scores: Iterable[tuple[str, str, float]]) -> list[str]:
    """Return the documents with translated text, in the given order.

    ``scores`` are (document, site, log odds). Pages of a site are evidence for each other: a
    single short page may look like a translation by chance, but hardly several.
    """
    found = [one for one in scores if np.isfinite(one[2])]
    totals: defaultdict[str, float] = defaultdict(float)
    for _, site, score in found:
        totals[site] += score
    return [
        document
        for document, site, score in found
        if score > 0 and totals[site] >= _MIN_SITE_ODDS
    ]
