"""Pages served on loopback, with a log of what was asked for and in which order."""

from __future__ import annotations

import selectors
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

# A page is known by its host and its path: ("127.0.0.1", "/de/index.html").
PageKey = tuple[str, str]


class Answer(Protocol):
    """Gives the bytes of a page, or None where there is none."""

    def __call__(self, key: PageKey, port: int) -> bytes | None:
        """Return a page; ``port`` is for links to other addresses."""


# So many ports are tried until one is free on every address.
_PORT_ATTEMPTS = 20
_POLL_SECONDS = 0.05


class _Site(HTTPServer):
    """One address. Requests are answered one after the other, by the loop of all."""

    request_queue_size = 128

    def __init__(self, address: tuple[str, int], served: ServedPages) -> None:
        super().__init__(address, _PageHandler)
        self.served = served
        self.timeout = 0

    def server_bind(self) -> None:
        """Bind without asking for the name of the address."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.socket.getsockname()

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: a crawl that is stopped leaves connections behind."""


class _PageHandler(BaseHTTPRequestHandler):
    server: _Site
    timeout = 10

    def do_GET(self) -> None:
        """Answer with a page and write it down, or with 404."""
        path = unquote(urlsplit(self.path).path)
        key = (str(self.server.server_address[0]), path)
        body = self.server.served.pages(key, self.server.server_port)
        if body is None:
            self.send_error(404)
            return
        self.server.served.add(key)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay silent."""


class ServedPages:
    """What is served, and the log: each page that was fetched, at its first time."""

    def __init__(self, pages: Answer) -> None:
        self.pages = pages
        self.log: list[PageKey] = []
        self.port = 0
        self._seen: set[PageKey] = set()

    def add(self, key: PageKey) -> None:
        """Write down that a page was fetched."""
        if key not in self._seen:
            self._seen.add(key)
            self.log.append(key)

    def url(self, key: PageKey) -> str:
        """Return the URL of a page."""
        host, path = key
        return f"http://{host}:{self.port}{path}"

    def clear(self) -> None:
        """Begin a new log."""
        self.log = []
        self._seen = set()


def _listen(served: ServedPages, addresses: Sequence[str]) -> list[_Site]:
    """Listen on all addresses at one port that is free on each of them."""
    for attempt in range(_PORT_ATTEMPTS):
        sites: list[_Site] = []
        try:
            for address in addresses:
                port = sites[0].server_port if sites else 0
                sites.append(_Site((address, port), served))
        except OSError:
            for site in sites:
                site.server_close()
            if attempt == _PORT_ATTEMPTS - 1:
                raise
        else:
            return sites
    raise AssertionError


@contextmanager
def serve_pages(
    pages: Answer, addresses: Sequence[str] = ("127.0.0.1",)
) -> Iterator[ServedPages]:
    """Serve pages on loopback addresses, all at one port and in one thread."""
    served = ServedPages(pages)
    sites = _listen(served, addresses)
    served.port = sites[0].server_port
    is_over = threading.Event()

    def loop() -> None:
        with selectors.DefaultSelector() as selector:
            for site in sites:
                selector.register(site, selectors.EVENT_READ, site)
            while not is_over.is_set():
                for key, _ in selector.select(_POLL_SECONDS):
                    key.data.handle_request()

    thread = threading.Thread(target=loop)
    thread.start()
    try:
        yield served
    finally:
        is_over.set()
        thread.join()
        for site in sites:
            site.server_close()


def folder_pages(root: Path) -> Answer:
    """Return the HTML pages of a folder, whatever the host."""
    folder = root.resolve()

    def read(key: PageKey, port: int) -> bytes | None:
        path = (folder / key[1].lstrip("/")).resolve()
        if path.is_dir():
            path /= "index.html"
        is_page = path.suffix == ".html" and path.is_relative_to(folder)
        return path.read_bytes() if is_page and path.is_file() else None

    return read
