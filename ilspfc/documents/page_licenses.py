"""Licenses that a page names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LicensePlace(StrEnum):
    """Place where a page names a license, the most trusted first."""

    LINK_HEADER = "link-header"
    LINK_REL = "link-rel"
    A_REL = "a-rel"
    JSON_LD = "json-ld"
    META = "meta"
    FOOTER = "footer"
    A_HREF = "a-href"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class License:
    """License that a page names.

    ``id`` is its SPDX identifier, or one of that form, and empty for an unknown license;
    ``url`` is absolute and as found, or the URL of the license's text where the page has
    the name alone.
    """

    id: str
    url: str
    place: LicensePlace
