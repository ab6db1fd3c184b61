"""WARC 1.1 (ISO 28500:2017) files: the answers of a crawl as they came over the wire."""

from __future__ import annotations

import errno
import gzip
import os
from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from http.client import responses
from io import FileIO
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

from ilspfc.corpus.warc.reader import whole_bytes

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
    """A request and its response.

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


def _make_record(
    kind: str, fields: Mapping[str, str], media_type: str, *block: bytes
) -> tuple[str, bytes]:
    """Return the identity of a new record, and the record as a gzip member.

    The block is in parts; if there are several, the last is its payload.
    """
    identity = f"<urn:uuid:{uuid4()}>"
    has_payload = len(block) > 1
    digests = {"WARC-Payload-Digest": digest(block[-1])} if has_payload else {}
    content = b"".join(block)
    named = {
        "WARC-Type": kind,
        "WARC-Record-ID": identity,
        **fields,
        **digests,
        "WARC-Block-Digest": digest(content),
        "Content-Type": media_type,
        "Content-Length": str(len(content)),
    }
    lines = [(n.encode(), v.encode("utf-8", "replace")) for n, v in named.items()]
    head = _format_head(b"WARC/1.1", lines)
    return identity, gzip.compress(head + content + b"\r\n\r\n", _GZIP_LEVEL, mtime=0)


def digest(data: bytes) -> str:
    """Return the digest of a block or payload (WARC 1.1, sections 5.8 and 5.9).

    It is the SHA-1 in Base32, as all WARC tools write it; nothing rests on its security.
    """
    return "sha1:" + b32encode(sha1(data, usedforsecurity=False).digest()).decode()


# Bytes after which a new file begins: the size that ISO 28500 recommends.
MAX_BYTES = 10**9


class WarcWriter:
    """Appends records to WARC files in a folder, one gzip member each.

    A file is named ``<prefix>-<UTC time>-<serial>.warc.gz``; while it is being written
    ``.open`` follows. What an earlier process left open is cut back to its last whole
    record and gets its name. A file that has reached ``max_bytes`` is followed by another;
    none is made before the first record. ``info`` are the fields of the warcinfo record.
    """

    def __init__(
        self,
        folder: Path,
        info: Mapping[str, str],
        *,
        prefix: str,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._folder = folder
        self._info = dict(info)
        self._max_bytes = max_bytes
        self._prefix = prefix
        self._serial = 0
        self._path: Path
        self._file: FileIO | None = None
        self._info_id = ""
        restore(folder)

    def write(self, exchange: Exchange) -> None:
        """Append the response and the request; both are in the file on return.

        Raises OSError where the disk is full; the file then ends as before.
        """
        if self._file is not None and self._file.tell() >= self._max_bytes:
            self.close()
        file = self._file or self._open()
        fields = {
            "WARC-Target-URI": exchange.url,
            "WARC-Date": _format_date(exchange.date),
            "WARC-Warcinfo-ID": self._info_id,
        }
        if exchange.ip_address:
            fields["WARC-IP-Address"] = exchange.ip_address
        extra = {"WARC-Truncated": exchange.truncated} if exchange.truncated else {}
        identity, response = _make_record(
            "response",
            fields | extra,
            "application/http; msgtype=response",
            exchange.response_head,
            exchange.body,
        )
        _, request = _make_record(
            "request",
            fields | {"WARC-Concurrent-To": identity},
            "application/http; msgtype=request",
            exchange.request_head,
            b"",
        )
        self._append(file, response + request)

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
        lines = "".join(f"{key}: {value}\r\n" for key, value in self._info.items())
        self._info_id, record = _make_record(
            "warcinfo",
            {"WARC-Date": _format_date(datetime.now(UTC)), "WARC-Filename": name},
            "application/warc-fields",
            lines.encode("utf-8", "replace"),
        )
        self._file = file
        self._append(file, record)
        return file

    def _append(self, file: FileIO, data: bytes) -> None:
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
