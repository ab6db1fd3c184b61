"""What stands around a licence on its page, and so what the licence is for."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin

from ilspfc.cleaning.metadata.json_ld import is_page_type
from ilspfc.documents import LicensePlace, LicenseScope

if TYPE_CHECKING:
    from collections.abc import Collection

    from lxml import etree

_SECTION_TAGS = frozenset({"head", "header", "nav", "main", "aside", "footer"})
_SECTIONS_BY_ROLE = {
    "banner": "header",
    "navigation": "nav",
    "main": "main",
    "complementary": "aside",
    "contentinfo": "footer",
}
# Pages without HTML5 have a footer by name.
_FOOTER_NAME_RE = re.compile(
    r"(?<!\S)(?:(?:site|page|main|global|mw)[-_]?)?footer(?!\S)", re.IGNORECASE
)
# What a page shows or cites has a licence of its own.
_PART_TAGS = frozenset({"blockquote", "figcaption", "figure", "template"})
_MEDIA_TYPES = frozenset(
    "audioobject dataset imageobject mediaobject photograph softwareapplication"
    " softwaresourcecode stillimage videoobject".split()
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What holds for an element: the section of the page, and whether it is a part.

    ``is_part`` tells that the element is in a picture with its caption, a quotation or the
    like, or that RDFa (section 7.4, ``about``) or microdata make it speak of something
    that is not the page. ``is_other_item`` is true in a thing of microdata or RDFa that is
    no page: its properties are its own.
    """

    section: str = "body"
    is_part: bool = False
    is_other_item: bool = False


_NOTHING = Surroundings()


class SurroundingsFinder:
    """Finds the surroundings of elements, each element above them looked at once."""

    def __init__(self, base: str, own_urls: Collection[str]) -> None:
        """Take the base URL and the URLs under which the page itself is known."""
        self._base = base
        self._own = {urldefrag(url)[0] for url in own_urls}
        self._known: dict[etree._Element, Surroundings] = {}

    def find(self, element: etree._Element | None) -> Surroundings:
        """Return the surroundings of an element, itself included."""
        path: list[etree._Element] = []
        while element is not None and element not in self._known:
            path.append(element)
            element = element.getparent()
        found = self._known[element] if element is not None else _NOTHING
        for step in reversed(path):
            found = self._known[step] = self._enter(found, step)
        return found

    def _enter(self, outer: Surroundings, element: etree._Element) -> Surroundings:
        section, is_part = outer.section, outer.is_part or element.tag in _PART_TAGS
        if section != "footer":
            section = _section(element) or section
        if (about := element.get("about")) is not None:
            is_part = not self._is_own(about)
        types = (element.get("itemtype") or element.get("typeof") or "").split()
        if not types and element.get("itemscope") is None:
            return replace(outer, section=section, is_part=is_part)
        names = {re.split(r"[/#:]", name)[-1].lower() for name in types}
        is_part = is_part or not names.isdisjoint(_MEDIA_TYPES)
        return Surroundings(section, is_part, not is_page_type(types))

    def _is_own(self, reference: str) -> bool:
        try:
            url, fragment = urldefrag(urljoin(self._base, reference.strip()))
        except ValueError:
            return False
        return not fragment and url in self._own


def _section(element: etree._Element) -> str:
    """Return the section that an element begins, empty if it begins none."""
    tag = str(element.tag)
    if tag in _SECTION_TAGS:
        return tag
    if section := _SECTIONS_BY_ROLE.get(element.get("role") or ""):
        return section
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    is_footer = tag not in {"html", "body"} and _FOOTER_NAME_RE.search(names)
    return "footer" if is_footer else ""


def scope_of(around: Surroundings, place: LicensePlace) -> LicenseScope:
    """Return what a licence is for that stands at a place in its surroundings."""
    is_property = place in {LicensePlace.MICRODATA, LicensePlace.RDFA}
    if around.is_part or (is_property and around.is_other_item):
        return LicenseScope.PART
    is_in_text = place in {LicensePlace.A_HREF, LicensePlace.TEXT}
    if is_in_text and around.section != "footer":
        return LicenseScope.UNCLEAR
    return LicenseScope.PAGE
