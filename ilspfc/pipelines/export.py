"""Export: the document becomes a cesDoc file and an entry in the corpus index."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.cleaning import choose_license
from ilspfc.corpus.entries import DocumentEntry, LinkEntry
from ilspfc.corpus.xml import format_document
from ilspfc.documents import Document, Link, Page, document_id
from ilspfc.frontier.url import canonicalize, depth_of, host_of, site_of
from ilspfc.pipelines.base import StagePipeline, work_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ilspfc.frontier.cues import CueDetector

# An anchor is kept to this length, in characters: it names a page, it does not tell it.
MAX_ANCHOR = 80


class ExportPipeline(StagePipeline):
    """Writes the file first, then the index: what the index names is there."""

    stage = "export"

    def process_item(self, item: object) -> object:
        """Export the page's document."""
        if not isinstance(item, Page) or item.document is None:
            return item
        document, index = item.document, self.job.index
        work = work_of(item)
        if self.settings.getbool("WORKERS_PARAGRAPHS"):
            work.render(document)  # as the pipelines before this one have left them
        item.is_unchanged = index.digest_of(document.id) == work.digest
        if item.is_unchanged:
            # A page may have been given a link to a translation that is new.
            with self._record(item):
                index.set_links(
                    document.id, self._iter_links(document), document.images
                )
            self._crawler.stats.inc_value("export/unchanged")
            return item
        earlier = index.document(document.id)
        name = self._write(document, work.body)
        with self._record(item):
            index.add_document(
                make_entry(document, name, (work.paragraphs, work.clean_paragraphs)),
                self._iter_links(document),
                document.images,
                document.licenses,
                work.digest,
                probability=document.probability,
            )
        if earlier is not None and earlier.file != name:  # in another language
            self.job.files.remove_document(earlier.file)
        event = "export/documents" if earlier is None else "export/changed"
        self._crawler.stats.inc_value(event)
        return item

    @contextmanager
    def _record(self, page: Page) -> Iterator[None]:
        """Write what the block writes and the page's fate in one transaction."""
        index = self.job.index
        with index.transaction():
            yield
            index.add_page(page, host_of(page.url), renew=not page.is_unchanged)
        page.is_recorded = True

    def _write(self, document: Document, body: bytes) -> str:
        """Write the document's file; return its name."""
        job = self.job
        domain = job.arguments.domain.name if job.arguments.domain else ""
        name = job.files.document_name(document.lang, document.id)
        links = self._crawler.settings.getbool("EXPORT_LINKS")
        data = format_document(document, domain=domain, body=body, links=links)
        with job.disk, open_atomic(job.files.documents / name, sync=False) as stream:
            stream.write(data)
        return name

    def _iter_links(self, document: Document) -> Iterator[LinkEntry]:
        accepts, cues = self.job.scope.accept, self.job.cues
        for link in document.links:
            if accepts(link.url):
                yield make_link(cues, link, document.url)


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
