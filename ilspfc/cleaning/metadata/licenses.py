"""The licences that a page names: in its head, its links, its structured data, its text.

All candidates are kept with the place where they stand, for none is beyond doubt: a link in
the text may be about a picture or about licences as such.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.tags import SKIPPED_TAGS
from ilspfc.cleaning.metadata.json_ld import iter_licenses
from ilspfc.cleaning.metadata.license_names import (
    find_names,
    identify_url,
    is_for_texts,
    may_be_license,
)
from ilspfc.cleaning.metadata.license_order import order_by_trust
from ilspfc.cleaning.metadata.license_scope import (
    Surroundings,
    SurroundingsFinder,
    scope_of,
)
from ilspfc.cleaning.metadata.license_traces import Traces
from ilspfc.cleaning.metadata.license_values import absolute_url, add_scheme, read_value
from ilspfc.documents import License, LicensePlace, LicenseScope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element as Element

_ANYWHERE = Traces()
_RELATION_RE = re.compile(r"(?:.*[:#/.])?licen[sc]e", re.IGNORECASE | re.DOTALL)
_LINK_TAGS = frozenset({"a", "area", "link"})
_WORDLESS_TAGS = SKIPPED_TAGS | {"title"}
_RIGHTS_NAMES = frozenset({"copyright", "dc.rights", "dcterms.rights", "rights"})
# Its terms may forbid everything: a signal on text and data mining, not a licence.
_RSL_TYPE = "application/rsl+xml"


def find_licenses(
    root: Element,
    base: str,
    *,
    canonical: str = "",
    linked: Iterable[str] = (),
    traces: Traces = _ANYWHERE,
) -> tuple[License, ...]:
    """Return the licences that a page names, the most trusted first.

    Licences of the page go before those whose scope is unclear, and these before those of
    its parts; within a scope the order is that of :class:`LicensePlace`, then of the page.
    ``base`` is what links refer to; ``linked`` are the absolute URLs of the HTTP header
    Link with the relation ``license``; ``traces`` are those of its HTML. The cost is linear in the size of the page.
    """
    finder = _Finder(base, canonical)
    # Text after the end of the page stands in further roots.
    for one in (root, *root.itersiblings("*")):
        finder.read(one, traces)
    declared = (*_from_header(linked), *finder.declared, *finder.iter_structured())
    return order_by_trust(declared, finder.named)


def find_licenses_in_text(
    text: str, *, linked: Iterable[str] = ()
) -> tuple[License, ...]:
    """Return the licences that a plain text names, the most trusted first."""
    named = (
        License(name, url, LicensePlace.TEXT, scope=LicenseScope.UNCLEAR)
        for name, url in find_names(text)
    )
    return order_by_trust(_from_header(linked), named)


class _Finder:
    """Finds the licences of one page."""

    def __init__(self, base: str, canonical: str) -> None:
        self._base = base
        self._surroundings = SurroundingsFinder(base, {base, canonical or base})

        self.declared: list[License] = []
        self.named: list[License] = []
        self._scripts: list[str] = []

    def read(self, root: Element, traces: Traces) -> None:
        """Collect the licences in a tree."""
        if traces.in_text:
            self._read_texts(root)
        for element in root.iter() if traces.in_markup else root.iter("meta"):
            tag = element.tag
            if tag == "script":
                kind = (element.get("type") or "").partition(";")[0].strip().lower()
                if kind == "application/ld+json":
                    self._scripts.append(element.text or "")
            elif (
                tag == "meta"
                or element.get("property") is not None
                or element.get("itemprop") is not None
                or (tag in _LINK_TAGS and _may_lead_to_license(element))
            ):
                self.declared += self._iter_of_element(element)

    def _read_texts(self, root: Element) -> None:
        for element in root.iter():
            text, tail = element.text, element.tail
            if text and ("CC" in text or "reativecommons.org" in text):
                self._add_named(text, element)
            if tail and ("CC" in tail or "reativecommons.org" in tail):
                self._add_named(tail, element.getparent())

    def iter_structured(self) -> Iterator[License]:
        """Yield the licences of JSON-LD."""
        for text, is_page in iter_licenses(self._scripts):
            scope = LicenseScope.PAGE if is_page else LicenseScope.PART
            for name, url in read_value(text, self._base):
                yield License(name, url, LicensePlace.JSON_LD, "", scope)

    def _iter_of_element(self, element: Element) -> Iterator[License]:
        relations = (element.get("rel") or "").split()
        place = _place_of_relations(element, relations)
        is_property = _names_license(element.get("property"))
        is_item_property = _names_license(element.get("itemprop"))
        if place is not None:
            yield from self._iter_of_relation(element, place)
        elif not is_property and not is_item_property:
            yield from self._iter_of_link(element, relations)
        if is_item_property:
            around = self._surroundings.find(element.getparent())
            yield from self._iter_values(element, LicensePlace.MICRODATA, around)
        if element.tag == "meta":
            yield from self._iter_of_meta(element)
        elif is_property and place is None:
            around = self._surroundings.find(element)
            yield from self._iter_values(element, LicensePlace.RDFA, around)

    def _iter_of_relation(
        self, element: Element, place: LicensePlace
    ) -> Iterator[License]:
        """Yield the target of a link whose relation says that it is the licence."""
        media_type = (element.get("type") or "").partition(";")[0].strip().lower()
        href = element.get("href") or element.get("resource") or ""
        if media_type != _RSL_TYPE and (url := absolute_url(href, self._base)):
            around = self._surroundings.find(element)
            yield License(
                identify_url(url), url, place, around.section, scope_of(around, place)
            )

    def _iter_of_link(
        self, element: Element, relations: list[str]
    ) -> Iterator[License]:
        """Yield the target of a link if it is a known licence.

        A link element has to speak of rights. A licence of programs counts in a footer
        alone: in the text it is about a program.
        """
        href = element.get("href") or ""
        if element.tag == "link":
            place = LicensePlace.LINK_REL
            if not any(name.lower() in _RIGHTS_NAMES for name in relations):
                return
        elif element.tag in {"a", "area"}:
            place = LicensePlace.A_HREF
        else:
            return
        # Most links are none: only of these few is the absolute URL worked out.
        if name := identify_url(add_scheme(href)):
            around = self._surroundings.find(element)
            is_declared = element.tag == "link" or around.section == "footer"
            if is_declared or is_for_texts(name):
                url, scope = absolute_url(href, self._base), scope_of(around, place)
                yield License(name, url, place, around.section, scope)

    def _iter_of_meta(self, element: Element) -> Iterator[License]:
        for attribute in ("name", "property"):
            name = (element.get(attribute) or "").strip().lower().replace(":", ".")
            is_license = bool(_RELATION_RE.fullmatch(name))
            if not is_license and name not in _RIGHTS_NAMES:
                continue
            for known, url in read_value(element.get("content") or "", self._base):
                if known or is_license:
                    around = self._surroundings.find(element)
                    scope = scope_of(around, LicensePlace.META)
                    yield License(known, url, LicensePlace.META, around.section, scope)

    def _iter_values(
        self, element: Element, place: LicensePlace, around: Surroundings
    ) -> Iterator[License]:
        """Yield the licences that are the value of a property (RDFa, microdata)."""
        attributes = (
            element.get(name) for name in ("resource", "href", "content", "src")
        )
        given = next((value for value in attributes if value), None)
        text = given if given is not None else element.text or ""
        for name, url in read_value(text, self._base):
            yield License(name, url, place, around.section, scope_of(around, place))

    def _add_named(self, text: str, owner: Element | None) -> None:
        """Add the licences of Creative Commons that a piece of text names."""
        if (
            owner is None
            or owner.tag in _WORDLESS_TAGS
            or not isinstance(owner.tag, str)
        ):
            return
        for name, url in find_names(text):
            around = self._surroundings.find(owner)
            scope = scope_of(around, LicensePlace.TEXT)
            self.named.append(
                License(name, url, LicensePlace.TEXT, around.section, scope)
            )


def _may_lead_to_license(link: Element) -> bool:
    """Return, fast, whether a link is worth a look: most are not."""
    rel = link.get("rel")
    return may_be_license(link.get("href") or "") or (
        rel is not None and may_be_license(rel)
    )


def _names_license(attribute: str | None) -> bool:
    return attribute is not None and any(
        _RELATION_RE.fullmatch(name) for name in attribute.split()
    )


def _place_of_relations(element: Element, relations: list[str]) -> LicensePlace | None:
    """Return where a relation to a licence stands: HTML's own, or one of RDFa."""
    found = [name for name in relations if _RELATION_RE.fullmatch(name)]
    if not found:
        return None
    # Dublin Core in HTML (DCMI, 2008) has link elements with names like dcterms.license.
    is_html = any(":" not in name and "/" not in name for name in found)
    if not is_html:
        return LicensePlace.RDFA
    return LicensePlace.LINK_REL if element.tag == "link" else LicensePlace.A_REL


def _from_header(urls: Iterable[str]) -> Iterator[License]:
    for url in urls:
        if absolute_url(url, url):
            yield License(identify_url(url), url, LicensePlace.LINK_HEADER, "http")
