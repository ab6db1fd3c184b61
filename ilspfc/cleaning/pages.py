"""Bytes to document: the whole cleaning of one page."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.blocks import read_blocks
from ilspfc.cleaning.boilerplate import mark_content
from ilspfc.cleaning.encoding import decode, normalize
from ilspfc.cleaning.links import base_url, make_links
from ilspfc.cleaning.metadata import read_metadata, robots_directives
from ilspfc.cleaning.paragraphs import count_tokens, find_title, make_paragraphs
from ilspfc.documents import Document, Paragraph

if TYPE_CHECKING:
    from collections.abc import Iterable


class CleaningReason(StrEnum):
    """Why a page leaves the data's way in cleaning."""

    NOT_HTML = "not_html"
    EMPTY = "empty"
    NO_INDEX = "no_index"
    TIMEOUT = "timeout"
    WORKER_LOST = "worker_lost"


HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/xml"})
TEXT_TYPES = frozenset({"text/plain"})


def mime_type(content_type: str) -> str:
    """Return the lower-cased media type of a Content-Type header; HTML where it is empty.

    >>> mime_type("Text/HTML; charset=utf-8"), mime_type("")
    ('text/html', 'text/html')
    """
    return content_type.split(";", 1)[0].strip().lower() or "text/html"


def count_clean_tokens(paragraphs: Iterable[Paragraph]) -> int:
    """Return the number of tokens in the paragraphs without a crawlinfo."""
    return sum(count_tokens(p.text) for p in paragraphs if p.crawlinfo is None)


def _parse(text: str) -> etree._Element | None:
    # The tree is built from UTF-8 bytes, so that a declaration in the page, which has
    # done its service, cannot be taken for the encoding of the decoded text.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    # libxml2 takes a NUL for the end of the page.
    body = text.replace("\0", "").encode("utf-8", "replace")
    try:
        return etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return None


def _plain_text_document(text: str, url: str, identity: str, tokens: int) -> Document:
    blocks = [" ".join(block.split()) for block in text.split("\n\n")]
    paragraphs = [Paragraph(block) for block in blocks if count_tokens(block) >= tokens]
    return Document(identity, url, paragraphs)


def clean_page(
    body: bytes,
    *,
    url: str,
    identity: str,
    content_type: str = "",
    robots_header: str = "",
    min_paragraph_tokens: int = 3,
    context_words: int = 20,
    max_links: int = 2000,
) -> Document | CleaningReason:
    """Return the document of a fetched page, or why there is none.

    ``identity`` is the document's id. The HTML is parsed once; boilerplate is marked, not
    deleted. ``robots_header`` is the page's X-Robots-Tag.
    """
    mime = mime_type(content_type)
    if mime not in HTML_TYPES | TEXT_TYPES:
        return CleaningReason.NOT_HTML
    text, encoding = decode(body, content_type)
    if mime in TEXT_TYPES:
        document = _plain_text_document(
            normalize(text), url, identity, min_paragraph_tokens
        )
        document.encoding, document.mime = encoding, mime
        return document
    root = _parse(text)
    if root is None:
        return CleaningReason.EMPTY
    page = read_blocks(root, context_words=context_words)
    metadata = read_metadata(root, url)
    mark_content(page.blocks)
    find_title(page.blocks, metadata.title)
    directives = robots_directives(root, robots_header)
    return Document(
        id=identity,
        url=url,
        paragraphs=make_paragraphs(
            page.blocks, min_paragraph_tokens=min_paragraph_tokens
        ),
        metadata=metadata,
        links=make_links(root, page.anchors, base_url(root, url), max_links=max_links),
        images=page.images,
        encoding=encoding,
        follow=directives.isdisjoint({"nofollow", "none"}),
        index=directives.isdisjoint({"noindex", "none"}),
        mime=mime,
    )
