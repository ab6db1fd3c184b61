"""Cleaning of one page: bytes to document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum

from lxml.etree import _Element as Element

from ilspfc.cleaning.annotation import count_tokens, find_title, make_paragraphs
from ilspfc.cleaning.blocks.core import needs_repair, read_blocks
from ilspfc.cleaning.blocks.links import (
    find_menus,
    make_links,
    number_places,
    read_base,
)
from ilspfc.cleaning.blocks.markup import close_elements, is_excessive, read_tree
from ilspfc.cleaning.blocks.parsed import Anchor, ParsedPage
from ilspfc.cleaning.content.backends import Backend, mark_blocks, split_backend
from ilspfc.cleaning.encoding.decoding import decode, normalize
from ilspfc.cleaning.metadata.fields import (
    read_head_links,
    read_meta,
    read_metadata,
    robots_directives,
)
from ilspfc.cleaning.metadata.licenses import (
    choose_license,
    find_licenses,
    find_licenses_in_text,
)
from ilspfc.cleaning.scripted import needs_javascript
from ilspfc.documents import CrawlInfo, Document, License, Paragraph
from ilspfc.web.address import Addresses


class CleaningReason(StrEnum):
    """Reason of a page to be dropped by cleaning."""

    NOT_HTML = "not_html"
    EMPTY = "empty"
    NEEDS_JAVASCRIPT = "needs_javascript"
    NO_INDEX = "no_index"
    EXCESSIVE_MARKUP = "excessive_markup"
    SOFT_404 = "soft_404"
    NO_READER = "no_reader"
    UNREADABLE = "unreadable"


_BLANK_LINE_RE = re.compile(r"\n[^\S\n]*\n")
MAX_TAGS = 4000
"""Tags of a page that are kept for the comparison of structures."""

# Class names of links to more by an author (WordPress, Blogger), which may be a name, too.
_MORE_NAMES = frozenset({"author-link", "profile-link"})
_MORE_WORDS = 4

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/xml"})
TEXT_TYPES = frozenset({"text/plain"})


def mime_type(content_type: str) -> str:
    """Return the lower-cased media type of a Content-Type header, by default HTML.

    >>> mime_type("Text/HTML; charset=utf-8"), mime_type("")
    ('text/html', 'text/html')
    """
    return content_type.split(";", 1)[0].strip().lower() or "text/html"


def count_clean_tokens(paragraphs: Iterable[Paragraph]) -> int:
    """Return the number of tokens in the paragraphs without a crawlinfo."""
    return sum(count_tokens(p.text) for p in paragraphs if p.crawlinfo is None)


def read_html(text: str) -> tuple[bytes, Element] | CleaningReason:
    """Return a page in UTF-8 and as a tree, after the repair of elements without an end."""
    html = text.encode("utf-8", "replace")
    if needs_repair(html):
        html = close_elements(html)
        # Counted after the repair: elements without an end hide no markup.
        if is_excessive(html.decode()):
            return CleaningReason.EXCESSIVE_MARKUP
    root = read_tree(html)
    return CleaningReason.EMPTY if root is None else (html, root)


def _split_text(text: str, min_paragraph_tokens: int) -> list[Paragraph]:
    """Return the paragraphs of a plain text, which blank lines part."""
    normal = normalize(text)
    blocks = [" ".join(block.split()) for block in _BLANK_LINE_RE.split(normal)]
    paragraphs = []
    for block in filter(None, blocks):
        is_short = count_tokens(block) < min_paragraph_tokens
        crawlinfo = CrawlInfo.OOI_LENGTH if is_short else None
        paragraphs.append(Paragraph(block, crawlinfo=crawlinfo))
    return paragraphs


def clean_page(
    body: bytes,
    *,
    url: str,
    identity: str,
    content_type: str = "",
    robots_header: str = "",
    license_links: Sequence[str] = (),
    min_paragraph_tokens: int = 3,
    context_words: int = 20,
    max_links: int = 2000,
    backend: str = Backend.LEARNED,
    threshold: float = 0.5,
) -> Document | CleaningReason:
    """Return the document of a fetched page, or the reason why there is none.

    Boilerplate is marked, not deleted. ``identity`` is the document's id, ``backend`` a value of
    CLEANING_BACKEND, ``threshold`` that of the learned one, ``robots_header`` X-Robots-Tag,
    ``license_links`` are those of Link.
    """
    mime = mime_type(content_type)
    if mime not in HTML_TYPES | TEXT_TYPES:
        return CleaningReason.NOT_HTML
    document = Document(identity, url, [], mime=mime)
    text, document.encoding = decode(body, content_type)
    if mime in TEXT_TYPES:
        document.paragraphs = _split_text(text, min_paragraph_tokens)
        add_licenses(document, find_licenses_in_text(text, linked=license_links))
    elif isinstance(read := read_html(text), CleaningReason):
        return read
    else:
        html, root = read
        document.html_bytes = len(body)
        page = read_blocks(
            root,
            context_words=context_words,
            max_contexts=max_links,
            keep_hidden=split_backend(backend)[0] is Backend.LEARNED,
        )
        document.needs_javascript = needs_javascript(root)
        addresses = Addresses(url)
        read_base(root, addresses)
        places = number_places(page.distinct_paths)
        anchors = [*page.anchors, *find_menus(page.hidden_anchors)]
        document.links = make_links(
            root, anchors, addresses, places, max_links=max_links
        )
        _add_declarations(document, root, page, addresses, robots_header)
        licenses = find_licenses(root, addresses.base, html=html, linked=license_links)
        add_licenses(document, licenses)
        mark_blocks(page, document, backend, html=html, threshold=threshold)
        find_title(page.blocks, document.metadata.title)
        document.paragraphs = make_paragraphs(
            page.blocks, min_paragraph_tokens, [places[path] for path in page.paths]
        )
    return document


def _add_declarations(
    document: Document,
    root: Element,
    page: ParsedPage,
    addresses: Addresses,
    robots_header: str,
) -> None:
    """Add images, tags and metadata but for licenses."""
    document.images, document.tags = page.images, "".join(page.tags)[:MAX_TAGS]
    authors = (
        one.text
        for one in page.anchors
        if "author" in one.rel.split() and not _leads_to_more(one)
    )
    directives = robots_directives(root, robots_header)
    document.meta = read_meta(root)
    document.metadata = read_metadata(
        root, addresses, url=document.url, authors=authors
    )
    document.head_links = read_head_links(root)
    for rel, href, _ in document.head_links:
        if "license" in rel.lower().split():
            addresses.read(href)  # is counted; licenses are looked for later
    document.unusable = addresses.unusable
    document.follow = directives.isdisjoint({"nofollow", "none"})
    document.index = directives.isdisjoint({"noindex", "none"})


def _leads_to_more(anchor: Anchor) -> bool:
    """Test whether a link to an author is a sentence, such as "View all posts by Anna Berger"."""
    is_named_so = not _MORE_NAMES.isdisjoint(anchor.names.split())
    return is_named_so and len(anchor.text.split()) >= _MORE_WORDS


def add_licenses(document: Document, licenses: tuple[License, ...]) -> None:
    """Add the licenses of a page to its document, and the one that it is taken to be under."""
    document.licenses = licenses
    if chosen := choose_license(licenses):
        document.metadata = replace(document.metadata, license=chosen.url)
