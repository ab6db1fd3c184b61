"""Texts with known links, made of pages of real sites, for learning what a score is worth.

Blocks of as many sentences in both languages are taken for translations sentence by
sentence; then sentences are left out, alone or in runs, exchanged for others, joined,
swapped and cut anew, as translators and later versions do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from evaluation.page_silver import read_pages
from ilspfc.alignment.page_units import UNSPACED_LANGS
from ilspfc.alignment.sides import TextPair
from ilspfc.text.sentences import split_sentences

if TYPE_CHECKING:
    from evaluation.alignment import Link

_MAX_PAGES = 12
_MIN_SENTENCES, _MAX_SENTENCES = 5, 120
# Where a clause ends that can stand in the sentence before as well.
_CLAUSE_RE = re.compile(r"[,;:](?= )|[、，；：]")
_MIN_CLAUSE = 10
# What happens to a pair of sentences: chances from which on something else does.
_RUN_LEFT_OUT, _REPLACED, _LEFT_OUT, _JOINED, _SWAPPED, _CUT_ANEW = (
    0.01,
    0.04,
    0.09,
    0.22,
    0.24,
    0.30,
)
_LONGEST_RUN = 8
# With blocks, pages are disturbed less: what lacks a partner is then so rare that alignment
# takes it for a part of its neighbors, as on real pages.
_GUIDED_RATE = 0.35
# Chance that two sentences of a group are in two blocks.
_SPLIT = 0.2
# A sentence is replaced by the one of so many that has the most similar length.
_REPLACEMENTS = 30


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that translate each other, in a block of a kind."""

    source: list[str]
    target: list[str]
    block: int = 0
    kind: int = 0


def read_disturbed(
    name: str,
    pair: str,
    langs: tuple[str, str],
    chance: Random,
    *,
    is_guided: bool = False,
) -> tuple[list[TextPair], list[list[Link]]]:
    """Return texts of a site's pages in two languages, with the links between them.

    Guided texts have the blocks of the pages.
    """
    pages = []
    for page in read_pages(name, pair, _MAX_PAGES):
        known: list[Group] = []
        for (kind, block, source), (*_, target) in zip(
            page.source, page.target, strict=True
        ):
            left = split_sentences(source, langs[0])
            right = split_sentences(target, langs[1])
            if len(left) == len(right) and source != target:
                known += [
                    Group([s], [t], block, kind)
                    for s, t in zip(left, right, strict=True)
                ]
        if len(known) >= _MIN_SENTENCES:
            pages.append(known[:_MAX_SENTENCES])
    glues = tuple("" if lang in UNSPACED_LANGS else " " for lang in langs)
    rate = _GUIDED_RATE if is_guided else 1.0
    texts, links = [], []
    for known in pages:
        others = [one for page in pages if page is not known for one in page]
        groups = disturb(known, chance, (glues[0], glues[1]), others, rate)
        text, found = _number(groups, chance if is_guided else None)
        texts.append(text)
        links.append(found)
    return texts, links


def disturb(
    pairs: list[Group],
    chance: Random,
    glues: tuple[str, str],
    others: list[Group],
    rate: float = 1.0,
) -> list[Group]:
    """Return groups of sentences that translate each other, in order.

    ``pairs`` have one sentence per side; those that replace others come from ``others``.
    ``rate`` is the factor of all chances.
    """
    groups: list[Group] = []
    left = pairs[::-1]
    while left:
        drawn = chance.random() / rate
        pair = left.pop()
        if drawn < _RUN_LEFT_OUT:
            side = chance.randrange(2)
            first = max(len(left) - chance.randrange(1, _LONGEST_RUN), 0)
            groups += [_keep(one, side) for one in [pair, *reversed(left[first:])]]
            del left[first:]
        elif drawn < _REPLACED and others:
            side = chance.randrange(2)
            groups += [_keep(pair, side), _replace(pair, 1 - side, others, chance)]
        elif drawn < _LEFT_OUT:
            groups.append(_keep(pair, chance.randrange(2)))
        elif drawn < _CUT_ANEW and left and left[-1].block == pair.block:
            groups.append(_merge(pair, left.pop(), drawn, chance, glues))
        else:
            groups.append(pair)
    return groups


def _keep(pair: Group, side: int) -> Group:
    """Return one side of a pair."""
    sides = ([], pair.target) if side else (pair.source, [])
    return Group(*sides, pair.block, pair.kind)


def _replace(pair: Group, side: int, others: list[Group], chance: Random) -> Group:
    """Return another sentence in place of a side of a pair."""
    drawn = chance.choices(others, k=_REPLACEMENTS)

    def distance(other: Group) -> int:
        if side:
            return abs(len(other.target[0]) - len(pair.target[0]))
        return abs(len(other.source[0]) - len(pair.source[0]))

    other = min(drawn, key=distance)
    return _keep(Group(other.source, other.target, pair.block, pair.kind), side)


def _merge(
    pair: Group, after: Group, drawn: float, chance: Random, glues: tuple[str, str]
) -> Group:
    """Return two pairs of sentences as one group."""
    sides = pair.source + after.source, pair.target + after.target
    number = chance.randrange(2)
    side, glue = sides[number], glues[number]
    if drawn < _JOINED:
        side[:] = [glue.join(side)]
    elif drawn < _SWAPPED:
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
    return Group(*sides, pair.block, pair.kind)


def _number(groups: list[Group], chance: Random | None) -> tuple[TextPair, list[Link]]:
    """Return the texts and the links; with ``chance``, the texts have blocks.

    Some of the groups with two sentences on a side have them in two blocks there.
    """
    sides: tuple[list[str], list[str]] = [], []
    blocks: tuple[list[int], list[int]] = [], []
    kinds: tuple[list[int], list[int]] = [], []
    added = [0, 0]
    links = []
    for group in groups:
        rows = []
        for n, sentences in enumerate((group.source, group.target)):
            rows.append(range(len(sides[n]), len(sides[n]) + len(sentences)))
            for place, sentence in enumerate(sentences):
                if place and chance is not None and chance.random() < _SPLIT:
                    added[n] += 1
                sides[n].append(sentence)
                blocks[n].append(group.block + added[n])
                kinds[n].append(group.kind)
        if group.source and group.target:
            links.append((frozenset(rows[0]), frozenset(rows[1])))
    text = TextPair(*sides)
    if chance is not None:
        text = TextPair(*sides, *blocks, kinds[0], kinds[1])
    return text, links
