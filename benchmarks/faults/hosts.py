"""Hosts that misbehave, each at an address of its own, with good pages behind the bad ones."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.faults.pages import make_page, wrap_sitemap
from benchmarks.faults.runs import Row, count_kept, crawl_command, run
from benchmarks.site import bind, host_of, make_answer

PAGES = 3  # of either kind
LIMIT_SECONDS = 300.0
_DRIP_SECONDS = 0.5
_CHUNK = b"words of a page that has no end " * 500
_HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
_TEXT = b"<!DOCTYPE html><p>" + b"words of a page " * 400
_BOMB = gzip.compress(b"<p>word</p>" * 10_000_000, 1)
# Places in which a host misbehaves. Where robots.txt cannot be read nothing may be visited.
_PLACES = ("pages", "robots", "sitemap", "everywhere")

Writer = asyncio.StreamWriter


async def _stall(writer: Writer, path: str) -> None:
    await asyncio.sleep(3 * LIMIT_SECONDS)


async def _stall_in_header(writer: Writer, path: str) -> None:
    writer.write(_HTML)
    await asyncio.sleep(3 * LIMIT_SECONDS)


async def _stall_in_body(writer: Writer, path: str) -> None:
    writer.write(_HTML + b"Content-Length: 9999\r\n\r\n" + _TEXT[:99])
    await asyncio.sleep(3 * LIMIT_SECONDS)


async def _drip(writer: Writer, octets: bytes) -> None:
    while not writer.is_closing():
        writer.write(octets)
        await writer.drain()
        await asyncio.sleep(_DRIP_SECONDS)


async def _drip_header(writer: Writer, path: str) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-Wait: ")
    await _drip(writer, b"x")


async def _drip_body(writer: Writer, path: str) -> None:
    writer.write(_HTML + b"\r\n")
    await _drip(writer, b"x")


async def _drip_provisional(writer: Writer, path: str) -> None:
    await _drip(writer, b"HTTP/1.1 103 Early Hints\r\nX: x\r\n\r\n")


async def _pour(writer: Writer, octets: bytes) -> None:
    while not writer.is_closing():
        writer.write(octets)
        await writer.drain()


async def _pour_header(writer: Writer, path: str) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    await _pour(writer, b"X-More: " + b"x" * 8_000 + b"\r\n")


async def _pour_body(writer: Writer, path: str) -> None:
    writer.write(_HTML + b"\r\n")
    await _pour(writer, _CHUNK)


async def _pour_chunks(writer: Writer, path: str) -> None:
    writer.write(_HTML + b"Transfer-Encoding: chunked\r\n\r\n")
    await _pour(writer, b"%x\r\n%b\r\n" % (len(_CHUNK), _CHUNK))


async def _close(writer: Writer, path: str) -> None:
    pass


async def _reset(writer: Writer, path: str) -> None:
    writer.write(_HTML + b"Content-Length: 9999\r\n\r\n" + _TEXT[:99])
    await writer.drain()
    linger = struct.pack("ii", 1, 0)  # closed with nothing to linger for, it is reset
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)


async def _redirect_on(writer: Writer, path: str) -> None:
    head = f"Location: {path}/x\r\n"
    writer.write(make_answer(b"", status="302 Found", headers=head))


async def _redirect_to_itself(writer: Writer, path: str) -> None:
    head = f"Location: {path}\r\n"
    writer.write(make_answer(b"", status="301 Moved", headers=head))


async def _redirect_to_private(writer: Writer, path: str) -> None:
    head = "Location: http://169.254.169.254/\r\n"
    writer.write(make_answer(b"", status="302 Found", headers=head))


def _answer(octets: bytes) -> Callable[[Writer, str], Awaitable[None]]:
    async def answer(writer: Writer, path: str) -> None:
        writer.write(octets)

    return answer


def _status(status: str, headers: str = "") -> Callable[[Writer, str], Awaitable[None]]:
    return _answer(make_answer(_TEXT, status=status, headers=headers))


BEHAVIORS: dict[str, Callable[[Writer, str], Awaitable[None]]] = {
    "stall": _stall,
    "stall in header": _stall_in_header,
    "stall in body": _stall_in_body,
    "drip header": _drip_header,
    "drip body": _drip_body,
    "drip provisional": _drip_provisional,
    "pour header": _pour_header,
    "pour body": _pour_body,
    "pour chunks": _pour_chunks,
    "close": _close,
    "reset": _reset,
    "redirect on": _redirect_on,
    "redirect to itself": _redirect_to_itself,
    "redirect to private": _redirect_to_private,
    "cut": _answer(_HTML + b"Content-Length: 99999\r\n\r\n" + _TEXT),
    "length of no number": _answer(_HTML + b"Content-Length: many\r\n\r\n" + _TEXT),
    "no length at all": _answer(_HTML + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
    "nonsense": _answer(b"\x16\x03\x01 no HTTP at all\r\n\r\n"),
    "no gzip": _answer(_HTML + b"Content-Encoding: gzip\r\n\r\n" + _TEXT),
    "bomb": _answer(_HTML + b"Content-Encoding: gzip\r\n\r\n" + _BOMB),
    "excessive markup": _answer(make_answer(_TEXT + b"<b>" * 2_000_000)),
    "costly markup": _answer(make_answer(_TEXT + b"<li>x y z" * 400_000)),
    "noise": _answer(make_answer(_BOMB)),
    "unavailable": _status("503 Service Unavailable", "Retry-After: 600\r\n"),
    "too many": _status("429 Too Many Requests", "Retry-After: 600\r\n"),
    "broken": _status("500 Internal Server Error"),
    "not modified": _status("304 Not Modified"),
}
CASES = [(place, name) for place in _PLACES for name in BEHAVIORS]


class _Hosts:
    """The first host is good and links to all pages of all others; the last is not there."""

    def __init__(self) -> None:
        number = len(CASES) + 2
        *self._sockets, gone = bind(number)
        self.port = gone.getsockname()[1]
        gone.close()
        self.origins = [
            f"http://{host_of(n, number)}:{self.port}" for n in range(number)
        ]
        self._cases = dict(zip(self.origins[1:], CASES, strict=False))

    def good_urls(self) -> Iterator[str]:
        """Yield the pages that have to be kept."""
        yield f"{self.origins[0]}/"
        for origin, (place, _) in self._cases.items():
            if place in {"pages", "sitemap"}:
                yield from (f"{origin}/good/{n}" for n in range(PAGES))

    def _links(self) -> Iterator[str]:
        for origin in self.origins[1:]:
            for number in range(PAGES):
                yield f"{origin}/good/{number}"
                yield f"{origin}/bad/{number}"

    async def serve(self, stopped: asyncio.Event) -> None:
        """Serve until the end."""
        servers = [
            await asyncio.start_server(self._visit, sock=one) for one in self._sockets
        ]
        await stopped.wait()
        for server in servers:
            server.close()

    async def _visit(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        address, port = writer.get_extra_info("sockname")
        with suppress(OSError, ValueError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode("ascii")
            await self._respond(f"http://{address}:{port}", path, writer)
            await writer.drain()
        writer.close()

    async def _respond(self, origin: str, path: str, writer: Writer) -> None:
        place, name = self._cases.get(origin, ("", ""))
        if place and place in {"everywhere", self._place_of(path)}:
            await BEHAVIORS[name](writer, path)
        elif path == "/robots.txt" and place == "sitemap":
            lines = f"User-agent: *\nSitemap: {origin}/sitemap.xml\n"
            writer.write(make_answer(lines.encode(), content_type="text/plain"))
        elif path == "/" or path.startswith("/good/"):
            links = self._links() if origin == self.origins[0] else ()
            writer.write(make_answer(make_page(origin + path, links=links)))
        elif path == "/sitemap.xml":
            body = wrap_sitemap(f"<url><loc>{origin}/good/0</loc></url>")
            writer.write(make_answer(body, content_type="application/xml"))
        else:
            writer.write(make_answer(b"", status="404 Not Found"))

    def _place_of(self, path: str) -> str:
        known = {"/robots.txt": "robots", "/sitemap.xml": "sitemap"}
        return known.get(path, "pages" if path.startswith("/bad/") else "")


@contextmanager
def _serve() -> Iterator[_Hosts]:
    hosts = _Hosts()
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(
        lambda *_: None
    )  # a client that gives up is no error here
    stopped = asyncio.Event()
    thread = threading.Thread(
        target=loop.run_until_complete, args=(hosts.serve(stopped),), daemon=True
    )
    thread.start()
    try:
        yield hosts
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join(_DRIP_SECONDS)


def bad_hosts(folder: Path) -> Iterator[Row]:
    """Crawl hosts of which each misbehaves in its own way, with the settings by default."""
    settings = {
        "DOWNLOAD_DELAY": "1",
        "FRONTIER_TRAPS": "True",
        "WORKERS": "2",
    }
    with _serve() as hosts:
        row = Row(f"19 {len(CASES) + 1} hosts that misbehave")
        corpus = folder / "corpus"
        seeds = [f"{hosts.origins[0]}/"]
        command = crawl_command(corpus, seeds, {"scope": "any"}, settings=settings)
        row.add(run(command, folder / "crawl.log", LIMIT_SECONDS))
        good = list(hosts.good_urls())
        row.expected, row.kept = len(good), count_kept(corpus, good)
        yield row
