"""Servers that stall, drip, cut, lie, reset and loop, beside pages that are well."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.faults.disks import compare
from benchmarks.faults.pages import make_page
from benchmarks.faults.runs import Row, crawl_command, run
from benchmarks.resume import documents

PAGES = 60
LIMIT_SECONDS = 240.0
TIMEOUT_SECONDS = 4
_TEXT = b"<!DOCTYPE html><p>" + b"words of a page " * 400


class _Handler(BaseHTTPRequestHandler):
    """Answers good pages, and at the paths of :data:`FAULTS` as they say."""

    server: _Server

    def do_GET(self) -> None:
        """Answer a request."""
        name = self.path.strip("/").partition("/")[0]
        if name.removesuffix(".html").isdecimal():
            self.send(self.server.pages[int(name.removesuffix(".html"))])
        elif name in FAULTS and self.server.is_bad:
            with suppress(OSError):
                FAULTS[name](self)
            self.close_connection = True
        else:
            self.send(b"", status=404)

    def send(self, body: bytes, *, status: int = 200, length: int = -1) -> None:
        """Send an answer, with a length of its own."""
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body) if length < 0 else length))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay silent."""


def _stall(handler: _Handler) -> None:
    time.sleep(3 * TIMEOUT_SECONDS)


def _drip(handler: _Handler) -> None:
    handler.send(b"", length=len(_TEXT))
    for octet in _TEXT[: 6 * TIMEOUT_SECONDS]:
        handler.wfile.write(bytes([octet]))
        handler.wfile.flush()
        time.sleep(0.5)


def _cut(handler: _Handler) -> None:
    handler.send(_TEXT[: len(_TEXT) // 2], length=len(_TEXT))


def _promise_less(handler: _Handler) -> None:
    handler.send(_TEXT, length=10)


def _promise_no_number(handler: _Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n" + _TEXT)


def _say_nonsense(handler: _Handler) -> None:
    handler.wfile.write(b"\x16\x03\x01 no HTTP at all\r\n\r\n")


def _lie_about_compression(handler: _Handler) -> None:
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
    )
    handler.wfile.write(head + _TEXT)


def _reset(handler: _Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + _TEXT[:99])
    handler.wfile.flush()
    # Closed with nothing to linger for, a connection is reset.
    handler.connection.setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
    )
    handler.connection.close()


def _loop(handler: _Handler) -> None:
    handler.send_response(302)
    handler.send_header("Location", f"/loop/{len(handler.path) % 3}")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def _go_on_forever(handler: _Handler) -> None:
    handler.send_response(302)
    handler.send_header("Location", f"{handler.path}/x")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


FAULTS: dict[str, Callable[[_Handler], None]] = {
    "stall": _stall,
    "drip": _drip,
    "cut": _cut,
    "less": _promise_less,
    "many": _promise_no_number,
    "nonsense": _say_nonsense,
    "gzip": _lie_about_compression,
    "reset": _reset,
    "loop": _loop,
    "forever": _go_on_forever,
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.is_bad = False
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.pages = [self._make_page(number) for number in range(PAGES)]

    def _make_page(self, number: int) -> bytes:
        """Return a page that links to the next two, and to a fault of each kind."""
        behind = [n for n in (2 * number + 1, 2 * number + 2) if n < PAGES]
        links = [f"{self.url}/{n}.html" for n in behind]
        links += [f"{self.url}/{name}/{number}" for name in FAULTS]
        return make_page(f"{self.url}/{number}.html", links=links)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: a client that gives up is no error here."""


@contextmanager
def _serve() -> Iterator[_Server]:
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def bad_servers(folder: Path) -> Iterator[Row]:
    """Crawl pages of which each also links to ten that go wrong; first without these."""
    settings = {
        "DOWNLOAD_TIMEOUT": str(TIMEOUT_SECONDS),
        "CONCURRENT_REQUESTS_PER_DOMAIN": "16",
    }
    with _serve() as server:
        whole: dict[str, bytes] = {}
        for said in ("undisturbed", f"{len(FAULTS)} faults on each page"):
            row = Row(f"16 servers: {said}")
            corpus = folder / f"corpus-{int(server.is_bad)}"
            command = crawl_command(corpus, [f"{server.url}/0.html"], settings=settings)
            row.add(run(command, corpus.with_suffix(".log"), LIMIT_SECONDS))
            if not whole:
                whole = documents(corpus)
                row.expected, row.kept = PAGES, len(whole)
            else:
                compare(row, corpus, whole)
            yield row
            server.is_bad = True
