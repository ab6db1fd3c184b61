"""Entries of the corpus index for a document and its links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.cleaning.metadata.licenses import choose_license
from ilspfc.corpus.records import DocumentEntry, LinkEntry, Markup
from ilspfc.documents import Document, Link, document_id
from ilspfc.frontier.reasons import NEW_TEXTS, REDIRECT_REASONS, FetchReason
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.frontier.store.url_table import count_urls
from ilspfc.report.data import AddressCounts
from ilspfc.web.urls import canonicalize, depth_of, host_of, site_of

if TYPE_CHECKING:
    from ilspfc.crawl.fetched_page import PageWork
    from ilspfc.crawl.job import CrawlJob
    from ilspfc.frontier.scoring.cues import CueDetector

# Characters of an anchor that are kept: it names a page.
MAX_ANCHOR = 80


def make_link(cues: CueDetector, link: Link, source_url: str) -> LinkEntry:
    """Return the index's entry of a link: its target, and its translation cue if any."""
    kind = "hreflang" if link.hreflang else "cue"
    lang = cues.detect(link)
    if lang is None and not link.hreflang:
        lang = cues.detect_in_url(link.url)
        kind = "url"
        if lang == cues.detect_in_url(source_url):
            lang = None
    return LinkEntry(
        page_id(link.url), kind if lang else "", lang or "", link.anchor[:MAX_ANCHOR]
    )


# A site's links are the same on page after page.
@lru_cache(maxsize=1 << 14)
def page_id(url: str) -> str:
    """Return the id of the document of a page; AddressError, a ValueError, for no URL."""
    return document_id(canonicalize(url))


def make_entry(
    document: Document, file: str, paragraphs: tuple[int, int]
) -> DocumentEntry:
    """Return the index's entry of a document with its numbers of all and clean paragraphs."""
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
        genre=document.genre,
    )


def make_markup(document: Document) -> Markup | None:
    """Return the index's entry of a document's markup, None for one that was no HTML."""
    if not document.html_bytes:
        return None
    return Markup(document.html_bytes, document.tags)


def iter_links(job: CrawlJob, document: Document) -> Iterator[LinkEntry]:
    """Yield the index's entries of the links of a document that are in scope."""
    for link in document.links:
        if job.scope.accept(link.url):
            yield make_link(job.cues, link, document.url)


def add_document(job: CrawlJob, document: Document, file: str, work: PageWork) -> None:
    """Add an exported document, rendered by ``work``, to the index."""
    job.index.add_document(
        make_entry(document, file, (work.paragraphs, work.clean_paragraphs)),
        iter_links(job, document),
        document.images,
        document.licenses,
        work.digest,
        probability=document.probability,
        cleaning_score=document.cleaning_score,
        markup=make_markup(document),
        reading=work.reading,
    )


def count_addresses(frontier: Path) -> AddressCounts:
    """Return the known addresses of a frontier's file by what became of them."""
    lost, known, queued, texts = (Counter[str]() for _ in range(4))
    redirected = 0
    sites: dict[str, dict[str, int]] = {}
    for (host, state, reason), number in count_urls(frontier).items():
        known[host] += number
        if state in {UrlState.FAILED, UrlState.REFUSED}:
            stage = "fetch" if reason in {*FetchReason} else "frontier"
            code = f"{stage}/{reason}"
            sites.setdefault(host, {})[code] = number
            # Other failures are in the index, but for those of pages that it has.
            if stage == "frontier" or reason == FetchReason.HOST_LIMIT:
                lost[code] += number
        elif state == UrlState.DONE:
            redirected += number if reason in REDIRECT_REASONS else 0
            texts[host] += number if reason in NEW_TEXTS else 0
        elif state != UrlState.GONE:
            queued[host] += number
    return AddressCounts(
        dict(queued), redirected, dict(lost), dict(known), sites, dict(texts)
    )
