"""Sitemaps of visited sites: which are fetched, and what becomes of their addresses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.exceptions import DontCloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

import ilspfc.settings
from ilspfc.documents import document_id
from ilspfc.frontier.scope import Scope, ScopeFilter
from ilspfc.frontier.scoring.link_score import BreadthFirstScorer, Focus
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.middlewares.robots_files import IS_SITE_FILE, SITE_RULES, SiteRules
from ilspfc.responses.sitemap_requests import SitemapReader
from ilspfc.scheduler import FrontierScheduler
from ilspfc.web.robots_txt import RobotsPolicy

SITE = "http://example.org/"


def urlset(*names: str) -> bytes:
    records = "".join(f"<url><loc>{SITE}{name}</loc></url>" for name in names)
    return f"<urlset>{records}</urlset>".encode()


class Reading:
    """A crawl whose downloads are the bodies given, by name; others fail."""

    def __init__(self, folder: Path) -> None:
        own = {n: v for n, v in vars(ilspfc.settings).items() if n.isupper()}
        given = {"EXTENSIONS": {}, "WORKERS": 0, "FRONTIER_TRAPS": False}
        self.crawler = cast("Any", get_crawler(settings_dict={**own, **given}))
        self.versions: list[tuple[str, str, str]] = []
        self.exported: set[str] = set()
        self.asked: list[Request] = []
        self.bodies: dict[str, bytes] = {}
        self.job = SimpleNamespace(
            arguments=SimpleNamespace(
                langs=("deu",), groups=(), warc=(), is_offline=False, delta=False
            ),
            store=SQLiteStore(folder / "frontier.db"),
            focus=Focus(BreadthFirstScorer()),
            scope=ScopeFilter(Scope.SITE, [SITE]),
            index=SimpleNamespace(add_versions=self.versions.extend),
            has_document=lambda url: document_id(url) in self.exported,
        )
        self.crawler.spider = SimpleNamespace(job=self.job)
        scheduler = FrontierScheduler(self.crawler)
        self.crawler.engine = SimpleNamespace(
            scheduler=scheduler, _slot=None, download_async=self._download
        )
        scheduler.open(self.crawler.spider)
        self.reader = SitemapReader(self.crawler)

    async def _download(self, request: Request) -> Response:
        self.asked.append(request)
        body = self.bodies.get(request.url.removeprefix(SITE))
        if body is None:
            raise OSError("not reached")
        return Response(request.url, status=200 if body else 404, body=body)

    def read(
        self, bodies: Mapping[str, bytes], robots: str = "", depth: int = 0
    ) -> None:
        """Visit a page of the site, and wait for its sitemaps."""
        self.bodies = dict(bodies)
        policy = RobotsPolicy.from_response(200, robots.encode(), "ilspfc")
        meta = {"depth": depth, SITE_RULES: SiteRules(policy, None, 0.0)}
        response = HtmlResponse(SITE, request=Request(SITE, meta=meta))
        self.wait(lambda: self.reader.arrive(response))

    def wait(self, start: Callable[[], None]) -> None:
        """Call a function, and wait for the sitemaps that it has read."""

        async def run() -> None:
            start()
            while self.reader._tasks:
                await asyncio.wait(self.reader._tasks)

        asyncio.run(run())

    def names(self) -> list[str]:
        return [request.url.removeprefix(SITE) for request in self.asked]

    def is_queued(self, name: str) -> bool:
        return self.job.store.state_of(SITE + name) is UrlState.QUEUED

    def stat(self, name: str) -> Any:
        return self.crawler.stats.get_value(f"frontier/{name}")


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[Reading]:
    reading = Reading(tmp_path)
    yield reading
    reading.reader.close()
    reading.job.store.close()


def test_the_sitemap_of_a_seed_is_looked_for_at_its_usual_place(
    reading: Reading,
) -> None:
    reading.read({"sitemap.xml": urlset("a", "b")})
    assert reading.names() == ["sitemap.xml"]
    assert reading.asked[0].meta[IS_SITE_FILE]
    assert reading.is_queued("a")
    assert reading.is_queued("b")
    assert reading.stat("sitemaps_urlset") == 1


def test_any_page_of_a_seed_s_site_opens_it(reading: Reading) -> None:
    """Pages that links lead to may come before the seed."""
    reading.read({"sitemap.xml": urlset("a")}, depth=1)
    assert reading.names() == ["sitemap.xml"]


def test_a_site_that_a_link_led_to_has_the_sitemaps_that_it_names(
    reading: Reading,
) -> None:
    reading.job.scope = ScopeFilter(Scope.ANY, ["http://example.com/"])
    reading.read({"sitemap.xml": urlset("a")}, depth=1)
    assert reading.names() == []


def test_a_link_may_lead_to_a_site_before_its_seed_does(reading: Reading) -> None:
    reading.job.scope = ScopeFilter(Scope.ANY, ["http://example.com/"])
    reading.read({"sitemap.xml": urlset("a")}, depth=1)
    reading.job.scope.add(f"{SITE}de/")

    def stay() -> None:
        with pytest.raises(DontCloseSpider):
            reading.reader.stay()

    reading.wait(stay)
    assert reading.names() == ["sitemap.xml"]
    reading.reader.stay()  # once


def test_robots_txt_names_sitemaps(reading: Reading) -> None:
    robots = "Sitemap: /named.xml\nSitemap: http://example.org:99999/\n"
    reading.read({"named.xml": urlset("a")}, robots, depth=1)
    assert reading.names() == ["named.xml"]
    assert reading.is_queued("a")
    assert reading.stat("dropped/address_port") == 1


def test_a_host_is_asked_once(reading: Reading) -> None:
    reading.read({"sitemap.xml": urlset("a")})
    reading.read({"sitemap.xml": urlset("b")})
    assert len(reading.asked) == 1


def test_what_another_crawler_has_read_is_passed_over(reading: Reading) -> None:
    reading.reader.pass_over(["http://example.org"])
    reading.read({"sitemap.xml": urlset("a")})
    assert reading.asked == []
    assert reading.reader.busy_hosts == reading.reader.take_read() == set()


def test_sitemaps_count_as_read_at_their_end(reading: Reading) -> None:
    index = f"<sitemapindex><sitemap><loc>{SITE}more.xml</loc></sitemap></sitemapindex>"
    download, busy = reading._download, []

    async def watch(request: Request) -> Response:
        busy.append((reading.reader.busy_hosts, reading.reader.take_read()))
        return await download(request)

    reading.crawler.engine.download_async = watch
    reading.read({"sitemap.xml": index.encode(), "more.xml": urlset("a")})
    assert busy == [({"example.org"}, set())] * 2
    assert reading.reader.busy_hosts == set()
    assert reading.reader.take_read() == {"http://example.org"}
    assert reading.reader.take_read() == set()


def test_sitemaps_that_the_end_of_a_crawl_cuts_off_are_not_read(
    reading: Reading,
) -> None:
    download = reading._download

    async def end(request: Request) -> Response:
        reading.crawler.engine._slot = SimpleNamespace(closing=object())
        return await download(request)

    reading.crawler.engine.download_async = end
    reading.read({"sitemap.xml": urlset("a")})
    assert reading.reader.take_read() == set()


def test_an_index_leads_to_further_sitemaps_of_the_scope(reading: Reading) -> None:
    places = f"{SITE}one.xml", f"{SITE}one.xml", "http://other.example.com/two.xml"
    records = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in places)
    index = f"<sitemapindex>{records}</sitemapindex>".encode()
    reading.read({"sitemap.xml": index, "one.xml": urlset("a")})
    assert reading.names() == ["sitemap.xml", "one.xml"]
    assert reading.is_queued("a")


def test_versions_are_written_down_and_queued(reading: Reading) -> None:
    links = f'<link rel="alternate" hreflang="it" href="{SITE}it"/>'
    body = f"<urlset><url><loc>{SITE}de</loc>{links}</url></urlset>".encode()
    reading.read({"sitemap.xml": body})
    ids = document_id(SITE + "de"), document_id(SITE + "it")
    assert reading.versions == [(*ids, "it")]
    assert reading.is_queued("it")


@pytest.mark.parametrize(
    ("bodies", "stat"),
    [({}, "sitemaps_unreached"), ({"sitemap.xml": b"x"}, "sitemaps_unknown")],
)
def test_a_site_may_do_without(
    reading: Reading, bodies: dict[str, bytes], stat: str
) -> None:
    reading.read(bodies)
    assert reading.stat(stat) == 1
    assert len(reading.job.store.scores([SITE + "a"])) == 0


def test_a_missing_sitemap_is_not_read(reading: Reading) -> None:
    reading.read({"sitemap.xml": b""})
    assert reading.stat("sitemaps_unknown") is None


def test_addresses_out_of_scope_are_left_out(reading: Reading) -> None:
    body = b"<urlset><url><loc>http://other.example.com/</loc></url></urlset>"
    reading.read({"sitemap.xml": body})
    assert reading.job.store.state_of("http://other.example.com/") is None


def test_a_delta_crawl_passes_over_exported_pages(reading: Reading) -> None:
    reading.job.arguments.delta = True
    reading.exported.add(document_id(SITE + "a"))
    reading.read({"sitemap.xml": urlset("a", "b")})
    assert not reading.is_queued("a")
    assert reading.is_queued("b")
    assert reading.crawler.stats.get_value("deltafetch/skipped") == 1


def test_a_crawl_does_not_end_while_sitemaps_wait(reading: Reading) -> None:
    reading.reader.stay()
    reading.reader._queue.open(SITE, [f"{SITE}sitemap.xml"])
    with pytest.raises(DontCloseSpider):
        reading.reader.stay()


def test_at_the_end_of_a_crawl_no_sitemap_is_begun(reading: Reading) -> None:
    reading.crawler.engine._slot = SimpleNamespace(closing=True)
    reading.read({"sitemap.xml": urlset("a")})
    assert reading.names() == []
    reading.reader.stay()
