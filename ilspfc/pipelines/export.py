"""Export: the document becomes a cesDoc file and an entry in the corpus index."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.corpus.xml import format_document
from ilspfc.crawl.index_records import make_entry, make_link
from ilspfc.documents import Document, Page
from ilspfc.pipelines.stage import StagePipeline, work_of
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ilspfc.corpus.records import LinkEntry


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
