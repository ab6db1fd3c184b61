"""Which links of a page become requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ilspfc.crawl.requests import make_candidate, select_links
from ilspfc.documents import Link
from ilspfc.frontier.scoring.focus import Focus
from ilspfc.frontier.scoring.link_score import BreadthFirstScorer, FoundLink, TermScorer
from ilspfc.frontier.store.protocol import UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore

FOCUS = Focus(TermScorer(len))
SITE = "http://example.org/"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteStore]:
    store = SQLiteStore(tmp_path / "frontier.db")
    yield store
    store.close()


def found(name: str, context: str = "") -> FoundLink:
    return FoundLink(Link(SITE + name, context=context), SITE, "deu")


def push(store: SQLiteStore, link: FoundLink) -> None:
    candidate = make_candidate(link, link.link.url, link.link.url, FOCUS)
    assert candidate is not None
    assert store.push(candidate)


def test_a_link_that_is_not_known_is_selected_however_it_is_spelt(
    store: SQLiteStore,
) -> None:
    push(store, found("a", "text"))
    links = [found("b"), found("a#part"), found("a?utm_source=x"), found("c?a=1")]
    assert select_links(links, store, FOCUS) == [links[0], links[3]]


def test_a_queued_link_is_selected_only_if_it_is_worth_more(store: SQLiteStore) -> None:
    push(store, found("a", "text"))
    links = [found("a", "te"), found("a", "text"), found("a", "texts")]
    assert select_links(links, store, FOCUS) == [links[2]]


@pytest.mark.parametrize("state", [UrlState.LEASED, UrlState.DONE, UrlState.FAILED])
def test_a_link_that_was_visited_is_not_selected(
    store: SQLiteStore, state: UrlState
) -> None:
    push(store, found("a"))
    candidate = store.pop("example.org")
    assert candidate is not None
    if state is not UrlState.LEASED:
        store.finish(candidate.key, state)
    assert select_links([found("a", "much better")], store, FOCUS) == []


def test_a_page_may_have_more_links_than_a_statement_has_values(
    store: SQLiteStore,
) -> None:
    for number in range(0, 2000, 2):
        push(store, found(str(number)))
    focus = Focus(BreadthFirstScorer())
    links = [found(str(number)) for number in range(2000)]
    assert select_links(links, store, focus) == links[1::2]


def test_what_is_no_url_is_left_to_the_scheduler(store: SQLiteStore) -> None:
    link = FoundLink(Link("http://"), SITE, "deu")
    assert select_links([link], store, FOCUS) == [link]
