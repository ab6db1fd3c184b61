"""Sites for benchmarks of whole crawls: a made-up one, and the pages of a folder.

Every address in 127.0.0.0/8 is this machine, so that 127.0.0.1, 127.0.0.2 … on one port are
as many hosts. The pages are the same at every run; a process of its own serves them and
writes down what it is asked for.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self, cast
from urllib.parse import quote

# Yields URLs and answers, head and body, for the port that they are served on.
MakeAnswers = Callable[[int], Iterator[tuple[str, bytes]]]

HOSTS = 20
PAGES = 5_000
LINKS_A_PAGE = 20
PARAGRAPHS_A_PAGE = 14
WORDS_A_PARAGRAPH = 100
SEED = 1
# Page n links to these many pages of its own, so that a crawl from page 0 reaches all.
_CHILDREN = 4
_TRIES = 20
_JOIN_SECONDS = 5.0
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
WORDS = """
    the of and to in a is that for it as was with be by on not he his but at are this have
    from or had an they which you were her she all their there would been one if more when
    who will what some time could these two then other into first after over many must may
    water house people world school country night morning river street garden letter window
    between another nothing something against without through during before because large
    small good great new old little long early young important different social political
    work worker safety health machine ladder helmet glove danger accident training report
    says made found kept told given seen came went left held asked turned began followed
""".split()


def host_of(number: int, hosts: int) -> str:
    """Return the address that serves a page."""
    index = number % hosts
    return f"127.{index // 62_500}.{index // 250 % 250}.{index % 250 + 1}"


def links_of(number: int, pages: int) -> list[int]:
    """Return the pages that a page links to: some of its own, the others drawn."""
    first = number * _CHILDREN + 1
    children = range(first, min(first + _CHILDREN, pages))
    generator = random.Random(f"{SEED} links {number}")
    drawn = generator.choices(range(pages), k=LINKS_A_PAGE - len(children))
    return [*children, *drawn]


def render(
    number: int, pages: int, hosts: int, port: int, length: int = PARAGRAPHS_A_PAGE
) -> bytes:
    """Return the HTML of a page: paragraphs of English words, links in and above them."""
    generator = random.Random(f"{SEED} text {number}")
    anchors = [
        f'<a href="http://{host_of(target, hosts)}:{port}/{target}.html">'
        f"{' '.join(generator.choices(WORDS, k=3))}</a>"
        for target in links_of(number, pages)
    ]
    paragraphs = []
    for _ in range(length):
        text = " ".join(generator.choices(WORDS, k=WORDS_A_PARAGRAPH))
        paragraphs.append(f"<p>{text.capitalize()}. {anchors.pop()}.</p>")
    menu = "".join(f"<li>{anchor}</li>" for anchor in anchors)
    title = f"Page {number}"
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title>"
        f"</head><body><ul>{menu}</ul><h1>{title}</h1>{''.join(paragraphs)}</body></html>"
    ).encode()


class _Visitor(asyncio.Protocol):
    """One connection of a crawler."""

    def __init__(
        self,
        pages: dict[str, bytes],
        requests: list[tuple[str, float]],
        open_now: set[asyncio.Transport],
        slow_seconds: float,
    ) -> None:
        self._pages = pages
        self._requests = requests
        self._pending = b""
        self._open = open_now
        self._slow_seconds = slow_seconds

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Learn which host the connection is to."""
        self._transport = cast("asyncio.Transport", transport)
        address, port = transport.get_extra_info("sockname")
        self._origin = f"http://{address}:{port}"
        self._wait = self._slow_seconds if is_slow(address) else 0.0
        self._open.add(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._open.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        """Answer the requests that are complete."""
        *heads, self._pending = (self._pending + data).split(b"\r\n\r\n")
        for head in heads:
            url = self._origin + head.split(b" ", 2)[1].decode("ascii")
            self._requests.append((url, time.monotonic()))
            answer = self._pages.get(url, _NOT_FOUND)
            if self._wait:
                loop = asyncio.get_running_loop()
                loop.call_later(self._wait, self._transport.write, answer)
            else:
                self._transport.write(answer)


def is_slow(address: str) -> bool:
    """Test whether an address is of the third of the hosts that may be slow."""
    return int(address.rpartition(".")[2]) % 3 == 0


def bind(hosts: int) -> list[socket.socket]:
    """Return sockets on one free port of all addresses."""
    for _ in range(_TRIES):
        with suppress(OSError):
            first = socket.create_server((host_of(0, hosts), 0), backlog=512)
            port = first.getsockname()[1]
            others = [
                socket.create_server((host_of(number, hosts), port), backlog=512)
                for number in range(1, hosts)
            ]
            return [first, *others]
    raise OSError("no port is free on all loopback addresses")


class _Server:
    """The listening sockets and connections of a site, which obeys commands."""

    def __init__(
        self,
        answers: MakeAnswers,
        hosts: int,
        slow_seconds: float,
        commands: Connection,
    ) -> None:
        self._hosts = hosts
        self._slow_seconds = slow_seconds
        self._commands = commands
        self._sockets = bind(hosts)
        self._port = self._sockets[0].getsockname()[1]
        self._answers = dict(answers(self._port))
        self._requests: list[tuple[str, float]] = []
        self._open: set[asyncio.Transport] = set()
        self._servers: list[asyncio.Server] = []

    async def serve(self) -> None:
        """Serve until the other end of the commands asks to stop."""
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[str] = asyncio.Queue()

        def hear() -> None:
            try:
                told.put_nowait(self._commands.recv())
            except EOFError:  # whoever asked for the site is gone
                told.put_nowait("stop")
                loop.remove_reader(self._commands.fileno())

        loop.add_reader(self._commands.fileno(), hear)
        await self._listen()
        self._commands.send(self._port)
        while (command := await told.get()) != "stop":
            if command == "count":
                self._commands.send(len(self._requests))
            elif command == "take":
                self._commands.send(self._requests[:])
                self._requests.clear()
            elif command == "leave":
                self._leave()
            else:
                self._sockets = [
                    socket.create_server((host_of(n, self._hosts), self._port))
                    for n in range(self._hosts)
                ]
                await self._listen()
        self._leave()

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        for one in self._sockets:
            server = await loop.create_server(
                lambda: _Visitor(
                    self._answers, self._requests, self._open, self._slow_seconds
                ),
                sock=one,
            )
            self._servers.append(server)

    def _leave(self) -> None:
        while self._servers:
            self._servers.pop().close()
        for transport in list(self._open):
            transport.abort()


def _iter_answers(
    pages: int, hosts: int, length: int, port: int
) -> Iterator[tuple[str, bytes]]:
    for number in range(pages):
        body = render(number, pages, hosts, port, length)
        yield _url_of(number, hosts, port), make_answer(body)


def _iter_files(folder: Path, port: int) -> Iterator[tuple[str, bytes]]:
    origin = f"http://{host_of(0, 1)}:{port}/"
    for path in sorted(folder.rglob("*.html")):
        url = origin + quote(path.relative_to(folder).as_posix())
        answer = make_answer(path.read_bytes())
        yield url, answer
        if path.name == "index.html":
            yield url.removesuffix("index.html"), answer


def make_answer(
    body: bytes,
    *,
    status: str = "200 OK",
    content_type: str = "text/html; charset=utf-8",
    headers: str = "",
) -> bytes:
    """Return head and body; each line of further headers ends with CR and LF."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{headers}"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _url_of(number: int, hosts: int, port: int) -> str:
    return f"http://{host_of(number, hosts)}:{port}/{number}.html"


def _run(
    make_answers: MakeAnswers, hosts: int, slow_seconds: float, commands: Connection
) -> None:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with suppress(KeyboardInterrupt):
        asyncio.run(_Server(make_answers, hosts, slow_seconds, commands).serve())


class Site:
    """Pages that are served while the ``with`` block runs, on ``port``.

    ``make_answers`` yields URLs and answers, head and body, for a port; a third of the hosts
    answers after ``slow_seconds``.
    """

    def __init__(
        self, make_answers: MakeAnswers, hosts: int, *, slow_seconds: float = 0.0
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._commands, remote = context.Pipe()
        self._process = context.Process(
            target=_run,
            args=(make_answers, hosts, slow_seconds, remote),
            daemon=True,
        )
        self._process.start()
        remote.close()
        self.port = int(self._commands.recv())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._commands.send("stop")
        self._process.join(_JOIN_SECONDS)
        self._process.kill()

    def count_requests(self) -> int:
        """Return how many requests there were since they were last taken."""
        self._commands.send("count")
        return int(self._commands.recv())

    def leave(self) -> None:
        """End all connections, and refuse new ones."""
        self._commands.send("leave")

    def come_back(self) -> None:
        """Take connections again."""
        self._commands.send("return")

    def take_requests(self) -> list[str]:
        """Return the URLs asked for, in their order, and begin anew."""
        return [url for url, _ in self.take_times()]

    def take_times(self) -> list[tuple[str, float]]:
        """Return the URLs asked for and when, in seconds of a steady clock, and begin anew."""
        self._commands.send("take")
        return list(self._commands.recv())


class GeneratedSite(Site):
    """The made-up site; ``urls`` are its pages, each of ``length`` paragraphs."""

    def __init__(
        self,
        pages: int = PAGES,
        hosts: int = HOSTS,
        length: int = PARAGRAPHS_A_PAGE,
        *,
        slow_seconds: float = 0.0,
    ) -> None:
        answers = partial(_iter_answers, pages, hosts, length)
        super().__init__(answers, hosts, slow_seconds=slow_seconds)
        self.urls = [_url_of(number, hosts, self.port) for number in range(pages)]


class FolderSite(Site):
    """The HTML files of a folder; ``urls`` begins with its start page."""

    def __init__(self, folder: Path) -> None:
        super().__init__(partial(_iter_files, folder), 1)
        self.urls = [f"http://{host_of(0, 1)}:{self.port}/"]
