"""Records of the corpus index made of a document and of its links."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ilspfc.cleaning import choose_license
from ilspfc.corpus.records import DocumentEntry, LinkEntry
from ilspfc.documents import Document, Link, document_id
from ilspfc.web.urls import canonicalize, depth_of, host_of, site_of

if TYPE_CHECKING:
    from ilspfc.frontier.scoring.cues import CueDetector

# An anchor is kept to this length, in characters: it names a page, it does not tell it.
MAX_ANCHOR = 80


def make_link(cues: CueDetector, link: Link, source_url: str) -> LinkEntry:
    """Return the index's entry of a link: its target, and its translation cue if any."""
    target = _target_id(link.url)
    kind = "hreflang" if link.hreflang else "cue"
    lang = cues.detect(link)
    if lang is None and not link.hreflang:
        lang = cues.detect_in_url(link.url)
        kind = "url"
        if lang == cues.detect_in_url(source_url):
            lang = None
    return LinkEntry(target, kind if lang else "", lang or "", link.anchor[:MAX_ANCHOR])


# A site's links are the same on page after page.
@lru_cache(maxsize=1 << 14)
def _target_id(url: str) -> str:
    return document_id(canonicalize(url))


def make_entry(
    document: Document, file: str, paragraphs: tuple[int, int]
) -> DocumentEntry:
    """Return the index's entry of a document; how many paragraphs, how many clean ones."""
    license_ = choose_license(document.licenses)
    return DocumentEntry(
        id=document.id,
        lang=document.lang,
        url=document.url,
        host=host_of(document.url),
        site=site_of(document.url),
        url_depth=depth_of(document.url),
        file=file,
        title=document.metadata.title,
        paragraphs=paragraphs[0],
        clean_paragraphs=paragraphs[1],
        tokens=document.tokens,
        relevance=document.relevance,
        terms=document.terms,
        subdomains=";".join(document.subdomains),
        license=document.metadata.license,
        encoding=document.encoding,
        fetched_at=document.fetched_at,
        optouts="\n".join(document.optouts),
        reserved=document.is_reserved,
        license_id=license_.id if license_ else "",
        license_place=license_.place if license_ else "",
    )
