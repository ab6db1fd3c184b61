"""The ledger: one fate for each page, written before its outcome is resolved."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from pages_under_way import ID, URL, make_crawler, make_page
from scrapy import Request
from scrapy.http import Response

from ilspfc.cleaning.page import CleaningReason
from ilspfc.corpus.index import CorpusIndex
from ilspfc.extensions.ledger import PageLedger
from ilspfc.optout.policy import OptOutReason

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ilspfc.crawl.fetched_page import FetchedPage


@pytest.fixture
def index(tmp_path: Path) -> Iterator[CorpusIndex]:
    with CorpusIndex(tmp_path / "corpus.db") as index:
        yield index


@pytest.fixture
def crawler(tmp_path: Path, index: CorpusIndex) -> Crawler:
    return make_crawler(tmp_path, index=index)


@pytest.fixture
def ledger(crawler: Crawler) -> PageLedger:
    return PageLedger.from_crawler(crawler)


def make_response() -> Response:
    return Response(URL, request=Request(URL))


def end(
    ledger: PageLedger, signal: Callable[..., None], page: FetchedPage
) -> FetchedPage:
    """End the way of a page by a signal; return its outcome."""

    async def run() -> FetchedPage:
        response = make_response()
        outcome = ledger.expect(response)
        signal(page, response)
        return await asyncio.wait_for(outcome, 60)

    return asyncio.run(run())


def export(ledger: PageLedger, page: FetchedPage, file: str = "deu-x.xml") -> None:
    assert page.document is not None
    assert page.work is not None
    ledger.export(page, page.document, page.work, file)


def fates(index: CorpusIndex) -> list[tuple[object, ...]]:
    return list(index.rows("SELECT url, fate FROM pages"))


def test_an_exported_page_has_fate_and_document_at_once(
    ledger: PageLedger, index: CorpusIndex, crawler: Crawler
) -> None:
    page = make_page()
    export(ledger, page)
    assert fates(index) == [(URL, "kept")]
    assert index.digest_of(ID) == "d1"
    assert end(ledger, ledger.item_scraped, page) is page
    assert fates(index) == [(URL, "kept")]
    assert crawler.stats.get_value("fetch/pages") == 1


def test_a_dropped_page_has_the_reason_of_its_stage(
    ledger: PageLedger, index: CorpusIndex
) -> None:
    page = make_page()
    page.drop = "language/other_language"
    assert end(ledger, ledger.item_dropped, page) is page
    assert fates(index) == [(URL, "language/other_language")]


def test_a_drop_without_a_reason_is_one_of_the_users(
    ledger: PageLedger, index: CorpusIndex, crawler: Crawler
) -> None:
    end(ledger, ledger.item_dropped, make_page())
    assert fates(index) == [(URL, "export/pipeline")]
    assert crawler.stats.get_value("export/dropped/pipeline") == 1


def test_a_page_that_is_dropped_after_export_is_kept(
    ledger: PageLedger, index: CorpusIndex
) -> None:
    page = make_page()
    export(ledger, page)
    end(ledger, ledger.item_dropped, page)
    assert fates(index) == [(URL, "kept")]


def test_an_error_is_the_fate_of_a_page_even_after_export(
    ledger: PageLedger, index: CorpusIndex
) -> None:
    page = make_page()
    export(ledger, page)
    assert end(ledger, ledger.item_error, page).drop == "export/error"
    assert fates(index) == [(URL, "export/error")]


def test_an_earlier_text_outlives_a_drop(
    ledger: PageLedger, index: CorpusIndex, crawler: Crawler
) -> None:
    page = make_page()
    export(ledger, page)
    end(ledger, ledger.item_scraped, page)
    again = make_page()
    again.drop = "cleaning/soft_404"
    end(ledger, ledger.item_dropped, again)
    assert fates(index) == [(URL, "kept")]
    assert index.document(ID) is not None
    assert crawler.stats.get_value("export/outdated") == 1


@pytest.mark.parametrize(
    "drop", [f"optout/{OptOutReason.RESERVED}", f"cleaning/{CleaningReason.NO_INDEX}"]
)
def test_a_withdrawn_page_leaves_the_corpus(
    drop: str, ledger: PageLedger, index: CorpusIndex, crawler: Crawler
) -> None:
    page = make_page()
    export(ledger, page)
    end(ledger, ledger.item_scraped, page)
    again = make_page()
    again.drop = drop
    end(ledger, ledger.item_dropped, again)
    assert fates(index) == [(URL, drop)]
    assert index.document(ID) is None
    assert crawler.stats.get_value("export/withdrawn") == 1


def test_an_unchanged_page_keeps_its_record(
    ledger: PageLedger, index: CorpusIndex
) -> None:
    export(ledger, make_page())
    later = make_page()
    later.fetched_at = "2026-04-01"
    export(ledger, later, file="")
    assert list(index.rows("SELECT fetched_at FROM pages")) == [("2026-03-01",)]
    assert list(index.rows("SELECT count(*) FROM links")) == [(1,)]


def test_a_spider_learns_that_a_fate_could_not_be_written(crawler: Crawler) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("disk full")

    crawler.spider.job.index = SimpleNamespace(add_page=refuse, document=lambda _: None)  # type: ignore[union-attr]
    ledger = PageLedger(crawler)

    async def run() -> None:
        response = make_response()
        outcome = ledger.expect(response)
        with pytest.raises(OSError, match="disk full"):
            ledger.item_scraped(make_page(), response)
        with pytest.raises(OSError, match="disk full"):
            await outcome

    asyncio.run(run())


def test_items_of_other_kinds_have_no_fate(
    ledger: PageLedger, index: CorpusIndex
) -> None:
    for signal in (ledger.item_scraped, ledger.item_dropped, ledger.item_error):
        signal({"title": "x"}, make_response())
    assert fates(index) == []


@pytest.mark.parametrize(
    ("is_reserved", "written"), [(False, ["exchange"]), (True, [])]
)
def test_the_archive_keeps_a_page_unless_the_worker_found_it_reserved(
    is_reserved: bool, written: list[str], ledger: PageLedger, crawler: Crawler
) -> None:
    archive: list[Any] = []
    crawler.spider.job.archive = SimpleNamespace(write=archive.append)  # type: ignore[union-attr]
    page, response = make_page(), make_response()
    assert page.work is not None
    assert response.request is not None
    page.work.is_reserved = is_reserved
    response.request.meta["archive_exchange"] = "exchange", response
    ledger.item_scraped(page, response)
    assert archive == written
    assert "archive_exchange" not in response.request.meta


@pytest.mark.parametrize(("header", "written"), [("0", 1), ("1", 0)])
def test_the_header_decides_where_no_worker_did(
    header: str, written: int, ledger: PageLedger, crawler: Crawler
) -> None:
    archive: list[Any] = []
    crawler.spider.job.archive = SimpleNamespace(write=archive.append)  # type: ignore[union-attr]
    page, request = make_page(), Request(URL)
    page.work = None
    response = Response(URL, request=request, headers={"tdm-reservation": header})
    request.meta["archive_exchange"] = "exchange", response
    page.drop = "cleaning/timeout"
    ledger.item_dropped(page, response)
    assert len(archive) == written
