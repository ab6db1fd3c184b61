"""URLs for review: which are left out, in which order they stand, where more come from."""

from __future__ import annotations

import pytest
from fake_apis import API, FakeApi, answer

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, Seed
from ilspfc.bootstrap.definition_terms import Definition
from ilspfc.bootstrap.seeds import (
    iter_index_seeds,
    iter_link_seeds,
    iter_search_seeds,
    make_tuples,
    select_seeds,
)
from ilspfc.classification.definition import Term
from ilspfc.exceptions import BootstrapError

TERMS = ("Honig", "Imkerei", "Bienenstock", "Wachs")
DEFINITION = Definition(
    ("deu",),
    tuple(Term(100 - n, t, (), "deu") for n, t in enumerate(TERMS)),
    (),
)


def _select(*urls: str, **limits: int) -> tuple[list[str], dict[str, int]]:
    log = BootstrapLog()
    seeds = [Seed(url, "because") for url in urls]
    kept = select_seeds(seeds, {"wiki.example.org"}, log, **limits)
    prefix = "bootstrap/dropped/"
    return [seed.url for seed in kept], {
        key.removeprefix(prefix): number for key, number in log.counts.items()
    }


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mailto:bee@example.org", "not_web"),
        ("ftp://example.org/", "not_web"),
        ("http://[", "not_web"),
        ("https://de.wikipedia.org/wiki/Honig", "wiki"),
        ("https://www.wikidata.org/wiki/Q1", "wiki"),
        ("https://wiki.example.org/x", "wiki"),
        ("https://doi.org/10.1000/1", "citation"),
        ("https://www.jstor.org/stable/1", "citation"),
        ("https://books.google.com/books?id=1", "citation"),
    ],
)
def test_what_is_no_seed_is_counted(url: str, reason: str) -> None:
    assert _select(url) == ([], {reason: 1})


def test_each_page_is_proposed_once() -> None:
    urls = ["http://example.org/a?b=1&a=2", "http://EXAMPLE.org/a?a=2&b=1#top"]
    assert _select(*urls) == (urls[:1], {"duplicate_url": 1})


def test_an_archived_copy_stands_for_its_original() -> None:
    archived = "https://web.archive.org/web/20120101000000/http://bees.example.org/a"
    assert _select(archived)[0] == ["http://bees.example.org/a"]


def test_sites_and_the_list_have_a_limit() -> None:
    urls = [f"http://www{n % 2}.example.com/{n}" for n in range(4)] + ["http://b.org/"]
    kept, losses = _select(*urls, max_site_seeds=2)
    assert (kept, losses) == ([*urls[:2], "http://b.org/"], {"site_limit": 2})
    kept, losses = _select(*urls, max_seeds=3)
    assert (kept, losses) == (urls[:3], {"seed_limit": 2})


def test_links_name_their_article_and_the_weightiest_comes_first() -> None:
    concepts = [
        Concept("Wax", names={"deu": "Wachs"}, urls={"deu": ["http://w.org/"]}),
        Concept("Honey", urls={"eng": ["http://h.org/"]}),
        Concept("Bee", urls={"eng": ["http://q.org/"]}, is_disambiguation=True),
    ]
    links = iter_link_seeds(concepts, [10, 90, 50])
    seeds = select_seeds(links, (), BootstrapLog())
    assert [(seed.url, seed.reason) for seed in seeds] == [
        ("http://h.org/", "link of Honey (English)"),
        ("http://w.org/", "link of Wachs (German)"),
    ]


def test_a_list_of_the_users_own_comes_first() -> None:
    seeds = [
        Seed("http://other.org/", "link", 100.0),
        Seed("http://own.org/", "from my.txt", float("inf")),
    ]
    kept = select_seeds(seeds, (), BootstrapLog())
    assert (kept[0].url, kept[0].reason) == ("http://own.org/", "from my.txt")


# -- searches ----------------------------------------------------------------------------


def test_tuples_are_the_same_every_time() -> None:
    tuples = make_tuples(TERMS, 3)
    assert tuples == make_tuples(TERMS, 3)
    assert len({frozenset(found) for found in tuples}) == 3
    assert make_tuples(TERMS, 99) == make_tuples(TERMS, 4)  # there are no more
    assert make_tuples(("Honig", "Wachs"), 5) == [("Honig", "Wachs")]
    assert make_tuples((), 5) == []


def _search(
    api: FakeApi, definition: Definition = DEFINITION
) -> tuple[list[Seed], BootstrapLog]:
    log = BootstrapLog()
    url = "http://127.0.0.1:8888/"
    return list(iter_search_seeds(api.client(), url, definition, log)), log


def test_results_of_a_search_are_seeds() -> None:
    results = [
        {"url": "http://a.de/", "title": "A"},
        {"title": "no URL"},
        {"url": "http://b.de/"},
    ]
    api = FakeApi(lambda url, params: {"query": params["q"], "results": results})
    seeds, _ = _search(api)
    assert [seed.url for seed in seeds] == ["http://a.de/", "http://b.de/"] * 4
    assert seeds[0].score > seeds[1].score
    assert seeds[0].reason == f"search for {api.asked[0]['q']} (de)"
    assert {(p["format"], p["language"]) for p in api.asked} == {("json", "de")}


def test_terms_of_several_words_are_quoted() -> None:
    terms = tuple(Term(1, t, (), "deu") for t in ("a b", "c", "d"))
    api = FakeApi(lambda url, params: {"results": [{"url": "http://a.de/"}]})
    _search(api, Definition(("deu",), terms, ()))
    assert api.asked[0]["q"] == '"a b" c d'


def test_a_search_without_results_is_counted() -> None:
    _, log = _search(FakeApi(lambda url, params: {"results": []}))
    assert log.counts["bootstrap/dropped/not_answered"] == 4


def test_an_instance_without_json_is_told_how_to_give_it() -> None:
    api = FakeApi(lambda url, params: answer(b"<html>", 403, "text/html"))
    with pytest.raises(BootstrapError, match=r"settings\.yml.*formats: \[html, json\]"):
        _search(api)


def test_what_is_no_searxng_is_named() -> None:
    with pytest.raises(BootstrapError, match="no SearXNG's"):
        _search(FakeApi(lambda url, params: {"hits": []}))


# -- Common Crawl ------------------------------------------------------------------------


def _look_up(api: FakeApi) -> tuple[list[Seed], BootstrapLog]:
    log = BootstrapLog()
    known = [Seed("http://bees.de/start", "link"), Seed("http://bees.de/other", "link")]
    return list(iter_index_seeds(api.client(), API, DEFINITION, known, log)), log


def test_pages_with_a_term_in_their_url_are_seeds() -> None:
    lines = [
        b'{"url": "http://bees.de/Honig-kaufen.html", "languages": "deu", "status": "200"}',
        b'{"url": "http://bees.de/honig.html", "languages": "fra", "status": "200"}',
        b'{"url": "http://bees.de/kontakt.html", "languages": "deu", "status": "200"}',
        b'{"url": "http://bees.de/die_imkerei", "languages": "deu,eng", "status": "200"}',
        b'{"url": "http://bees.de/wachs", "status": "200"}',
        b'{"url": ',
    ]
    api = FakeApi(
        lambda url, params: answer(b"\n".join(lines), content_type="text/x-ndjson")
    )
    seeds, log = _look_up(api)
    assert [seed.url for seed in seeds] == [
        "http://bees.de/Honig-kaufen.html",
        "http://bees.de/die_imkerei",
        "http://bees.de/wachs",
    ]
    assert (
        seeds[0].reason
        == "Common Crawl: page of bees.de in deu with 'honig' in its URL"
    )
    assert [params["url"] for params in api.asked] == ["bees.de/*"]
    assert log.counts["bootstrap/dropped/broken_row"] == 1


def test_a_site_that_is_not_in_the_index_is_counted() -> None:
    api = FakeApi(lambda url, params: answer({"message": "No Captures found"}, 404))
    seeds, log = _look_up(api)
    assert seeds == []
    assert log.counts["bootstrap/dropped/not_answered"] == 1
