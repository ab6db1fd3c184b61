"""Which of the licences that a page names is to be trusted most."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ilspfc.cleaning.metadata.license_names import is_same
from ilspfc.documents import License, LicensePlace, LicenseScope

if TYPE_CHECKING:
    from collections.abc import Iterable

# More of one page are not kept, the least trusted go first.
MAX_LICENSES = 20

_PLACES = list(LicensePlace)
_SCOPES = list(LicenseScope)


def order_by_trust(
    declared: Iterable[License], named: Iterable[License]
) -> tuple[License, ...]:
    """Return licences without repetitions, the most trusted first.

    A name in the text is a repetition where the licence is declared as well.
    """
    found = _first_of_each(declared)
    for one in _first_of_each(named):
        known = [
            d.id
            for d in found
            if d.id and _SCOPES.index(d.scope) <= _SCOPES.index(one.scope)
        ]
        if not any(is_same(one.id, name) for name in known):
            found.append(one)
    return tuple(_first_of_each(found))


def _first_of_each(licenses: Iterable[License]) -> list[License]:
    """Return the most trusted of those that are the same in the same place, by trust."""
    ordered = sorted(
        licenses,
        key=lambda one: (
            _SCOPES.index(one.scope),
            _PLACES.index(one.place),
            not one.id,
        ),
    )
    first: dict[tuple[str, str, str], License] = {}
    for one in ordered:
        first.setdefault((one.id or one.url, one.place, one.scope), one)
    return list(first.values())[:MAX_LICENSES]


def choose_license(licenses: Iterable[License]) -> License | None:
    """Return the licence that a page is taken to be under, None if there is none.

    ``licenses`` are in the order of trust. The first whose scope is the page is taken, else
    the first link in the text; a name in the text mostly stands below a picture.
    """
    found = list(licenses)
    of_page = (one for one in found if one.scope is LicenseScope.PAGE)
    links = (
        one
        for one in found
        if one.scope is LicenseScope.UNCLEAR and one.place is LicensePlace.A_HREF
    )
    return next(chain(of_page, links), None)
