"""The suite of opt-outs: what a page and its site say, and the decision (``cases.toml``)."""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings

from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document
from ilspfc.middlewares.robots_files import (
    MAX_RSL_FILES,
    RobotsMiddleware,
    RobotsRefusedError,
    read_signals,
)
from ilspfc.optout.policy import OptOut, decide_page
from ilspfc.optout.rsl import MAX_BODY_BYTES, RslFile, find_documents

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

CASES = tomllib.loads((Path(__file__).parent / "cases.toml").read_text("utf-8"))["case"]
AGENT = "ilspfc/1.0 (+https://example.org/crawler)"
SITE = "https://example.org"
SETTINGS = {"ROBOTSTXT_OBEY": True, "OPTOUT_POLICY": "skip", "USER_AGENT": AGENT}


class Engine:
    """Downloads the files of a case."""

    def __init__(self, case: dict[str, Any]) -> None:
        self._files = dict(case.get("rsl", {}))
        for name, path in (
            ("robots", "robots.txt"),
            ("tdmrep", ".well-known/tdmrep.json"),
        ):
            if name in case:
                self._files[f"{SITE}/{path}"] = case[name]

    async def download_async(self, request: Request) -> Response:
        """Return a file, 404 for one that the case does not have."""
        text = self._files.get(request.url)
        return Response(
            request.url, status=404 if text is None else 200, body=(text or "").encode()
        )


async def visit(case: dict[str, Any]) -> OptOut:
    """Return the decision on the page of a case; raises what the middleware raises."""
    crawler = SimpleNamespace(
        settings=Settings(SETTINGS),
        engine=Engine(case),
        spider=None,
        stats=SimpleNamespace(inc_value=lambda *_: None),
    )
    middleware = RobotsMiddleware(cast("Crawler", crawler))
    url = f"{SITE}/a/b.html"
    request = Request(url)
    await middleware.process_request(request)
    headers: dict[str, list[str]] = {}
    for line in case.get("headers", ()):
        name, _, value = line.partition(":")
        headers.setdefault(name, []).append(value.strip())
    head = f"<title>Page</title>{case.get('head', '')}"
    body = f"<html><head>{head}</head><body><p>Some words of text.".encode()
    response = await middleware.process_response(
        request, HtmlResponse(url, headers=headers, body=body)
    )
    document = clean_page(body, url=url, identity="0" * 12)
    assert isinstance(document, Document)
    return decide_page(read_signals(request, response, AGENT), document, AGENT)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_suite(case: dict[str, Any]) -> None:
    try:
        found = asyncio.run(visit(case))
    except RobotsRefusedError:
        assert case["decision"] == "refused"
        return
    assert ("reserved" if found.reserved else "kept") == case["decision"]
    others = [signal for signal in found.signals if signal not in found.grounds]
    recorded = [signal.kind.value for signal in others if not signal.broken]
    broken = [signal.kind.value for signal in others if signal.broken]
    grounds = [signal.kind.value for signal in found.grounds]
    assert sorted(grounds) == sorted(case.get("grounds", []))
    assert sorted(recorded) == sorted(case.get("recorded", []))
    assert sorted(broken) == sorted(case.get("broken", []))


def test_a_host_has_a_bounded_number_of_rsl_documents() -> None:
    links = [
        f'Link: </{number}.xml>; rel="license"; type="application/rsl+xml"'
        for number in range(MAX_RSL_FILES + 1)
    ]
    found = asyncio.run(visit({"headers": links})).signals
    remarks = [signal.broken for signal in found if signal.broken]
    assert remarks[:-1] == ["HTTP 404"] * MAX_RSL_FILES
    assert remarks[-1] == f"not read: the host has {MAX_RSL_FILES} others"


def test_an_rsl_document_has_a_bounded_size() -> None:
    address = f"{SITE}/l.xml"
    text = f"<rsl><content url='/'/>{' ' * MAX_BODY_BYTES}</rsl>"
    case = {"robots": f"License: {address}", "rsl": {address: text}}
    assert "larger than" in asyncio.run(visit(case)).signals[-1].broken


TAGS = st.sampled_from(
    ["rsl", "content", "license", "permits", "prohibits", "payment", "x", "!--", "?a"]
)
MARKUP = st.recursive(
    st.text(max_size=9),
    lambda inner: st.builds(
        lambda tag, kind, url, parts: (
            f"<{tag} type='{kind}' url='{url}'>{''.join(parts)}</{tag}>"
        ),
        TAGS,
        st.sampled_from(["usage", "user", ""]),
        st.text("/*$[]:%w.a", max_size=8),
        st.lists(inner, max_size=3),
    ),
)


@given(st.one_of(MARKUP.map(lambda inner: f"<rsl>{inner}</rsl>".encode()), st.binary()))
def test_no_rsl_document_is_an_error(body: bytes) -> None:
    RslFile.from_response(200, body).signals(f"{SITE}/a", f"{SITE}/l.xml")


@given(st.text(), st.one_of(st.text(), MARKUP))
@example("[", '<link rel=license type="application/rsl+xml" href="//[">')
@example("", "<!-- application/rsl+xml -->")
def test_no_page_is_an_error(address: str, head: str) -> None:
    link = f'<{address}>; rel="license"; type="application/rsl+xml"'
    find_documents(f"{SITE}/a", [link], f"application/rsl+xml {head}".encode())
    find_documents(f"{SITE}/a", [], head.encode("utf-8", "replace"))


def test_the_suite_is_large_and_has_every_protocol() -> None:
    assert len(CASES) >= 60
    assert len({case["name"] for case in CASES}) == len(CASES)
    assert {case["signal"] for case in CASES} >= {
        *("none", "robots.txt", "AI crawlers", "TDMRep", "aipref", "Content-Signal"),
        *("noai", "RSL", "conflict"),
    }
