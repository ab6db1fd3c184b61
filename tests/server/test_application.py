"""Pages of the web application over a small corpus: contents, filters, guard, editing."""

from __future__ import annotations

import io
import json
import os
import re
import tempfile
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from scrapy.settings import BaseSettings
from small_corpus import SmallCorpus
from starlette.testclient import TestClient

from ilspfc import settings as defaults
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.removals import Exclusions
from ilspfc.corpus.warc.writer import Exchange, WarcWriter, format_response_head
from ilspfc.crawl.job_file import read_recipe
from ilspfc.documents import (
    Document,
    DocumentPair,
    Page,
    PairState,
    TranslationUnit,
)
from ilspfc.documents.figures import CorpusCounts, LanguageCount, PairCount
from ilspfc.exports import read_tmx
from ilspfc.exports.corpus_files import run_exports
from ilspfc.line.report import run_report
from ilspfc.line.units import run_units
from ilspfc.server import queries
from ilspfc.server.application import make_application
from ilspfc.server.library import Library
from ilspfc.server.pages import downloads, edit

if TYPE_CHECKING:
    from starlette.applications import Starlette

TITLE = "<script>alert(1)</script>"
UNITS = [
    TranslationUnit(
        "Die Bienen fliegen im Sommer.", "Le api volano d'estate.", "1:1", 0.9
    ),
    TranslationUnit(
        "Honig ist <b>süß</b> und gesund.", "Il miele è dolce e sano.", "1:1", 0.7
    ),
]
PAIR = DocumentPair("d1", "i1", 0.9, "content", 0.5, (("lexicon", 0.8),))
BASE = "http://127.0.0.1:8080"


@pytest.fixture
def application(tmp_path: Path) -> Starlette:
    corpus = SmallCorpus(tmp_path / "bees")
    corpus.add("d1", "deu", [unit.source for unit in UNITS], title=TITLE)
    corpus.add("i1", "ita", [unit.target for unit in UNITS], cleaning_score=0.4)
    text = ["Il cane abbaia nella notte."]
    corpus.add("i2", "ita", text, license_id="CC-BY-4.0", genre="article")
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", {PAIR: PairState.PAIR})
        opened.bitext.set_units(PAIR, UNITS, null_share=0.0, mean_score=0.8)
        run_units(opened)
        run_exports(opened)
    values = {k: v for k, v in vars(defaults).items() if k.isupper()}
    library = Library([corpus.files.root], BaseSettings(values))
    library.patience = 30.0  # a busy machine is no large corpus
    return make_application(library, token="secret")


@pytest.fixture
def client(application: Starlette) -> Iterator[TestClient]:
    with TestClient(application, base_url=BASE) as client:
        client.get("/?token=secret")
        client.headers["origin"] = BASE
        yield client
    application.state.builds.close()


@pytest.mark.parametrize(
    ("path", "texts"),
    [
        ("/", ["bees", "German, Italian"]),
        ("/c/bees/", ["3", "documents", "German – Italian"]),
        ("/c/bees/documents", ["d1", "i1", "i2"]),
        ("/c/bees/documents/d1", ["Die Bienen fliegen", "pairs/d1-i1"]),
        ("/c/bees/pairs", ["0.90", "content"]),
        ("/c/bees/pairs/d1-i1", ["Le api volano", "lexicon", "0.80"]),
        ("/c/bees/units", ["Il miele", "0.70", "1:1"]),
        ("/c/bees/lost?reason=", ["There is no list"]),
        ("/c/bees/downloads", ["de-it.tmx", "cesDoc"]),
        ("/c/bees/judge", ["Draw a sample"]),
        ("/c/bees/edit", ["Nothing is excluded", "edit/domain"]),
        ("/c/bees/edit/domain", ["0 terms", "Import"]),
    ],
)
def test_pages_show_the_corpus(path: str, texts: list[str], client: TestClient) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    for text in texts:
        assert text in answer.text
    # Style and scripts are there under the address that the page names.
    for name in re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.text):
        assert client.get(name).status_code == 200


def test_the_frame_says_where_one_is(client: TestClient) -> None:
    page = client.get("/c/bees/documents").text
    assert '<a href="/c/bees/documents" aria-current="page">' in page
    assert page.count('aria-current="page"') == 1
    assert "<title>Documents – bees – ilspfc</title>" in page
    # A page within a list is in the place of the list.
    page = client.get("/c/bees/pairs/d1-i1").text
    assert '<a href="/c/bees/pairs" aria-current="true">' in page


def test_a_corpus_of_one_language_has_no_place_for_pairs(
    application: Starlette, client: TestClient
) -> None:
    assert 'href="/c/bees/units"' in client.get("/c/bees/").text
    library = application.state.library
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        corpus.index.add_run({"langs": ["deu"]})
    page = client.get("/c/bees/").text
    assert 'href="/c/bees/documents"' in page
    assert 'href="/c/bees/units"' not in page


@pytest.mark.parametrize(
    ("state", "age", "shown"),
    [
        (
            {"state": "crawling", "pages_per_second": 2.5},
            0,
            "crawling, 2.5 pages a second",
        ),
        ({"state": "pairing"}, 0, ">pairing<"),
        ({"state": "crawling", "alarms": [{"name": "a", "text": "b"}]}, 0, ">alarm<"),
        ({"state": "crawling"}, 3600, ">interrupted<"),
        ({"state": "finished"}, 3600, ">ready<"),
        ({"state": "stopped"}, 3600, ">stopped<"),
        ({"state": "crawling", "updated": "?"}, 0, ">interrupted<"),
    ],
)
def test_the_frame_says_what_a_corpus_does(
    state: dict[str, object],
    age: int,
    shown: str,
    application: Starlette,
    client: TestClient,
) -> None:
    updated = (datetime.now(UTC) - timedelta(seconds=age)).isoformat()
    files = CorpusFiles(application.state.library.root_of("bees"))
    files.status.write_text(json.dumps({"updated": updated, **state}), "utf-8")
    assert shown in client.get("/c/bees/documents").text


def test_documents_are_sorted_by_what_is_asked_for(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ilspfc.server.queries.PAGE_ROWS", 1)
    for sort in queries.DOCUMENT_ORDERS:
        found = follow(client, "documents", sort, r'href="documents/(\w+)"')
        assert sorted(found) == ["d1", "i1", "i2"], sort
        turned = follow(client, "documents", f"-{sort}", r'href="documents/(\w+)"')
        # Documents without a score come last in either direction.
        assert turned == (found if sort == "cleaning" else found[::-1]) or (
            sort == "cleaning" and turned[0] == found[0] == "i1"
        )


def follow(client: TestClient, what: str, sort: str, pattern: str) -> list[str]:
    """Return what all pages of a sorted list show."""
    address, found = f"/c/bees/{what}?sort={sort}", []
    while address:
        page = client.get(address).text
        found += re.findall(pattern, page)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        address = f"/c/bees/{what}" + unescape(following[1]) if following else ""
    return found


def add_pairs(application: Starlette) -> None:
    """Add pairs of equal probability, one of them not aligned."""
    library = application.state.library
    others = [replace(PAIR, target="i2"), DocumentPair("d1", "d1", 0.95, "urls", 0.5)]
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        states = dict.fromkeys([PAIR, *others], PairState.PAIR)
        corpus.bitext.set_states("deu", "ita", states)
        corpus.bitext.set_units(others[0], UNITS, null_share=0.5, mean_score=0.6)
        corpus.bitext.set_units(
            PAIR, UNITS, null_share=0.0, mean_score=0.8, losses={"unaligned_target": 4}
        )
        corpus.index.set_drops("alignment", {"unaligned_target": 4})


def test_pairs_are_sorted_by_what_is_asked_for(
    application: Starlette, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ilspfc.server.queries.PAGE_ROWS", 1)
    add_pairs(application)
    expected = {
        "": ["d1-d1", "d1-i2", "d1-i1"],
        "probability": ["d1-i1", "d1-i2", "d1-d1"],
        "evidence": ["d1-i1", "d1-i2", "d1-d1"],
        "unaligned": ["d1-i1", "d1-i2", "d1-d1"],
        "-unaligned": ["d1-i2", "d1-i1", "d1-d1"],
        "score": ["d1-i2", "d1-i1", "d1-d1"],
        "-score": ["d1-i1", "d1-i2", "d1-d1"],
    }
    for sort, ids in expected.items():
        found = follow(client, "pairs", sort, r'href="pairs/(\w+-\w+)" data-row')
        assert found == ids, sort
    # The pairs before and behind a pair are those of the list.
    page = client.get("/c/bees/pairs/d1-i2").text
    assert 'rel="prev" href="d1-d1"' in page
    assert 'rel="next" href="d1-i1"' in page


def test_heads_of_lists_sort_them_and_say_so(client: TestClient) -> None:
    page = client.get("/c/bees/documents?lang=ita&sort=-tokens").text
    head = re.search(r'aria-sort="descending"><a href="([^"]+)">Tokens<', page)
    assert head
    # The filter stays, and a second click turns the order around.
    query = unescape(head[1])
    assert "lang=ita" in query
    assert query.endswith("sort=tokens")
    assert page.count("aria-sort") == 1
    assert '<input type="hidden" name="sort" value="-tokens">' in page
    assert 'aria-sort="descending"><a href' in client.get("/c/bees/pairs").text
    # Hits of a search are in the order of their rank.
    assert "aria-sort" not in client.get("/c/bees/documents?q=bienen").text


def test_segments_without_a_partner_are_listed_by_pair(
    application: Starlette, client: TestClient
) -> None:
    add_pairs(application)
    page = client.get("/c/bees/").text
    assert 'href="/c/bees/lost?reason=alignment/unaligned_target"' in page
    page = client.get("/c/bees/lost?reason=alignment/unaligned_target").text
    assert 'href="pairs/d1-i1"' in page
    assert re.search(r'data-label="segments">4<', page)


def test_remarks_and_numbers_are_marked(
    application: Starlette, client: TestClient
) -> None:
    library = application.state.library
    unit = TranslationUnit("12 <b> Bienen von 2026", "12 api", "1:1", 0.9)
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        corpus.bitext.set_units(PAIR, [unit], null_share=0.0, mean_score=0.9)
        run_units(corpus)
    page = client.get("/c/bees/units?reason=numbers").text
    assert "</span> &lt;b&gt; Bienen von <mark>2026</mark>" in page
    assert re.search(r'<a class="chip" title="[^"]+" href="[^"]+">numbers</a>', page)


def test_words_that_translate_each_other_have_the_same_number(
    client: TestClient,
) -> None:
    page = client.get("/c/bees/units").text
    addresses = re.findall(r'hx-get="(units/d1-i1/\d)"', page)
    assert sorted(addresses) == ["units/d1-i1/0", "units/d1-i1/1"]
    text = client.get("/c/bees/units/d1-i1/1").text
    marked = dict(re.findall(r'data-w="(\d+)">([^<]+)', text.partition('lang="it"')[0]))
    others = dict(re.findall(r'data-w="(\d+)">([^<]+)', text.partition('lang="it"')[2]))
    assert {(marked[one], others[one]) for one in marked} >= {
        ("ist", "è"),
        ("und", "e"),
    }
    assert marked.keys() == others.keys()
    assert "&lt;b&gt;" in text
    for path in ("d1-i1/7", "d1-i2/0"):
        assert client.get(f"/c/bees/units/{path}").status_code == 404


def test_names_that_differ_and_words_sought_are_marked(
    application: Starlette, client: TestClient
) -> None:
    library = application.state.library
    unit = TranslationUnit(
        "Die Biene der NASA fliegt im Sommer",
        "L'ape della ESA vola verso Roma",
        "1:1",
        0.9,
    )
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        corpus.bitext.set_units(PAIR, [unit], null_share=0.0, mean_score=0.9)
        run_units(corpus)
    page = client.get("/c/bees/units?q=APE").text
    assert re.findall("<mark>(.*?)</mark>", page) == ["NASA", "ESA", "Roma"]
    assert re.findall('<mark class="found">(.*?)</mark>', page) == ["ape"]
    # They stay marked with the words that translate each other.
    address = re.search(r'hx-get="(units/d1-i1/0\?q=APE)"', page)
    assert address
    assert '<mark class="found">ape' in client.get(f"/c/bees/{address[1]}").text


def test_one_search_finds_documents_and_units(client: TestClient) -> None:
    assert 'action="/c/bees/search"' in client.get("/c/bees/").text
    page = client.get("/c/bees/search?q=miele").text
    assert 'href="documents/i1"' in page
    assert 'Il <mark class="found">miele</mark>' in page
    assert 'href="documents?q=miele"' in page
    assert 'href="units?langs=deu-ita&amp;q=miele"' in page
    page = client.get("/c/bees/search?q=wespe").text
    assert "No document has all of these words" in page
    assert "No unit has all of these words" in page
    assert "Give words" in client.get("/c/bees/search").text


def test_charts_have_tables(application: Starlette, client: TestClient) -> None:
    page = client.get("/c/bees/").text
    assert 'aria-label="Documents by genre"' in page
    assert 'aria-label="Probabilities of 1 pair"' in page
    assert page.count("<svg") == page.count("As a table") == 3
    assert re.search(r"<td>0\.90 to 0\.95</td><td class=\"n\">1</td>", page)
    client.post("/c/bees/judge", data={"what": "segments", "size": ""})
    fields = {"judge": "ada", "number": 1, "unit": "right"}
    client.post("/c/bees/judge/segments?judge=ada", data=fields)
    page = client.get("/c/bees/judge").text
    assert page.count("<svg") == page.count("As a table") == 1
    assert 'class="interval"' in page


@pytest.mark.parametrize(
    ("path", "tab"),
    [
        ("concordance?q=miele", "documents"),
        ("lost?reason=", ""),
        ("search", "documents"),
    ],
)
def test_pages_without_a_tab_mark_the_one_they_belong_to(
    path: str, tab: str, client: TestClient
) -> None:
    page = client.get(f"/c/bees/{path}").text
    assert re.findall(r'href="/c/bees/(\w*)" aria-current', page) == [tab]


def test_empty_lists_have_a_way_on(client: TestClient) -> None:
    for path, way in (
        ("documents?lang=fra", 'href="documents">Show all'),
        ("pairs?min=1", 'href="pairs">Show all'),
        ("pairs?state=taken", "/c/bees/#funnel"),
        ("units?q=wespe", 'href="units">Show all'),
        ("lost?reason=none", "/c/bees/#funnel"),
    ):
        assert way in client.get(f"/c/bees/{path}").text, path


def test_the_foot_leads_to_the_documentation(client: TestClient) -> None:
    assert 'href="/docs/server">Documentation<' in client.get("/").text
    assert "The web application" in client.get("/docs/server").text
    for name in ("..%2Fpyproject", "none"):
        assert client.get(f"/docs/{name}").status_code == 404


def test_what_to_do_next_has_numbers(
    application: Starlette, client: TestClient
) -> None:
    library = application.state.library
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        corpus.index.set_drops("pairing", {"no_candidate": 69})
    page = client.get("/c/bees/").text
    assert "69 documents have no candidate</a>" in page
    assert "Judge a sample</a> of the 1 pair:" in page
    assert re.search(r"Download \d+ files</a>", page)


def test_the_list_of_corpora_shows_states_and_renews_itself(
    application: Starlette, client: TestClient
) -> None:
    files = CorpusFiles(application.state.library.root_of("bees"))
    assert 'hx-trigger="every 30s" hx-select="#corpora"' in client.get("/").text
    now = datetime.now(UTC).isoformat()
    state = {"updated": now, "state": "crawling", "pages_per_second": 2.5}
    files.status.write_text(json.dumps(state), "utf-8")
    page = client.get("/").text
    assert "crawling, 2.5 pages a second" in page
    assert 'hx-trigger="every 3s" hx-select="#corpora"' in page


def test_a_concordance_has_each_occurrence_in_its_context(client: TestClient) -> None:
    page = client.get("/c/bees/concordance?q=%C3%A8+DOLCE").text
    assert "1 occurrence in 1 document." in page
    assert re.search(r"Il miele </bdi>.*>è dolce<.*<bdi> e sano", page)
    none = client.get("/c/bees/concordance?q=miele&lang=deu").text
    assert "No document has these words" in none
    assert "Give a word" in client.get("/c/bees/concordance").text
    assert 'href="concordance?q=miele"' in client.get("/c/bees/documents?q=miele").text


def test_a_floor_says_what_would_go(client: TestClient) -> None:
    page = client.get("/c/bees/units?min=0.99").text
    assert re.search(r"0 units of \d+, with scores from 0.99 to 1", page)
    assert "2 would go" in page
    assert client.get("/c/bees/units?sort=best").status_code == 400


def test_report_and_pages_have_their_numbers_from_one_function(
    application: Starlette, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = CorpusCounts(
        langs=("deu", "ita"),
        pages_fetched=7_001,
        documents=(LanguageCount("deu", 5_003, 9, 8, 7),),
        pairs=(PairCount("deu", "ita", 4_007, 3_011),),
    )
    monkeypatch.setattr("ilspfc.corpus.counts.count_corpus", lambda *_: counted)
    with TestClient(application, base_url=BASE) as client:
        client.headers["authorization"] = "Bearer secret"
        for path in ("/", "/c/bees/"):
            page = client.get(path).text
            assert all(n in page for n in ("7,001", "5,003", "4,007", "3,011"))
    library = application.state.library
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        run_report(corpus)
        stats = json.loads(corpus.files.stats.read_text("utf-8"))
    assert (stats["fetch/pages"], stats["export/documents"]) == (7_001, 5_003)
    assert (stats["pairing/pairs"], stats["alignment/units"]) == (4_007, 3_011)


def test_what_a_stage_over_the_corpus_put_apart_is_listed(
    application: Starlette, client: TestClient
) -> None:
    library = application.state.library
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        corpus.index.set_duplicates({"i2": ("i1", "near_duplicate")})
        corpus.index.set_drops("dedup", {"near_duplicate": 1})
    page = client.get("/c/bees/lost?reason=dedup/near_duplicate").text
    assert re.findall(r'href="documents/(\w+)"', page) == ["i2"]
    assert "<code>dedup/near_duplicate</code>: 1" in page
    assert "Il cane" in client.get("/c/bees/documents/i2").text


def test_no_number_leads_to_an_empty_list(
    application: Starlette, client: TestClient
) -> None:
    library = application.state.library
    first, second = UNITS
    alike = replace(first, source="Die Bienen fliegen im Sommer!")
    with open_corpus(library.root_of("bees"), library.settings) as corpus:
        corpus.bitext.set_units(
            PAIR, [first, second, first, alike], null_share=0.0, mean_score=0.8
        )
        run_units(corpus)
        run_exports(corpus)
        exports = dict.fromkeys(("duplicate", "near_duplicate", "text_short"), 1)
        corpus.index.set_drops("exports", exports)
        corpus.index.set_drops("content", {"frame": 7})
        corpus.index.set_duplicates({"i2": ("i1", "untranslated_copy")})
        corpus.index.set_drops("dedup", {"untranslated_copy": 1})
    page = client.get("/c/bees/").text
    links = re.findall(r'href="(/c/bees/(?:units|lost)\?reason=[^"]+)"', page)
    assert {link.rpartition("=")[2] for link in links} == {
        "duplicate",
        "near_duplicate",
        "dedup/untranslated_copy",
    }
    for link in links:
        text = client.get(link).text
        assert "There is no list" not in text
        assert "No unit meets" not in text
    text = client.get("/c/bees/units?reason=near_duplicate").text
    assert "im Sommer!" in text
    assert "exports/text_short" in page


def test_pages_in_no_language_of_the_crawl_are_listed(
    application: Starlette, client: TestClient
) -> None:
    library = application.state.library
    with (
        open_corpus(library.root_of("bees"), library.settings) as corpus,
        corpus.index.transaction() as connection,
    ):
        for number, lang in enumerate(("other", "und", "", "fra")):
            connection.execute(
                "INSERT INTO pages VALUES (?, ?, 'a.org', 'language/other_language', ?,"
                " 0, 0, 0, '', '', 0, NULL, '')",
                (f"http://a.org/{number}", f"p{number}", lang),
            )
    page = client.get("/c/bees/lost?reason=language/other_language").text
    assert page.count("http://a.org/") == 8  # address and text of each link
    assert "other" in page
    assert "French" in page


def test_crawled_text_is_never_markup(client: TestClient) -> None:
    for path in ("documents", "documents/d1", "pairs", "pairs/d1-i1", "units"):
        answer = client.get(f"/c/bees/{path}")
        assert "<script>alert" not in answer.text
        assert "<b>süß" not in answer.text
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
    assert "&lt;script&gt;alert" in client.get("/c/bees/documents/d1").text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=bienen", {"d1"}),
        ("q=perché+%22", set()),
        ("q=cane", {"i2"}),
        ("lang=ita", {"i1", "i2"}),
        ("q=cane&lang=deu", set()),
        ("license=CC-BY-4.0", {"i2"}),
        ("site=a.org", {"d1", "i1", "i2"}),
        ("relevance=5", set()),
        ("cleaning=0.5", {"i1"}),
        ("genre=article", {"i2"}),
        ("genre=article&lang=deu", set()),
        ("genre=article&q=cane", {"i2"}),
        ("genre=forum&q=cane", set()),
    ],
)
def test_filters_of_documents(query: str, found: set[str], client: TestClient) -> None:
    page = client.get(f"/c/bees/documents?{query}").text
    assert set(re.findall(r'href="documents/(\w+)"', page)) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Honig", "Die Bienen"]),
        ("min=0.8", ["Die Bienen"]),
        ("q=miele", ["Honig"]),
        ("reason=quality", []),
    ],
)
def test_filters_of_units(query: str, found: list[str], client: TestClient) -> None:
    page = client.get(f"/c/bees/units?{query}").text
    places = [page.find(text) for text in ("Honig", "Die Bienen") if text in page]
    assert len(places) == len(found)
    assert places == sorted(places)


def test_wrong_requests_are_answered_in_plain_words(client: TestClient) -> None:
    for path, status, text in (
        ("/c/wasps/", 404, "wasps: no such corpus"),
        ("/c/bees/documents/x9", 404, "x9: no such document"),
        ("/c/bees/pairs?min=low", 400, "give numbers from 0 to 1"),
        ("/c/bees/pairs?after=x", 400, "no place in this list"),
        ("/c/bees/units?after=x+1", 400, "no place in this list"),
        (f"/c/bees/units?after=0.5+{'9' * 30}", 200, "Honig"),
        ("/c/bees/documents?q=a%00b", 200, "documents"),
        ("/static/../secret", 404, "Not Found"),
        ("/try", 404, "starts no crawls"),
        ("/api/jobs", 404, "starts no crawls"),
    ):
        answer = client.get(path)
        assert (answer.status_code, text in answer.text) == (status, True), path
    assert client.get("/api/jobs").json() == {
        "errors": {"": "This server starts no crawls; see `ilspfc serve --jobs`."}
    }


def test_requests_without_the_token_get_nothing(application: Starlette) -> None:
    with TestClient(application, base_url=BASE) as client:
        assert client.get("/").status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        bearer = {"authorization": "Bearer secret"}
        assert client.get("/c/bees/", headers=bearer).status_code == 200
        answer = client.get("/c/bees/?token=secret&x=1", follow_redirects=False)
        assert answer.headers["location"] == "/c/bees/?x=1"
        assert "httponly" in answer.headers["set-cookie"].lower()
        assert "samesite=strict" in answer.headers["set-cookie"].lower()
        assert client.get("/", headers={"host": "evil.example"}).status_code == 421


def make_link(client: TestClient, days: str = "7") -> str:
    page = client.post("/c/bees/share", data={"days": days}).text
    found = re.search(r'value="http://127\.0\.0\.1:8080(/c/bees/\?share=[^"]+)"', page)
    assert found, page
    return found[1]


def test_a_read_only_link_shows_its_corpus_and_changes_nothing(
    application: Starlette, client: TestClient, tmp_path: Path
) -> None:
    SmallCorpus(tmp_path / "wasps")
    application.state.library.add(tmp_path / "wasps")
    link = make_link(client)
    with TestClient(application, base_url=BASE) as guest:
        page = guest.get(link)
        assert page.status_code == 200
        assert page.url == f"{BASE}/c/bees/"
        cookie = guest.cookies["ilspfc_share"]
        assert "secret" not in f"{cookie}{page.text}"
        assert not re.search(r'href="[^"]*/(judge|edit|try)"', page.text)
        assert 'href="/"' not in page.text
        for path in (
            *("documents", "documents/d1", "pairs/d1-i1", "units", "downloads"),
            *("units/d1-i1/0", "concordance?q=miele", "lost?reason=", "downloads/0"),
        ):
            answer = guest.get(f"/c/bees/{path}")
            assert answer.status_code == 200, path
            assert "Exclude" not in answer.text, path
        assert guest.get("/static/server.css").status_code == 200
        for path in (
            *("/", "/metrics", "/try", "/api/jobs", "/c/wasps/", "/c/bees"),
            *("/c/bees/judge", "/c/bees/judge/pairs", "/c/bees/edit", "/c/bees/build"),
            *("/c/bees/%65dit", "/c/bees//edit/", "/c/bees/../wasps/"),
        ):
            assert guest.get(path, follow_redirects=False).status_code in {403, 404}, (
                path
            )
        guest.headers["origin"] = BASE
        for path in ("exclude", "share", "build", "filter", "edit/domain"):
            answer = guest.post(f"/c/bees/{path}", data={"days": "7"})
            assert answer.status_code == 403, path


def test_a_read_only_link_has_an_end_and_cannot_be_made_up(
    application: Starlette, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = make_link(client)
    for days in ("0", "366", "many", ""):
        answer = client.post("/c/bees/share", data={"days": days})
        assert answer.status_code == 400
    name, expires, signature = link.partition("share=")[2].split(".")
    made_up = [
        f"{name}.{int(expires) + 1}.{signature}",
        f"wasps.{expires}.{signature}",
        f"{name}.{expires}.{signature[:-1]}",
        f"{name}.{expires}.",
        f"{name}.{'9' * 5000}.{signature}",
        f"{name}.٣.{signature}",
        "..",
        "é.1.x",
    ]
    for share in made_up:
        with TestClient(application, base_url=BASE) as guest:
            answer = guest.get("/c/bees/", params={"share": share})
            assert answer.status_code == 401, share
            guest.cookies.set("ilspfc_share", quote(share))
            assert guest.get("/c/bees/").status_code == 401, share
    with TestClient(application, base_url=BASE) as guest:
        assert guest.get(link).status_code == 200
        monkeypatch.setattr(time, "time", lambda: float(expires))
        assert guest.get("/c/bees/").status_code == 401
        assert guest.get(link).status_code == 401


def test_requests_of_other_sites_change_nothing(client: TestClient) -> None:
    fields = {"kind": "host", "value": "a.org"}
    for origin in ("https://evil.example", "null", "http://127.0.0.1:8081"):
        answer = client.post("/c/bees/exclude", data=fields, headers={"origin": origin})
        assert answer.status_code == 403
    assert "Nothing is excluded" in client.get("/c/bees/edit").text


def build_again(client: TestClient, root: Path) -> list[str]:
    """Build a corpus; return the sources in its memory."""
    client.post("/c/bees/build")
    while "Building" in (page := client.get("/c/bees/edit").text):
        time.sleep(0.2)
    assert "Built." in page, page
    return [unit.source for unit in read_tmx(root / "de-it.tmx")]


def test_an_excluded_unit_is_in_no_export(
    client: TestClient, application: Starlette
) -> None:
    root = application.state.library.root_of("bees")
    values = [UNITS[1].source, UNITS[1].target]
    fields: dict[str, Any] = {"kind": "unit", "value": values}
    assert client.post("/c/bees/exclude", data=fields).status_code == 200
    assert "süß" in client.get("/c/bees/edit").text
    assert build_again(client, root) == [UNITS[0].source]
    answer = client.post("/c/bees/exclude", data={**fields, "undo": "1"})
    assert "Nothing is excluded" in answer.text
    assert Exclusions(root / "exclusions.tsv").entries == []
    wrong = client.post("/c/bees/exclude", data={"kind": "unit", "value": "one"})
    assert (wrong.status_code, "unit takes 2 values" in wrong.text) == (400, True)


def test_all_that_a_list_shows_is_excluded_and_taken_back(
    client: TestClient, application: Starlette
) -> None:
    path = application.state.library.root_of("bees") / "exclusions.tsv"
    assert "Exclude 1 unit" in client.get("/c/bees/units?min=0.8").text
    assert "Exclude all 1" in client.get("/c/bees/pairs?evidence=content").text
    assert "Exclude all" not in client.get("/c/bees/units").text
    one = "/c/bees/units/exclude?min=0.8"
    number = len([unit for unit in UNITS if unit.score >= 0.8])
    assert 0 < number < len(UNITS)
    kept = client.post("/c/bees/exclude", data={"kind": "host", "value": "b.example"})
    assert kept.status_code == 200
    htmx = {"hx-request": "true"}
    answer = client.post(one, data={"go": "1"}, headers=htmx).text
    assert f"{number} unit excluded" in answer
    assert "Take back" in answer
    entries = Exclusions(path).entries
    assert [e.kind for e in entries] == ["host", *["unit"] * number]
    answer = client.post(one, data={"undo": "1"}, headers=htmx).text
    assert "in the exports again" in answer
    assert [e.kind for e in Exclusions(path).entries] == ["host"]
    row = "/c/bees/units/exclude?only=d1-i1/1"
    assert "1 unit excluded" in client.post(row, data={"a": "1"}, headers=htmx).text
    assert Exclusions(path).entries[-1].values == (UNITS[1].source, UNITS[1].target)
    assert "in the exports" in client.post(row, data={"undo": "1"}, headers=htmx).text
    for gone in ("d1-i1/7", "d1", "/", "d1-i1/x"):
        missing = f"/c/bees/units/exclude?only={gone}"
        assert client.post(missing, data={"a": "1"}).status_code == 200
    client.post("/c/bees/pairs/exclude", data={"go": "1"})
    assert [e.kind for e in Exclusions(path).entries] == ["host", "pair"]
    assert client.post("/c/bees/hosts/exclude", data={"a": "1"}).status_code == 404


@pytest.mark.parametrize("query", ["lang=ita", "q=miele"])
def test_all_documents_that_a_list_shows_are_excluded(
    query: str, client: TestClient, application: Starlette
) -> None:
    root = application.state.library.root_of("bees")
    address = f"/c/bees/documents/exclude?{query}"
    number = {"lang=ita": 2, "q=miele": 1}[query]
    page = client.get(f"/c/bees/documents?{query}").text
    assert f"Exclude all {number}" in page
    assert "Exclude all" not in client.get("/c/bees/documents").text
    htmx = {"hx-request": "true"}
    answer = client.post(address, data={"go": "1"}, headers=htmx).text
    assert f"{number} document" in answer
    kinds = [one.kind for one in Exclusions(root / "exclusions.tsv").entries]
    assert kinds == ["document"] * number
    # Neither has the pair of an excluded document units in an export.
    assert build_again(client, root) == []
    answer = client.post(address, data={"undo": "1"}, headers=htmx).text
    assert "in the exports again" in answer
    assert build_again(client, root) == [UNITS[0].source]


def test_a_bound_that_is_used_filters_the_next_build(
    client: TestClient, application: Starlette
) -> None:
    root = application.state.library.root_of("bees")
    assert "Use this bound" in client.get("/c/bees/units?min=0.8").text
    assert "Use this bound" not in client.get("/c/bees/units").text
    assert client.post("/c/bees/filter", data={"min": "0.8"}).status_code == 200
    for _ in range(2):  # the second changes nothing
        answer = client.post("/c/bees/filter", data={"reason": "numbers"})
    assert "EXPORTS_FILTERS = numbers=drop" in answer.text
    assert read_recipe(root / "filter.toml") == {
        "EXPORTS_MIN_SCORE": "0.8",
        "EXPORTS_FILTERS": "numbers=drop",
    }
    assert build_again(client, root) == []
    for fields in ({"min": "much"}, {"reason": "ugly"}, {"min": "7"}):
        assert client.post("/c/bees/filter", data=fields).status_code == 400
    client.post("/c/bees/filter", data={"undo": "1"})
    assert not (root / "filter.toml").exists()
    assert build_again(client, root) == [UNITS[0].source]


def test_too_many_are_not_excluded_at_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edit, "MAX_EXCLUDED", 0)
    for what in ("documents", "pairs", "units"):
        answer = client.post(f"/c/bees/{what}/exclude", data={"a": "1"})
        assert (answer.status_code, "too many to exclude" in answer.text) == (400, True)


DEFINITION = "weight\tterm\tsubdomain\tlang\n10\tBiene\tbees\tde\n10\tapi\tbees\tit\n"
DOMAIN = "/c/bees/edit/domain"


def read_terms(page: str) -> dict[str, str | list[str]]:
    """Return what a browser sends of the table of terms."""
    fields: dict[str, str | list[str]] = {
        name: unescape(value)
        for name, value in re.findall(r'<input name="(.*?)" value="(.*?)"', page)
    }
    for name in ("keep", "row"):
        fields[name] = re.findall(rf'name="{name}" value="(.+?)"', page)
    return {**fields, "digest": re.findall(r'name="digest" value="(.+?)"', page)[0]}


def test_a_definition_is_a_table(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = client.get("/c/bees/edit").text
    assert "crawled without a definition" in page
    assert 'href="edit/domain"' in page

    # A definition is taken as it is, from a file or the clipboard.
    fields = read_terms(client.get(DOMAIN).text)
    page = client.post(DOMAIN, data={**fields, "imported": DEFINITION}).text
    assert "2 terms added" in page
    # Documents with each term, in its language; each number leads to them.
    hits = re.findall(r'concordance\?q=(\w+)&amp;lang=(\w+)">(\d+)<', page)
    assert hits == [("api", "ita", "1")]

    # What the changes make of the documents is shown before they are kept.
    fields = read_terms(page)
    shift = client.post(f"{DOMAIN}/check", data=fields).text
    assert "<strong>0</strong> of 3 documents" in shift
    assert "1.0" in shift
    assert "left out" in shift
    wrong = {**fields, "weight-0": "x"}
    shift = client.post(f"{DOMAIN}/check", data=wrong).text
    assert "Biene: weight &#39;x&#39; is no number" in shift
    answer = client.post(DOMAIN, data=wrong)
    assert (answer.status_code, "is no number" in answer.text) == (400, True)

    # Rows are changed, added and deleted.
    new = fields["row"][-1]
    changes = {"keep": ["1"], "weight-1": "-5", f"term-{new}": "dolce"}
    page = client.post(DOMAIN, data={**fields, **changes, "sort": "weight"}).text
    cells = re.findall(r'<input name="(?:weight|term)-\d+" value="(.*?)"', page)
    assert cells[:4] == ["50", "dolce", "-5", "api"]
    assert 'aria-sort="descending"' in page
    assert client.post(DOMAIN, data=fields).status_code == 409
    # Those with most documents first.
    none = {**read_terms(page), f"term-{new}": "Wespe", "sort": "hits"}
    page = client.post(DOMAIN, data=none).text
    assert page.index('value="api"') < page.index('value="Wespe"')
    page = client.get(f"{DOMAIN}?sort=term").text
    assert page.index('value="api"') < page.index('value="Wespe"')

    fields = {**read_terms(page), "save": "1", "name": "bees-2"}
    assert "domain=bees-2" in client.post(DOMAIN, data=fields).text
    saved = (tmp_path / "domains" / "bees-2.tsv").read_text("utf-8")
    assert (
        saved
        == "weight\tterm\tsubdomain\tlang\n-5\tapi\tbees\tit\n50\tdolce\t\t\n50\tWespe\t\t\n"
    )
    for name in ("bees-2", "../bees", "", "demo"):
        answer = client.post(DOMAIN, data={**fields, "name": name})
        assert answer.status_code == 400, name
    page = client.post(DOMAIN, data={"discard": "1"}).text
    assert "0 terms" in page


def make_page(document: Document, reason: str) -> Page:
    """Return a page that was dropped as irrelevant."""
    drop = f"classification/{reason}"
    return Page(
        url=document.url,
        id=document.id,
        fetched_at="",
        depth=1,
        document=document,
        drop=drop,
    )


def test_dropped_pages_show_what_a_change_gains(
    client: TestClient, application: Starlette
) -> None:
    files = CorpusFiles(application.state.library.root_of("bees"))
    given = {**read_terms(client.get(DOMAIN).text), "dropped": "on"}
    client.post(
        DOMAIN,
        data={**given, "imported": "9; Wabe; ; de\n9; Imker; ; de\n9; Stock; ; de"},
    )
    given = {**read_terms(client.get(DOMAIN).text), "dropped": "on"}
    assert "No page was dropped" in client.post(f"{DOMAIN}/check", data=given).text

    texts = {
        "/wabe": "Der Imker nimmt im Juli eine Wabe, dann die nächste Wabe, aus dem Stock.",
        "/hund": "Der Hund bellt am Stock in der Nacht, und niemand in der ganzen Straße schläft.",
    }
    now = datetime.now(UTC)
    with CorpusIndex(files.index) as index:
        for number, path in enumerate(texts):
            document = Document(f"p{number}", f"http://b.org{path}", [], lang="deu")
            index.add_page(make_page(document, "off_topic"), "b.org")
    shift = client.post(f"{DOMAIN}/check", data=given).text
    assert "no archive of its pages" in shift

    writer = WarcWriter(files.archive, {}, max_bytes=10_000, prefix="t")
    for path, text in texts.items():
        body = f"<title>{path}</title><h1>{path}</h1><p>{3 * text}</p>".encode()
        url, fields = f"http://b.org{path}", [(b"Content-Type", b"text/html")]
        head = format_response_head("HTTP/1.1", 200, fields, len(body))
        writer.write(Exchange(url, now, b"GET / HTTP/1.1\r\n\r\n", head, body))
    writer.close()
    os.utime(files.index, (0, time.time() + 9))
    shift = client.post(f"{DOMAIN}/check", data=given).text
    assert "<strong>1</strong> of 2 pages that were dropped would be gained" in shift
    assert re.search(r'href="http://b.org/wabe".*?<td>gained</td>', shift)
    assert "/hund" not in shift  # dropped by the changed definition, too
    assert shift.index("/wabe") < shift.index("left out")


def test_lists_of_documents_need_no_sorting(application: Starlette) -> None:
    """The default order and its pages are those of an index."""
    library = application.state.library
    sql = "EXPLAIN QUERY PLAN SELECT id FROM kept_documents {} ORDER BY url, id LIMIT 9"
    with library.open("bees") as corpus:
        for where in ("", "WHERE (url, id) > ('a', 'b')"):
            plan = [row[3] for row in corpus.index.rows(sql.format(where))]
            assert any("COVERING INDEX documents_listed" in step for step in plan)
            assert not any("B-TREE" in step for step in plan)


def test_a_sample_says_of_how_many_pages_it_is(
    application: Starlette,
) -> None:
    library = application.state.library
    with CorpusIndex(CorpusFiles(library.root_of("bees")).index) as index:
        for number in range(5):
            document = Document(f"p{number}", f"http://b.org/{number}", [])
            index.add_page(make_page(document, "sparse_terms"), "b.org")
        fates = ["classification/sparse_terms"]
        number, pages = queries.sample_pages(index, fates, 2)
    assert (number, [*pages]) == (5, ["http://b.org/0", "http://b.org/1"])


TBX = """<?xml version="1.0"?><martif><text><body><termEntry>
<langSet xml:lang="de"><tig><term>Wabe</term></tig></langSet>
<langSet xml:lang="it"><tig><term>favo</term></tig></langSet>
</termEntry></body></text></martif>"""
SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<u:1> skos:prefLabel "Bees"@en, "Wabe"@de ; skos:narrower <u:2> .
<u:2> skos:prefLabel "favo"@it ."""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns:skos="http://www.w3.org/2004/02/skos/core#"><skos:Concept rdf:about="u:1">
<skos:prefLabel xml:lang="de">Wabe</skos:prefLabel>
<skos:altLabel xml:lang="it">favo</skos:altLabel></skos:Concept></rdf:RDF>"""


@pytest.mark.parametrize(
    ("text", "concept", "said"),
    [
        (TBX, "", ""),
        (SKOS, "bees", ""),
        (RDF, "wabe", ""),
        ("de,it\nWabe,favo\n", "", ""),
        ("weight;term;lang\n9;Wabe;de\n9;favo;it\n", "", ""),
        ("9; Wabe; x; de\n9; favo; x; it\n", "", ""),
        (SKOS, "wasps", "import: no concept is called wasps"),
        (TBX[:-20], "", "import: the first line"),
        ("honey", "", "names no columns; it must have languages"),
        ("<a></a>", "", "import: no conceptEntry or termEntry in it"),
    ],
)
def test_terms_are_imported(
    text: str, concept: str, said: str, client: TestClient
) -> None:
    fields = read_terms(client.get(DOMAIN).text)
    given = {**fields, "imported": text, "concept": concept}
    answer = client.post(DOMAIN, data=given)
    assert answer.status_code == (400 if said else 200)
    assert said in unescape(answer.text)
    found = re.findall(r'<input name="term-\d+" value="([^"]+)"', answer.text)
    assert found == ([] if said else ["Wabe", "favo"])


def test_a_large_definition_has_pages(client: TestClient) -> None:
    text = DEFINITION + "".join(f"1\tterm {n:03}\t\tde\n" for n in range(150))
    fields = read_terms(client.get(DOMAIN).text)
    page = client.post(DOMAIN, data={**fields, "imported": text}).text
    assert "152 terms, page 1 of 2." in page
    assert len(page) < 60_000
    fields = {**read_terms(page), "page": "2", "only": "de"}
    page = client.post(DOMAIN, data=fields).text
    assert "151 terms, page 2 of 2." in page
    assert 'value="term 149"' in page
    assert 'value="term 000"' not in page
    # What is on other pages stays.
    fields = {**read_terms(page), "keep": [], "only": ""}
    assert "81 terms" in client.post(DOMAIN, data=fields).text


def test_verdicts_make_an_interval(client: TestClient) -> None:
    answer = client.post("/c/bees/judge", data={"what": "segments", "size": ""})
    assert "Your name" in answer.text
    page = client.get("/c/bees/judge/segments?judge=ada").text
    assert "1 of 2, 0 judged by ada" in page
    for number in (1, 2):
        client.post(
            "/c/bees/judge/segments?judge=ada",
            data={"judge": "ada", "number": number, "unit": "right"},
        )
    # The time left is told by the speed of the session.
    since = int(time.time()) - 60
    page = client.get(f"/c/bees/judge/segments?judge=bob&since={since}&before=0").text
    assert "left at this speed" not in page
    fields = {"judge": "bob", "number": 1, "unit": "right"}
    session = f"judge=bob&since={since}&before=0"
    page = client.post(f"/c/bees/judge/segments?{session}", data=fields).text
    assert re.search(r"1 judged by bob, 1 min[^,]* left at this speed", page), page
    tables = client.get("/c/bees/judge").text
    assert "100.0 % (34.2 to 100.0)" in tables
    assert "judged by ada" in tables.lower()


def test_a_pair_is_judged_on_its_page(
    client: TestClient, application: Starlette
) -> None:
    files = CorpusFiles(application.state.library.root_of("bees"))
    assert 'value="borderline"' in client.get("/c/bees/pairs/d1-i1").text
    assert not files.judging.exists()
    address = "/c/bees/pairs/d1-i1"
    for verdict in ("not", "parallel", "great"):
        page = client.post(address, data={"judge": "ada", "parallel": verdict}).text
    assert re.search(r'value="parallel" [^>]+ aria-pressed="true"', page)
    assert "ada: parallel." in page
    # It counts as soon as the pair is in the sample.
    assert "Parallelness" not in client.get("/c/bees/judge").text
    client.post("/c/bees/judge", data={"what": "pairs", "size": ""})
    assert "Parallelness" in client.get("/c/bees/judge").text
    for path, fields, status in (
        (address, {"parallel": "not"}, 400),
        ("/c/bees/pairs/d1-i9", {"judge": "ada", "parallel": "not"}, 404),
    ):
        assert client.post(path, data=fields).status_code == status


def test_downloads_are_the_files_of_the_corpus(
    client: TestClient, application: Starlette
) -> None:
    page = client.get("/c/bees/downloads").text
    names = re.findall(r'href="(downloads/\d+)">([^<]+)', page)
    (memory,) = [link for link, name in names if name == "de-it.tmx"]
    root = application.state.library.root_of("bees")
    answer = client.get(f"/c/bees/{memory}")
    assert answer.content == (root / "de-it.tmx").read_bytes()
    (documents,) = [link for link, name in names if name == "xml.zip"]
    assert client.get(f"/c/bees/{documents}").content[:2] == b"PK"
    assert client.get("/c/bees/downloads/99").status_code == 404


def test_under_a_proxy_all_links_have_its_path(application: Starlette) -> None:
    with TestClient(application, base_url=BASE, root_path="/corpora") as client:
        client.headers["authorization"] = "Bearer secret"
        page = client.get("/corpora/c/bees/documents").text
    assert 'href="/corpora/static/server.css"' in page
    assert not re.findall(r'(?:href|src|action)="/(?!corpora/)', page)


def test_metrics_tell_the_state_of_each_crawler(
    application: Starlette, client: TestClient
) -> None:
    root = application.state.library.root_of("bees")
    alarm = {"name": "disk_full", "text": "the disk is full in 4 hours"}
    state = {"state": "crawling", "pages": 7, "documents": 5, "alarms": [alarm]}
    (root / "status.json").write_text(json.dumps(state))
    part = root / "parts" / 'c"1'
    part.mkdir(parents=True)
    done = {"state": "finished", "pages": 3, "updated": "2026-01-01T00:00:00+00:00"}
    (part / "status.json").write_text(json.dumps(done))
    (root / "build.json").write_text(json.dumps({"state": "pairing", "seconds": 9}))
    (root / "parts" / "broken").mkdir()
    (root / "parts" / "broken" / "status.json").write_text("none")

    answer = client.get("/metrics")

    assert answer.status_code == 200
    lines = answer.text.splitlines()
    assert 'ilspfc_pages_total{corpus="bees",crawler=""} 7' in lines
    assert 'ilspfc_alarms{corpus="bees",crawler=""} 1' in lines
    assert 'ilspfc_alarm{corpus="bees",crawler="",alarm="disk_full"} 1' in lines
    assert 'ilspfc_finished{corpus="bees",crawler="c\\"1"} 1' in lines
    assert "# TYPE ilspfc_queued_urls gauge" in lines
    assert 'ilspfc_build_running{corpus="bees",stage="pairing"} 1' in lines
    assert 'ilspfc_build_seconds_total{corpus="bees",stage="pairing"} 9' in lines
    assert not any("broken" in line for line in lines)
    page = client.get("/c/bees").text
    assert "<strong>Alarm:</strong> the disk is full in 4 hours" in page
    done = {**state, "state": "finished"}
    (root / "status.json").write_text(json.dumps(done))
    assert "<strong>Alarm" not in client.get("/c/bees").text


def test_a_folder_that_cannot_be_packed_leaves_no_file(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    page = client.get("/c/bees/downloads").text
    (folder,) = re.findall(r'href="(downloads/\d+)">xml\.zip', page)
    address = f"/c/bees/{folder}"

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(zipfile.ZipFile, "write", fail)
        for _ in range(3):
            answer = client.get(address)
            assert (answer.status_code, "No space left" in answer.text) == (503, True)
            assert list(temporary.iterdir()) == []
    # Two are packed: a third one waits its turn.
    with downloads._PACKING, downloads._PACKING:
        answer = client.get(address)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
    answer = client.get(address)
    assert answer.headers["content-length"] == str(len(answer.content))
    assert "xml.zip" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert min(archive.namelist()) == "xml/deu-d1.xml"
    assert list(temporary.iterdir()) == []
