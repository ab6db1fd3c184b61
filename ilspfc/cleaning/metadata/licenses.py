"""Identifiers of licenses (SPDX license list) by URL and short name.

Licenses that the list lacks get an identifier of its form: a port of Creative Commons
(``CC-BY-SA-2.5-IT``), a license without a version (``CC-BY``, ``GFDL``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.tags import SKIPPED_TAGS
from ilspfc.cleaning.metadata.fields import read_scripts
from ilspfc.cleaning.metadata.json_ld import iter_licenses
from ilspfc.documents import License, LicensePlace
from ilspfc.web.address import AddressError, resolve

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# A longer text is no name and no URL of a license.
MAX_CHARS = 2000

_VERSIONS = frozenset({"1.0", "2.0", "2.1", "2.5", "3.0", "4.0"})
# Links in an archived page have the archive's address before their own.
_ADDRESS_RE = re.compile(
    r"(?:https?://web\.archive\.org/web/\w+/)?(?:https?:)?//(?:www\.)?([^/?#]*)(/[^?#]*)?",
    re.IGNORECASE,
)
_COMMONS_HOST_RE = re.compile(r"(?:[a-z0-9-]+\.)?creativecommons\.org")
# Version and port are followed by the form of the text: deed.de, legalcode, rdf.
_COMMONS_PATH_RE = re.compile(
    r"/+(licen[sc]es|publicdomain)/+([a-z-]+)(?:/+(\d\.\d))?"
    r"(?:/+([a-z]{2}|igo|scotland)(?=/|$))?"
)
# The short names of Creative Commons, in capitals alone for running text.
_SHORT_NAME_RE = re.compile(
    r"(?<![\w#&/.=+-])CC(?:0(?:[ \xa0-]1\.0)?|[ \xa0-]BY((?:[ \xa0-](?:NC|ND|SA))*)"
    r"(?:[ \xa0-][vV]?(\d\.\d)(?:-([A-Z]{2}|IGO)\b)?)?)(?!\w)(?!-(?:NC|ND|SA)\b)"
)
_COMMONS_URL_RE = re.compile(
    r"(?<![\w.-])(?:https?://)?(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/"
    r"[\w/.+-]{2,80}",
    re.IGNORECASE,
)

_GNU = r"/(?:licenses|copyleft)/(?:old-licenses/)?"
_FIRST_VERSION = r"(?:/(?:(1)[.-]0)?|$)"
_REGISTRY = (r"/licen[sc]es?/([a-z0-9.+-]+?)(?:\.(?:html|json|php|txt))?/?$", "")
# By host: the paths of licenses, and the names that the versions in them are put behind.
_PATHS = {
    host: tuple((re.compile(pattern), name) for pattern, name in known)
    for host, known in {
        "apache.org": [(r"/licenses/license-(\d\.\d)", "Apache")],
        "artlibre.org": [(r"/licence/lal()", "LAL")],
        "data.norge.no": [(r"/nlod/[a-z]{2}/(\d\.\d)", "NLOD")],
        "dati.gov.it": [(r"/iodl(?:/(\d\.\d))?(?=/|$)", "IODL")],
        "etalab.gouv.fr": [(r"/licence-ouverte()", "etalab")],
        "formez.it": [(r"/iodl(?:/(\d\.\d))?(?=/|$)", "IODL")],
        "gnu.org": [
            (rf"{_GNU}fdl(?:-(\d\.\d))?(?![\w-])", "GFDL"),
            (rf"{_GNU}gpl(?:-(\d\.\d))?(?![\w-])", "GPL"),
            (rf"{_GNU}lgpl(?:-(\d\.\d))?(?![\w-])", "LGPL"),
            (rf"{_GNU}agpl(?:-(\d\.\d))?(?![\w-])", "AGPL"),
        ],
        "govdata.de": [(r"/dl-de/by-(2)-0", "DL-DE-BY"), (r"/dl-de/zero-(2)-0", "DL-DE-ZERO")],
        "mozilla.org": [(r"/(?:[a-z]{2}(?:-[a-z]{2})?/)?mpl/(\d\.\d)", "MPL")],
        "nationalarchives.gov.uk": [
            (r"/doc/open-government-licence(?:/version/(\d))?(?=/|$)", "OGL-UK")
        ],
        "open.canada.ca": [(r"/en/open-government-licence-canada()", "OGL-Canada-2.0")],
        "opencontent.org": [(r"/openpub()", "OPUBL-1.0")],
        "opendatacommons.org": [
            (rf"/licenses/odbl{_FIRST_VERSION}", "ODbL"),
            (rf"/licenses/by{_FIRST_VERSION}", "ODC-By"),
            (rf"/licenses/pddl{_FIRST_VERSION}", "PDDL"),
        ],
        "opensource.org": [_REGISTRY],
        "spdx.org": [_REGISTRY],
    }.items()
}  # fmt: skip
_NAMES = {
    name.lower(): name
    for name in (
        "CC-PDDC CC-PDM-1.0 DL-DE-BY-2.0 DL-DE-ZERO-2.0 GFDL-1.1 GFDL-1.2 GFDL-1.3 IODL-2.0"
        " LAL-1.2 LAL-1.3 NLOD-1.0 NLOD-2.0 ODbL-1.0 ODC-By-1.0 OGL-Canada-2.0 OGL-UK-1.0"
        " OGL-UK-2.0 OGL-UK-3.0 OPUBL-1.0 PDDL-1.0 etalab-2.0"
        " 0BSD AGPL-3.0 Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause EPL-2.0 EUPL-1.2"
        " GPL-2.0 GPL-3.0 ISC LGPL-2.1 LGPL-3.0 MIT MIT-0 MPL-2.0 Unlicense Zlib"
    ).split()
} | {"mit-license": "MIT"}
# Of GNU's licenses the list knows two forms each.
_GNU_SUFFIX_RE = re.compile(r"-(?:only|or-later)$", re.IGNORECASE)
LICENSE_CUES = (
    *("licen", "publicdomain", "copyleft", "dl-de", "nlod", "iodl", "openpub", "mpl/"),
)
"""Each known address contains one of these."""
_FOR_TEXTS = (
    *("CC-", "CC0-", "DL-DE-", "GFDL", "IODL", "LAL", "NLOD", "ODbL", "ODC-By"),
    *("OGL-", "OPUBL", "PDDL", "etalab"),
)


def identify_url(url: str) -> str:
    """Return the identifier of the license at an absolute URL, empty if it is not known.

    >>> identify_url("http://creativecommons.org/licenses/by-sa/3.0/de/deed.de")
    'CC-BY-SA-3.0-DE'
    >>> identify_url("https://www.gnu.org/licenses/fdl-1.3.html")
    'GFDL-1.3'
    """
    match = _ADDRESS_RE.match(url[:MAX_CHARS].strip())
    if match is None:
        return ""
    host, path = match[1].lower(), (match[2] or "").lower()
    if _COMMONS_HOST_RE.fullmatch(host):
        commons = _COMMONS_PATH_RE.match(path)
        return _name_commons(*commons.groups(default="")) if commons else ""
    for pattern, name in _PATHS.get(host, ()):
        if known := pattern.match(path):
            return _add_version(name, known[1]) if name else identify_name(known[1])
    return ""


def may_be_license(text: str) -> bool:
    """Test whether a URL or relation may be about a license: a fast filter."""
    lower = text.lower()
    return any(cue in lower for cue in LICENSE_CUES)


def identify_name(text: str) -> str:
    """Return the identifier of a text that is one, or a short name of Creative Commons.

    >>> identify_name("cc by-sa 4.0"), identify_name("mit"), identify_name("free")
    ('CC-BY-SA-4.0', 'MIT', '')
    """
    text = " ".join(text[:MAX_CHARS].split())
    if short := _SHORT_NAME_RE.fullmatch(text.upper()):
        return _name_short(short)
    suffix = _GNU_SUFFIX_RE.search(text)
    stem = text[: suffix.start()] if suffix else text
    name = _NAMES.get(stem.lower(), "")
    if not suffix or not name:
        return name
    return name + suffix[0].lower() if "GPL" in name or "GFDL" in name else ""


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
        if name := _name_short(match):
            yield name, url_of(name)


def url_of(name: str) -> str:
    """Return the URL of the text of a license.

    >>> url_of("CC-BY-NC-3.0-DE"), url_of("MIT")
    ('https://creativecommons.org/licenses/by-nc/3.0/de/', 'https://spdx.org/licenses/MIT.html')
    """
    public_domain = {"CC0-1.0": "zero", "CC-PDM-1.0": "mark"}.get(name)
    if public_domain:
        return f"https://creativecommons.org/publicdomain/{public_domain}/1.0/"
    match = re.fullmatch(r"CC-([A-Z-]+?)(?:-(\d\.\d)(?:-([A-Z]+))?)?", name)
    if match is None or name == "CC-PDDC":
        return f"https://spdx.org/licenses/{name}.html"
    parts = "/".join(part.lower() for part in match.groups() if part)
    return f"https://creativecommons.org/licenses/{parts}/"


def is_for_texts(name: str) -> bool:
    """Test whether a license is for texts or data, not for programs."""
    return name.startswith(_FOR_TEXTS)


def is_same(name: str, other: str) -> bool:
    """Test whether a name means a license, perhaps without its version or port.

    >>> is_same("CC-BY", "CC-BY-3.0-DE"), is_same("CC-BY", "CC-BY-SA-3.0")
    (True, False)
    """
    rest = other.removeprefix(name)
    return not rest or bool(re.match(r"-(?!NC|ND|SA)", rest) and rest != other)


def _name_commons(kind: str, code: str, version: str, port: str) -> str:
    """Return the identifier of a license of Creative Commons by the parts of its URL."""
    code = code.strip("-")
    special = {"zero": "CC0-1.0", "certification": "CC-PDDC", "publicdomain": "CC-PDDC"}
    if code in special:
        return special[code]
    if kind == "publicdomain":
        return "CC-PDM-1.0" if code == "mark" else ""
    # Version 1.0 had by-nd-nc, now written by-nc-nd.
    elements = sorted(code.upper().split("-"))
    is_known = set(elements) <= {"BY", "NC", "ND", "SA"} and not (
        {"ND", "SA"} <= set(elements)
    )
    if not is_known or (version and version not in _VERSIONS):
        return ""
    parts = ["CC", *dict.fromkeys(elements), version]
    # Version 4.0 has no ports: what looks like one is a language.
    if version and version != "4.0":
        parts.append(port.upper())
    return "-".join(filter(None, parts))


def _name_short(match: re.Match[str]) -> str:
    elements, version, port = match.groups(default="")
    if match[0].startswith("CC0"):
        return "CC0-1.0"
    code = "by" + "".join(f"-{part}" for part in re.findall(r"[A-Z]+", elements))
    return _name_commons("licenses", code.lower(), version, port.lower())


def _add_version(name: str, version: str | None) -> str:
    if not version:
        return name
    return f"{name}-{version}" if "." in version else f"{name}-{version}.0"


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
_SHORT_BYTES_RE = re.compile(rb"CC(?:0(?![0-9A-Fa-f])|[ &-]|\xc2\xa0)")
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
    is_named = b"reativecommons.org" in html or _SHORT_BYTES_RE.search(html)
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
