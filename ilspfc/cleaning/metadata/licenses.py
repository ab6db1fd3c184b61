"""Licenses that a page names: in links, meta elements, JSON-LD, its footer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.tags import SKIPPED_TAGS
from ilspfc.cleaning.metadata.fields import read_scripts
from ilspfc.cleaning.metadata.json_ld import iter_licenses
from ilspfc.cleaning.metadata.license_names import (
    MAX_CHARS,
    find_names,
    identify_name,
    identify_url,
    is_for_texts,
    is_same,
    may_be_license,
    url_of,
)
from ilspfc.documents import License, LicensePlace
from ilspfc.web.address import AddressError, resolve

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MAX_LICENSES = 20
"""Licenses kept of one page, the most trusted first."""

_RELATION_RE = re.compile(r"(?:.*[:#/.])?licen[sc]e", re.IGNORECASE | re.DOTALL)
_RIGHTS_NAMES = frozenset({"copyright", "dc.rights", "dcterms.rights", "rights"})
# Its terms may forbid everything: a signal on text and data mining, not a license.
_RSL_TYPE = "application/rsl+xml"
_SCHEMELESS_RE = re.compile(r"(?:www\.)?creativecommons\.org/", re.IGNORECASE)
# Elements and items of microdata or RDFa with a license of their own.
_PART_TAGS = frozenset({"blockquote", "figcaption", "figure", "template"})
_MEDIA_TYPE_RE = re.compile(
    r"(?:object|dataset|photograph|stillimage|software\w+)(?!\S)", re.IGNORECASE
)
_FOOTER_NAME_RE = re.compile(
    r"(?<!\S)(?:(?:site|page|main|global|mw)[-_]?)?footer(?!\S)", re.IGNORECASE
)
# A name of Creative Commons in the markup, where blanks may be entities.
_SHORT_NAME_RE = re.compile(rb"CC(?:0(?![0-9A-Fa-f])|[ &-]|\xc2\xa0)")
_WORDLESS_TAGS = SKIPPED_TAGS | {"title"}


def find_licenses(
    root: Element, base: str, *, html: bytes, linked: Iterable[str] = ()
) -> tuple[License, ...]:
    """Return the licenses that a page names, the most trusted first.

    ``base`` is the URL that links refer to, ``html`` the page in UTF-8, ``linked`` the absolute
    URLs of the HTTP header Link with the relation ``license``. Licenses of pictures,
    quotations and other parts of the page are left out.
    """
    finder = _Finder(base)
    is_named = b"reativecommons.org" in html or _SHORT_NAME_RE.search(html)
    # Text after the end of the page stands in further roots.
    for tree in (root, *root.itersiblings("*")):
        finder.read_elements(tree)
        if is_named:
            finder.read_texts(tree)
    return _order([*_from_header(linked), *finder.found], finder.named)


def find_licenses_in_text(
    text: str, *, linked: Iterable[str] = ()
) -> tuple[License, ...]:
    """Return the licenses that a plain text names, the most trusted first."""
    named = [License(name, url, LicensePlace.TEXT) for name, url in find_names(text)]
    return _order(_from_header(linked), named)


def choose_license(licenses: Iterable[License]) -> License | None:
    """Return the license that a page is taken to be under, None if there is none.

    ``licenses`` are in the order of trust. A name in a plain text is never chosen.
    """
    return next((one for one in licenses if one.place != LicensePlace.TEXT), None)


def _order(found: Iterable[License], named: Iterable[License]) -> tuple[License, ...]:
    """Return licenses by trust, each once; ``named`` ones only if not found as a link."""
    found = list(found)
    found += [one for one in named if not any(is_same(one.id, f.id) for f in found)]
    places = list(LicensePlace)
    found.sort(key=lambda one: (places.index(one.place), not one.id))
    first: dict[str, License] = {}
    for one in found:
        first.setdefault(one.id or one.url, one)
    return tuple(first.values())[:MAX_LICENSES]


class _Finder:
    """Collects the licenses of one page."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._sections: dict[Element, str] = {}
        self.found: list[License] = []
        self.named: list[License] = []

    def read_elements(self, root: Element) -> None:
        """Collect the licenses of links, meta elements and JSON-LD."""
        links = [
            (element, element.get("href") or "", element.get("rel") or "")
            for element in root.iter("a", "area", "link")
        ]
        # Most pages have no link to a license.
        if may_be_license(" ".join(chain.from_iterable(link[1:] for link in links))):
            for element, href, rel in links:
                self._read_link(element, href, rel)
        for element in root.iter("meta"):
            self._read_meta(element)
        for value in iter_licenses(read_scripts(root)):
            self._add_values(value, LicensePlace.JSON_LD)

    def _read_link(self, element: Element, href: str, rel: str) -> None:
        """Collect a link whose relation is ``license``, or one to a known license.

        The second kind has to speak of rights in a link element. A license of programs
        counts in a footer alone: in the text it is about a program.
        """
        relations = rel.lower().split()
        is_link_element = element.tag == "link"
        if may_be_license(rel) and any(map(_RELATION_RE.fullmatch, relations)):
            media_type = (element.get("type") or "").partition(";")[0].strip().lower()
            place = LicensePlace.LINK_REL if is_link_element else LicensePlace.A_REL
            url = absolute_url(href, self._base)
            if url and media_type != _RSL_TYPE and self._section(element) != "part":
                self.found.append(License(identify_url(url), url, place))
            return
        # Most links are none: only of these few is the absolute URL worked out.
        if not may_be_license(href) or not (name := identify_url(_add_scheme(href))):
            return
        if is_link_element:
            place = LicensePlace.LINK_REL
            is_declared = not _RIGHTS_NAMES.isdisjoint(relations)
        else:
            section = self._section(element)
            is_footer = section == "footer"
            place = LicensePlace.FOOTER if is_footer else LicensePlace.A_HREF
            is_declared = is_footer or (section != "part" and is_for_texts(name))
        if is_declared:
            self.found.append(License(name, absolute_url(href, self._base), place))

    def _read_meta(self, element: Element) -> None:
        for attribute in ("name", "property", "itemprop"):
            name = (element.get(attribute) or "").strip().lower().replace(":", ".")
            is_license = bool(_RELATION_RE.fullmatch(name))
            if is_license or name in _RIGHTS_NAMES:
                content = element.get("content") or ""
                if self._section(element) != "part":
                    self._add_values(
                        content, LicensePlace.META, is_known=not is_license
                    )

    def _add_values(
        self, text: str, place: LicensePlace, *, is_known: bool = False
    ) -> None:
        """Collect the licenses that a value is or names; only known ones on demand."""
        for name, url in _read_value(text, self._base):
            if name or not is_known:
                self.found.append(License(name, url, place))

    def read_texts(self, root: Element) -> None:
        """Collect the Creative Commons licenses that the text of a footer names."""
        for element in root.iter("*"):
            if element.tag in _WORDLESS_TAGS:
                continue
            for text in (element.text, *(inner.tail for inner in element)):
                if text and ("CC" in text or "reativecommons.org" in text):
                    self._add_named(text, element)

    def _add_named(self, text: str, element: Element) -> None:
        for name, url in find_names(text):
            if self._section(element) == "footer":
                self.named.append(License(name, url, LicensePlace.FOOTER))

    def _section(self, element: Element) -> str:
        """Return ``part`` for a part of the page, ``footer`` for its footer, else nothing.

        Parts are pictures with their captions, quotations, and things of which RDFa
        (section 7.4, ``about``) or microdata say that they are not the page.
        """
        path: list[Element] = []
        around: Element | None = element
        while around is not None and around not in self._sections:
            path.append(around)
            around = around.getparent()
        section = self._sections[around] if around is not None else ""
        for one in reversed(path):
            if section != "part" and self._is_part(one):
                section = "part"
            elif not section and _is_footer(one):
                section = "footer"
            self._sections[one] = section
        return section

    def _is_part(self, element: Element) -> bool:
        types = element.get("itemtype") or element.get("typeof") or ""
        if element.tag in _PART_TAGS or _MEDIA_TYPE_RE.search(types):
            return True
        about = element.get("about")
        if not about:
            return False
        return about[0] == "#" or absolute_url(about, self._base) != self._base


def _is_footer(element: Element) -> bool:
    if element.tag == "footer" or element.get("role") == "contentinfo":
        return True
    # Pages without HTML5 have a footer by name.
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    is_page = element.tag in {"html", "body"}
    return not is_page and _FOOTER_NAME_RE.search(names) is not None


def _from_header(urls: Iterable[str]) -> list[License]:
    return [
        License(identify_url(url), url, LicensePlace.LINK_HEADER)
        for url in urls
        if absolute_url(url, url)
    ]


def _read_value(text: str, base: str) -> Iterator[tuple[str, str]]:
    """Yield identifier and URL for a text that is the URL of a license, or names some."""
    text = text.strip()
    if not text or len(text) > MAX_CHARS:
        return
    if name := identify_name(text):
        yield name, url_of(name)
    elif " " not in text and text.startswith(("http:", "https:", "/")):
        if url := absolute_url(text, base):
            yield identify_url(url), url
    else:
        yield from find_names(text)


def absolute_url(href: str, base: str) -> str:
    """Return the absolute URL of a link to the web, empty for any other link."""
    href = _add_scheme(href)
    try:
        url = resolve(base, href) if href.strip("#") else ""
    except AddressError:
        return ""
    return url if len(url) <= MAX_CHARS else ""


def _add_scheme(href: str) -> str:
    """Return a link; one to Creative Commons without a scheme gets one."""
    href = href.strip()
    return f"https://{href}" if _SCHEMELESS_RE.match(href) else href
