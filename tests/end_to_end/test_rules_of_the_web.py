"""What a crawl does where a site asks for something: robots.txt and opt-outs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Project, Result, Serve, Site

TEXT = (
    "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. Ein Gerüst oder ein"
    " Seitenschutz geht dabei vor, denn die persönliche Ausrüstung schützt nur den, der"
    " sie richtig anlegt und der ihre Verankerung vorher geprüft hat."
)
RESERVED = ("header", "meta", "file/one", "signal", "noai")
PAGES = ("free", "allowed", "forbidden/page", *RESERVED)
ROBOTS = """User-agent: *
Disallow: /forbidden/
Content-Signal: /signal ai-train=no
Content-Usage: /signal train-ai=n
"""
LICENSE = "https://creativecommons.org/licenses/by/4.0/"
TDMREP = '[{"location": "/file/*", "tdm-reservation": 1}]'


class RulesHandler(SiteHandler):
    """A site with a rule for each page."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if name == "robots.txt":
            self.answer(ROBOTS, content_type="text/plain")
        elif name == ".well-known/tdmrep.json":
            self.answer(TDMREP, content_type="application/json")
        elif not name:
            links = "".join(f'<p><a href="/{page}">{page}</a>' for page in PAGES)
            self.answer(f"<title>Start</title><p>{TEXT}{links}")
        else:
            self._answer_page(name)

    def _answer_page(self, name: str) -> None:
        head = {
            "meta": '<meta name="tdm-reservation" content="1">'
            '<meta name="tdm-policy" content="/policy">',
            "noai": '<meta name="robots" content="noai">',
            "free": f'<link rel="license" href="{LICENSE}deed.de">',
        }.get(name, "")
        headers = {
            "header": {"tdm-reservation": "1"},
            "allowed": {
                "Link": f'<{LICENSE}>; rel="license"',
                "Content-Signal": "ai-train=maybe",
            },
        }.get(name, {})
        body = f"<html><head><title>{name}</title>{head}</head><p>{name}: {TEXT}"
        self.answer(body, headers=headers)


def _crawl(
    project: Project, site: Site, **settings: str
) -> tuple[Result, CrawledCorpus]:
    result = project.crawl(
        "monolingual", {"CORPUS_DIR": "out", **settings}, lang="de", seeds=site.url
    )
    return result, CrawledCorpus(project.folder / "out")


@pytest.fixture(scope="module")
def site(serve: Serve) -> Site:
    return serve(RulesHandler)


@pytest.fixture(scope="module")
def skipped(make_project: Callable[[], Project], site: Site) -> CrawledCorpus:
    """The corpus of a crawl with the default policy."""
    return _crawl(make_project(), site)[1]


def test_forbidden_pages_are_never_asked_for(
    skipped: CrawledCorpus, site: Site
) -> None:
    assert skipped.drops()["fetch/robots"] == 1
    assert "/forbidden/page" not in site.requests
    assert site.requests[0] == "/robots.txt"
    assert site.requests.count("/robots.txt") == 1


def test_reserved_pages_are_left_out_and_counted(skipped: CrawledCorpus) -> None:
    fates = skipped.fates()
    assert {path for path, fate in fates.items() if fate == "optout/reserved"} == set(
        RESERVED
    )
    assert skipped.drops()["optout/reserved"] == len(RESERVED)
    assert {path for path, fate in fates.items() if fate == "kept"} == {
        "",
        "free",
        "allowed",
    }


def test_licenses_and_signals_are_in_header_index_and_manifest(
    skipped: CrawledCorpus,
) -> None:
    documents = skipped.documents()
    found = {
        path: [
            (note.text, note.get("target"), note.get("place"))
            for note in document.iterfind(".//{*}note[@type='license']")
        ]
        for path, document in documents.items()
    }
    assert found == {
        "": [],
        "free": [("CC-BY-4.0", f"{LICENSE}deed.de", "link-rel")],
        "allowed": [("CC-BY-4.0", LICENSE, "link-header")],
    }
    with closing(sqlite3.connect(skipped.root / "corpus.db")) as connection:
        rows = connection.execute("SELECT id, place FROM licenses ORDER BY 2")
        assert rows.fetchall() == [
            ("CC-BY-4.0", "link-header"),
            ("CC-BY-4.0", "link-rel"),
        ]
        rows = connection.execute("SELECT count(*) FROM pages WHERE reserved")
        assert rows.fetchall() == [(len(RESERVED),)]
    counts = skipped.manifest["counts"]
    assert counts["licenses"] == {"CC-BY-4.0": 2, "other": 0, "none": 1}
    assert counts["license_places"] == {"link-header": 1, "link-rel": 1}
    assert counts["optouts"] == {
        "content_signal": 2,
        "content_usage_robots": 1,
        "noai_meta": 1,
        "tdmrep_file": 1,
        "tdmrep_header": 1,
        "tdmrep_meta": 1,
    }
    assert (counts["pages_reserved"], counts["pages_skipped"]) == (len(RESERVED),) * 2


def test_the_signals_can_be_written_down_alone(project: Project, site: Site) -> None:
    _, corpus = _crawl(project, site, OPTOUT_POLICY="record")
    documents = corpus.documents()
    assert len(documents) == len(PAGES)  # the home page for the forbidden one
    notes = {
        path: [note.text for note in document.iterfind(".//{*}note[@type='optout']")]
        for path, document in documents.items()
    }
    reserved = {
        path
        for path, document in documents.items()
        if document.find(".//{*}note[@type='reserved']") is not None
    }
    assert reserved == set(RESERVED)
    assert notes["free"] == []
    assert notes["header"] == ["tdmrep_header=1"]
    assert notes["meta"] == ["tdmrep_meta=1; policy=/policy"]
    (broken,) = notes["allowed"]
    assert broken == (
        "content_signal=ai-train=maybe; where=header;"
        " broken=not understood: 'ai-train=maybe'"
    )
    assert any("tdmrep_file" in (note or "") for note in notes["file/one"])
    assert len(notes["signal"]) == 2
    assert "content_signal=ai-train=no; where=robots" in notes["signal"]
    counts = corpus.manifest["counts"]
    assert (counts["pages_reserved"], counts["pages_skipped"]) == (len(RESERVED), 0)


def test_the_signals_can_be_ignored(project: Project, site: Site) -> None:
    before = len(site.requests)
    _, corpus = _crawl(project, site, OPTOUT_POLICY="ignore")
    assert "/.well-known/tdmrep.json" not in site.requests[before:]
    assert "optout/reserved" not in corpus.drops()


class NoRobotsHandler(RulesHandler):
    """The same site without a robots.txt."""

    def respond(self) -> None:
        if self.path == "/robots.txt":
            self.answer("<p>not here", status=404)
        else:
            super().respond()


def test_without_robots_txt_everything_may_be_visited(
    project: Project, serve: Serve
) -> None:
    _, corpus = _crawl(project, serve(NoRobotsHandler))
    assert corpus.fates()["forbidden/page"] == "kept"


class MovedRobotsHandler(RulesHandler):
    """The same site; its robots.txt has moved."""

    def respond(self) -> None:
        if self.path == "/robots.txt":
            self.answer(status=301, headers={"Location": "/rules/robots.txt"})
        elif self.path == "/rules/robots.txt":
            self.answer(ROBOTS, content_type="text/plain")
        else:
            super().respond()


def test_a_moved_robots_txt_is_followed(project: Project, serve: Serve) -> None:
    site = serve(MovedRobotsHandler)
    _, corpus = _crawl(project, site)
    assert corpus.drops()["fetch/robots"] == 1
    assert "/forbidden/page" not in site.requests


class BusyHandler(RulesHandler):
    """Asks for a pause at the second page, once."""

    has_paused = False
    resumed_after = 0.0
    paused_at = 0.0

    def respond(self) -> None:
        kind = type(self)
        if self.path == "/free" and not kind.has_paused:
            kind.has_paused, kind.paused_at = True, time.monotonic()
            self.answer("later", status=429, headers={"Retry-After": "2"})
            return
        if kind.has_paused and not kind.resumed_after:
            kind.resumed_after = time.monotonic() - kind.paused_at
        super().respond()


def test_a_host_that_asks_to_wait_is_waited_for(project: Project, serve: Serve) -> None:
    _, corpus = _crawl(project, serve(BusyHandler), CONCURRENT_REQUESTS_PER_DOMAIN="1")
    assert corpus.fates()["free"] == "kept"
    assert BusyHandler.resumed_after >= 1.9


RSL = (
    '<rsl xmlns="https://rslstandard.org/rsl"><content url="{}"><license>'
    '<{} type="usage">{}</{}></license></content></rsl>'
)
RSL_TYPE = "application/rsl+xml"
RSL_FILES = {
    "site.xml": RSL.format("/closed/", "prohibits", "ai-train", "prohibits"),
    "page.xml": RSL.format("", "prohibits", "all", "prohibits"),
    "paid.xml": RSL.format("/", "permits", "ai-all", "permits"),
}
RSL_HEADS = {
    "named": f'<link rel="license" type="{RSL_TYPE}" href="/page.xml">',
    "inline": f'<script type="{RSL_TYPE}">{RSL_FILES["page.xml"]}</script>',
    "missing": f'<link rel="license" type="{RSL_TYPE}" href="/gone.xml">',
    "private": f'<link rel="license" type="{RSL_TYPE}" href="http://10.0.0.1/l.xml">',
    "forbidden": f'<link rel="license" type="{RSL_TYPE}" href="/forbidden/l.xml">',
}
RSL_PAGES = ("open", "closed/one", "closed/two", "header", *RSL_HEADS)


class RslHandler(SiteHandler):
    """A site with terms in robots.txt, in headers and in pages."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if name == "robots.txt":
            host = self.headers["Host"]
            text = (
                f"License: http://{host}/site.xml\nUser-agent: *\nDisallow: /forbidden/"
            )
            self.answer(text, content_type="text/plain")
        elif name in RSL_FILES:
            self.answer(RSL_FILES[name], content_type=RSL_TYPE)
        elif not name:
            links = "".join(f'<p><a href="/{page}">{page}</a>' for page in RSL_PAGES)
            self.answer(f"<title>Start</title><p>{TEXT}{links}")
        elif name in RSL_PAGES:
            link = {"Link": f'</paid.xml>; rel="license"; type="{RSL_TYPE}"'}
            head = f"<title>{name}</title>{RSL_HEADS.get(name, '')}"
            self.answer(
                f"<html><head>{head}</head><body><p>{name}: {TEXT}",
                headers=link if name == "header" else {},
            )
        else:
            self.answer("<p>not here", status=404)


def test_the_terms_of_rsl_are_read_once_a_host(project: Project, serve: Serve) -> None:
    site = serve(RslHandler)
    _, corpus = _crawl(project, site)
    fates = corpus.fates()
    reserved = {path for path, fate in fates.items() if fate == "optout/reserved"}
    assert reserved == {"closed/one", "closed/two", "named", "inline"}
    for address in ("/site.xml", "/page.xml", "/paid.xml", "/gone.xml"):
        assert site.requests.count(address) == 1
    assert "/forbidden/l.xml" not in site.requests
    notes = {
        path: [note.text for note in document.iterfind(".//{*}note[@type='optout']")]
        for path, document in corpus.documents().items()
    }
    terms = {
        path: [text for text in texts if (text or "").startswith("rsl_terms")]
        for path, texts in notes.items()
    }
    assert terms["open"] == []
    here = site.url.rstrip("/")
    assert terms["header"] == [
        f"rsl_terms=permits usage ai-all; policy={here}/paid.xml"
    ]
    assert terms["missing"] == [f"rsl_terms=; policy={here}/gone.xml; broken=HTTP 404"]
    assert terms["private"] == [
        "rsl_terms=; policy=http://10.0.0.1/l.xml; broken=robots.txt forbids or cannot be read"
    ]
    assert corpus.stats["optout/rsl_read"] == 3
    assert corpus.stats["optout/rsl_unread"] == 3


class PaidHandler(SiteHandler):
    """A site with a page for money, and one that costs from the second visit on."""

    free = 1

    def respond(self) -> None:
        kind, name = type(self), self.path.strip("/")
        if name == "later":
            kind.free -= 1
        if name == "paid" or (name == "later" and kind.free < 0):
            self.answer("pay", status=402, headers={"crawler-price": "USD 0.01"})
        elif name in {"", "later"}:
            links = '<p><a href="/paid">a</a> <a href="/later">b</a>'
            self.answer(f"<title>{name}</title><p>{name}: {TEXT}{links}")
        else:
            self.answer("<p>not here", status=404)


def test_what_costs_money_is_asked_for_once(project: Project, serve: Serve) -> None:
    site = serve(PaidHandler)
    for _ in range(3):
        _, corpus = _crawl(project, site, FRONTIER_REVISIT_AFTER="0.001")
    assert site.requests.count("/") == 3
    assert site.requests.count("/paid") == 1
    assert site.requests.count("/later") == 2
    assert corpus.drops()["fetch/payment_required"] == 1
    assert corpus.fates()["later"] == "kept"
    host = site.url.split("/")[2]
    assert corpus.manifest["counts"]["payment_hosts"] == {host: 1}
    report = (corpus.root / "report.html").read_text("utf-8")
    assert "Addresses by host that asks for payment" in report
