"""Pages that hold both languages: whether the text in one translates that in the other.

The blocks in the two languages are aligned in their order, paragraph by paragraph, half by
half or column by column. Blocks that translate each other have proportional lengths and the
same types; where the languages alternate they are neighbors.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.decisions.content import read_blocks
from ilspfc.decisions.counterparts import MAX_BLOCKS, find_path, hash_tokens
from ilspfc.documents import ParagraphType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ilspfc.documents import Paragraph

# Share of the text that the smaller language has at least: quotes and menus have less.
_MIN_SHARE = 0.25
# Blocks that each language has at least.
_MIN_BLOCKS = 2
# Least sum of the log odds of the pages of a site: two short pages may be alike by chance.
_MIN_SITE_ODDS = 6.0
# Deviation of the logarithm of the ratio of lengths: of translations, of any two blocks.
_SPREAD, _ANY_SPREAD = 0.35, 1.1
_OTHER_KIND = -2.0
# What a block without a partner costs, and what neighbors in the page and equal tokens give.
_ALONE, _NEIGHBOR, _TOKENS = 0.7, 1.0, 2.0
# Programs speak English on pages in any language.
_CODE = frozenset({ParagraphType.CODE, ParagraphType.PREFORMATTED})


def score_within(
    paragraphs: Sequence[Paragraph], lang: str, langs: Sequence[str]
) -> tuple[str, float]:
    """Return the second language of a page, and the log odds that it translates the first.

    ``paragraphs`` are its text, each with its language; ``lang`` is that of the page,
    ``langs`` those in question. Log odds are minus infinity for a page that is in one
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
    left, right = sides[0][:, None], sides[1][None]
    distance = np.log1p(page.lengths[left]) - np.log1p(page.lengths[right])
    distance -= np.log(sizes[lang] / sizes[second])
    odds = np.log(_ANY_SPREAD / _SPREAD) - distance**2 / 2 * (
        1 / _SPREAD**2 - 1 / _ANY_SPREAD**2
    )
    odds += _OTHER_KIND * (page.kinds[left] != page.kinds[right])
    odds += _NEIGHBOR * (np.abs(left - right) == 1)
    tokens = [hash_tokens([texts[n].text for n in side]) for side in sides]
    likeness = tokens[0] @ tokens[1].T
    odds += _TOKENS * (likeness - likeness.mean())
    matched = find_path(odds + 2 * _ALONE)
    rows = np.nonzero(matched >= 0)[0]
    alone = sum(numbers) - 2 * len(rows)
    return second, float(odds[rows, matched[rows]].sum() - _ALONE * alone)


def choose_within(scores: Iterable[tuple[str, str, float]]) -> list[str]:
    """Return the documents whose text stands in both languages, in the given order.

    ``scores`` are document, site and log odds. Pages of a site speak for each other: one of
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
