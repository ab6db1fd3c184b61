"""What a spider makes of an answer for a page that was read before."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.settings import Settings
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure

from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.crawl.requests import LAST_VISIT, VISIT
from ilspfc.documents import Document
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import UrlState, Visit
from ilspfc.responses.revisits import Revisits

URL = "http://example.org/a"
ARGUMENTS = CrawlArguments(("deu",), None, ("http://example.org/",), Scope.SITE)
SETTINGS = {"LANGUAGE_MIN_TOKENS": 3, "DOWNLOAD_DELAY": 1, "FRONTIER_REVISIT_AFTER": 0}


@pytest.fixture
def counts() -> Counter[str]:
    return Counter()


@pytest.fixture
def revisits(counts: Counter[str]) -> Revisits:
    return make_revisits(counts)


def make_revisits(
    counts: Counter[str], arguments: CrawlArguments = ARGUMENTS, **settings: object
) -> Revisits:
    def count(name: str) -> None:
        counts[name] += 1

    return Revisits(arguments, Settings({**SETTINGS, **settings}), count)


def make_page(body: bytes, **values: object) -> FetchedPage:
    page = FetchedPage(url=URL, id="a", fetched_at="2026-01-01", depth=1, body=body)
    for name, value in values.items():
        setattr(page, name, value)
    return page


def visit(
    revisits: Revisits,
    last: Visit | None = None,
    *,
    status: int = 200,
    page: FetchedPage | None = None,
    **headers: str,
) -> tuple[Visit, bool]:
    """Return the visit that an answer makes, and whether it is the same as the last."""
    meta = {LAST_VISIT: last} if last else {}
    request = Request(URL, meta=meta)
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    response = HtmlResponse(URL, status, fields, request=request)
    is_same = revisits.arrive(request, response, page or make_page(b"text"))
    return request.meta[VISIT], is_same


def test_the_first_visit_keeps_validators_and_digests(
    revisits: Revisits, counts: Counter[str]
) -> None:
    made, is_same = visit(revisits, ETag='"1"', Last_Modified="today")
    assert not is_same
    assert (made.etag, made.last_modified) == ('"1"', "today")
    assert len(made.content) == len(made.rules) == 32
    assert not counts


def test_a_304_keeps_what_is_known_and_takes_new_validators(
    revisits: Revisits, counts: Counter[str]
) -> None:
    last = Visit(1.0, '"1"', "today", "c0", "a1")
    made, is_same = visit(revisits, last, status=304, page=make_page(b""))
    assert is_same
    assert made.visited_at > 1.0
    assert replace(made, visited_at=1.0) == last
    made, _ = visit(revisits, last, status=304, page=make_page(b""), ETag='"2"')
    assert replace(made, visited_at=1.0) == replace(last, etag='"2"')
    assert counts == {"fetch/revisits": 2, "fetch/not_modified": 2}


@pytest.mark.parametrize(
    ("page", "is_same"),
    [
        (make_page(b"text"), True),
        (make_page(b"tect"), False),
        (make_page(b"text", link_header="</b>; rel=alternate"), False),
        (make_page(b"text", robots_header="noindex"), False),
        (make_page(b"text", signals=("tdm-reservation: 1",)), False),
    ],
    ids=["same", "body", "Link", "X-Robots-Tag", "reservation"],
)
def test_the_same_answer_is_known_by_body_and_headers(
    revisits: Revisits, counts: Counter[str], page: FetchedPage, *, is_same: bool
) -> None:
    last, _ = visit(revisits)
    assert visit(revisits, last, page=page)[1] == is_same
    assert counts["fetch/identical"] == is_same


@pytest.mark.parametrize(
    ("arguments", "settings", "is_same"),
    [
        (ARGUMENTS, {"DOWNLOAD_DELAY": 2, "FRONTIER_REVISIT_AFTER": 9}, True),
        (replace(ARGUMENTS, delta=True, job="other"), {}, True),
        (ARGUMENTS, {"LANGUAGE_MIN_TOKENS": 4}, False),
        (replace(ARGUMENTS, langs=("deu", "ita")), {}, False),
        (replace(ARGUMENTS, scope=Scope.HOST), {}, False),
        (replace(ARGUMENTS, seeds=("http://example.com/",)), {}, False),
    ],
)
def test_other_rules_find_other_things_on_the_same_page(
    revisits: Revisits,
    counts: Counter[str],
    arguments: CrawlArguments,
    settings: dict[str, object],
    *,
    is_same: bool,
) -> None:
    last, _ = visit(revisits)
    other = make_revisits(counts, arguments, **settings)
    assert visit(other, last)[1] == is_same


def test_seeds_do_not_matter_where_the_scope_is_the_web(counts: Counter[str]) -> None:
    arguments = replace(ARGUMENTS, scope=Scope.ANY)
    last, _ = visit(make_revisits(counts, arguments))
    other = replace(arguments, seeds=("http://example.com/",))
    assert visit(make_revisits(counts, other), last)[1]


@pytest.mark.parametrize(
    ("page", "is_kept"),
    [
        (make_page(b"", document=Document("a", URL, [])), True),
        (make_page(b"", document=Document("a", URL, []), drop="language/x"), True),
        (make_page(b"", document=Document("a", URL, []), drop="export/error"), False),
        (make_page(b"", drop="cleaning/timeout"), False),
    ],
    ids=["exported", "dropped", "our error", "not read"],
)
def test_what_was_not_read_to_the_end_is_read_anew(
    revisits: Revisits, page: FetchedPage, *, is_kept: bool
) -> None:
    request = Request(URL, meta={VISIT: Visit(1.0, "e", "l", "c", "r")})
    revisits.leave(request, page)
    made = request.meta[VISIT]
    assert made == (Visit(1.0, "e", "l", "c", "r") if is_kept else Visit(1.0))


@pytest.mark.parametrize(
    ("status", "state", "count"),
    [
        (404, UrlState.GONE, "fetch/gone"),
        (410, UrlState.GONE, "fetch/gone"),
        (403, UrlState.FAILED, "fetch/revisits_failed"),
        (500, UrlState.FAILED, "fetch/revisits_failed"),
    ],
)
def test_only_what_the_server_denies_is_gone(
    revisits: Revisits, counts: Counter[str], status: int, state: UrlState, count: str
) -> None:
    request = Request(URL, meta={LAST_VISIT: Visit(1.0)})
    error = HttpError(HtmlResponse(URL, status))
    failure = Failure(error)  # type: ignore[no-untyped-call]
    assert revisits.fail(request, failure, UrlState.FAILED) is state
    assert counts == {"fetch/revisits": 1, count: 1}
    assert (VISIT in request.meta) == (state is UrlState.GONE)


@pytest.mark.parametrize("name", ["de.txt", "de"])
def test_other_texts_of_the_domain_are_other_rules(
    counts: Counter[str], tmp_path: Path, name: str
) -> None:
    source = file = tmp_path / name
    if not source.suffix:
        source.mkdir()
        file = source / "a.txt"
    file.write_text("Lärm schadet.")
    os.utime(file, ns=(1, 1))
    arguments = replace(ARGUMENTS, domain_texts={"deu": source})
    last, _ = visit(make_revisits(counts, arguments))
    assert visit(make_revisits(counts, arguments), last)[1]
    os.utime(file, ns=(2, 2))
    assert not visit(make_revisits(counts, arguments), last)[1]
