"""Pages as fetched, from the WARC files of a corpus: HTML in UTF-8, other files unchanged.

ILSP-FC stores the source of a document beside its XML (000, section 3.7 and figure 2).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.signalmanager import SignalManager

from ilspfc.atomic import write_bytes
from ilspfc.cleaning.encoding.decoding import decode
from ilspfc.cleaning.files.formats import format_of
from ilspfc.cleaning.page import TEXT_TYPES, clean_page, mime_type
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry
from ilspfc.corpus.warc.lookup import ArchivedResponse, WarcArchive, iter_by_digest
from ilspfc.corpus.warc.reader import DamagedError
from ilspfc.corpus.xml import replace_sources
from ilspfc.documents import Document, document_id
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.middlewares.compression import CompressionMiddleware
from ilspfc.middlewares.replay import make_response
from ilspfc.web.urls import canonicalize_given

DIGEST_PREFIX = "sha1:"
"""Prefix of the payload digest of a WARC record among the sources of a document."""

_PAGE_SUFFIXES = (".html", ".txt", ".pdf", ".docx")
# Declarations that would contradict the encoding of the file.
_DECLARED_RE = re.compile(
    r"(\A\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']|<meta\b[^>]*?\bcharset\s*=\s*[\"']?)"
    r"[\w.:-]+",
    re.IGNORECASE,
)


class PageFile(NamedTuple):
    """Page as a file: its suffix, with the dot, and its content."""

    suffix: str
    data: bytes


def find_archive(corpus: Corpus) -> list[Path]:
    """Return the WARC files of a corpus: its own, and those that it was crawled over.

    CorpusError names a file that is missing.
    """
    rows = corpus.index.rows(
        "SELECT DISTINCT value FROM runs, json_each(description, '$.warc')"
        " WHERE value != '' ORDER BY value"
    )
    named = [Path(name) for (name,) in rows]
    for path in named:
        if not path.is_file():
            raise CorpusError(
                f"{corpus.files.root}: was crawled over {path}, which is not there; run the"
                " command in the folder where the crawl was started"
            )
    # The file of a crawl that runs these stages is still open.
    return [*sorted(corpus.files.archive.glob("*.warc.gz*")), *named]


class Decompression:
    """The decompression of a crawl, for responses from an archive."""

    def __init__(self, settings: BaseSettings) -> None:
        # Without a crawl: the middleware uses these attributes of a crawler.
        crawler = SimpleNamespace(
            settings=settings, stats=None, signals=SignalManager()
        )
        self._middleware = CompressionMiddleware(crawler=cast("Crawler", crawler))

    def respond(self, request: Request, found: ArchivedResponse) -> Response | None:
        """Return a response of Scrapy, None if it cannot be decompressed."""
        response = make_response(request, found)
        try:
            answer = self._middleware.process_response(request, response)
        except DownloadCancelledError:
            return None
        return cast("Response", answer)


def to_utf_8(body: bytes, content_type: str) -> bytes:
    r"""Return an HTML page in UTF-8, with declarations of this encoding.

    >>> to_utf_8(b'<meta charset="latin-1"><p>Gr\xfc\xdfe', "text/html").decode()
    '<meta charset="utf-8"><p>Grüße'
    """
    text, _ = decode(body, content_type)
    return _DECLARED_RE.sub(r"\1utf-8", text).encode("utf-8", "replace")


class ArchivedPages:
    """Reads pages of a corpus from its WARC files."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._paths = find_archive(corpus)
        self._max_bytes = corpus.settings.getint("DOWNLOAD_MAXSIZE")
        self._decompression = Decompression(corpus.settings)

    def read(self, wanted: Container[str]) -> Iterator[tuple[str, PageFile]]:
        """Yield the pages of the wanted payload digests, each with its digest."""
        for found in iter_by_digest(self._paths, wanted, self._max_bytes):
            page = self._make_file(found)
            if page is not None:
                yield found.payload_digest, page

    def find(self, name: str) -> PageFile:
        """Return the page of a document or a URL.

        ``name`` is a URL, the id of a document, the name of its file, or the payload
        digest of a WARC record. Raises ArgumentError for an unknown one, or one that is in no WARC file.
        """
        digest, url = self._look_up(name)
        pages = (page for _, page in self.read({digest})) if digest else iter(())
        page = next(pages, None) or (self.find_url(url) if url else None)
        if page is None:
            raise ArgumentError(
                f"{name}: no such page in {self._corpus.files.archive}; give a URL as it was"
                " fetched, the id of a document, or the digest that its XML names"
            )
        return page

    def _look_up(self, name: str) -> tuple[str, str]:
        """Return payload digest and URL of a page, empty if unknown."""
        if name.startswith(DIGEST_PREFIX):
            return name, ""
        url = ""
        identity = name.removesuffix(".xml").rsplit("-", 1)[-1]
        if "://" in name:
            url = canonicalize_given(name)
            identity = document_id(url)
        entry = self._corpus.index.document(identity)
        if entry is None:
            return "", url
        return digest_of(self._corpus, entry), entry.url

    @cached_property
    def _archive(self) -> WarcArchive:
        archive = WarcArchive(self._paths)
        archive.index()
        return archive

    def find_url(self, url: str) -> PageFile | None:
        """Return the newest response for a URL, None if there is none."""
        try:
            found = self._archive.read(url, self._max_bytes)
        except (DamagedError, ValueError):
            return None
        return self._make_file(found) if found is not None else None

    def clean(
        self, urls: Iterable[str], options: Mapping[str, Any]
    ) -> Iterator[Document]:
        """Yield the documents that the HTML pages of URLs make by options of cleaning."""
        for url in urls:
            page = self.find_url(url)
            if page is None or page.suffix != ".html":
                continue
            kind = "text/html; charset=utf-8"
            given = {"identity": document_id(url), "content_type": kind, **options}
            document = clean_page(page.data, url=url, **given)
            if isinstance(document, Document):
                yield document

    def _make_file(self, found: ArchivedResponse) -> PageFile | None:
        response = self._decompression.respond(Request(found.url), found)
        if response is None:
            return None
        header = response.headers.get("Content-Type") or b""
        content_type = header.decode("latin-1")
        mime = mime_type(content_type)
        if name := format_of(mime, found.url):
            return PageFile(f".{name}", response.body)
        suffix = ".txt" if mime in TEXT_TYPES else ".html"
        return PageFile(suffix, to_utf_8(response.body, content_type))


def digest_of(corpus: Corpus, entry: DocumentEntry) -> str:
    """Return the payload digest of a document's WARC record, empty if its XML names none."""
    sources = corpus.read(entry).sources
    return next((one for one in sources if one.startswith(DIGEST_PREFIX)), "")


def write_pages(corpus: Corpus) -> int:
    """Write the page of each document beside its XML, which then names it.

    Returns the number of pages written; files of removed documents are deleted.
    """
    pages, urls = ArchivedPages(corpus), {}
    paths: dict[str, list[Path]] = defaultdict(list)
    for entry in corpus.index.documents(duplicates=True):
        if digest := digest_of(corpus, entry):
            path = corpus.path_of(entry)
            paths[digest].append(path)
            urls[path] = entry.url
    found: dict[Path, Path] = {}
    for digest, page in pages.read(paths):
        # Several URLs, or several visits, may have had the same response.
        found |= {path: _write_page(path, page, digest) for path in paths[digest]}
    for digest, waiting in paths.items():
        # After a kill between a document and its record the page was fetched again.
        for path in waiting:
            if path not in found and (newest := pages.find_url(urls[path])):
                found[path] = _write_page(path, newest, digest)
    written = set(found.values())
    for folder in corpus.files.document_folders:
        for path in folder.glob("*"):
            if path.suffix in _PAGE_SUFFIXES and path not in written:
                path.unlink()
    return len(written)


def _write_page(document: Path, page: PageFile, digest: str) -> Path:
    """Write a page beside the XML of its document; return its path."""
    path = document.with_suffix(page.suffix)
    write_bytes(path, page.data)
    old = document.read_bytes()
    new = replace_sources(old, (path.name, digest))
    if new != old:
        write_bytes(document, new)
    return path
