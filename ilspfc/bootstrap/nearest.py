"""Names like one that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_OFFERED = 5
_MIN_LIKENESS = 50


def offer_names(names: Sequence[str], remedy: str) -> str:
    """Return what an error says behind a name that does not exist.

    >>> offer_names(["Flowers"], "take another"), offer_names([], "take another")
    ('; the nearest are Flowers', '; take another')
    """
    return f"; the nearest are {', '.join(names)}" if names else f"; {remedy}"


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the names most like one, the likest first.

    >>> nearest_names("Flowrs", ["Flowers", "Floods", "Roses", "Garden flowers"])
    ['Flowers', 'Floods', 'Garden flowers']
    """
    folded = name.casefold()
    found = process.extract(
        name,
        sorted(set(known)),
        scorer=fuzz.WRatio,
        processor=str.casefold,
        limit=_OFFERED,
        score_cutoff=_MIN_LIKENESS,
    )
    likest = sorted(found, key=lambda match: -fuzz.ratio(folded, match[0].casefold()))
    return [match for match, *_ in likest]
