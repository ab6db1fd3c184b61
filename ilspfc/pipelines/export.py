"""Export: the document becomes a cesDoc file and an entry in the corpus index."""

from __future__ import annotations

from typing import Any

from ilspfc.atomic import write_bytes
from ilspfc.corpus.xml import format_document
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.documents import Document
from ilspfc.extensions.ledger import ExportReason, ledger_of
from ilspfc.pipelines.stage import StagePipeline
from ilspfc.setting_table import split_list


class ExportPipeline(StagePipeline):
    """Writes the file first, then has the ledger write the index: files exist that it names."""

    stage = "export"

    def process_item(self, item: Any) -> Any:
        """Export the page's document, unless the corpus has the same text.

        A page that the patterns of the user leave out was visited for its links alone.
        """
        if not isinstance(item, FetchedPage) or item.document is None or not item.work:
            return item
        if not self.job.stores(item.url):
            raise self.drop(item, ExportReason.NOT_STORED)
        document, work, index = item.document, item.work, self.job.index
        if not work.digest:  # paragraphs that earlier pipelines may have changed
            work.render(document)
        earlier, name = index.document(document.id), ""
        is_there = earlier is not None and self.job.files.has_document(earlier.file)
        if is_there and index.digest_of(document.id) == work.digest:
            event = "unchanged"
        else:
            name = self._write(document, work.body)
            event = "documents" if earlier is None else "changed"
            if self.job.arguments.delta:
                self.count("deltafetch/stored")
        ledger_of(self._crawler).export(item, document, work, name)
        if name and earlier is not None and earlier.file != name:  # another language
            self.job.files.remove_document(earlier.file)
        self.count(f"export/{event}")
        return item

    def _write(self, document: Document, body: bytes) -> str:
        """Write the document's file; return its name."""
        job = self.job
        domain = job.arguments.domain.name if job.arguments.domain else ""
        name = job.files.document_name(document.lang, document.id)
        links = "links" in split_list(self._crawler.settings, "EXPORTS_FORMATS")
        data = format_document(document, domain=domain, body=body, links=links)
        with job.disk:
            write_bytes(job.files.documents / name, data, sync=False)
        return name
