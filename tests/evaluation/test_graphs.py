"""The made-up graphs: the same at every run, and with the traps that they promise."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

import pytest

from evaluation.graph_behind import build_behind
from evaluation.graph_misleading import build_misleading
from evaluation.graph_pages import Graph, GraphPage, addresses
from evaluation.graph_shapes import SHAPES
from evaluation.graph_text import TERMS
from evaluation.grounds import GRAPHS

if TYPE_CHECKING:
    from evaluation.served import PageKey


@pytest.fixture(scope="module")
def behind() -> Graph:
    return build_behind()


@pytest.fixture(scope="module")
def misleading() -> Graph:
    return build_misleading()


@pytest.fixture(params=GRAPHS)
def graph(request: pytest.FixtureRequest, behind: Graph, misleading: Graph) -> Graph:
    return {"behind": behind, "misleading": misleading}[request.param]


def _links(page: GraphPage) -> chain[tuple[PageKey, str]]:
    return chain(page.navigation, page.links, page.aside, page.footer)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_holds_together(name: str, seed: int) -> None:
    site = SHAPES[name]("a.example", seed)
    again = SHAPES[name]("a.example", seed)
    assert (site.pages, site.pairs) == (again.pages, again.pairs)
    targets = {
        href
        for page in site.pages.values()
        for href in re.findall(r'href="([^"]+)"', page)
    }
    assert targets | {"/"} == site.pages.keys()
    assert {path for pair in site.pairs for path in pair} <= site.wanted
    assert site.wanted < site.pages.keys()


@pytest.mark.parametrize("name", GRAPHS)
def test_a_seed_gives_one_graph(name: str, behind: Graph, misleading: Graph) -> None:
    again = GRAPHS[name](1)
    first = {"behind": behind, "misleading": misleading}[name]
    assert (again.seeds, again.pages) == (first.seeds, first.pages)


def test_links_lead_to_pages(graph: Graph) -> None:
    targets = {key for page in graph.pages.values() for key, _ in _links(page)}
    assert targets | {*graph.seeds} <= graph.pages.keys()


def test_nearly_all_relevant_pages_can_be_reached(graph: Graph) -> None:
    reached, waiting = {*graph.seeds}, [*graph.seeds]
    while waiting:
        found = {key for key, _ in _links(graph.pages[waiting.pop()])} - reached
        reached |= found
        waiting += found
    assert len(graph.relevant - reached) <= len(graph.relevant) // 100


def test_labels_are_not_served(graph: Graph) -> None:
    page = graph.pages[graph.seeds[0]]
    html = graph.render(graph.seeds[0], 80)
    page.is_relevant = not page.is_relevant
    assert graph.render(graph.seeds[0], 80) == html
    page.is_relevant = not page.is_relevant


def test_links_to_other_hosts_name_the_port() -> None:
    here, there = ("127.0.1.1", "/"), ("127.0.1.2", "/a")
    page = GraphPage(
        "A < B", paragraphs=["Text."], links=[(there, "there"), (here, "x")]
    )
    html = Graph([here], {here: page}).render(here, 8000)
    assert html is not None
    assert b'<a href="http://127.0.1.2:8000/a">there</a>' in html
    assert b'<a href="/">x</a>' in html
    assert b"<title>A &lt; B</title>" in html
    assert Graph([here], {here: page}).render(there, 8000) is None


def _cluster(key: PageKey) -> PageKey:
    """Return the site of a group that a page belongs to."""
    host, path = key
    return (host, "/".join(path.split("/")[:3]) if path.startswith("/sites/") else "")


def test_clusters_lie_behind_two_irrelevant_pages(behind: Graph) -> None:
    sources: dict[PageKey, set[PageKey]] = defaultdict(set)
    for key, page in behind.pages.items():
        for target, _ in _links(page):
            sources[target].add(key)
    relevant = behind.relevant
    outside = {
        (source, key)
        for key in relevant
        for source in sources[key]
        if _cluster(source) != _cluster(key)
    }
    assert len({_cluster(key) for _, key in outside}) == 60
    for source, _ in outside:
        assert source not in relevant
        assert not sources[source] & relevant


def test_link_texts_mislead(misleading: Graph) -> None:
    relevant = misleading.relevant
    texts: dict[bool, list[str]] = {True: [], False: []}
    for page in misleading.pages.values():
        for target, text in _links(page):
            texts[target in relevant].append(text.casefold())
    shares = {
        is_relevant: sum(any(term in text for term in TERMS) for text in found)
        / len(found)
        for is_relevant, found in texts.items()
    }
    assert shares[True] < 0.25
    assert shares[False] > 0.5


def test_hosts_are_as_many_as_said(misleading: Graph) -> None:
    assert len(misleading.hosts) == 200
    assert len({host for host, _ in misleading.relevant}) == 20


def test_addresses_are_on_loopback_and_all_different() -> None:
    found = addresses(600, Random(1))
    assert len({*found}) == 600
    assert all(address.startswith("127.0.") for address in found)
    assert all(0 < int(part) < 255 for a in found for part in a.split(".")[2:])
    assert found != sorted(found)
