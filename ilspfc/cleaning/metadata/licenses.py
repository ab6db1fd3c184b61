"""Licenses that a page names: in links, meta elements, JSON-LD, its footer.

Their identifiers are those of the SPDX license list. Licenses that it lacks get one of its
form: a port of Creative Commons (``CC-BY-SA-2.5-IT``), a license without a version (``CC-BY``,
``GFDL``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.tags import SKIPPED_TAGS
from ilspfc.cleaning.metadata.fields import read_scripts
from ilspfc.cleaning.metadata.json_ld import iter_licenses
from ilspfc.documents import License, LicensePlace
from ilspfc.web.address import Addresses
from ilspfc.web.link_header import RSL_TYPE

MAX_LICENSES = 20
"""Licenses kept of one page, the most trusted first."""
# A longer text is no name and no URL of a license.
_MAX_CHARS = 2000

# Links in an archived page have the archive's address before their own.
_ARCHIVE_RE = re.compile(r"^https?://web\.archive\.org/web/\w+/")
# Version and port are followed by the form of the text: deed.de, legalcode, rdf.
_COMMONS_RE = re.compile(
    r"(?:[a-z0-9-]+\.)?creativecommons\.org/+(?:publicdomain/+(zero|mark)"
    r"|licenses/+(by(?:-nc)?(?:-sa|-nd(?:-nc)?)?))(?![a-z-])"
    r"(?:/+(\d\.\d)(?:/+([a-z]{2}|igo)(?=/|$))?)?"
)
# The short names of Creative Commons, in capitals alone for running text.
_SHORT_NAME_RE = re.compile(
    r"(?<![\w#&/.=+-])CC(?:0(?:[ \xa0-]1\.0)?|[ \xa0-]BY(?:[ \xa0-]NC)?(?:[ \xa0-](?:ND|SA))?"
    r"(?:[ \xa0-][vV]?(?:4\.0|\d\.\d(?:-(?:[A-Z]{2}|IGO)\b)?))?)"
    r"(?!\w)(?![ \xa0-](?:NC|ND|SA)\b)"
)
_COMMONS_URL_RE = re.compile(
    r"(?<![\w.-])(?:https?://)?(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/"
    r"[\w/.+-]{2,80}",
    re.IGNORECASE,
)
_GNU = r"gnu\.org/(?:licenses|copyleft)/(?:old-licenses/)?"
# Addresses by the name that their version is put behind.
_ADDRESSES = {
    name: re.compile(rf"{address}(?:[/-](\d)(?:[.-](\d))?)?(?![\w-])")
    for name, address in {
        "Apache": r"apache\.org/licenses/license",
        "DL-DE-BY": r"govdata\.de/dl-de/by",
        "DL-DE-ZERO": r"govdata\.de/dl-de/zero",
        "GFDL": rf"{_GNU}fdl",
        "GPL": rf"{_GNU}gpl",
        "LGPL": rf"{_GNU}lgpl",
        "AGPL": rf"{_GNU}agpl",
        "IODL": r"(?:dati\.gov|formez)\.it/iodl",
        "MPL": r"mozilla\.org/(?:[a-z]{2}(?:-[a-z]{2})?/)?mpl",
        "NLOD": r"data\.norge\.no/nlod/[a-z]{2}",
        "ODC-By": r"opendatacommons\.org/licenses/by",
        "ODbL": r"opendatacommons\.org/licenses/odbl",
        "OGL-UK": r"nationalarchives\.gov\.uk/doc/open-government-licence(?:/version)?",
        "PDDL": r"opendatacommons\.org/licenses/pddl",
    }.items()
}
_REGISTRY_RE = re.compile(
    r"(?:opensource|spdx)\.org/licenses?/([a-z0-9.+-]+?)(?:\.(?:html|json|php|txt))?/?$"
)
_NAMES = {
    name.lower(): name
    for name in (
        "CC-PDM-1.0 DL-DE-BY-2.0 DL-DE-ZERO-2.0 GFDL-1.1 GFDL-1.2 GFDL-1.3 IODL-2.0 NLOD-1.0"
        " NLOD-2.0 ODC-By-1.0 ODbL-1.0 OGL-UK-1.0 OGL-UK-2.0 OGL-UK-3.0 PDDL-1.0"
        " AGPL-3.0 Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause EPL-2.0 EUPL-1.2"
        " GPL-2.0 GPL-3.0 ISC LGPL-2.1 LGPL-3.0 MIT MPL-2.0 Unlicense"
    ).split()
} | {"mit-license": "MIT"}
# Licenses for texts or data, not for programs.
_FOR_TEXTS = ("CC", "DL-DE-", "GFDL", "IODL", "NLOD", "ODC-By", "ODbL", "OGL-", "PDDL")
# Each known address contains one of these.
_CUES = ("licen", "publicdomain", "copyleft", "dl-de", "nlod", "iodl", "mpl/")


def identify_url(url: str) -> str:
    """Return the identifier of the license at an absolute URL, empty if it is not known.

    >>> identify_url("http://creativecommons.org/licenses/by-sa/3.0/de/deed.de")
    'CC-BY-SA-3.0-DE'
    >>> identify_url("https://www.gnu.org/licenses/fdl-1.3.html")
    'GFDL-1.3'
    """
    url = _ARCHIVE_RE.sub("", url[:_MAX_CHARS].strip().lower())
    scheme, _, address = url.partition("//")
    if scheme not in {"", "http:", "https:"}:
        return ""
    address = re.split("[?#]", address.removeprefix("www."), maxsplit=1)[0]
    if commons := _COMMONS_RE.match(address):
        public, code, version, port = commons.groups(default="")
        if public:
            return "CC0-1.0" if public == "zero" else "CC-PDM-1.0"
        # Version 1.0 had by-nd-nc. Version 4.0 has no ports: what looks like one is a language.
        parts = ("cc", *sorted(code.split("-")), version, port * (version != "4.0"))
        return "-".join(filter(None, parts)).upper()
    for name, pattern in _ADDRESSES.items():
        if known := pattern.match(address):
            return f"{name}-{known[1]}.{known[2] or 0}" if known[1] else name
    registered = _REGISTRY_RE.match(address)
    return identify_name(registered[1]) if registered else ""


def may_be_license(text: str) -> bool:
    """Test whether a URL or relation may be about a license: a fast filter."""
    return any(map(text.lower().__contains__, _CUES))


def identify_name(text: str) -> str:
    """Return the identifier of a text that is one, or a short name of Creative Commons.

    >>> identify_name("cc by-sa 4.0"), identify_name("mit"), identify_name("free")
    ('CC-BY-SA-4.0', 'MIT', '')
    """
    text = " ".join(text[:_MAX_CHARS].split())
    if _SHORT_NAME_RE.fullmatch(text.upper()):
        return _name_short(text.upper())
    return _NAMES.get(text.lower(), "")


def _name_short(text: str) -> str:
    parts = re.split(r"[ \xa0-][vV]?", text)
    return "CC0-1.0" if parts[0] == "CC0" else "-".join(parts)


def find_names(text: str) -> Iterator[tuple[str, str]]:
    """Yield identifier and URL of the Creative Commons licenses that a text names.

    >>> list(find_names("This work is licensed under CC BY-SA 4.0."))
    [('CC-BY-SA-4.0', 'https://creativecommons.org/licenses/by-sa/4.0/')]
    """
    for match in _COMMONS_URL_RE.finditer(text):
        url = match[0].rstrip(".-")
        url = url if url.lower().startswith("http") else f"https://{url}"
        if name := identify_url(url):
            yield name, url
    for match in _SHORT_NAME_RE.finditer(text):
        name = _name_short(match[0])
        yield name, url_of(name)


def url_of(name: str) -> str:
    """Return the URL of the text of a license.

    >>> url_of("CC-BY-NC-3.0-DE"), url_of("MIT")
    ('https://creativecommons.org/licenses/by-nc/3.0/de/', 'https://spdx.org/licenses/MIT.html')
    """
    if public_domain := {"CC0-1.0": "zero", "CC-PDM-1.0": "mark"}.get(name):
        return f"https://creativecommons.org/publicdomain/{public_domain}/1.0/"
    match = re.fullmatch(r"CC-([A-Z-]+?)(?:-(\d\.\d)(?:-([A-Z]+))?)?", name)
    if match is None:
        return f"https://spdx.org/licenses/{name}.html"
    parts = "/".join(part.lower() for part in match.groups() if part)
    return f"https://creativecommons.org/licenses/{parts}/"


_RELATION_RE = re.compile(r"(?:.*[:#/.])?licen[sc]e", re.IGNORECASE | re.DOTALL)
_RIGHTS_NAMES = frozenset({"copyright", "dc.rights", "dcterms.rights", "rights"})
# Elements and items of microdata or RDFa with a license of their own.
_PART_TAGS = frozenset({"blockquote", "figcaption", "figure", "template"})
_MEDIA_TYPE_RE = re.compile(
    r"(?:object|dataset|photograph|stillimage|software\w+)(?!\S)", re.IGNORECASE
)
_FOOTER_NAME_RE = re.compile(
    r"(?<!\S)(?:(?:site|page|main|global|mw)[-_]?)?footer(?!\S)", re.IGNORECASE
)
# A name of Creative Commons in the markup, where blanks may be entities.
_NAME_IN_MARKUP_RE = re.compile(rb"CC(?:0(?![0-9A-Fa-f])|[ &-]|\xc2\xa0)")
_WORDLESS_TAGS = SKIPPED_TAGS | {"title"}
_find_texts = etree.XPath(
    ".//text()[contains(., 'CC') or contains(., 'reativecommons.org')]"
)


def find_licenses(
    root: Element, base: str, *, html: bytes, linked: Iterable[str] = ()
) -> tuple[License, ...]:
    """Return the licenses that a page names, the most trusted first.

    ``base`` is the URL that links refer to, ``html`` the page in UTF-8, ``linked`` the absolute
    URLs of the HTTP header Link with the relation ``license``. Licenses of pictures,
    quotations and other parts of the page are left out.
    """
    finder = _Finder(base)
    is_named = b"reativecommons.org" in html or _NAME_IN_MARKUP_RE.search(html)
    # Text after the end of the page stands in further roots.
    for tree in (root, *root.itersiblings("*")):
        finder.read_elements(tree)
        if is_named:
            finder.read_texts(tree)
    return _order(linked, finder.found, finder.named)


def find_licenses_in_text(
    text: str, *, linked: Iterable[str] = ()
) -> tuple[License, ...]:
    """Return the licenses that a plain text names, the most trusted first."""
    named = [License(name, url, LicensePlace.TEXT) for name, url in find_names(text)]
    return _order(linked, [], named)


def choose_license(licenses: Iterable[License]) -> License | None:
    """Return the license that a page is taken to be under, None if there is none.

    ``licenses`` are in the order of trust. A name in a plain text is never chosen.
    """
    return next((one for one in licenses if one.place != LicensePlace.TEXT), None)


def _order(
    linked: Iterable[str], found: Iterable[License], named: Iterable[License]
) -> tuple[License, ...]:
    """Return licenses by trust, each once; ``named`` ones only if not found as a link."""
    every = [
        License(identify_url(url), url, LicensePlace.LINK_HEADER)
        for url in linked
        if Addresses(url).read(url)
    ]
    every += found
    # A name may lack the version.
    every += [n for n in named if not any(one.id.startswith(n.id) for one in every)]
    places = list(LicensePlace)
    every.sort(key=lambda one: (places.index(one.place), not one.id))
    first: dict[str, License] = {}
    for one in every:
        first.setdefault(one.id or one.url, one)
    return tuple(first.values())[:MAX_LICENSES]


class _Finder:
    """Collects the licenses of one page."""

    def __init__(self, base: str) -> None:
        self._addresses = Addresses(base)
        self._sections: dict[Element, str] = {}
        self.found: list[License] = []
        self.named: list[License] = []

    def read_elements(self, root: Element) -> None:
        """Collect the licenses of links, meta elements and JSON-LD."""
        tags = ("a", "area", "link")
        texts = [f"{one.get('href')} {one.get('rel')}" for one in root.iter(*tags)]
        # Most pages have none: all are looked at together first.
        if may_be_license("\n".join(texts)):
            for element, text in zip(root.iter(*tags), texts, strict=True):
                if may_be_license(text):
                    self._read_link(element)
        for element in root.iter("meta"):
            self._read_meta(element)
        for value in iter_licenses(read_scripts(root)):
            self._add_values(value, LicensePlace.JSON_LD)

    def _read_link(self, element: Element) -> None:
        """Collect a link whose relation is ``license``, or one to a known license.

        The second kind has to speak of rights in a link element. A license of programs
        counts in a footer alone: in the text it is about a program.
        """
        relations = (element.get("rel") or "").lower().split()
        url, section = self._resolve(element.get("href") or ""), self._section(element)
        # The terms of RSL may forbid everything: a signal on mining, not a license.
        if not url or section == "part" or RSL_TYPE in (element.get("type") or ""):
            return
        name = identify_url(url)
        is_link_element = element.tag == "link"
        if any(map(_RELATION_RE.fullmatch, relations)):
            place = LicensePlace.LINK_REL if is_link_element else LicensePlace.A_REL
        elif name and is_link_element and not _RIGHTS_NAMES.isdisjoint(relations):
            place = LicensePlace.LINK_REL
        elif name and not is_link_element and section == "footer":
            place = LicensePlace.FOOTER
        elif not is_link_element and name.startswith(_FOR_TEXTS):
            place = LicensePlace.A_HREF
        else:
            return
        self.found.append(License(name, url, place))

    def _read_meta(self, element: Element) -> None:
        given = map(element.get, ("name", "property", "itemprop"))
        names = {(name or "").strip().lower().replace(":", ".") for name in given}
        is_license = any(map(_RELATION_RE.fullmatch, names))
        if not is_license and _RIGHTS_NAMES.isdisjoint(names):
            return
        if self._section(element) != "part":
            content = element.get("content") or ""
            self._add_values(content, LicensePlace.META, is_known=not is_license)

    def _add_values(
        self, text: str, place: LicensePlace, *, is_known: bool = False
    ) -> None:
        """Collect the licenses that a value is or names; only known ones on demand."""
        text = text.strip()
        found: Iterable[tuple[str, str]] = ()
        if name := identify_name(text):
            found = [(name, url_of(name))]
        elif " " not in text and text.startswith(("http:", "https:", "/")):
            if url := self._resolve(text):
                found = [(identify_url(url), url)]
        elif len(text) <= _MAX_CHARS:
            found = find_names(text)
        self.found += [License(n, u, place) for n, u in found if n or not is_known]

    def read_texts(self, root: Element) -> None:
        """Collect the Creative Commons licenses that the text of a footer names."""
        texts: Any = _find_texts(root)
        for text in texts:
            element = text.getparent()
            if text.is_tail:
                element = element.getparent()
            if element.tag not in _WORDLESS_TAGS and self._section(element) == "footer":
                names = find_names(text)
                self.named += [License(n, u, LicensePlace.FOOTER) for n, u in names]

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

    def _resolve(self, href: str) -> str:
        """Return the absolute URL of a link to the web, empty for any other link."""
        return self._addresses.read(href.strip()) if href.strip(" #") else ""

    def _is_part(self, element: Element) -> bool:
        types = element.get("itemtype") or element.get("typeof") or ""
        if element.tag in _PART_TAGS or _MEDIA_TYPE_RE.search(types):
            return True
        about = element.get("about")
        if not about:
            return False
        return about[0] == "#" or self._resolve(about) != self._addresses.base


def _is_footer(element: Element) -> bool:
    if element.tag == "footer" or element.get("role") == "contentinfo":
        return True
    # Pages without HTML5 have a footer by name.
    names = f"{element.get('id') or ''} {element.get('class') or ''}"
    is_page = element.tag in {"html", "body"}
    return not is_page and _FOOTER_NAME_RE.search(names) is not None
