"""The way through a wiki: categories, their articles, other languages, and its ends."""

from __future__ import annotations

from typing import Any

import pytest
from fake_apis import API, FakeApi, answer

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, Subject
from ilspfc.bootstrap.mediawiki import iter_mediawiki
from ilspfc.exceptions import BootstrapError

# Category, its pages, its subcategories; the last leads back to the first.
TREE: dict[str, tuple[list[str], list[str]]] = {
    "Bees": (["Bee", "Queen (disambiguation)", "Bee (old)"], ["Honey", "Hives"]),
    "Honey": (["Honey", "Mead"], ["Bees"]),
    "Hives": (["Hive"], ["Deep"]),
    "Deep": (["Frame"], ["Deeper"]),
    "Deeper": (["Nail"], []),
}
PAGES: dict[str, dict[str, Any]] = {
    "Bee": {
        "langlinks": [{"lang": "de", "title": "Biene"}, {"lang": "xx-y", "title": "?"}],
        "extlinks": [{"url": "//bees.example.org/"}],
        "redirects": [{"title": "Honey bee"}],
    },
    "Honey": {
        "langlinks": [{"lang": "de", "title": "Honig#Arten"}],
        "links": [{"title": "Honey bee"}, {"title": "Hive"}],
    },
    "Hive": {"links": [{"title": "Bee"}]},
    "Bee (old)": {"redirect": True},
    "Queen (disambiguation)": {"pageprops": {"disambiguation": ""}},
}
GERMAN = {
    "Biene": {"redirects": [{"title": "Imme"}], "extlinks": [{"url": "https://b.de"}]}
}


def _wiki(url: str, params: dict[str, str]) -> object:
    """Answer as a small wiki does."""
    if params.get("meta") == "siteinfo":
        language = {
            "prefix": "de",
            "language": "Deutsch",
            "url": "https://de.example.org/wiki/$1",
        }
        other = {"prefix": "doi", "url": "https://doi.org/$1"}
        return {"query": {"general": {"lang": "en"}, "interwikimap": [other, language]}}
    if params.get("list") == "categorymembers":
        return _members(params)
    if params.get("list") in {"allcategories", "search"}:
        return {"query": {"allcategories": [{"category": name} for name in TREE]}}
    pages = GERMAN if url.startswith("https://de.") else PAGES
    titles = params["titles"].split("|")
    return {"query": {"pages": [_page(title, pages) for title in titles]}}


def _page(title: str, pages: dict[str, dict[str, Any]]) -> dict[str, Any]:
    name = title.removeprefix("Category:")
    if title != name:
        size = sum(map(len, TREE.get(name, ((), ()))))
        info = {"categoryinfo": {"size": size, "pages": size}} if size else {}
        return {"title": title, "missing": True, **info}
    known = name in pages or any(name in titles for titles, _ in TREE.values())
    return (
        {"title": name, **pages.get(name, {})}
        if known
        else {"title": name, "missing": True}
    )


def _members(params: dict[str, str]) -> object:
    """Answer two members at a time."""
    pages, categories = TREE[params["cmtitle"].removeprefix("Category:")]
    members = [{"ns": 0, "title": title, "type": "page"} for title in pages]
    members += [
        {"ns": 14, "title": f"Category:{name}", "type": "subcat"} for name in categories
    ]
    start = int(params.get("cmcontinue", 0))
    going_on = {"cmcontinue": start + 2, "continue": "-||"}
    found = {"query": {"categorymembers": members[start : start + 2]}}
    return {**found, "continue": going_on} if start + 2 < len(members) else found


def _collect(
    api: FakeApi,
    depth: int = 2,
    max_pages: int = 100,
    subject: str = "Bees",
) -> tuple[dict[str, Concept], BootstrapLog]:
    log = BootstrapLog()
    bees = Subject(subject, ("eng", "deu"), depth, max_pages)
    concepts = iter_mediawiki(api.client(), API, bees, log)
    return {concept.identity: concept for concept in concepts}, log


def test_articles_are_collected_to_the_depth() -> None:
    concepts, log = _collect(FakeApi(_wiki))
    assert {name: c.depth for name, c in concepts.items()} == {
        "Bee": 0,
        "Queen (disambiguation)": 0,
        "Honey": 1,
        "Mead": 1,
        "Hive": 1,
        "Frame": 2,
    }
    assert concepts["Frame"].subdomain == "Deep"
    assert log.counts["bootstrap/pages"] == 7
    assert log.counts["bootstrap/categories"] == 4


def test_depth_0_is_the_category_alone() -> None:
    concepts, _ = _collect(FakeApi(_wiki), depth=0)
    assert {*concepts} == {"Bee", "Queen (disambiguation)"}


def test_a_loop_of_categories_ends() -> None:
    _, log = _collect(FakeApi(_wiki), depth=9)
    assert log.counts["bootstrap/dropped/category_loop"] == 1


def test_names_variants_and_links_of_both_languages() -> None:
    bee = _collect(FakeApi(_wiki))[0]["Bee"]
    assert bee.names == {"eng": "Bee", "deu": "Biene"}
    assert bee.variants == {"eng": ["Honey bee"], "deu": ["Imme"]}
    assert bee.urls == {"eng": ["https://bees.example.org/"], "deu": ["https://b.de"]}


def test_links_to_redirects_count_for_the_article() -> None:
    concepts, _ = _collect(FakeApi(_wiki))
    assert {name: c.links for name, c in concepts.items()} == {
        **dict.fromkeys(concepts, 0),
        "Bee": 2,
        "Hive": 1,
    }


def test_redirects_sections_and_disambiguations_are_marked() -> None:
    concepts, log = _collect(FakeApi(_wiki))
    assert log.counts["bootstrap/dropped/redirect"] == 1
    assert log.counts["bootstrap/dropped/section"] == 1
    assert "deu" not in concepts["Honey"].names
    assert concepts["Queen (disambiguation)"].is_disambiguation


def test_other_wikis_are_asked_where_their_links_lead() -> None:
    asked = []

    def respond(url: str, params: dict[str, str]) -> object:
        asked.append(url)
        return _wiki(url, params)

    _collect(FakeApi(respond))
    assert {*asked} == {API, "https://de.example.org/w/api.php"}


def test_a_wiki_that_does_not_answer_costs_its_own_part_alone() -> None:
    def respond(url: str, params: dict[str, str]) -> object:
        return answer(b"", 404) if url.startswith("https://de.") else _wiki(url, params)

    concepts, log = _collect(FakeApi(respond))
    assert concepts["Bee"].names["deu"] == "Biene"
    assert "deu" not in concepts["Bee"].variants
    assert log.counts["bootstrap/dropped/wiki_unreached"] == 1
    assert "HTTP 404" in log.notices[-1]


def test_every_request_names_a_lag() -> None:
    api = FakeApi(_wiki)
    _collect(api)
    assert {params.get("maxlag") for params in api.asked} == {"5"}


def test_a_lagging_wiki_is_waited_for() -> None:
    lags = [7.5, 7.5]

    def respond(url: str, params: dict[str, str]) -> object:
        if lags:
            return {"error": {"code": "maxlag", "info": "waiting", "lag": lags.pop()}}
        return _wiki(url, params)

    api = FakeApi(respond)
    assert _collect(api)[0]
    assert [seconds for seconds in api.slept if seconds > 1] == [7.5, 7.5]


def test_an_error_of_the_api_is_said() -> None:
    api = FakeApi(lambda url, params: {"error": {"code": "badvalue", "info": "No."}})
    with pytest.raises(BootstrapError, match=r"badvalue: No\."):
        _collect(api)


@pytest.mark.parametrize("data", [[], {}, {"query": {}}])
def test_what_is_no_mediawiki_is_named(data: object) -> None:
    with pytest.raises(BootstrapError, match=r"no MediaWiki's.*api\.php"):
        _collect(FakeApi(lambda url, params: data))


def test_an_unknown_category_is_answered_with_others() -> None:
    with pytest.raises(BootstrapError, match=r"Bes: no category.*nearest are Bees"):
        _collect(FakeApi(_wiki), subject="Bes")


def test_a_category_of_100_000_pages_is_capped_and_that_is_said() -> None:
    batches = []

    def respond(url: str, params: dict[str, str]) -> object:
        if params.get("list") == "categorymembers":
            start = int(params.get("cmcontinue", 0))
            batches.append(start)
            numbers = range(start, start + 500)
            members = [{"ns": 0, "title": f"Bee {n}", "type": "page"} for n in numbers]
            found: dict[str, Any] = {"query": {"categorymembers": members}}
            return {**found, "continue": {"cmcontinue": start + 500}}
        titles = params.get("titles", "").split("|")
        if titles == ["Category:Bees"]:
            size = {"size": 100_000, "pages": 100_000}
            return {"query": {"pages": [{"title": titles[0], "categoryinfo": size}]}}
        if titles != [""]:
            return {"query": {"pages": [{"title": title} for title in titles]}}
        return _wiki(url, params)

    concepts, log = _collect(FakeApi(respond), max_pages=1200)
    assert len(concepts) == 1200
    assert batches == [0, 500, 1000]
    assert log.counts["bootstrap/dropped/page_limit"] == 1
    assert "--max-pages=1200" in log.notices[0]


def test_what_was_collected_before_an_error_stands() -> None:
    names = [f"Bee {number}" for number in range(60)]

    def respond(url: str, params: dict[str, str]) -> object:
        if params.get("list") == "categorymembers":
            members = [{"ns": 0, "title": name, "type": "page"} for name in names]
            return {"query": {"categorymembers": members}}
        titles = params.get("titles", "").split("|")
        if titles[0] == names[0]:
            return {"query": {"pages": [{"title": title} for title in titles]}}
        return answer(b"", 404) if titles[0] in names else _wiki(url, params)

    bees = Subject("Bees", ("eng", "deu"), 0, 100)
    concepts = iter_mediawiki(FakeApi(respond).client(), API, bees, BootstrapLog())
    found = [next(concepts).identity for _ in range(50)]
    with pytest.raises(BootstrapError, match="HTTP 404"):
        next(concepts)
    assert found == names[:50]


def test_categories_are_visited_once_nearest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    below = {"A": "BC", "B": "CD", "C": "AB", "D": "E", "E": ""}
    tree = {name: ([f"page of {name}"], list(some)) for name, some in below.items()}
    monkeypatch.setitem(globals(), "TREE", tree)
    api = FakeApi(_wiki)
    _, log = _collect(api, subject="A")
    visited = dict.fromkeys(one["cmtitle"] for one in api.asked if "cmtitle" in one)
    assert list(visited) == [f"Category:{name}" for name in "ABCD"]
    # From C to A and B; from B to C, of the same depth as B.
    assert log.counts["bootstrap/dropped/category_loop"] == 3
    assert log.counts["bootstrap/categories"] == 4
