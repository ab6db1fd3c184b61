"""The stores of the frontier: what is queued, leased and done, also after a crash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.cluster.postgresql import PostgreSQLFrontier
from ilspfc.cluster.shared_store import SharedStore
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore

if TYPE_CHECKING:
    from benchmarks.postgresql import PostgreSQLServer

HOST = "example.org"


def candidate(name: str, score: float = 1.0, host: str = HOST) -> Candidate:
    url = f"http://{host}/{name}"
    return Candidate(url, url, host, score)


def pop_all(store: SQLiteStore, host: str = HOST) -> list[str]:
    popped = iter(lambda: store.pop(host), None)
    return [found.key.rsplit("/", 1)[-1] for found in popped]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "frontier.db"


class SettledStore(SharedStore):
    """Store of a crawler that exchanges whenever a URL of another host is pushed."""

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        is_news = super().push(candidate, again=again)
        while is_news and candidate.host not in self._leased:
            self.end_exchange(self.frontier.exchange(*self.begin_exchange()))
        return is_news


@pytest.fixture(params=["sqlite", "postgresql"])
def store(
    path: Path, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[SQLiteStore]:
    """The store of one crawler, and that of one of several: both do the same."""
    if request.param == "sqlite":
        store = SQLiteStore(path)
    else:
        server: PostgreSQLServer = request.getfixturevalue("postgresql")
        name = blake2b(str(tmp_path).encode(), digest_size=8).hexdigest()
        frontier = PostgreSQLFrontier(server.url, name, "one", 60.0)
        store = SettledStore(path, frontier, 60.0)
    yield store
    store.close()


def test_a_candidate_comes_out_as_it_went_in(store: SQLiteStore) -> None:
    pushed = Candidate("http://a.org/", "http://A.org", "a.org", 2.5, 3, "ref", "Lärm")
    assert store.push(pushed)
    assert store.pop("a.org") == pushed
    assert store.pop("a.org") is None


def test_the_best_of_a_host_comes_first(store: SQLiteStore) -> None:
    for name, score in (("a", 1.0), ("b", 3.0), ("c", -1.0), ("d", 2.0)):
        store.push(candidate(name, score))
    store.push(candidate("x", 9.0, host="other.org"))
    assert store.best_score(HOST) == 3.0
    assert pop_all(store) == ["b", "d", "a", "c"]
    assert store.best_score(HOST) is None
    assert pop_all(store, "other.org") == ["x"]


def test_among_equals_the_first_found_comes_first(store: SQLiteStore) -> None:
    for name in "abc":
        store.push(candidate(name))
    assert pop_all(store) == ["a", "b", "c"]


def test_a_queued_url_takes_a_better_score_only(store: SQLiteStore) -> None:
    store.push(candidate("a", 2.0))
    store.push(candidate("b", 3.0))
    assert not store.push(candidate("a", 1.0))
    assert not store.push(candidate("a", 2.0))
    assert store.push(candidate("a", 4.0))
    assert store.count(UrlState.QUEUED) == 2
    assert pop_all(store) == ["a", "b"]


def test_a_better_score_brings_its_referrer_and_keeps_the_smaller_depth(
    store: SQLiteStore,
) -> None:
    url = "http://example.org/a"
    store.push(Candidate(url, url, HOST, 1.0, 2, "old", "old"))
    store.push(Candidate(url, url, HOST, 2.0, 5, "new", "new"))
    assert store.pop(HOST) == Candidate(url, url, HOST, 2.0, 2, "new", "new")


@pytest.mark.parametrize("state", [UrlState.DONE, UrlState.FAILED, UrlState.REFUSED])
def test_a_url_is_visited_once(store: SQLiteStore, state: UrlState) -> None:
    pushed = candidate("a")
    store.push(pushed)
    store.pop(HOST)
    assert not store.push(candidate("a", 99.0)), "it is being visited"
    store.finish(pushed.key, state, "why")
    assert store.state_of(pushed.key) is state
    assert not store.push(candidate("a", 99.0))
    assert store.pop(HOST) is None


def test_again_gives_only_a_failed_url_another_chance(store: SQLiteStore) -> None:
    for name, state in (
        ("done", UrlState.DONE),
        ("failed", UrlState.FAILED),
        ("refused", UrlState.REFUSED),
    ):
        store.push(candidate(name))
        store.pop(HOST)
        store.finish(candidate(name).key, state)
    store.push(candidate("leased"))
    store.pop(HOST)
    names = ("done", "failed", "refused", "leased")
    assert [store.push(candidate(n, 0.5), again=True) for n in names] == [
        False,
        True,
        False,
        False,
    ]
    assert pop_all(store) == ["failed"]


def test_a_released_url_is_queued_again_with_its_score(store: SQLiteStore) -> None:
    store.push(candidate("a", 5.0))
    store.push(candidate("b", 4.0))
    leased = store.pop(HOST)
    assert leased is not None
    store.release(leased.key)
    assert store.best_score(HOST) == 5.0
    assert pop_all(store) == ["a", "b"]


@pytest.mark.parametrize("key", ["http://example.org/queued", "http://unknown.org/"])
def test_only_a_lease_can_be_ended(store: SQLiteStore, key: str) -> None:
    store.push(candidate("queued"))
    before = store.state_of(key)
    store.finish(key, UrlState.DONE)
    store.release(key)
    assert store.state_of(key) is before
    counts = {state.value: n for state in UrlState if (n := store.count(state))}
    assert counts == {"queued": 1}


def test_hosts_are_those_with_queued_urls(store: SQLiteStore) -> None:
    for host in ("b.org", "a.org", "c.org"):
        store.push(candidate("x", host=host))
    store.pop("b.org")
    assert list(store.hosts()) == ["a.org", "c.org"]


def test_a_host_with_many_urls(store: SQLiteStore) -> None:
    scores = [(number * 7919) % 1000 for number in range(1000)]
    for number, score in enumerate(scores):
        store.push(candidate(str(number), float(score)))
    popped = [scores[int(name)] for name in pop_all(store)]
    assert popped == sorted(scores, reverse=True)


def test_the_queued_urls_of_a_host_fail_together(store: SQLiteStore) -> None:
    for name, host in (("b", HOST), ("a", HOST), ("c", HOST), ("x", "other.org")):
        store.push(candidate(name, host=host))
    leased = store.pop(HOST)
    assert leased is not None
    failed = store.fail_host(HOST, "dead_host")
    assert failed == [candidate("a").url, candidate("c").url]
    assert store.best_score(HOST) is None
    assert store.state_of(leased.key) is UrlState.LEASED
    counts = {state.value: n for state in UrlState if (n := store.count(state))}
    assert counts == {"queued": 1, "leased": 1, "failed": 2}
    assert store.fail_host(HOST, "dead_host") == []
    assert pop_all(store, "other.org") == ["x"]


def test_an_equal_url_does_not_overtake(store: SQLiteStore) -> None:
    for name in "abc":
        store.push(candidate(name))
    assert store.best_score(HOST) == 1.0
    store.push(candidate("d"))
    assert pop_all(store) == ["a", "b", "c", "d"]


@pytest.fixture
def three_queued(store: SQLiteStore) -> SQLiteStore:
    """Return a store with queued URLs a, b and c whose best score is known."""
    for name, score in (("a", 5.0), ("b", 4.0), ("c", 3.0)):
        store.push(candidate(name, score))
    assert store.best_score(HOST) == 5.0
    return store


@pytest.mark.parametrize(
    ("score", "order"),
    [
        (9.0, ["new", "a", "b", "c"]),
        (5.0, ["a", "new", "b", "c"]),
        (4.5, ["a", "new", "b", "c"]),
        (3.5, ["a", "b", "new", "c"]),
        (1.0, ["a", "b", "c", "new"]),
    ],
)
def test_a_new_url_takes_its_place(
    three_queued: SQLiteStore, score: float, order: list[str]
) -> None:
    three_queued.push(candidate("new", score))
    assert pop_all(three_queued) == order


def test_a_url_may_come_between_two_visits(
    three_queued: SQLiteStore,
) -> None:
    assert three_queued.pop(HOST) == candidate("a", 5.0)
    three_queued.push(candidate("new", 3.5))
    assert pop_all(three_queued) == ["b", "new", "c"]


# -- after a crash -----------------------------------------------------------------------


def test_what_was_done_is_known_after_closing(path: Path) -> None:
    first = SQLiteStore(path)
    for name in ("a", "b", "c"):
        first.push(candidate(name))
    leased = first.pop(HOST)
    assert leased is not None
    first.finish(leased.key, UrlState.DONE)
    first.close()
    second = SQLiteStore(path)
    assert second.state_of(leased.key) is UrlState.DONE
    assert not second.push(leased)
    assert pop_all(second) == ["b", "c"]
    second.close()


def test_leases_of_a_process_that_is_gone_are_queued_again(path: Path) -> None:
    first = SQLiteStore(path)
    first.push(candidate("a", 2.0))
    first.push(candidate("b", 3.0))
    first.pop(HOST)
    first.commit()
    second = SQLiteStore(path)
    assert second.count(UrlState.QUEUED) == 2
    assert second.count(UrlState.LEASED) == 0
    assert pop_all(second) == ["b", "a"]
    second.close()
    first.close()


@pytest.mark.parametrize(
    ("reason", "is_tried_again"),
    [
        ("dead_host", True),
        ("robots_unreachable", True),
        ("http_error", False),
        ("", False),
    ],
)
def test_hosts_that_were_away_are_tried_again_by_the_next_process(
    path: Path, reason: str, is_tried_again: bool
) -> None:
    first = SQLiteStore(path)
    first.push(candidate("a"))
    first.fail_host(HOST, reason)
    first.close()
    second = SQLiteStore(path)
    state = UrlState.QUEUED if is_tried_again else UrlState.FAILED
    assert second.state_of(candidate("a").key) is state
    assert second.count(state) == 1
    assert pop_all(second) == (["a"] if is_tried_again else [])
    second.close()


def test_what_was_not_committed_is_lost_and_nothing_else(path: Path) -> None:
    first = SQLiteStore(path)
    first.push(candidate("a"))
    first.commit()
    first.push(candidate("b"))
    first.connection.close()  # as a kill would
    second = SQLiteStore(path)
    assert second.count(UrlState.QUEUED) == 1
    assert second.state_of(candidate("b").key) is None
    second.close()


# -- any sequence of calls ---------------------------------------------------------------


@dataclass
class Model:
    """What a store should know, kept in dictionaries."""

    states: dict[str, UrlState] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)

    def push(self, pushed: Candidate, *, again: bool) -> bool:
        state = self.states.get(pushed.key)
        is_better = state is UrlState.QUEUED and pushed.score > self.scores[pushed.key]
        if state is None or is_better or (again and state is UrlState.FAILED):
            self.states[pushed.key] = UrlState.QUEUED
            self.scores[pushed.key] = pushed.score
            return True
        return False

    def move(self, key: str, state: UrlState) -> None:
        if self.states.get(key) is UrlState.LEASED:
            self.states[key] = state

    def fail_host(self, host: str) -> list[str]:
        failed = [
            key
            for key, state in self.states.items()
            if state is UrlState.QUEUED and f"//{host}/" in key
        ]
        self.states.update(dict.fromkeys(failed, UrlState.FAILED))
        return sorted(failed)

    def best(self, host: str) -> float | None:
        queued = [
            self.scores[key]
            for key, state in self.states.items()
            if state is UrlState.QUEUED and f"//{host}/" in key
        ]
        return max(queued, default=None)


_hosts = st.sampled_from(["a.org", "b.org"])
_names = st.integers(0, 9).map(str)
_steps = st.one_of(
    st.tuples(
        st.just("push"),
        st.builds(candidate, _names, st.integers(0, 5).map(float), _hosts),
        st.booleans(),
    ),
    st.tuples(st.just("pop"), _hosts),
    st.tuples(
        st.just("finish"),
        st.builds(candidate, _names, st.just(0.0), _hosts),
        st.sampled_from([UrlState.DONE, UrlState.FAILED, UrlState.REFUSED]),
    ),
    st.tuples(st.just("release"), st.builds(candidate, _names, st.just(0.0), _hosts)),
    st.tuples(st.just("fail"), _hosts),
    st.tuples(st.just("commit")),
    st.tuples(st.just("reopen")),
)


def take_step(store: SQLiteStore, model: Model, step: tuple[object, ...]) -> None:
    """Do the same to the store and to the model, and compare what they answer."""
    match step:
        case ("push", Candidate() as pushed, bool(again)):
            assert store.push(pushed, again=again) == model.push(pushed, again=again)
        case ("pop", str(host)):
            best = model.best(host)
            popped = store.pop(host)
            assert (popped.score if popped else None) == best
            if popped is not None:
                assert model.states[popped.key] is UrlState.QUEUED
                assert model.scores[popped.key] == best
                model.states[popped.key] = UrlState.LEASED
        case ("finish", Candidate() as ended, UrlState() as state):
            store.finish(ended.key, state)
            model.move(ended.key, state)
        case ("release", Candidate() as ended):
            store.release(ended.key)
            model.move(ended.key, UrlState.QUEUED)
        case ("fail", str(host)):
            assert store.fail_host(host, "http_error") == model.fail_host(host)
        case ("commit",):
            store.commit()


@settings(
    max_examples=60,
    deadline=None,
)
@given(steps=st.lists(_steps, max_size=60))
def test_the_store_does_as_a_dictionary_would(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[object, ...]],
) -> None:
    """Whatever is pushed, popped and ended."""
    path = tmp_path_factory.mktemp("store") / "frontier.db"
    store, model = SQLiteStore(path), Model()
    for step in steps:
        if step == ("reopen",):
            store.close()
            store = SQLiteStore(path)
            for key in list(model.states):
                model.move(key, UrlState.QUEUED)
        take_step(store, model, step)
    known = list(model.states.values())
    assert {state: store.count(state) for state in UrlState} == {
        state: known.count(state) for state in UrlState
    }
    assert {key: store.state_of(key) for key in model.states} == model.states
    for host in ("a.org", "b.org"):
        assert store.best_score(host) == model.best(host)
    store.close()
