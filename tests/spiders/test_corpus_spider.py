"""The spider of a crawl: what it asks for, what it learns, which links it yields."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from scrapy import Request
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.test import get_crawler
from twisted.python.failure import Failure

import ilspfc.settings
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.requests import CANDIDATE, IS_SEED
from ilspfc.documents import Document, Link, Paragraph
from ilspfc.exceptions import ArgumentError, CorpusLockedError
from ilspfc.extensions.ledger import PageLedger
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.frontier.traps.seen_text import read_keys
from ilspfc.scheduler import FrontierScheduler
from ilspfc.spiders.bilingual import BilingualSpider
from ilspfc.spiders.monolingual import MonolingualSpider

if TYPE_CHECKING:
    from ilspfc.spiders.corpus_spider import CorpusSpider

SEED = "http://example.org/"
TEXT = "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz mit Gurt und Seil."

Fill = Callable[[FetchedPage], None]


def make_spider(
    kind: type[CorpusSpider], folder: Path, settings: dict[str, Any], **arguments: str
) -> CorpusSpider:
    own = {n: v for n, v in vars(ilspfc.settings).items() if n.isupper()}
    given = {"EXTENSIONS": {}, "WORKERS": 1, "DOWNLOAD_DELAY": 0, **settings}
    given["CORPUS_DIR"] = str(folder)
    crawler = get_crawler(kind, {**own, **given})
    crawler.settings.frozen = False  # as they are when Scrapy makes a spider
    return kind.from_crawler(crawler, **arguments)


class Crawl:
    """A crawl without a downloader, whose pipelines are the test."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        arguments = {"lang": "de", "seeds": SEED, "scope": "site"}
        self.spider = make_spider(MonolingualSpider, folder, settings, **arguments)
        crawler: Any = self.spider.crawler
        self.crawler = crawler
        crawler.spider = self.spider
        self.ledger = PageLedger(crawler)
        crawler.get_extension = lambda _: self.ledger
        self.scheduler = FrontierScheduler(crawler)
        scraper = SimpleNamespace(slot=SimpleNamespace(active=set(), queue=()))
        crawler.engine = SimpleNamespace(
            scheduler=self.scheduler, scraper=scraper, _slot=None
        )
        self.scheduler.open(self.spider)
        self.spider.sitemaps = cast("Any", SimpleNamespace(arrive=lambda _: None))

    def close(self) -> None:
        self.scheduler.close("finished")
        self.ledger.spider_closed()

    def lease(self, request: Request) -> Request:
        assert self.scheduler.enqueue_request(request)
        leased = self.scheduler.next_request()
        assert leased is not None
        return leased

    def lease_seed(self) -> Request:
        return self.lease(Request(SEED, meta={IS_SEED: True}))

    def visit(self, request: Request, fill: Fill) -> list[Request]:
        """Return what the spider yields for a page that ``fill`` completes."""
        response = HtmlResponse(request.url, request=request, body=b"<p>x")

        async def run() -> list[Request]:
            found = []
            async for output in self.spider.parse(response):
                if isinstance(output, Request):
                    found.append(output)
                else:
                    fill(output)
                    end = self.ledger.item_dropped
                    (end if output.drop else self.ledger.item_scraped)(output, response)
            return found

        return asyncio.run(run())

    def state(self, url: str) -> UrlState | None:
        self.scheduler._frontier.end_leases()
        return self.scheduler.job.store.state_of(url)

    def stat(self, name: str) -> Any:
        return self.crawler.stats.get_value(name)


@pytest.fixture
def crawl(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Crawl]:
    crawl = Crawl(tmp_path / "corpus", **getattr(request, "param", {}))
    yield crawl
    crawl.close()


def complete(*names: str, text: str = TEXT, drop: str = "", **values: object) -> Fill:
    """Return what the pipelines do with a page: a document with links, or a drop."""

    def fill(page: FetchedPage) -> None:
        paragraphs = [Paragraph(text)]
        links = [Link(name if "//" in name else SEED + name) for name in names]
        document = Document(page.id, page.url, paragraphs, links=links, lang="deu")
        document.depth = page.depth
        for name, value in values.items():
            setattr(document, name, value)
        page.document, page.drop = document, drop
        page.work = PageWork(document, text=read_keys(page.url, paragraphs))

    return fill


def urls(requests: list[Request]) -> list[str]:
    return [request.url for request in requests]


# -- arguments and start --------------------------------------------------------------------


def test_each_spider_has_its_languages_and_its_scope() -> None:
    one = MonolingualSpider.check_arguments({"lang": "de", "seeds": SEED})
    two = BilingualSpider.check_arguments({"langs": "de,it", "seeds": SEED})
    assert (one.langs, one.scope) == (("deu",), Scope.ANY)
    assert (two.langs, two.scope) == (("deu", "ita"), Scope.SITE)


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (MonolingualSpider, {"langs": "de,it"}),
        (MonolingualSpider, {"lang": "de,it"}),
        (BilingualSpider, {"lang": "de"}),
        (BilingualSpider, {"langs": "de"}),
    ],
)
def test_the_number_of_languages_is_that_of_the_spider(
    kind: type[CorpusSpider], raw: dict[str, str]
) -> None:
    with pytest.raises(ArgumentError):
        kind.check_arguments({"seeds": SEED, **raw})


def test_seeds_are_requested_as_seeds(crawl: Crawl) -> None:
    async def collect() -> list[Request]:
        return [request async for request in crawl.spider.start()]

    (request,) = asyncio.run(collect())
    assert request.url == SEED
    assert request.meta[IS_SEED]


def test_a_folder_is_for_one_crawl_at_a_time(crawl: Crawl, tmp_path: Path) -> None:
    del crawl
    with pytest.raises(CorpusLockedError):
        Crawl(tmp_path / "corpus")


def test_a_spider_that_cannot_begin_gives_its_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no frontier")

    with monkeypatch.context() as patch:
        patch.setattr("ilspfc.spiders.corpus_spider.reopen_frontier", fail)
        with pytest.raises(OSError, match="no frontier"):
            Crawl(tmp_path)
    Crawl(tmp_path).close()


# -- pages and their links ------------------------------------------------------------------


def test_the_links_of_a_page_come_after_its_fate(crawl: Crawl) -> None:
    request = crawl.lease_seed()
    found = crawl.visit(request, complete("a", "b", "a"))
    assert urls(found) == [SEED + "a", SEED + "b"]
    assert all(one.meta[CANDIDATE].referrer == SEED for one in found)
    assert crawl.stat("fetch/pages") == 1
    assert crawl.state(SEED) is UrlState.DONE


def test_links_out_of_scope_and_known_links_are_not_yielded(crawl: Crawl) -> None:
    request = crawl.lease_seed()
    found = crawl.visit(request, complete("a", "http://other.example.com/", ""))
    assert urls(found) == [SEED + "a"]
    assert crawl.stat("frontier/links_out_of_scope") == 1


def test_a_page_may_forbid_to_follow_its_links(crawl: Crawl) -> None:
    page = complete("", "a", "http://other.example.com/", follow=False)
    assert crawl.visit(crawl.lease_seed(), page) == []
    assert crawl.state(SEED) is UrlState.DONE
    # What is known already is not lost by it.
    assert list(crawl.spider.job.index.rows("SELECT * FROM failures")) == [
        (SEED + "a", "example.org", "nofollow", SEED, 0)
    ]
    assert crawl.stat("frontier/pages_nofollow") == 1


def test_a_link_that_another_page_has_is_followed(crawl: Crawl) -> None:
    crawl.visit(crawl.lease_seed(), complete("a", follow=False))
    request = crawl.lease(Request(SEED + "b", meta={IS_SEED: True}))
    (found,) = crawl.visit(request, complete("a"))
    crawl.visit(crawl.lease(found), complete())
    assert not list(crawl.spider.job.index.rows("SELECT * FROM failures"))


@pytest.mark.parametrize("crawl", [{"FRONTIER_MAX_TUNNEL": 1}], indirect=True)
def test_links_are_followed_through_a_number_of_irrelevant_pages(crawl: Crawl) -> None:
    drop = "classification/off_topic"
    (first,) = crawl.visit(crawl.lease_seed(), complete("a", drop=drop))
    assert first.meta[CANDIDATE].distance == 1
    assert crawl.visit(crawl.lease(first), complete("b", drop=drop)) == []
    assert crawl.stat("frontier/tunnels_ended") == 1


def test_a_delayed_redirect_of_a_seed_widens_the_scope(crawl: Crawl) -> None:
    target = "http://new.example.com/"

    def fill(page: FetchedPage) -> None:
        complete()(page)
        assert page.document is not None
        page.document.links = [Link(target, rel="refresh")]

    assert urls(crawl.visit(crawl.lease_seed(), fill)) == [target]
    assert crawl.scheduler.job.scope.accept(target + "a")


def test_an_error_in_a_pipeline_keeps_the_links_but_not_the_validators(
    crawl: Crawl,
) -> None:
    found = crawl.visit(crawl.lease_seed(), complete("a", drop="export/error"))
    assert urls(found) == [SEED + "a"]
    assert crawl.state(SEED) is UrlState.DONE
    visit = crawl.scheduler.job.store.visit_of(SEED)
    assert visit is not None
    assert (visit.content, visit.rules) == ("", "")


def test_a_page_without_a_document_is_done_all_the_same(crawl: Crawl) -> None:
    def fail(page: FetchedPage) -> None:
        page.drop = "cleaning/not_html"

    assert crawl.visit(crawl.lease_seed(), fail) == []
    assert crawl.state(SEED) is UrlState.DONE


# -- failures -------------------------------------------------------------------------------


def fail_with(request: Request, error: Exception) -> Failure:
    failure = Failure(error)  # type: ignore[no-untyped-call]
    failure.request = request  # type: ignore[attr-defined]
    return failure


def failures(crawl: Crawl) -> list[tuple[object, ...]]:
    rows = crawl.scheduler.job.index.rows("SELECT url, reason, is_seed FROM failures")
    return list(rows)


def test_a_failed_seed_is_recorded_as_one(crawl: Crawl) -> None:
    request = crawl.lease_seed()
    response = HtmlResponse(SEED, status=404, request=request)
    crawl.spider.failed(fail_with(request, HttpError(response)))
    assert failures(crawl) == [(SEED, "http_error", 1)]
    assert crawl.stat("fetch/dropped/http_error") == 1
    assert crawl.state(SEED) is UrlState.FAILED


def test_a_failure_has_the_address_that_was_found(crawl: Crawl) -> None:
    request = crawl.lease_seed()
    request.meta["redirect_urls"] = [SEED]
    moved = request.replace(url="http://example.org/moved")
    crawl.spider.failed(fail_with(moved, DropItem("x")))
    assert failures(crawl) == [(SEED, "not_reached", 1)]


def test_a_failed_link_is_no_seed(crawl: Crawl) -> None:
    (link,) = crawl.visit(crawl.lease_seed(), complete("a"))
    crawl.spider.failed(fail_with(crawl.lease(link), OSError("broken")))
    assert failures(crawl) == [(SEED + "a", "not_reached", 0)]
    assert crawl.state(SEED + "a") is UrlState.FAILED
