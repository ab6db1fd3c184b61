"""Metadata of a page: title, description, keywords, author, language, dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter

from lxml.etree import _Element as Element

from ilspfc.cleaning.encoding.decoding import normalize
from ilspfc.cleaning.metadata.dates import (
    find_published,
    is_impossible,
    is_in_reply,
    iso_date,
)
from ilspfc.cleaning.metadata.json_ld import read_page_facts, without_addresses
from ilspfc.documents import Metadata
from ilspfc.web.address import Addresses
from ilspfc.web.robots_txt import VALUED_DIRECTIVES

_AUTHOR_NAMES = (
    *("author", "dc.creator", "dcterms.creator", "article:author", "citation_author"),
    *("parsely-author", "sailthru.author"),
)
_MAX_AUTHOR_WORDS = 8
_DATE_NAMES = (
    *("date", "dc.date", "dcterms.issued", "article:published_time", "datepublished"),
    *("dc.date.issued", "dcterms.date", "dcterms.created", "dc.date.created"),
    *("citation_publication_date", "parsely-pub-date", "sailthru.date"),
)
_MODIFIED_NAMES = (
    *("article:modified_time", "og:updated_time", "dcterms.modified"),
    *("dc.date.modified", "datemodified", "last-modified", "revised"),
)
_MAX_DATE_CHARS = 100
# Meta elements by field, where the first with a text counts.
_FIELD_NAMES = {
    "title": ("og:title", "dc.title", "dcterms.title", "twitter:title"),
    "description": (
        *("description", "og:description", "dc.description"),
        *("dcterms.abstract", "twitter:description"),
    ),
    "keywords": ("keywords", "news_keywords", "dc.subject"),
    "publisher": ("og:site_name", "dc.publisher", "publisher"),
    "type": ("og:type",),
}
_LANG_NAMES = ("lang", "{http://www.w3.org/XML/1998/namespace}lang")


def _collapse(text: str | None) -> str:
    return " ".join(normalize(text).split()) if text else ""


def _iter_meta(root: Element) -> Iterator[tuple[str, str]]:
    """Yield the lower-cased name and the content of each meta element that has both."""
    for element in root.iter("meta"):
        content = _collapse(element.get("content"))
        for attribute in ("name", "property", "http-equiv", "itemprop"):
            name = element.get(attribute)
            if name and content:
                yield name.strip().lower(), content


def read_meta(root: Element) -> dict[str, str]:
    """Return the contents of the meta elements by lower-cased name, the first of each."""
    return _first_of_each(_iter_meta(root))


def _first_of_each(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, content in pairs:
        found.setdefault(name, content)
    return found


def _all(pairs: Iterable[tuple[str, str]], names: Sequence[str]) -> list[str]:
    """Return the contents of these meta elements, in the order of the names."""
    found = [(names.index(name), content) for name, content in pairs if name in names]
    return [content for _, content in sorted(found, key=itemgetter(0))]


def _first(meta: Mapping[str, str], names: Iterable[str]) -> str:
    return next((meta[name] for name in names if name in meta), "")


def _canonical(root: Element, addresses: Addresses) -> str:
    for element in root.iter("link"):
        rel = (element.get("rel") or "").lower().split()
        if "canonical" in rel and (href := element.get("href")):
            return addresses.read(href)
    return ""


def robots_directives(root: Element, header: str = "") -> frozenset[str]:
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
        if not colon or "," in name or name.strip().lower() in VALUED_DIRECTIVES:
            texts.append(line)
    return frozenset(
        directive.strip().lower()
        for text in texts
        for directive in text.split(",")
        if directive.strip()
    )


def _title(root: Element) -> str:
    """Return the title of the page, not that of a drawing in it."""
    for element in root.iter("title"):
        if next(element.iterancestors("svg"), None) is None:
            return _collapse(element.text)
    return ""


def read_head_links(root: Element) -> list[tuple[str, str, str]]:
    """Return rel, href and type of the link elements of a page."""
    return [
        (element.get("rel") or "", element.get("href") or "", element.get("type") or "")
        for element in root.iter("link")
    ]


def _iter_item_authors(root: Element) -> Iterator[str]:
    """Yield the names of authors in microdata, but for those of comments and answers."""
    for element in root.iterfind(".//*[@itemprop]"):
        if "author" in element.get("itemprop", "").split() and not is_in_reply(element):
            name = element.find(".//*[@itemprop='name']")
            named = element if name is None else name
            yield _collapse(named.get("content") or "".join(map(str, named.itertext())))


def _author(
    root: Element,
    pairs: Iterable[tuple[str, str]],
    facts: Metadata,
    authors: Iterable[str],
) -> str:
    """Return the author by name; addresses and URLs of profiles are passed over."""
    linked = chain(_iter_item_authors(root), authors)  # as far as it is needed
    given = chain(
        _all(pairs, _AUTHOR_NAMES),
        [facts.author],
        (text for text in linked if len(text.split()) <= _MAX_AUTHOR_WORDS),
    )
    return next(filter(None, map(without_addresses, given)), "")


def _declared_lang(root: Element, meta: Mapping[str, str], facts: Metadata) -> str:
    """Return the declared language of the text: of the first heading, or of the page."""
    heading = next(chain(root.iter("h1"), root.iter("h2", "h3")), None)
    # What stands on a heading may be that of a foreign title.
    around = heading.iterancestors() if heading is not None else ()
    given = (
        element.get(name)
        for element in chain(around, root.iter("body"), root.iter("html"))
        for name in _LANG_NAMES
    )
    return (
        _collapse(next(filter(None, given), ""))
        or meta.get("content-language", "")
        or _first(meta, ("og:locale", "dc.language")).replace("_", "-")
        or facts.declared_lang
    )


def _iso_date(texts: Iterable[str]) -> str:
    return next(filter(None, map(iso_date, texts)), "")


def _date(
    root: Element,
    pairs: Sequence[tuple[str, str]],
    facts: Metadata,
    url: str,
    lang: str,
) -> str:
    """Return the date of publication in the precision of the page."""
    if date := _iso_date([*_all(pairs, _DATE_NAMES), facts.date]):
        return date
    dated = (
        (name, content)
        for name, content in pairs
        if len(content) < _MAX_DATE_CHARS
        # A time of day as people write it is that at which a template made the page.
        and (name != "created" or ":" not in content or iso_date(content))
        and any(map(str.isdigit, content))
        and not is_impossible(content)
    )
    return find_published(root, dated, url, lang)


def read_scripts(root: Element) -> list[str]:
    """Return the JSON-LD scripts of a page."""
    return [
        element.text or ""
        for element in root.iter("script")
        if "ld+json" in (element.get("type") or "").lower()
    ]


def read_metadata(
    root: Element, addresses: Addresses, *, url: str = "", authors: Iterable[str] = ()
) -> Metadata:
    """Return the metadata of a page, but for its license.

    ``addresses`` resolves its links. ``url`` is that of the page, which may hold a date;
    ``authors`` are the texts of links to authors. In each field the first source with a
    value counts: the head of the page and its meta elements, then Open Graph, Dublin Core,
    JSON-LD; of authors, microdata after it.
    """
    pairs = list(_iter_meta(root))
    meta = _first_of_each(pairs)
    facts = read_page_facts(read_scripts(root))
    lang = _declared_lang(root, meta, facts)
    given = {field: _first(meta, names) for field, names in _FIELD_NAMES.items()}
    if title := _title(root):
        given["title"] = title
    return replace(
        facts,
        **{field: text for field, text in given.items() if text},
        author=_author(root, pairs, facts, authors),
        date=_date(root, pairs, facts, url, lang),
        modified=_iso_date([*_all(pairs, _MODIFIED_NAMES), facts.modified]),
        declared_lang=lang,
        canonical=_canonical(root, addresses),
    )
