"""Settings that bound a crawl or change its files, turned in whole crawls."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from conftest import Site, SiteHandler
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Project

    Serve = Callable[[type[SiteHandler]], Site]

TEXT = "Wer auf dem Dach arbeitet, sichert sich mit einem Gurt gegen den Absturz. "
PAGES = 24


class BookHandler(SiteHandler):
    """A chain of pages of some 20 kB each."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if name and not name.isdecimal():
            self.answer(status=404)
            return
        number = int(name or 0)
        link = f'<a href="/{number + 1}">weiter</a>' if number < PAGES else ""
        filling = f"<!-- {'x' * 20_000} -->"
        self.answer(f"<p>{number}. {TEXT * 2}</p><p>{link}</p>{filling}")


def crawl_book(
    project: Project, site: Site, folder: str = "out", **settings: str
) -> CrawledCorpus:
    beneath = {"CORPUS_DIR": folder, "CONCURRENT_REQUESTS": "1"}
    settings = {
        **beneath,
        "FRONTIER_MAX_TUNNEL": "99",
        **settings,
    }
    result = project.crawl("monolingual", settings, lang="de", seeds=site.url)
    assert result.status == 0, result.stderr
    return CrawledCorpus(project.folder / folder)


def count_pages(site: Site) -> int:
    return sum(bool(re.fullmatch(r"/\d*", path)) for path in site.requests)


@pytest.mark.parametrize(
    ("settings", "delay", "limit"),
    [
        ({"FRONTIER_MAX_MEGABYTES": "0.1"}, 0.0, "megabytes"),
        ({"FRONTIER_MAX_SECONDS": "4"}, 0.8, "seconds"),
    ],
)
def test_a_run_ends_at_its_limit_and_the_next_one_continues(
    project: Project,
    serve: Serve,
    settings: dict[str, str],
    delay: float,
    limit: str,
) -> None:
    site = serve(BookHandler)
    site.delay_seconds = delay
    corpus = crawl_book(project, site, **settings)
    assert corpus.stats["frontier/limit_reached"] == limit
    assert 1 <= count_pages(site) <= 10
    site.delay_seconds = 0
    crawl_book(project, site)
    assert count_pages(site) == PAGES + 1


def test_pages_of_a_host_are_bounded_over_all_runs(
    project: Project, serve: Serve
) -> None:
    site = serve(BookHandler)
    crawl_book(project, site, FRONTIER_MAX_HOST_PAGES="4")
    assert count_pages(site) == 4
    crawl_book(project, site, FRONTIER_MAX_HOST_PAGES="4")
    assert count_pages(site) == 4
    crawl_book(project, site, FRONTIER_MAX_HOST_PAGES="6")
    assert count_pages(site) == 6


@pytest.mark.parametrize("has_links", [False, True])
def test_links_stand_in_the_file_of_a_page(
    project: Project, serve: Serve, has_links: bool
) -> None:
    site = serve(BookHandler)
    limit = {"FRONTIER_MAX_PAGES": "1", "EXPORTS_FORMATS": "links" * has_links}
    crawl_book(project, site, **limit)
    (path,) = (project.folder / "out" / "xml").glob("*.xml")
    assert (site.at("1") in path.read_text("utf-8")) is has_links
