"""WARC 1.1 (ISO 28500:2017) files: the answers of a crawl as they came over the wire."""

from __future__ import annotations

import errno
import gzip
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import responses
from io import BytesIO, FileIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from ilspfc.corpus.warc.gzip_members import whole_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SUFFIX = ".warc.gz"
# Level 9 takes twice the time for files smaller by a hundredth.
_GZIP_LEVEL = 6
# Of a file while it is being written.
OPEN_SUFFIX = ".open"
CONFORMS_TO = (
    "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
)
# Common Crawl's names of header fields that no longer say the truth of the payload.
_MOVED = "X-Crawler-"
# Secrets of the operator's are not archived.
_SECRET = frozenset({"authorization", "proxy-authorization", "cookie"})

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and what came back for it.

    The heads end with their empty line. ``body`` is compressed if it came so, but without
    the chunks of the transfer; ``date`` is when it was there, in UTC. ``truncated`` is the
    reason of a body that was not read to its end (WARC 1.1, section 5.13).
    """

    url: str
    date: datetime
    request_head: bytes
    response_head: bytes
    body: bytes
    ip_address: str = ""
    truncated: str = ""


def format_request_head(
    method: str, url: str, headers: Iterable[tuple[bytes, bytes]]
) -> bytes:
    """Return the head of a request, with the Host field and without secrets."""
    parts = urlsplit(url)
    target = parts.path or "/"
    if parts.query:
        target += f"?{parts.query}"
    host = parts.netloc.rpartition("@")[2]
    kept = [(n, v) for n, v in headers if n.decode("latin-1").lower() not in _SECRET]
    start = f"{method} {target} HTTP/1.1".encode("utf-8", "replace")
    return _format_head(start, [(b"Host", host.encode("utf-8", "replace")), *kept])


def format_response_head(
    protocol: str, status: int, headers: Iterable[tuple[bytes, bytes]], size: int
) -> bytes:
    """Return the head of a response whose archived body has ``size`` bytes.

    A Transfer-Encoding that was undone and a Content-Length that is not the body's get
    another name, so that readers can decode the payload.
    """
    kept: Headers = []
    for name, value in headers:
        lower = name.lower()
        is_length = lower == b"content-length" and value.strip() != b"%d" % size
        if is_length or lower == b"transfer-encoding":
            kept.append((_MOVED.encode() + name, value))
        else:
            kept.append((name, value))
        if is_length:
            kept.append((name, b"%d" % size))
    start = f"{protocol} {status} {responses.get(status, '')}".rstrip()
    return _format_head(start.encode(), kept)


def _format_head(start: bytes, headers: Headers) -> bytes:
    lines = [start, *(name + b": " + value for name, value in headers)]
    # A line end inside a value would begin another field.
    safe = [line.replace(b"\r", b" ").replace(b"\n", b" ") for line in lines]
    return b"\r\n".join([*safe, b"", b""])


class _Head(StatusAndHeaders):  # type: ignore[misc]
    """The head of an HTTP message, byte for byte; warcio would re-encode it."""

    def __init__(self, data: bytes) -> None:
        super().__init__("archived", [])
        self._data = data

    def compute_headers_buffer(self, _header_filter: object = None) -> None:
        """Give warcio the bytes to write."""
        self.headers_buff = self._data


class WarcWriter:
    """Appends records to WARC files in a folder, one gzip member each.

    A file is named ``<prefix>-<UTC time>-<serial>.warc.gz``; while it is being written
    ``.open`` follows. What an earlier process left open is cut back to its last whole
    record and gets its name. A file that has reached ``max_bytes`` is followed by another;
    none is made before the first record. ``info`` are the fields of the warcinfo record.
    """

    def __init__(
        self, folder: Path, info: Mapping[str, str], *, max_bytes: int, prefix: str
    ) -> None:
        self._folder = folder
        self._info = dict(info)
        self._max_bytes = max_bytes
        self._prefix = prefix
        self._serial = 0
        self._path: Path
        self._file: FileIO | None = None
        self._info_id = ""
        self._buffer = BytesIO()
        self._records = WARCWriter(self._buffer, gzip=False, warc_version="1.1")
        restore(folder)

    def write(self, exchange: Exchange) -> None:
        """Append the response and the request; both are in the file when this returns.

        Raises OSError where the disk is full; the file then ends as before.
        """
        if self._file is not None and self._file.tell() >= self._max_bytes:
            self.close()
        file = self._file or self._open()
        fields = {
            "WARC-Date": _format_date(exchange.date),
            "WARC-Warcinfo-ID": self._info_id,
        }
        if exchange.ip_address:
            fields["WARC-IP-Address"] = exchange.ip_address
        extra = {"WARC-Truncated": exchange.truncated} if exchange.truncated else {}
        response = self._make(
            exchange.url,
            "response",
            exchange.response_head,
            exchange.body,
            {**fields, **extra},
        )
        identity = response.rec_headers.get_header("WARC-Record-ID")
        fields["WARC-Concurrent-To"] = identity
        request = self._make(
            exchange.url, "request", exchange.request_head, b"", fields
        )
        self._append(file, response, request)

    def _make(
        self, url: str, kind: str, head: bytes, body: bytes, fields: dict[str, str]
    ) -> Any:
        return self._records.create_warc_record(
            url,
            kind,
            payload=BytesIO(body),
            length=len(body),
            http_headers=_Head(head),
            warc_headers_dict=fields,
        )

    def _open(self) -> FileIO:
        self._folder.mkdir(parents=True, exist_ok=True)
        time = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        # A crawl that goes on within the second must not take the name again.
        while True:
            name = f"{self._prefix}-{time}-{self._serial:05}{SUFFIX}"
            self._serial += 1
            self._path = self._folder / name
            if not self._path.exists():
                break
        file = FileIO(self._folder / (name + OPEN_SUFFIX), "x")
        record = self._records.create_warcinfo_record(name, self._info)
        self._info_id = record.rec_headers.get_header("WARC-Record-ID")
        self._file = file
        self._append(file, record)
        return file

    def _append(self, file: FileIO, *records: Any) -> None:
        data = b"".join(map(self._compress, records))
        end = file.tell()
        written = 0
        try:
            written = file.write(data)  # unbuffered: at once in the file
        finally:
            if written < len(data):
                file.seek(end)
                file.truncate()
        if written < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))

    def _compress(self, record: Any) -> bytes:
        self._records.write_record(record)
        data = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return gzip.compress(data, _GZIP_LEVEL, mtime=0)

    def close(self) -> None:
        """Give the file its name. The next record begins another."""
        if self._file is not None:
            self._file.close()
            self._file = None
            self._path.with_name(self._path.name + OPEN_SUFFIX).rename(self._path)


def restore(folder: Path) -> None:
    """Cut files that a process left open back to their last whole record and name them.

    A file without a whole record is removed.
    """
    for path in sorted(folder.glob(f"*{SUFFIX}{OPEN_SUFFIX}")):
        if size := whole_bytes(path):
            os.truncate(path, size)
            path.rename(path.with_name(path.name.removesuffix(OPEN_SUFFIX)))
        else:
            path.unlink()


def _format_date(date: datetime) -> str:
    return date.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
