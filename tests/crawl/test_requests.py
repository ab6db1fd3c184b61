"""Which links of a page become requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ilspfc.crawl.requests import iter_candidates
from ilspfc.documents import Link
from ilspfc.frontier.scoring.link_score import (
    BreadthFirstScorer,
    Focus,
    FoundLink,
    PerplexityScorer,
    TermScorer,
)
from ilspfc.frontier.store.candidates import Candidate, UrlState
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
    candidate = FOCUS.candidate(link, link.link.url)
    assert candidate is not None
    assert store.push(candidate)


def select(
    store: SQLiteStore, links: Sequence[FoundLink], focus: Focus = FOCUS
) -> list[str]:
    """Return the URLs of the links that would be queued."""
    candidates = list(iter_candidates(links, store, focus))
    assert all(isinstance(one, Candidate) for one in candidates)
    return [one.url for one in candidates if one is not None]


def urls(*links: FoundLink) -> list[str]:
    return [link.link.url for link in links]


def test_a_link_that_is_not_known_is_selected_however_it_is_spelt(
    store: SQLiteStore,
) -> None:
    push(store, found("a", "text"))
    links = [found("b"), found("a#part"), found("a?utm_source=x"), found("c?a=1")]
    assert select(store, links) == urls(links[0], links[3])


def test_a_queued_link_is_selected_only_if_it_is_worth_more(store: SQLiteStore) -> None:
    push(store, found("a", "text"))
    links = [found("a", "te"), found("a", "text"), found("a", "texts")]
    assert select(store, links) == urls(links[2])


@pytest.mark.parametrize("state", [UrlState.LEASED, UrlState.DONE, UrlState.FAILED])
def test_a_link_that_was_visited_is_not_selected(
    store: SQLiteStore, state: UrlState
) -> None:
    push(store, found("a"))
    candidate = store.pop("example.org")
    assert candidate is not None
    if state is not UrlState.LEASED:
        store.finish(candidate.key, state)
    assert select(store, [found("a", "much better")]) == []


def test_a_page_may_have_more_links_than_a_statement_has_values(
    store: SQLiteStore,
) -> None:
    for number in range(0, 2000, 2):
        push(store, found(str(number)))
    focus = Focus(BreadthFirstScorer())
    links = [found(str(number)) for number in range(2000)]
    assert select(store, links, focus) == urls(*links[1::2])


def test_what_is_no_url_is_passed_over(store: SQLiteStore) -> None:
    assert select(store, [FoundLink(Link("http://"), SITE, "deu")]) == []


def test_known_links_may_be_kept(store: SQLiteStore) -> None:
    """A delta crawl counts the links that it skips."""
    push(store, found("a"))
    store.pop("example.org")
    kept = list(iter_candidates([found("a")], store, FOCUS, keeps_known=True))
    assert [one and one.url for one in kept] == [SITE + "a"]


def test_a_link_that_is_not_to_be_followed_has_no_candidate(store: SQLiteStore) -> None:
    focus = Focus(PerplexityScorer((1.0, 2.0, 3.0)))
    links = [found("a")._replace(perplexity=99.0, depth=2), found("b")]
    candidates = list(iter_candidates(links, store, focus))
    assert [one and one.url for one in candidates] == [None, SITE + "b"]


def test_a_link_comes_with_its_score_and_the_page_it_was_found_on(
    store: SQLiteStore,
) -> None:
    link = found("a?utm_source=x", "five!")._replace(depth=2, distance=1)
    (candidate,) = iter_candidates([link], store, FOCUS)
    assert candidate is not None
    assert (candidate.key, candidate.url) == (SITE + "a", SITE + "a?utm_source=x")
    assert candidate.score == candidate.base == len("five! ")
    assert (candidate.depth, candidate.distance, candidate.referrer) == (2, 1, SITE)
