"""A page as scripts build it, in a headless Chromium that reaches no network of its own.

Chromium is driven over two pipes by the DevTools protocol. Each request of the page is
handed to this program, which answers or refuses it; all other ways out are closed: names
do not resolve, and the proxy, for addresses too, has such a name.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# Seconds for the scripts of a page and what they ask for; for start and end of the browser.
_PAGE_SECONDS = 45.0
_SPARE_SECONDS = 15.0
# A page is done when it has asked for nothing in so many looks, so many seconds apart.
_QUIET_LOOKS = 3
_LOOK_SECONDS = 0.3
_MAX_REQUESTS = 200
_MAX_MESSAGE_BYTES = 64 * 1024 * 1024
# What text does not depend on is answered with nothing; failures could stop scripts.
_EMPTY = frozenset({"Stylesheet", "Image", "Font", "Media"})
_ASKED_FOR = frozenset({"Script", "XHR", "Fetch"})
# In a browser the text for readers without scripts is none.
_SERIALIZE = """\
document.querySelectorAll("noscript").forEach(one => one.remove());
document.documentElement.outerHTML"""
_EVENTS = frozenset({"Fetch.requestPaused", "Page.javascriptDialogOpening"})
_FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--mute-audio"),
    *("--no-first-run", "--disable-extensions", "--disable-background-networking"),
    *("--disable-breakpad", "--disable-crash-reporter", "--disable-dev-shm-usage"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=refused.invalid:1"),
    *("--proxy-bypass-list=<-loopback>", "--disable-component-update"),
    "--js-flags=--max-old-space-size=512",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)


class RenderError(Exception):
    """A page could not be rendered."""


@dataclass(frozen=True, slots=True)
class Resource:
    """Answer to a request of a page."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Fetch = Callable[[str, Mapping[str, str], str], Awaitable[Resource | None]]
"""Function of URL, header and kind of a request; returns None to refuse it."""


def find_program() -> str:
    """Return the path of Chromium, empty if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), "")


async def render_page(
    program: str, url: str, page: Resource, fetch: Fetch, user_agent: str
) -> str:
    """Return the HTML of a fetched page after its scripts have run; RenderError if it fails.

    ``fetch`` answers what scripts ask for by GET. The browser has a process and an empty
    profile for each page.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        flags = [*_FLAGS, f"--user-data-dir={folder}", f"--user-agent={user_agent}"]
        if os.geteuid() == 0:  # where Chromium has no sandbox
            flags.append("--no-sandbox")
        process = await asyncio.create_subprocess_exec(
            "/bin/sh",
            *("-c", 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'),
            *(program, *flags),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", os.defpath), "HOME": folder},
            start_new_session=True,
            limit=_MAX_MESSAGE_BYTES,
        )
        tab = _Tab(process, page, fetch)
        reading = asyncio.ensure_future(tab.read())
        building = asyncio.ensure_future(tab.build(url))
        try:
            await asyncio.wait(
                {reading, building},
                timeout=_PAGE_SECONDS + _SPARE_SECONDS,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if not building.done():
                how = "ended" if reading.done() else "took too long"
                raise RenderError(f"the browser {how}")
            return building.result()
        finally:
            tab.is_closed = True
            reading.cancel()
            building.cancel()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await asyncio.gather(reading, building, return_exceptions=True)
            await process.wait()


class _Tab:
    """The page of a browser, over the DevTools protocol: messages end with a zero byte."""

    def __init__(
        self, process: asyncio.subprocess.Process, page: Resource, fetch: Fetch
    ) -> None:
        assert process.stdin is not None  # noqa: S101
        assert process.stdout is not None  # noqa: S101
        self._input, self._output = process.stdin, process.stdout
        self._page: Resource | None = page
        self._fetch = fetch
        self._session: dict[str, str] = {}
        self._number = self._requests = 0
        self._results: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._answers: set[asyncio.Task[None]] = set()
        self.is_closed = False

    async def read(self) -> None:
        """Take results and requests, until the browser ends."""
        with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            while True:
                message = json.loads((await self._output.readuntil(b"\0"))[:-1])
                if (result := self._results.pop(message.get("id"), None)) is not None:
                    result.set_result(message.get("result", {}))
                elif message.get("method") in _EVENTS:
                    answer = asyncio.ensure_future(self._answer(message["params"]))
                    self._answers.add(answer)
                    answer.add_done_callback(self._answers.discard)

    async def build(self, url: str) -> str:
        """Return the HTML of a page when its scripts ask for nothing any more."""
        target = await self._call("Target.createTarget", url="about:blank")
        found = await self._call("Target.attachToTarget", flatten=True, **target)
        self._session = found
        await self._call("Page.enable")
        await self._call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        await self._call("Page.navigate", url=url)
        loop, quiet = asyncio.get_running_loop(), 0
        ends_at = loop.time() + _PAGE_SECONDS
        while quiet < _QUIET_LOOKS and loop.time() < ends_at:
            number = self._requests
            await asyncio.sleep(_LOOK_SECONDS)
            await self._evaluate("0")  # waits for scripts that run
            is_quiet = not self._answers and number == self._requests
            quiet = quiet + 1 if is_quiet else 0
        html = await self._evaluate(_SERIALIZE)
        if not isinstance(html, str):
            raise RenderError("the browser has no page")
        return html

    async def _evaluate(self, script: str) -> object:
        options = {"expression": script, "returnByValue": True}
        found = await self._call("Runtime.evaluate", **options)
        return found.get("result", {}).get("value")

    async def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        result = asyncio.get_running_loop().create_future()
        self._results[self._number] = result
        message = {"id": self._number, "method": method, "params": params}
        data = json.dumps({**message, **self._session}).encode() + b"\0"
        if not self.is_closed:
            self._input.write(data)
        found: dict[str, Any] = await result
        return found

    async def _answer(self, asked: dict[str, Any]) -> None:
        """Answer a request of the page, or refuse it; close a dialog, which stops scripts."""
        if "request" not in asked:
            await self._call("Page.handleJavaScriptDialog", accept=False)
            return
        request, kind = asked["request"], asked["resourceType"]
        known = {"requestId": asked["requestId"]}
        resource = None
        if kind == "Document":  # the page itself; frames and further pages are none
            resource, self._page = self._page, None
        elif kind in _EMPTY:
            resource = Resource(headers={"Content-Type": "text/css"})
        elif (
            kind in _ASKED_FOR
            and request["method"] == "GET"
            and self._requests < _MAX_REQUESTS
        ):
            resource = await self._fetch(request["url"], request["headers"], kind)
        if self.is_closed:
            return
        if resource is None:
            await self._call("Fetch.failRequest", **known, errorReason="Aborted")
            return
        self._requests += 1
        headers = [{"name": n, "value": v} for n, v in resource.headers.items()]
        await self._call(
            "Fetch.fulfillRequest",
            **known,
            responseCode=resource.status,
            responseHeaders=headers,
            body=b64encode(resource.body).decode(),
        )
