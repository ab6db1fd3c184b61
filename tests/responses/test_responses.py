"""Responses of sites: pages and links, reasons of failures, probes for error pages."""

from __future__ import annotations

import asyncio
from array import array
from dataclasses import replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.http import HtmlResponse
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.test import get_crawler
from twisted.python.failure import Failure

import ilspfc.settings
from ilspfc.classification.perplexity.buckets import Buckets
from ilspfc.classification.perplexity.expectation import PageEntropy
from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.crawl.domain_texts import Expectation
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.requests import FETCHED_AT, IS_PROBE
from ilspfc.documents import Document, Link, Paragraph
from ilspfc.exceptions import WorkerLostError
from ilspfc.frontier.reasons import FetchReason
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.frontier.traps.error_pages import MIN_PAGES, ErrorPages
from ilspfc.frontier.traps.seen_text import read_keys
from ilspfc.middlewares.guard import AddressRefusedError
from ilspfc.middlewares.handler import CertificateRefusedError, SlowAnswerError
from ilspfc.middlewares.replay import NotArchivedError
from ilspfc.middlewares.robots_files import RobotsRefusedError, RobotsUnreachableError
from ilspfc.responses.failures import describe_failure
from ilspfc.responses.probes import ErrorPageProbes
from ilspfc.responses.response_page import find_links, make_page

URL = "http://example.org/a?utm_source=x"
ARGUMENTS = CrawlArguments(("deu", "ita"), None, (), Scope.SITE)


# -- pages ----------------------------------------------------------------------------------


def respond(headers: dict[str, Any] | None = None, **meta: object) -> HtmlResponse:
    request = Request(URL, meta=meta)
    return HtmlResponse(URL, body=b"<p>x", headers=headers, request=request)


def test_a_page_has_what_stages_need_of_its_response() -> None:
    headers = {
        "Content-Type": "text/html",
        "Link": ["</it>; rel=alternate", "</en>; rel=alternate"],
        "X-Robots-Tag": ["noai", "noindex"],
    }
    page = make_page(respond(headers, depth=2, **{FETCHED_AT: "2026-03-01"}), "agent")
    assert (page.url, page.body, page.depth) == (URL, b"<p>x", 2)
    assert page.fetched_at == "2026-03-01"
    assert page.content_type == "text/html"
    assert page.link_header == "</it>; rel=alternate, </en>; rel=alternate"
    assert page.robots_header == "noai\nnoindex"
    assert page.signals, "noai is an opt-out"


def test_spellings_of_an_address_are_one_page() -> None:
    bare = make_page(respond(), "agent")
    other = HtmlResponse("http://EXAMPLE.org/a", request=Request("http://example.org/"))
    assert bare.id == make_page(other, "agent").id
    assert (bare.content_type, bare.link_header, bare.depth) == ("", "", 0)


def make_document(**values: Any) -> Document:
    links = [Link("http://example.org/b"), Link("http://example.org/c")]
    return Document("id", URL, [], links=links, **{"lang": "deu", **values})


def links_of(
    drop: str = "", arguments: CrawlArguments = ARGUMENTS, **values: Any
) -> Any:
    page = FetchedPage(url=URL, id="id", fetched_at="", depth=1, body=b"", drop=drop)
    page.document = make_document(**values)
    return find_links(page, 3, arguments)[0]


def test_links_share_the_relevance_of_their_page() -> None:
    link = links_of(relevance=8.0, depth=4)
    assert link.relevance_share == 4.0
    assert (link.depth, link.distance, link.source_lang) == (5, 3, "deu")
    assert link.is_judged


@pytest.mark.parametrize(
    ("drop", "is_judged"),
    [
        ("", True),
        ("classification/off_topic", True),
        ("language/other_language", False),
        ("cleaning/soft_404", False),
        ("optout/reserved", False),
    ],
)
def test_a_page_without_text_in_the_languages_recommends_nothing(
    drop: str, *, is_judged: bool
) -> None:
    link = links_of(drop, relevance=8.0)
    assert link.is_judged is is_judged
    assert bool(link.relevance_share) is is_judged


@pytest.mark.parametrize(
    ("models", "lang", "perplexity"),
    [((), "deu", None), (("deu",), "deu", 7.0), (("ita",), "deu", None)],
)
def test_perplexity_counts_where_a_model_knows_the_language(
    models: tuple[str, ...], lang: str, perplexity: float | None
) -> None:
    texts = dict.fromkeys(models, Path())
    arguments = CrawlArguments(("deu", "ita"), None, (), Scope.SITE, domain_texts=texts)
    found = links_of("", arguments, lang=lang, perplexity=7.0)
    assert found.perplexity == perplexity


def test_a_page_in_another_language_is_far_from_the_model() -> None:
    texts = {"deu": Path()}
    arguments = CrawlArguments(("deu",), None, (), Scope.SITE, domain_texts=texts)
    assert links_of("", arguments, lang="fra").perplexity == inf


def test_words_around_a_link_and_earlier_pages_speak_of_it() -> None:
    """The first link has text, the second has none; the page has one of 300 words."""
    texts = {"deu": Path()}
    arguments = CrawlArguments(("deu",), None, (), Scope.SITE, domain_texts=texts)
    page = FetchedPage(url=URL, id="id", fetched_at="", depth=1, body=b"")
    page.document = make_document(perplexity=2.0**14)
    entropy = PageEntropy("deu", 300, 14.0, array("H", [20, 0]), array("f", [10, 0]))
    page.work = PageWork(entropy=entropy)
    buckets = Buckets((2.0, 2.0**12, inf))
    first, second = find_links(page, 0, arguments, Expectation(buckets, 0.0))
    assert second.surprise == 1.0, "half of 14 - 12 bits, half of the 0 expected before"
    assert second.perplexity == second.expected == 2.0**13
    assert first.surprise == -0.5, "half of 10 - 12 bits, half of the page's 1"
    assert first.perplexity == 2.0**13
    page.work.entropy = replace(entropy, words=0, bits=inf)
    links = find_links(page, 0, arguments, Expectation(buckets, 3.0))
    assert [link.surprise for link in links] == [0.5, 3.0]
    assert [link.perplexity for link in links] == [None, None]
    assert find_links(page, 0, arguments)[0].expected is None


def test_a_page_without_a_document_has_no_links() -> None:
    page = FetchedPage(url=URL, id="id", fetched_at="", depth=1, body=b"")
    assert find_links(page, 0, ARGUMENTS) == []


# -- failures -------------------------------------------------------------------------------


def wrapped(inner: Exception) -> Exception:
    """Return an error with another one inside, as Twisted wraps them."""
    outer = RuntimeError("outer")
    outer.reasons = [SimpleNamespace(value=inner)]  # type: ignore[attr-defined]
    return outer


NOT_FOUND = HttpError(HtmlResponse(URL, status=404))


@pytest.mark.parametrize(
    ("error", "reason", "cause", "state"),
    [
        (
            HttpError(HtmlResponse(URL, status=402)),
            FetchReason.PAYMENT_REQUIRED,
            "HTTP 402",
            UrlState.REFUSED,
        ),
        (
            HttpError(
                HtmlResponse(URL, status=403, headers={"Crawler-Price": "USD  0.01"})
            ),
            FetchReason.PAYMENT_REQUIRED,
            "HTTP 403 USD 0.01",
            UrlState.REFUSED,
        ),
        (NOT_FOUND, FetchReason.HTTP_ERROR, "HTTP 404", UrlState.FAILED),
        (
            DownloadTimeoutError(),
            FetchReason.TIMEOUT,
            "timed out",
            UrlState.FAILED,
        ),
        (SlowAnswerError("slow"), FetchReason.TIMEOUT, "slow", UrlState.FAILED),
        (
            AddressRefusedError("no"),
            FetchReason.ADDRESS_REFUSED,
            "no",
            UrlState.REFUSED,
        ),
        (RobotsRefusedError("no"), FetchReason.ROBOTS, "no", UrlState.REFUSED),
        (
            RobotsUnreachableError("HTTP 500"),
            FetchReason.ROBOTS_UNREACHABLE,
            "HTTP 500",
            UrlState.FAILED,
        ),
        (NotArchivedError("no"), FetchReason.NOT_ARCHIVED, "no", UrlState.FAILED),
        (IgnoreRequest("max"), FetchReason.REDIRECTS, "max", UrlState.FAILED),
        (DownloadCancelledError("big"), FetchReason.TOO_LARGE, "big", UrlState.REFUSED),
        (
            CertificateRefusedError("old"),
            FetchReason.CERTIFICATE,
            "old",
            UrlState.FAILED,
        ),
        (
            CannotResolveHostError("example.org"),
            FetchReason.NOT_REACHED,
            "name not found",
            UrlState.FAILED,
        ),
        (
            wrapped(OSError("reset\nby peer")),
            FetchReason.NOT_REACHED,
            "reset by peer",
            UrlState.FAILED,
        ),
        (ValueError(), FetchReason.NOT_REACHED, "ValueError", UrlState.FAILED),
    ],
)
def test_each_failure_has_a_reason_a_cause_and_a_state(
    error: Exception, reason: FetchReason, cause: str, state: UrlState
) -> None:
    assert describe_failure(error) == (reason, cause, state)


# -- probes ---------------------------------------------------------------------------------

MISSING = "Diese Seite gibt es auf unserem Server leider nicht mehr."


class Workers:
    """Answers each call with a document, or loses it."""

    def __init__(self, *, is_lost: bool = False) -> None:
        self.is_lost = is_lost

    async def run(self, *_: object, **__: object) -> Document:
        if self.is_lost:
            raise WorkerLostError
        return Document("", URL, [Paragraph(MISSING)])


def make_probes(pages: ErrorPages | None, *, is_lost: bool = False) -> ErrorPageProbes:
    own = {n: v for n, v in vars(ilspfc.settings).items() if n.isupper()}
    crawler: Any = get_crawler(settings_dict={**own, "EXTENSIONS": {}})
    job = SimpleNamespace(error_pages=pages, workers=Workers(is_lost=is_lost))
    crawler.spider = SimpleNamespace(job=job)
    return ErrorPageProbes(crawler)


def probe(probes: ErrorPageProbes) -> list[Request]:
    """Return the probes that are due after the first pages of a host."""
    pages = [HtmlResponse(f"http://example.org/{n}") for n in range(MIN_PAGES)]
    return [request for page in pages for request in probes.iter_requests(page)]


def test_probes_are_polite_and_take_errors_for_answers() -> None:
    found = probe(make_probes(ErrorPages()))
    assert found
    for request in found:
        assert request.meta[IS_PROBE]
        assert request.meta["download_slot"] == "example.org"
        assert request.meta["handle_httpstatus_all"]
        assert request.meta["dont_redirect"]
        assert request.errback is not None
        failure = Failure(ValueError("x"))  # type: ignore[no-untyped-call]
        request.errback(failure)  # it is passed over


def test_without_soft_404s_nobody_is_asked() -> None:
    assert probe(make_probes(None)) == []


@pytest.mark.parametrize(
    ("status", "is_lost", "is_known"),
    [(200, False, True), (404, False, False), (200, True, False)],
)
def test_an_error_page_is_one_that_is_sent_with_status_200(
    status: int, *, is_lost: bool, is_known: bool
) -> None:
    pages = ErrorPages()
    probes = make_probes(pages, is_lost=is_lost)
    response = HtmlResponse("http://example.org/x0", status=status, body=b"<p>x")
    asyncio.run(probes.parse(response))
    keys = read_keys("http://example.org/gone", [Paragraph(MISSING)])
    assert pages.has("http://example.org/gone", keys) is is_known
