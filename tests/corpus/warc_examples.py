"""WARC files for tests: written by ilspfc, and put together as others write them."""

from __future__ import annotations

import gzip
from argparse import Namespace
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from warcio.checker import Checker

from ilspfc.corpus.warc.writer import Exchange, WarcWriter, format_response_head

DATE = datetime(2026, 3, 1, 12, 30, 15, tzinfo=UTC)
INFO = {"software": "ilspfc/test", "operator": "me@example.org"}
HTML = [(b"Content-Type", b"text/html; charset=utf-8")]


def exchange(
    url: str, body: bytes = b"<p>text", headers: Iterable[tuple[bytes, bytes]] = HTML
) -> Exchange:
    """Return an exchange with a good answer."""
    head = format_response_head("HTTP/1.1", 200, headers, len(body))
    return Exchange(url, DATE, b"GET / HTTP/1.1\r\n\r\n", head, body, "192.0.2.1")


def writer(folder: Path, *, max_bytes: int = 10**9) -> WarcWriter:
    """Return a writer of small archives."""
    return WarcWriter(folder, INFO, max_bytes=max_bytes, prefix="test")


def check(*paths: Path) -> int:
    """Return the exit status of ``warcio check``."""
    command = Namespace(inputs=[str(path) for path in paths], verbose=False)
    return int(Checker(command).process_all())


def record(
    url: str,
    block: bytes,
    *,
    kind: str = "response",
    date: str = "2026-03-01T12:30:15Z",
    version: str = "1.0",
    media_type: str = "application/http",
    **fields: str,
) -> bytes:
    """Return a record as Common Crawl and wget write them."""
    head = (
        f"WARC/{version}\r\nWARC-Type: {kind}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:uuid:0>\r\nWARC-Target-URI: {url}\r\n"
        f"Content-Type: {media_type}; msgtype={kind}\r\n"
        + "".join(f"{name.replace('_', '-')}: {fields[name]}\r\n" for name in fields)
        + f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def answer(
    body: bytes, *headers: str, status: str = "200 OK", version: str = "1.1"
) -> bytes:
    """Return an HTTP response."""
    lines = [f"HTTP/{version} {status}", "Content-Type: text/html", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def write_plain(path: Path, *records: bytes) -> Path:
    """Write records into a file that is not compressed."""
    path.write_bytes(b"".join(records))
    return path


def write_compressed(path: Path, *records: bytes) -> Path:
    """Write records into a file, each compressed for itself."""
    path.write_bytes(b"".join(map(gzip.compress, records)))
    return path
