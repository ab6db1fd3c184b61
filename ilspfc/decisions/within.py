"""Pages that hold both languages: whether the text in one translates that in the other.

The blocks in the two languages are aligned in their order, paragraph by paragraph, half by
half or column by column. Blocks that translate each other have proportional lengths, the
same types and words that translate each other by the lexicon at hand; where the languages
alternate they are neighbors.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ilspfc.decisions.content import read_blocks
from ilspfc.decisions.counterparts import MAX_BLOCKS, find_path, hash_tokens
from ilspfc.documents import ParagraphType
from ilspfc.text.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from ilspfc.decisions.content import PageBlocks
    from ilspfc.documents import Paragraph
    from ilspfc.text.arrays import FloatArray, IntArray

# Share of the text that the smaller language has at least: quotes and menus have less.
_MIN_SHARE = 0.25
# Blocks that each language has at least.
_MIN_BLOCKS = 2
# Least sum of the log odds of the pages of a site: two short pages may be alike by chance.
_MIN_SITE_ODDS = 6.0
# Deviation of the logarithm of the ratio of lengths: of translations, at most of any two.
_SPREAD, _ANY_SPREAD = 0.35, 1.1
_OTHER_KIND = -2.0
# What a block without a partner costs, and what neighbors in the page and equal tokens give.
_ALONE, _NEIGHBOR, _TOKENS = 0.7, 1.0, 2.0
# What translated words give, and by how much of them blocks must be above any two.
_WORDS, _MORE_WORDS = 10.0, 0.15
# Programs speak English on pages in any language.
_CODE = frozenset({ParagraphType.CODE, ParagraphType.PREFORMATTED})


Translations: TypeAlias = "Mapping[str, Collection[str]]"
"""Tokens of a language with those of another that translate them."""


def score_within(
    paragraphs: Sequence[Paragraph],
    lang: str,
    langs: Sequence[str],
    find_translations: Callable[[str, str], Translations] = lambda *langs: {},
) -> tuple[str, float]:
    """Return the second language of a page, and the log odds that it translates the first.

    ``paragraphs`` are its text, each with its language; ``lang`` is that of the page,
    ``langs`` those in question; ``find_translations`` is called with two of them. Log odds are minus infinity for a page that is in one
    language but for quotes or menus.
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
    tokens = [hash_tokens([texts[n].text for n in side]) for side in sides]
    likeness = tokens[0] @ tokens[1].T
    odds += _TOKENS * (likeness - likeness.mean())
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
    """Return the log odds of blocks by lengths, types and places, shape (left, right)."""
    rows, columns = left[:, None], right[None]
    lengths = np.log1p(page.lengths)
    distance = lengths[rows] - lengths[columns]
    distance -= np.log(page.lengths[left].sum() / page.lengths[right].sum())
    # Blocks that are all of one length say nothing by it.
    spread = np.clip(distance.std(), _SPREAD, _ANY_SPREAD)
    odds = np.log(spread / _SPREAD) - distance**2 / 2 * (_SPREAD**-2 - spread**-2)
    odds += _OTHER_KIND * (page.kinds[rows] != page.kinds[columns])
    weighed: FloatArray = odds + _NEIGHBOR * (np.abs(rows - columns) == 1)
    return weighed


def _weigh_words(
    left: Sequence[set[str]], right: Sequence[set[str]], translations: Translations
) -> FloatArray:
    """Return the log odds of blocks by known translations of tokens, shape (left, right)."""
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
    """Return the documents whose text stands in both languages, in the given order.

    ``scores`` are document, site and log odds. Pages of a site are evidence for each other: one of
    few paragraphs may look like a translation by chance, many do not.
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
