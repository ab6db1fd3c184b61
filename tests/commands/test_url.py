"""``scrapy url``: why a URL was or was not visited and exported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from ilspfc.commands.url import describe
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.index import CorpusIndex
from ilspfc.documents import Document, Page
from ilspfc.frontier.reasons import TrapReason
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore

if TYPE_CHECKING:
    from conftest import Crawl, Site

OUTSIDE = "http://127.0.0.1:9/never"
SITE = "https://a.example/"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("", [": a seed\nfrontier: done"]),
        ("en/about.html", ["not kept", "[language/other_language]", "language eng"]),
        ("intern/termine.html", ["frontier: refused", "forbidden by robots.txt"]),
        ("de/laerm.html", ["found on", "kept", "exported as xml/deu-", "paired with"]),
        (
            "de/druck/leitern.html",
            [
                "exported as duplicates/deu-",
                "[dedup/contained]: http://127.",
                "not paired: ",
            ],
        ),
    ],
)
def test_each_way_is_told(
    bilingual_crawl: Crawl, workshop: Site, page: str, said: list[str]
) -> None:
    done = bilingual_crawl.project.run(
        "url", str(bilingual_crawl.corpus), workshop.at(page)
    )
    assert done.status == 0, done.stderr
    for words in said:
        assert words in done.stdout


def test_an_unknown_url_is_called_so(bilingual_crawl: Crawl, workshop: Site) -> None:
    url = workshop.at("never")
    done = bilingual_crawl.project.run_process("url", str(bilingual_crawl.corpus), url)
    assert done.status == 1
    assert done.stdout.strip() == f"{url}: not known; no page that was read links to it"


def test_a_url_outside_the_scope_is_called_so(bilingual_crawl: Crawl) -> None:
    done = bilingual_crawl.project.run("url", str(bilingual_crawl.corpus), OUTSIDE)
    assert done.status == 1
    assert "not known; it is outside the scope of the crawl" in done.stdout
    assert "(scope=site, allow, deny, file types)" in done.stdout


def test_what_is_no_url_is_one_line(bilingual_crawl: Crawl) -> None:
    done = bilingual_crawl.project.run("url", str(bilingual_crawl.corpus), "workshop")
    assert done.status == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("ilspfc: 'workshop' is no http(s) URL: it does not begin")


# -- each end of a way -------------------------------------------------------------------


def _candidate(name: str) -> Candidate:
    return Candidate(SITE + name, SITE + name, "a.example", 1.0, 1, SITE, "mehr")


def _queue(store: SQLiteStore, index: CorpusIndex) -> None:
    store.push(_candidate("page"))


def _visit(store: SQLiteStore, state: UrlState, reason: str) -> None:
    store.push(_candidate("page"))
    store.pop("a.example")
    store.finish(SITE + "page", state, reason)


def _fail(store: SQLiteStore, index: CorpusIndex) -> None:
    _visit(store, UrlState.FAILED, "http_error")
    index.add_failure(
        SITE + "page", "a.example", "http_error", "HTTP 500", is_seed=False
    )


def _forbid(store: SQLiteStore, index: CorpusIndex) -> None:
    _visit(store, UrlState.REFUSED, "robots")


def _drop(store: SQLiteStore, index: CorpusIndex, fate: str) -> None:
    _visit(store, UrlState.DONE, "nothing_new")
    page = Page(url=SITE + "page", id="0", fetched_at="2026-03-02", depth=1, drop=fate)
    page.document = Document("0", page.url, [], lang="deu")
    index.add_page(page, "a.example")


def _drop_off_topic(store: SQLiteStore, index: CorpusIndex) -> None:
    _drop(store, index, "classification/off_topic")


def _drop_error_page(store: SQLiteStore, index: CorpusIndex) -> None:
    _drop(store, index, "cleaning/soft_404")


def _refuse(store: SQLiteStore, index: CorpusIndex) -> None:
    _visit(store, UrlState.REFUSED, TrapReason.BARREN)


@pytest.mark.parametrize(
    ("happen", "said"),
    [
        (_queue, ["frontier: queued; it waits for its turn"]),
        (_fail, ["frontier: failed", "the server answered", "(HTTP 500)"]),
        (_forbid, ["frontier: refused, forbidden by robots.txt"]),
        (
            _drop_off_topic,
            ["frontier: done, without text that had not been seen", "not about the"],
        ),
        (_drop_error_page, ["not kept: an error page", "[cleaning/soft_404]"]),
        (_refuse, ["refused, not asked for", "[frontier/trap_barren]", "seed"]),
    ],
)
def test_each_end_is_told(
    tmp_path: Path, happen: Callable[[SQLiteStore, CorpusIndex], None], said: list[str]
) -> None:
    store = SQLiteStore(tmp_path / "frontier.db")
    with CorpusIndex(tmp_path / "corpus.db") as index:
        index.add_run({"langs": ["deu"], "seeds": [SITE], "scope": "site"})
        happen(store, index)
    store.close()
    with open_corpus(tmp_path, Settings()) as corpus:
        text = "\n".join(describe(corpus, SITE + "page", SITE + "page"))
    assert f"found on {SITE} (“mehr”), 1 links from a seed" in text
    for words in said:
        assert words in text
