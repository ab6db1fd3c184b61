"""The licences that a page names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LicensePlace(StrEnum):
    """Where a page names a licence, the most trusted place first."""

    LINK_HEADER = "link-header"
    LINK_REL = "link-rel"
    A_REL = "a-rel"
    JSON_LD = "json-ld"
    RDFA = "rdfa"
    MICRODATA = "microdata"
    META = "meta"
    A_HREF = "a-href"
    TEXT = "text"


class LicenseScope(StrEnum):
    """What a licence is for: the page, one of its pictures or the like, or not said."""

    PAGE = "page"
    UNCLEAR = "unclear"
    PART = "part"


@dataclass(frozen=True, slots=True)
class License:
    """A licence that a page names.

    ``id`` is its SPDX identifier, or one of that form, and empty where the licence is not
    known; ``url`` is absolute and as found, that of the licence's text where the page has
    its name alone. ``section`` is the part of the page: ``http``, ``head``, ``header``,
    ``nav``, ``main``, ``aside``, ``footer``, or ``body`` for none of them; structured data
    have none.
    """

    id: str
    url: str
    place: LicensePlace
    section: str = "body"
    scope: LicenseScope = LicenseScope.PAGE
