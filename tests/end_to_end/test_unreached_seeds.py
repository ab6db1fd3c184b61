"""Crawls that get no page, or none with text: how they end and what they say."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

from ilspfc.exports import validate_tmx

if TYPE_CHECKING:
    from conftest import Crawl, Project, Result, Serve

    Together = Callable[[Iterable[Callable[[], Result]]], list[Result]]


class BrokenHandler(SiteHandler):
    """Has an error for every page."""

    def respond(self) -> None:
        self.answer("<h1>Internal error</h1>", status=500)


class EmptyHandler(SiteHandler):
    """Has one page, with a title and a picture but no text."""

    def respond(self) -> None:
        if self.path == "/":
            self.answer("<title>Bald hier</title><body><img src=bald.png></body>")
        else:
            self.answer("", status=404)


@pytest.fixture(scope="module")
def closed_url() -> str:
    """A URL on loopback where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/de/"


@pytest.fixture(scope="module")
def crawls(
    make_project: Callable[[], Project],
    serve: Serve,
    closed_url: str,
    together: Together,
) -> dict[str, Crawl]:
    """One crawl of each kind."""
    from conftest import Crawl

    broken, empty = serve(BrokenHandler), serve(EmptyHandler)
    seeds = {
        "not allowed": empty.url,
        "closed": closed_url,
        "broken": broken.url,
        "empty": f"{closed_url},{empty.url}",
    }
    guard = {"not allowed": None}
    projects = {name: make_project() for name in seeds}
    results = together(
        partial(
            project.crawl,
            "bilingual",
            {"CORPUS_DIR": "out", "GUARD_ALLOW": guard.get(name, "127.0.0.0/8")},
            langs="de,it",
            domain="demo",
            seeds=seeds[name],
        )
        for name, project in projects.items()
    )
    return {
        name: Crawl(project, result, project.folder / "out")
        for (name, project), result in zip(projects.items(), results, strict=True)
    }


def _last_error(crawl: Crawl) -> str:
    return [
        line for line in crawl.result.stderr.splitlines() if line.startswith("ilspfc: ")
    ][-1]


def test_loopback_needs_to_be_allowed(crawls: dict[str, Crawl]) -> None:
    crawl = crawls["not allowed"]
    assert crawl.result.status == 1
    error = _last_error(crawl)
    seed = CrawledCorpus(crawl.corpus).manifest["seeds"][0]["url"]
    assert f"no seed could be reached: {seed}" in error
    assert "is no public address" in error
    assert "set GUARD_ALLOW=127.0.0.0/8" in error
    assert CrawledCorpus(crawl.corpus).drops() == {"fetch/address_refused": 1}


def test_a_closed_port_is_named(crawls: dict[str, Crawl], closed_url: str) -> None:
    crawl = crawls["closed"]
    assert crawl.result.status == 1
    assert f"no seed could be reached: {closed_url} (" in _last_error(crawl)
    assert "refused" in _last_error(crawl)
    assert CrawledCorpus(crawl.corpus).drops() == {"fetch/not_reached": 1}


def test_a_site_that_answers_with_errors_is_named(crawls: dict[str, Crawl]) -> None:
    crawl = crawls["broken"]
    assert crawl.result.status == 1
    assert "(robots.txt: HTTP 500)" in _last_error(crawl)
    corpus = CrawledCorpus(crawl.corpus)
    assert corpus.drops() == {"fetch/robots_unreachable": 1}
    assert (
        "robots.txt could not be read fetch/robots_unreachable" in corpus.report_text()
    )


def test_a_site_without_text_gives_an_empty_corpus(crawls: dict[str, Crawl]) -> None:
    crawl = crawls["empty"]
    assert crawl.result.status == 0
    assert "1 page fetched" in crawl.result.stdout
    assert "0 documents kept" in crawl.result.stdout
    corpus = CrawledCorpus(crawl.corpus)
    drops = corpus.drops()
    assert drops.pop("fetch/not_reached") == 1
    assert list(drops.values()) == [1]
    assert not (crawl.corpus / "xml").exists() or corpus.documents() == {}


def test_one_seed_that_is_reached_is_enough(
    crawls: dict[str, Crawl], closed_url: str
) -> None:
    crawl = crawls["empty"]
    seeds = CrawledCorpus(crawl.corpus).manifest["seeds"]
    assert [seed["reached"] for seed in seeds] == [False, True]
    assert "refused" in seeds[0]["cause"]
    assert closed_url in crawl.result.stdout


@pytest.mark.parametrize("name", ["not allowed", "closed", "broken", "empty"])
def test_no_crawl_ends_with_a_traceback(crawls: dict[str, Crawl], name: str) -> None:
    crawl = crawls[name]
    assert "Traceback" not in crawl.result.stderr
    assert "<twisted" not in crawl.result.stderr
    corpus = CrawledCorpus(crawl.corpus)
    # Without a page no file looks like a result.
    has_page = name == "empty"
    assert (crawl.corpus / "pairs").exists() == has_page
    assert (crawl.corpus / "de-it.tmx").exists() == has_page
    if has_page:
        assert corpus.pairs() == []
        validate_tmx(crawl.corpus / "de-it.tmx")
        assert corpus.units() == []
