"""Texts with known links, made of pages of real sites, for learning what a score is worth.

Blocks of as many sentences in both languages are taken for translations sentence by
sentence; then sentences are left out, joined, exchanged and cut anew, as translators do.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from evaluation.page_silver import read_pages
from ilspfc.alignment import TextPair
from ilspfc.alignment.page_units import UNSPACED_LANGS
from ilspfc.text.sentences import split_sentences

if TYPE_CHECKING:
    from evaluation.alignment import Link

    Group = tuple[list[str], list[str]]

_MAX_PAGES = 12
_MIN_SENTENCES, _MAX_SENTENCES = 5, 120
# Where a clause ends that can stand in the sentence before as well.
_CLAUSE_RE = re.compile(r"[,;:](?= )|[、，；：]")
_MIN_CLAUSE = 10
# What happens to a pair of sentences: chances from which on something else does.
_LEFT_OUT, _JOINED, _EXCHANGED, _CUT_ANEW = 0.06, 0.20, 0.22, 0.29


def read_disturbed(
    name: str, pair: str, langs: tuple[str, str], chance: Random
) -> tuple[list[TextPair], list[list[Link]]]:
    """Return texts of a site's pages in two languages, with the links between them."""
    glues = tuple("" if lang in UNSPACED_LANGS else " " for lang in langs)
    texts, links = [], []
    for page in read_pages(name, pair, _MAX_PAGES):
        known: list[tuple[str, str]] = []
        for (*_, source), (*_, target) in zip(page.source, page.target, strict=True):
            left = split_sentences(source, langs[0])
            right = split_sentences(target, langs[1])
            if len(left) == len(right) and source != target:
                known += zip(left, right, strict=True)
        if len(known) >= _MIN_SENTENCES:
            groups = disturb(known[:_MAX_SENTENCES], chance, (glues[0], glues[1]))
            text, found = _number(groups)
            texts.append(text)
            links.append(found)
    return texts, links


def disturb(
    pairs: list[tuple[str, str]], chance: Random, glues: tuple[str, str]
) -> list[Group]:
    """Return groups of sentences that translate each other, in order."""
    groups: list[Group] = []
    left = pairs[::-1]
    while left:
        drawn = chance.random()
        pair = left.pop()
        if drawn < _LEFT_OUT:
            is_first = drawn < _LEFT_OUT / 2
            groups.append(([pair[0]], []) if is_first else ([], [pair[1]]))
        elif drawn < _CUT_ANEW and left:
            groups.append(_merge(pair, left.pop(), drawn, chance, glues))
        else:
            groups.append(([pair[0]], [pair[1]]))
    return groups


def _merge(
    pair: tuple[str, str],
    after: tuple[str, str],
    drawn: float,
    chance: Random,
    glues: tuple[str, str],
) -> Group:
    """Return two pairs of sentences as one group."""
    sides = [pair[0], after[0]], [pair[1], after[1]]
    number = chance.randrange(2)
    side, glue = sides[number], glues[number]
    if drawn < _JOINED:
        side[:] = [glue.join(side)]
    elif drawn < _EXCHANGED:
        side.reverse()
    else:
        most = len(side[1]) - _MIN_CLAUSE
        ends = [m.end() for m in _CLAUSE_RE.finditer(side[1])]
        end = next((end for end in ends if _MIN_CLAUSE < end < most), None)
        if end is None:
            side[:] = [glue.join(side)]
        else:
            side[0] += glue + side[1][:end]
            side[1] = side[1][end:].strip()
    return sides


def _number(groups: list[Group]) -> tuple[TextPair, list[Link]]:
    source: list[str] = []
    target: list[str] = []
    links = []
    for left, right in groups:
        rows = range(len(source), len(source) + len(left))
        columns = range(len(target), len(target) + len(right))
        if left and right:
            links.append((frozenset(rows), frozenset(columns)))
        source += left
        target += right
    return TextPair(source, target), links
