"""Variants of a language: of pages that stand in two scripts, or for two countries, one is paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter

from ilspfc.documents import DocumentPair, PairState

Side = Callable[[DocumentPair], str]
_SIDES: tuple[Side, Side] = attrgetter("source"), attrgetter("target")


def keep_variants(
    states: Mapping[DocumentPair, PairState], variant_of: Callable[[str], str]
) -> dict[DocumentPair, PairState]:
    """Return decisions that pair contested pages in the variant that won most of them.

    A site in Chinese or Serbian may have each page in two scripts. Both are candidates of one
    page of the other language, and chance decides between them. ``variant_of`` returns the
    declared variant of a document by its id, such as ``zh-Hant``, else an empty string.
    """
    kept = dict(states)
    for side, other in (_SIDES, _SIDES[::-1]):
        contests = []
        for winner, loser in _iter_contests(kept, side, other):
            first, second = variant_of(side(winner)), variant_of(side(loser))
            if first != second and _language(first) == _language(second) != "":
                contests.append((winner, loser, first, second))
        won = Counter(first for *_, first, _ in contests)
        usual = min(won, key=lambda variant: (-won[variant], variant), default="")
        for winner, loser, first, second in contests:
            if first != usual == second and kept[winner] is PairState.PAIR:
                kept[winner], kept[loser] = PairState.TAKEN, PairState.PAIR
    return kept


def _iter_contests(
    states: Mapping[DocumentPair, PairState], side: Side, other: Side
) -> Iterator[tuple[DocumentPair, DocumentPair]]:
    """Yield pairs with the candidates that lost against them, if each is the best of its page.

    The page of such a candidate is in no pair. ``states`` has the best candidates first.
    """
    best: dict[str, DocumentPair] = {}
    winners: dict[str, DocumentPair] = {}
    paired: set[str] = set()
    for one, state in states.items():
        if state in {PairState.PAIR, PairState.TAKEN}:
            best.setdefault(side(one), one)
        if state is PairState.PAIR:
            winners[other(one)] = one
            paired.add(side(one))
    for page, one in best.items():
        if page not in paired and (winner := winners.get(other(one))):
            yield winner, one


def _language(tag: str) -> str:
    return tag.partition("-")[0]
