"""Look-up of the answers in WARC files by URL."""

from __future__ import annotations

import sqlite3
import weakref
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlsplit

from ilspfc.corpus.warc.reader import (
    DamagedError,
    HttpMessage,
    WarcRecord,
    iter_records,
    join_chunks,
    read_record,
)
from ilspfc.web.urls import canonicalize

# The newest answer holds, but one that asks to come back only if there is no other, and one
# for another spelling of the URL only if there is none for this one.
_CREATE = """
CREATE TABLE answers (
    url TEXT PRIMARY KEY, is_exact INT, is_good INT, date TEXT,
    file, offset INT, length INT, is_page INT
) WITHOUT ROWID
"""
_INSERT = """
INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    is_exact = excluded.is_exact, is_good = excluded.is_good, date = excluded.date,
    file = excluded.file, offset = excluded.offset, length = excluded.length,
    is_page = excluded.is_page
WHERE (excluded.is_exact, excluded.is_good, excluded.date) >= (is_exact, is_good, date)
"""
# Files of a site that are asked for beside its pages.
_SITE_PATHS = frozenset({"/robots.txt", "/sitemap.xml"})
_SITE_FOLDER = "/.well-known/"


@dataclass(frozen=True, slots=True)
class ArchivedResponse:
    """An answer from the archive.

    ``headers`` fit ``body``: chunks and the field that names them are removed.
    ``is_cut`` is whether the body is larger than was asked for; ``payload_digest`` is the
    record's, empty where it names none.
    """

    url: str
    date: datetime
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    is_cut: bool = False
    payload_digest: str = ""


class AnswerTable:
    """The places of the answers in WARC files by URL, in a temporary database on disk.

    Of several answers for a URL the newest counts, but one that asks to come back (429, 5xx)
    only where there is no other. A URL that is not there is looked for by its canonical
    spelling; what is no URL is a ValueError.
    """

    def __init__(self, media_types: Iterable[str] = ()) -> None:
        self._media_types = frozenset(media_types)
        # Indexed in one thread, used in others; SQLite has its own lock.
        self._index = sqlite3.connect("", check_same_thread=False)
        weakref.finalize(self, self._index.close)
        self._index.execute(_CREATE)
        # Numbers of records by what they are, and of those that are passed over by the reason.
        self.counts: Counter[str] = Counter()

    def _add(
        self,
        url: str,
        status: int,
        date: datetime,
        place: tuple[object, int, int],
        media_types: set[str],
    ) -> None:
        """Add an answer; ``place`` is its file, offset and length there.

        ``media_types`` are all that it may be, none where nothing is known.
        """
        canonical = canonicalize(url)
        is_good = status != 429 and status < 500
        text = date.astimezone(UTC).isoformat(timespec="seconds")
        row = (is_good, text, *place, self._is_page(url, status, media_types))
        spellings = {canonical: False, url: True}
        self._index.executemany(_INSERT, [(*one, *row) for one in spellings.items()])

    def _is_page(self, url: str, status: int, media_types: set[str]) -> bool:
        if not 200 <= status < 300 or is_site_file(url):
            return False
        return not media_types or not self._media_types.isdisjoint(media_types)

    def __contains__(self, url: str) -> bool:
        return self._find(url) is not None

    def _find(self, url: str) -> tuple[Any, int, int] | None:
        """Return file, offset and length of the answer for a URL."""
        url = urldefrag(url).url
        query = "SELECT file, offset, length FROM answers WHERE url = ?"
        for spelling in dict.fromkeys((url, canonicalize(url))):
            for file, offset, length in self._index.execute(query, (spelling,)):
                return file, offset, length
        return None

    def pages(self) -> Iterator[str]:
        """Yield the URLs of the pages of the media types, in the order of the files."""
        return (url for url, is_page in self.answers() if is_page)

    def answers(self) -> Iterator[tuple[str, bool]]:
        """Yield URL and whether it is a page of each answer, in the order of the files."""
        query = "SELECT url, is_page FROM answers WHERE is_exact ORDER BY file, offset"
        for url, is_page in self._index.execute(query):
            yield url, bool(is_page)


def is_site_file(url: str) -> bool:
    """Test whether a URL is that of a file about its site, such as robots.txt."""
    path = urlsplit(url).path
    return path in _SITE_PATHS or path.startswith(_SITE_FOLDER)


class WarcArchive(AnswerTable):
    """The answers in WARC files, plain or compressed record by record.

    :meth:`index` reads the files once.
    """

    def __init__(self, paths: Sequence[Path], media_types: Iterable[str] = ()) -> None:
        super().__init__(media_types)
        self._paths = tuple(paths)

    def index(self) -> None:
        """Find the answers in the files; OSError where one cannot be read."""
        with self._index:
            for number, path in enumerate(self._paths):
                for record in iter_records(path):
                    try:
                        if record is None:
                            raise DamagedError  # noqa: TRY301 - counted in one place
                        self._add_record(record, number)
                    except (DamagedError, ValueError):
                        self.counts["damaged"] += 1

    def _add_record(self, record: WarcRecord, file: int) -> None:
        kind = record.fields.get("warc-type", "")
        if kind == "revisit":
            self.counts["revisit"] += 1
        is_answer = kind == "response" or record.is_resource
        if not is_answer or not record.url.startswith(("http://", "https://")):
            return
        message = record.read_message()
        if message.status == 304:  # as good as a revisit record: no content
            self.counts["revisit"] += 1
            return
        value = message.header(b"content-type").decode("latin-1")
        media_type = value.split(";", 1)[0].strip().lower()
        place = (file, record.offset, 0)
        types = {media_type} - {""}
        self._add(urldefrag(record.url).url, message.status, record.date, place, types)
        self.counts[kind] += 1

    def read(self, url: str, max_bytes: int) -> ArchivedResponse | None:
        """Return the answer for a URL, None if it is not archived.

        At most ``max_bytes`` of the body as it was transferred are read. Raises OSError
        where the file cannot be read any more.
        """
        place = self._find(url)
        if place is None:
            return None
        file, offset, _ = place
        return make_answer(read_record(self._paths[file], offset, max_bytes), max_bytes)


def iter_by_digest(
    paths: Iterable[Path], wanted: Container[str], max_bytes: int
) -> Iterator[ArchivedResponse]:
    """Yield the answers that are wanted by the digests of their payloads, reading files once.

    Records that are damaged are passed over. Raises OSError where a file cannot be read.
    """
    for path in paths:
        for record in iter_records(path):
            if record is None or record.payload_digest not in wanted:
                continue
            with suppress(DamagedError):
                whole = read_record(path, record.offset, max_bytes)
                yield make_answer(whole, max_bytes)


def make_answer(record: WarcRecord, max_bytes: int) -> ArchivedResponse:
    """Return the answer of a record with up to ``max_bytes``; DamagedError if there is none."""
    message = record.read_message()
    headers, body = _decode_transfer(message, record.block[message.body_start :])
    is_cut = record.length > len(record.block) or len(body) > max_bytes
    return ArchivedResponse(
        record.url,
        record.date,
        message.status,
        headers,
        body[:max_bytes],
        is_cut,
        record.payload_digest,
    )


def _decode_transfer(
    message: HttpMessage, body: bytes
) -> tuple[tuple[tuple[bytes, bytes], ...], bytes]:
    """Return the header fields and the body of a message without its transfer coding.

    A Content-Encoding goes too where the writer undid it and left the field.
    """
    gone = {b"transfer-encoding"}
    if b"chunked" in message.header(b"transfer-encoding").lower():
        body = join_chunks(body)
    encoding = message.header(b"content-encoding").strip().lower()
    if encoding in {b"gzip", b"x-gzip"} and not body.startswith(b"\x1f\x8b"):
        gone.add(b"content-encoding")
    kept = (
        (name, value) for name, value in message.headers if name.lower() not in gone
    )
    return tuple(kept), body
