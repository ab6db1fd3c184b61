"""Visits: what is kept of them, and which URLs are due for another one."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from ilspfc.frontier.store.candidates import Candidate, UrlState, Visit
from ilspfc.frontier.store.sqlite import SQLiteStore

HOST = "example.org"
VISIT = Visit(1000.0, 'W/"ä"', "Thu, 01 Jan 1970 00:00:00 GMT", "c0", "a1")


def url(name: str) -> str:
    return f"http://{HOST}/{name}"


def candidate(name: str, *, depth: int = 1, referrer: str = "") -> Candidate:
    return Candidate(url(name), url(name), HOST, 5.0, depth, referrer)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "frontier.db"


def fill(path: Path, states: Mapping[str, tuple[UrlState, float | None]]) -> None:
    """Write a frontier with URLs by name: their state and when they were visited."""
    store = SQLiteStore(path)
    for name, (state, visited_at) in states.items():
        store.push(candidate(name))
        store.pop(HOST)
        if visited_at is not None:
            store.record_visit(url(name), Visit(visited_at))
        store.finish(url(name), state, "why")
    store.close()


def queued(path: Path) -> set[str]:
    """Return the names of the URLs that the next crawl visits."""
    store = SQLiteStore(path)
    popped = iter(lambda: store.pop(HOST), None)
    names = {found.key.rsplit("/", 1)[-1] for found in popped}
    assert store.count(UrlState.LEASED) == len(names), "the counts are right, too"
    store.close()
    return names


def requeue_older(path: Path, visited_before: float) -> int:
    """Queue again what was visited before a time, in a run of its own."""
    store = SQLiteStore(path)
    number = store.requeue_older(visited_before)
    store.close()
    return number


def test_a_visit_comes_back_as_it_was_and_replaces_the_one_before(path: Path) -> None:
    store = SQLiteStore(path)
    store.push(candidate("a"))
    assert store.visit_of(url("a")) is None
    store.record_visit(url("a"), Visit(1.0, "old", "old", "old", "old"))
    store.record_visit(url("a"), VISIT)
    store.record_visit(url("unknown"), VISIT)
    store.close()
    store = SQLiteStore(path)
    assert store.visit_of(url("a")) == VISIT
    assert store.visit_of(url("unknown")) is None
    store.close()


def test_a_lease_that_a_crash_ends_keeps_the_visit_before(path: Path) -> None:
    fill(path, {"a": (UrlState.DONE, 1.0)})
    assert requeue_older(path, 2.0) == 1
    store = SQLiteStore(path)
    assert store.pop(HOST) is not None
    store.commit()
    store.record_visit(url("a"), VISIT)  # the lease does not end any more
    store.connection.close()  # as a kill would
    assert queued(path) == {"a"}
    store = SQLiteStore(path)
    assert store.visit_of(url("a")) == Visit(1.0)
    store.close()


def test_what_was_visited_before_a_time_is_queued_again(path: Path) -> None:
    states = {
        "old": (UrlState.DONE, 10.0),
        "new": (UrlState.DONE, 30.0),
        "unknown": (UrlState.DONE, None),
        "gone": (UrlState.GONE, 10.0),
        "gone-new": (UrlState.GONE, 30.0),
        "failed-later": (UrlState.FAILED, 10.0),
        "refused-later": (UrlState.REFUSED, 10.0),
        "never-reached": (UrlState.FAILED, None),
        "never-allowed": (UrlState.REFUSED, None),
    }
    fill(path, states)
    assert requeue_older(path, 20.0) == 5
    assert queued(path) == {"old", "unknown", "gone", "failed-later", "refused-later"}


def test_a_url_that_is_queued_again_keeps_its_score(path: Path) -> None:
    fill(path, {"a": (UrlState.DONE, 1.0)})
    requeue_older(path, 2.0)
    store = SQLiteStore(path)
    assert store.pop(HOST) == candidate("a")
    store.close()


def test_what_gave_no_document_is_queued_again_and_so_are_the_seeds(path: Path) -> None:
    states = {
        "document": (UrlState.DONE, 1.0),
        "off-topic": (UrlState.DONE, 1.0),
        "just-now": (UrlState.DONE, 9.0),
        "failed": (UrlState.FAILED, 1.0),
    }
    fill(path, states)
    store = SQLiteStore(path)
    store.push(candidate("seed", depth=0))
    store.pop(HOST)
    store.finish(url("seed"), UrlState.DONE)
    exported = {url("document"), url("seed")}
    assert store.requeue_without_document(5.0, exported.__contains__) == 2
    assert store.count(UrlState.QUEUED) == 2
    store.close()
    assert queued(path) == {"off-topic", "seed"}


def test_a_frontier_without_visits_goes_on_opening(path: Path) -> None:
    fill(path, {"a": (UrlState.DONE, None)})
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE visits")
    assert requeue_older(path, 1.0) == 1
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE visits")
    assert queued(path) == {"a"}


def test_what_asks_for_payment_is_not_asked_again(path: Path) -> None:
    fill(path, {"a": (UrlState.REFUSED, 1.0), "b": (UrlState.REFUSED, 1.0)})
    with closing(sqlite3.connect(path)) as connection:
        sql = "UPDATE urls SET reason = 'payment_required' WHERE key = ?"
        connection.execute(sql, (url("a"),))
        connection.commit()
    assert requeue_older(path, 2.0) == 1
    assert queued(path) == {"b"}


def test_in_a_new_frontier_nothing_is_due(path: Path) -> None:
    store = SQLiteStore(path)
    assert store.requeue_older(1.0) == 0
    assert store.moved_to([url("a")]) == []
    store.close()


def test_what_is_queued_again_survives_a_kill_and_is_seen_at_once(path: Path) -> None:
    fill(path, {"a": (UrlState.DONE, 1.0)})
    store = SQLiteStore(path)
    assert store.best_score(HOST) is None
    store.requeue_older(2.0)
    assert store.best_score(HOST) == 5.0
    store.connection.close()  # as a kill would
    assert queued(path) == {"a"}


def test_seeds_are_followed_to_where_they_have_moved(path: Path) -> None:
    store = SQLiteStore(path)
    store.push(candidate("seed", depth=0))
    store.push(candidate("step", depth=0, referrer=url("seed")))
    store.push(candidate("end", depth=0, referrer=url("step")))
    store.push(candidate("link", depth=1, referrer=url("end")))
    store.push(candidate("other", depth=0, referrer=url("seed-of-another-run")))
    seeds = [f"HTTP://{HOST.upper()}/seed#top"]
    assert store.moved_to(seeds) == [url("step"), url("end")]
    store.close()
