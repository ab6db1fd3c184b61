"""A page in a browser that reaches no network of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from ilspfc.web import browser
from ilspfc.web.browser import RenderError, Resource, find_program, render_page

pytestmark = pytest.mark.slow

URL = "http://shop.example/a"
# Every way out that a page knows; the bodies of those that answer are shown.
WAYS_OUT = """
const site = "http://127.0.0.1:%d/";
for (const url of [site, site.replace("127.0.0.1", "localhost"), "file:///etc/hostname"])
  fetch(url).then(one => one.text()).then(text => { document.body.append(text); });
fetch(site + "post", {method: "POST", body: "x"});
navigator.sendBeacon(site + "beacon", "x");
new WebSocket(site.replace("http", "ws"));
new EventSource(site + "events");
new Worker(URL.createObjectURL(new Blob([`fetch("${site}worker")`])));
window.open(site + "window");
for (const rel of ["prefetch", "preconnect", "dns-prefetch", "prerender"]) {
  const link = document.createElement("link");
  link.rel = rel;
  link.href = site + rel;
  document.head.append(link);
}
const frame = document.createElement("iframe");
frame.src = site + "frame";
document.body.append(frame);
const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:%d"}]});
peer.createDataChannel("x");
peer.createOffer().then(offer => peer.setLocalDescription(offer));
setTimeout(() => { location.href = site + "page"; }, 200);
"""

needs_browser = pytest.mark.skipif(
    not find_program(), reason="no Chromium is installed, which renders the pages"
)


def render(html: str, program: str = "") -> str:
    """Return a page rendered, where all it asks for is refused."""

    async def refuse(url: str, headers: Mapping[str, str], kind: str) -> None:
        return None

    page = Resource(html.encode(), 200, {"Content-Type": "text/html"})
    return asyncio.run(
        render_page(program or find_program(), URL, page, refuse, "ua/1")
    )


class Listener(asyncio.DatagramProtocol):
    """Notes what arrives, over TCP and UDP."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    async def answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.heard.append(await reader.read(200))
        writer.close()

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.heard.append(data)


@needs_browser
def test_no_way_leads_out_of_the_browser() -> None:
    asked = []

    async def refuse(url: str, headers: Mapping[str, str], kind: str) -> None:
        asked.append(url)

    async def run() -> tuple[str, list[bytes]]:
        listener, loop = Listener(), asyncio.get_running_loop()
        server = await asyncio.start_server(listener.answer, "127.0.0.1", 0)
        udp, _ = await loop.create_datagram_endpoint(
            lambda: listener, local_addr=("127.0.0.1", 0)
        )
        ports = (
            server.sockets[0].getsockname()[1],
            udp.get_extra_info("sockname")[1],
        )
        html = f"<p>Dach</p><script>{WAYS_OUT % ports}</script>"
        page = Resource(html.encode(), 200, {"Content-Type": "text/html"})
        built = await render_page(find_program(), URL, page, refuse, "ua/1")
        udp.close()
        server.close()
        return built, listener.heard

    built, heard = asyncio.run(run())
    assert "<p>Dach</p>" in built
    assert heard == []
    assert any(url.endswith("/worker") for url in asked), "the script has run"


@needs_browser
def test_dialogs_do_not_stop_a_page() -> None:
    html = (
        "<p>x<script>alert(1); if (!confirm(2)) document.body.append('behind')</script>"
    )
    assert "behind" in render(html)


@needs_browser
def test_a_page_knows_the_user_agent() -> None:
    html = "<p>x<script>document.body.append(navigator.userAgent)</script>"
    assert render(html).endswith("ua/1</body></html>")


@needs_browser
@pytest.mark.parametrize(
    "script",
    [
        "while (true);",
        "Object.defineProperty(Element.prototype, 'outerHTML', {get() { return 7; }})",
    ],
)
def test_a_hostile_page_is_given_up(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser, "_PAGE_SECONDS", 6.0)
    monkeypatch.setattr(browser, "_SPARE_SECONDS", 3.0)
    with pytest.raises(RenderError, match=r"took too long|has no page"):
        render(f"<p>x<script>{script}</script>")


def test_a_browser_that_does_not_start_is_an_error() -> None:
    with pytest.raises(RenderError, match="the browser ended"):
        render("<p>x", program="/nonexistent/chromium")
