"""What a page says of itself: title, description, keywords, author, language."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from ilspfc.cleaning.encoding import normalize
from ilspfc.documents import Metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml import etree

# In X-Robots-Tag a name before a colon is that of a crawler, but for these.
_DIRECTIVES_WITH_VALUE = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)


def _collapse(text: str | None) -> str:
    return " ".join(normalize(text).split()) if text else ""


def read_meta(root: etree._Element) -> dict[str, str]:
    """Return the contents of the meta elements by lower-cased name, the first of each."""
    found: dict[str, str] = {}
    for element in root.iter("meta"):
        content = _collapse(element.get("content"))
        for attribute in ("name", "property", "http-equiv", "itemprop"):
            name = element.get(attribute)
            if name and content:
                found.setdefault(name.strip().lower(), content)
    return found


def _first(meta: Mapping[str, str], names: Iterable[str]) -> str:
    return next((meta[name] for name in names if name in meta), "")


def _absolute(base: str, href: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return ""


def _canonical(root: etree._Element, url: str) -> str:
    for element in root.iter("link"):
        rel = (element.get("rel") or "").lower().split()
        if "canonical" in rel and (href := element.get("href")):
            return _absolute(url, href)
    return ""


def robots_directives(root: etree._Element, header: str = "") -> frozenset[str]:
    """Return the lower-cased directives of all robots elements and of X-Robots-Tag.

    ``header`` holds the values of the header, one a line. A line that names a crawler is
    for that crawler alone.
    """
    texts = [
        element.get("content") or ""
        for element in root.iter("meta")
        if (element.get("name") or "").strip().lower() == "robots"
    ]
    for line in header.splitlines():
        name, colon, _ = line.partition(":")
        if not colon or "," in name or name.strip().lower() in _DIRECTIVES_WITH_VALUE:
            texts.append(line)
    return frozenset(
        directive.strip().lower()
        for text in texts
        for directive in text.split(",")
        if directive.strip()
    )


def _title(root: etree._Element) -> str:
    """Return the title of the page; drawings in it have titles of their own."""
    for element in root.iter("title"):
        if next(element.iterancestors("svg"), None) is None:
            return _collapse(element.text)
    return ""


def read_head_links(root: etree._Element) -> list[tuple[str, str, str]]:
    """Return rel, href and type of the link elements of a page."""
    return [
        (element.get("rel") or "", element.get("href") or "", element.get("type") or "")
        for element in root.iter("link")
    ]


def read_metadata(root: etree._Element, base: str) -> Metadata:
    """Return what a page says of itself, but for its licence.

    Links are made absolute by its base URL.
    """
    meta = read_meta(root)
    title = _title(root)
    document = next(root.iter("html"), root)
    declared = document.get("lang") or document.get(
        "{http://www.w3.org/XML/1998/namespace}lang"
    )
    return Metadata(
        title=title or _first(meta, ("og:title", "dc.title", "dcterms.title")),
        description=_first(
            meta,
            ("description", "og:description", "dc.description", "dcterms.abstract"),
        ),
        keywords=_first(meta, ("keywords", "news_keywords", "dc.subject")),
        author=_first(
            meta, ("author", "dc.creator", "dcterms.creator", "article:author")
        ),
        date=_first(
            meta, ("date", "dc.date", "dcterms.issued", "article:published_time")
        ),
        publisher=_first(meta, ("og:site_name", "dc.publisher", "publisher")),
        declared_lang=_collapse(declared) or meta.get("content-language", ""),
        canonical=_canonical(root, base),
    )
