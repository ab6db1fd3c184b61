"""What a page says of itself: title, description, keywords, author, licence, language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from ilspfc.cleaning.encoding import normalize
from ilspfc.documents import Metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml import etree

_CREATIVE_COMMONS_RE = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(?:licenses|publicdomain)/", re.IGNORECASE
)


def _collapse(text: str | None) -> str:
    return " ".join(normalize(text).split()) if text else ""


def _meta(root: etree._Element) -> dict[str, str]:
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


def _license(root: etree._Element, url: str) -> str:
    """Return the URL of the licence: rel=license first, then a Creative Commons link."""
    commons = ""
    for element in root.iter("a", "link"):
        href = element.get("href")
        if not href:
            continue
        if "license" in (element.get("rel") or "").lower().split():
            return _absolute(url, href)
        if not commons and _CREATIVE_COMMONS_RE.match(href):
            commons = href.strip()
    return commons


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
    """Return the lower-cased directives of the robots meta element and X-Robots-Tag."""
    content = _meta(root).get("robots", "")
    return frozenset(
        directive.strip().lower()
        for directive in f"{content},{header}".split(",")
        if directive.strip()
    )


def read_metadata(root: etree._Element, url: str) -> Metadata:
    """Return what the page at ``url`` says of itself. Links are made absolute."""
    meta = _meta(root)
    title = _collapse(next((element.text for element in root.iter("title")), ""))
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
        license=_license(root, url),
        declared_lang=_collapse(declared) or meta.get("content-language", ""),
        canonical=_canonical(root, url),
    )
