"""Crawls of a site that has every kind of broken address in every place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from broken_addresses import KINDS, PLACES, make_page
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Project, Serve

PAGES = [(kind, place) for kind in KINDS for place in PLACES][::7]
SENTENCE = (
    "Auf der Baustelle Nummer {} gilt die Regel, dass {} niemand ohne Helm arbeitet."
)


class BrokenAddressHandler(SiteHandler):
    """A chain of pages: each leads to the next, beside what leads nowhere."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if name == "robots.txt":
            lines = (f"Sitemap: {address}" for address, _ in KINDS.values())
            self.answer("\n".join(lines), content_type="text/plain")
        elif name == "moved":
            self.answer(status=301, headers={"Location": "http://tel:+39061234567"})
        elif name == "fine":
            self.answer(
                f"<p>{SENTENCE.format('f', 'hier')} {SENTENCE.format('g', 'dort')}"
            )
        elif name.isdecimal() and int(name) < len(PAGES):
            number = int(name)
            kind, place = PAGES[number]
            text = " ".join(
                SENTENCE.format(number, word) for word in (kind, place, "nie")
            )
            following = "/fine" if number + 1 == len(PAGES) else f"/{number + 1}"
            body, header = make_page(place, KINDS[kind][0], text, following)
            headers = {"Link": header} if header.isascii() and header else {}
            self.answer(
                body.replace(b"</body>", b"<a href=/moved>x</a></body>"),
                headers=headers,
            )
        else:
            self.answer("<p>not here", status=404)


@pytest.mark.parametrize(
    ("spider", "langs", "scope"),
    [
        ("monolingual", {"lang": "de"}, "any"),
        ("bilingual", {"langs": "de,it"}, "site"),
    ],
)
def test_no_address_costs_a_page(
    project: Project, serve: Serve, spider: str, langs: dict[str, str], scope: str
) -> None:
    site = serve(BrokenAddressHandler)
    settings = {"CORPUS_DIR": "out"}
    result = project.crawl(spider, settings, seeds=site.at("0"), scope=scope, **langs)
    assert result.status == 0
    assert "Traceback" not in result.stderr
    corpus = CrawledCorpus(project.folder / "out")
    fates = corpus.fates()
    assert {path for path, fate in fates.items() if fate == "kept"} == {
        "fine",
        *map(str, range(len(PAGES))),
    }
    assert corpus.stats["frontier/dropped/address_port"] > 10
    assert corpus.stats["frontier/dropped/address_host"] > 10
    with (
        closing(sqlite3.connect(project.folder / "out" / "frontier.db")) as frontier,
        frontier,
    ):
        (leased,) = frontier.execute(
            "SELECT count(*) FROM urls WHERE state = 'leased'"
        ).fetchone()
    assert leased == 0


def test_an_unknown_name_is_not_looked_up_again(project: Project) -> None:
    seeds = "http://nowhere.invalid/"
    result = project.crawl("monolingual", {"CORPUS_DIR": "out"}, lang="de", seeds=seeds)
    assert "name not found" in result.stdout + result.stderr
    stats = CrawledCorpus(project.folder / "out").stats
    assert "retry/count" not in stats
