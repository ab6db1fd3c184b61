"""The order of visits: the best URL among the hosts that may be visited now."""

from __future__ import annotations

import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import Answer, HostClock, PolitenessRules
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore

if TYPE_CHECKING:
    MakeFrontier = Callable[..., Frontier]


def candidate(host: str, name: str, score: float = 0.0) -> Candidate:
    return Candidate(f"http://{host}/{name}", f"http://{host}/{name}", host, score)


def name_of(found: Candidate | None) -> str | None:
    return None if found is None else found.key.removeprefix("http://")


@pytest.fixture
def make_frontier() -> Iterator[MakeFrontier]:
    stores = []

    def make(
        *pushed: Candidate,
        path: Path | str = ":memory:",
        delay_seconds: float = 0.0,
        max_active: int = 8,
        max_pages: int = 0,
        max_round_pages: int = 0,
    ) -> Frontier:
        stores.append(SQLiteStore(path))
        rules = PolitenessRules(
            delay=delay_seconds,
            max_active=max_active,
            max_pages=max_pages,
            max_round_pages=max_round_pages,
        )
        frontier = Frontier(stores[-1], rules)
        for one in pushed:
            frontier.push(one, 0.0)
        return frontier

    yield make
    for store in stores:
        store.close()


def test_the_best_url_of_all_hosts_comes_first(make_frontier: MakeFrontier) -> None:
    frontier = make_frontier(
        candidate("a.org", "1", 5),
        candidate("b.org", "1", 9),
        candidate("a.org", "2", 7),
        candidate("c.org", "1", 1),
        candidate("b.org", "2", 6),
    )
    assert len(frontier) == 5
    order = [name_of(frontier.pop(0.0)) for _ in range(6)]
    assert order == ["b.org/1", "a.org/2", "b.org/2", "a.org/1", "c.org/1", None]
    assert len(frontier) == 0


def test_a_host_rests_between_two_visits(make_frontier: MakeFrontier) -> None:
    frontier = make_frontier(
        *(candidate("a.org", name, 9) for name in "123"),
        candidate("b.org", "1", 1),
        delay_seconds=2.0,
    )
    assert frontier.wake_seconds(10.0) is None
    assert name_of(frontier.pop(10.0)) == "a.org/1"
    assert name_of(frontier.pop(10.0)) == "b.org/1", "the other host may be visited"
    assert frontier.pop(11.9) is None
    assert frontier.wake_seconds(11.5) == 0.5
    assert name_of(frontier.pop(12.0)) == "a.org/2"
    assert frontier.pop(12.0) is None
    assert frontier.wake_seconds(99.0) == 0.0
    assert name_of(frontier.pop(99.0)) == "a.org/3"


def test_the_end_of_a_visit_does_not_shorten_the_rest(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(
        candidate("a.org", "1"), candidate("a.org", "2"), delay_seconds=2.0
    )
    first = frontier.pop(0.0)
    assert first is not None
    frontier.finish(first.key, first.host, UrlState.DONE, 0.1)
    frontier.push(candidate("a.org", "3", 50), 0.2)
    assert frontier.pop(1.9) is None
    assert name_of(frontier.pop(2.0)) == "a.org/3"


def test_only_so_many_visits_of_a_host_are_under_way(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(
        *(candidate("a.org", name) for name in "1234"), max_active=2
    )
    first, second = frontier.pop(0.0), frontier.pop(0.0)
    assert first is not None
    assert second is not None
    assert frontier.pop(0.0) is None
    frontier.finish(first.key, first.host, UrlState.FAILED, 0.0, "http_error")
    assert name_of(frontier.pop(0.0)) == "a.org/3"
    assert frontier.pop(0.0) is None
    frontier.release(second.key, second.host, 0.0)
    assert name_of(frontier.pop(0.0)) == "a.org/2", "it is visited again"


def test_a_slow_host_waits_for_its_clock_and_its_visits(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(
        candidate("a.org", "1"),
        candidate("a.org", "2"),
        delay_seconds=1.0,
        max_active=1,
    )
    first = frontier.pop(0.0)
    assert first is not None
    assert frontier.pop(5.0) is None, "rested, but the first visit is under way"
    assert frontier.wake_seconds(5.0) is None
    frontier.finish(first.key, first.host, UrlState.DONE, 6.0)
    assert name_of(frontier.pop(6.0)) == "a.org/2"


def test_a_queued_link_that_is_found_again_moves_forward(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(
        candidate("a.org", "1", 5),
        candidate("b.org", "1", 4),
        candidate("b.org", "2", 1),
    )
    assert not frontier.push(candidate("b.org", "2", 0.5), 0.0)
    assert frontier.push(candidate("b.org", "2", 8), 0.0)
    assert len(frontier) == 3
    order = [name_of(frontier.pop(0.0)) for _ in range(4)]
    assert order == ["b.org/2", "a.org/1", "b.org/1", None]


def test_no_url_is_visited_twice(make_frontier: MakeFrontier) -> None:
    frontier = make_frontier(candidate("a.org", "1", 5))
    found = frontier.pop(0.0)
    assert found is not None
    assert not frontier.push(candidate("a.org", "1", 9), 0.0)
    frontier.finish(found.key, found.host, UrlState.DONE, 0.0)
    assert not frontier.push(candidate("a.org", "1", 9), 0.0, again=True)
    assert frontier.pop(0.0) is None


def test_a_seed_that_failed_is_tried_again(make_frontier: MakeFrontier) -> None:
    frontier = make_frontier(candidate("a.org", "1"))
    found = frontier.pop(0.0)
    assert found is not None
    frontier.finish(found.key, found.host, UrlState.FAILED, 0.0, "not_reached")
    assert not frontier.push(found, 0.0)
    assert frontier.push(found, 0.0, again=True)
    assert frontier.pop(0.0) == found


def test_a_frontier_goes_on_where_an_earlier_one_stopped(
    make_frontier: MakeFrontier, tmp_path: Path
) -> None:
    path = tmp_path / "frontier.db"
    first = make_frontier(
        *(candidate("a.org", name, int(name)) for name in "1234"), path=path
    )
    done, leased = first.pop(0.0), first.pop(0.0)
    assert done is not None
    assert leased is not None
    first.finish(done.key, done.host, UrlState.DONE, 0.0)
    first.store.commit()
    second = make_frontier(path=path)
    order = [name_of(second.pop(0.0)) for _ in range(4)]
    assert order == ["a.org/3", "a.org/2", "a.org/1", None], "the lease is queued again"


def test_what_was_done_is_committed_within_a_second(
    make_frontier: MakeFrontier, tmp_path: Path
) -> None:
    path = tmp_path / "frontier.db"
    frontier = make_frontier(path=path)
    with closing(sqlite3.connect(path)) as reader:
        committed = []
        for name, now in (("1", 100.0), ("2", 100.5), ("3", 100.9), ("4", 101.0)):
            frontier.push(candidate("a.org", name), now)
            committed += reader.execute("SELECT count(*) FROM urls").fetchone()
    assert committed == [1, 1, 1, 4]


def test_a_url_is_leased_in_the_file_before_it_is_handed_out(
    make_frontier: MakeFrontier, tmp_path: Path
) -> None:
    """So a crash can cause only leased pages to be visited again."""
    path = tmp_path / "frontier.db"
    frontier = make_frontier(
        *(candidate("a.org", name) for name in "12"), path=path, max_active=2
    )
    with closing(sqlite3.connect(path)) as reader:

        def count(state: UrlState) -> int:
            sql = "SELECT count(*) FROM urls WHERE state = ?"
            return int(reader.execute(sql, (state.value,)).fetchone()[0])

        first = frontier.pop(0.0)
        assert first is not None
        assert (count(UrlState.LEASED), count(UrlState.QUEUED)) == (1, 1)
        frontier.finish(first.key, first.host, UrlState.DONE, 0.0)
        second = frontier.pop(0.0)
        assert second is not None
        assert (count(UrlState.DONE), count(UrlState.LEASED)) == (1, 1)
        frontier.finish(second.key, second.host, UrlState.DONE, 0.0)
        assert frontier.pop(0.0) is None
        assert count(UrlState.DONE) == 2


# -- any sequence of calls ---------------------------------------------------------------


@dataclass
class Model:
    """Who may be visited, by looking at every host and every URL each time."""

    delay_seconds: float
    max_active: int
    states: dict[str, UrlState] = field(default_factory=dict)
    candidates: dict[str, Candidate] = field(default_factory=dict)
    visited_at: dict[str, float] = field(default_factory=dict)
    active: dict[str, int] = field(default_factory=dict)

    def queued(self) -> list[Candidate]:
        return [
            found
            for key, found in self.candidates.items()
            if self.states[key] is UrlState.QUEUED
        ]

    def best_score(self, now: float) -> float | None:
        return max(
            (
                found.score
                for found in self.queued()
                if self.active.get(found.host, 0) < self.max_active
                and now - self.visited_at.get(found.host, -1e9) >= self.delay_seconds
            ),
            default=None,
        )

    def push(self, pushed: Candidate) -> bool:
        state = self.states.get(pushed.key)
        is_better = (
            state is UrlState.QUEUED
            and pushed.score > self.candidates[pushed.key].score
        )
        if state is None or is_better:
            self.states[pushed.key] = UrlState.QUEUED
            self.candidates[pushed.key] = pushed
            return True
        return False

    def lease(self, found: Candidate, now: float) -> None:
        self.states[found.key] = UrlState.LEASED
        self.visited_at[found.host] = now
        self.active[found.host] = self.active.get(found.host, 0) + 1

    def end(self, found: Candidate, state: UrlState) -> None:
        self.states[found.key] = state
        self.active[found.host] -= 1


_pushes = st.builds(
    candidate,
    st.sampled_from(["a.org", "b.org", "c.org"]),
    st.integers(0, 12).map(str),
    st.integers(0, 6).map(float),
)
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("push"), _pushes),
        st.tuples(st.just("pop")),
        st.tuples(st.just("finish"), st.integers(0, 5)),
        st.tuples(st.just("release"), st.integers(0, 5)),
        st.tuples(st.just("wait"), st.sampled_from([0.25, 1.0, 3.0])),
    ),
    max_size=80,
)


def test_a_flood_of_equal_urls_costs_no_memory() -> None:
    store = SQLiteStore(":memory:")
    frontier = Frontier(store, PolitenessRules())
    pushed = [candidate("a.org", str(number)) for number in range(10_000)]
    tracemalloc.start()
    for one in pushed:
        frontier.push(one, 0.0)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    store.close()
    assert peak_bytes < 400_000


@settings(max_examples=150, deadline=None)
@given(_steps, st.sampled_from([0.0, 1.0]), st.integers(1, 3))
def test_the_frontier_does_as_a_look_at_everything_would(
    steps: list[tuple[object, ...]], delay_seconds: float, max_active: int
) -> None:
    """The best one, never a host too soon or too often, and nobody is forgotten."""
    store = SQLiteStore(":memory:")
    frontier = Frontier(
        store, PolitenessRules(delay=delay_seconds, max_active=max_active)
    )
    model = Model(delay_seconds, max_active)
    leases: list[Candidate] = []
    now = 0.0
    for step in steps:
        match step:
            case ("push", Candidate() as pushed):
                assert frontier.push(pushed, now) == model.push(pushed)
            case ("pop",):
                expected = model.best_score(now)
                found = frontier.pop(now)
                assert (found.score if found else None) == expected
                if found is not None:
                    assert model.candidates[found.key].score == found.score
                    model.lease(found, now)
                    leases.append(found)
            case (("finish" | "release") as name, int(place)) if leases:
                ended = leases.pop(place % len(leases))
                if name == "finish":
                    frontier.finish(ended.key, ended.host, UrlState.DONE, now)
                    model.end(ended, UrlState.DONE)
                else:
                    frontier.release(ended.key, ended.host, now)
                    model.end(ended, UrlState.QUEUED)
            case ("wait", float(seconds)):
                now += seconds
        assert len(frontier) == len(model.queued())
    store.close()


# -- answers -----------------------------------------------------------------------------


def test_an_answer_makes_room_for_the_next_visit(make_frontier: MakeFrontier) -> None:
    """The page may still be in the pipelines: its lease goes on."""
    frontier = make_frontier(
        candidate("a.org", "1", 5), candidate("a.org", "2", 4), max_active=1
    )
    first = frontier.pop(0.0)
    assert first is not None
    assert frontier.pop(0.0) is None
    frontier.answered(first.key, first.host, 0.0, Answer.OK)
    assert frontier.pop(0.0) is not None
    assert frontier.store.count(UrlState.LEASED) == 2


def test_hosts_that_have_answered_and_all_in_a_silence_are_away_for_a_while(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(*(candidate(f"{name}.org", "1", 5) for name in "abcdefg"))
    visits = [frontier.pop(0.0) for _ in range(7)]
    first, second, *others = [visit for visit in visits if visit is not None]
    frontier.answered(first.key, first.host, 0.0, Answer.OK)
    assert frontier.is_away(first.host)
    frontier.answered(second.key, second.host, 0.0, Answer.ERROR)
    assert not frontier.is_away(second.host)
    for other in others:
        frontier.answered(other.key, other.host, 0.0, Answer.ERROR)
    assert frontier.is_away(second.host)
    frontier.answered(first.key, first.host, 1.0, Answer.OK)
    assert not frontier.is_away(second.host)


def test_hosts_that_rest_are_counted_until_their_time(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(*(candidate(f"{name}.org", "1", 5) for name in "abc"))
    visits = [frontier.pop(0.0) for _ in range(3)]
    first, second, third = [visit for visit in visits if visit is not None]
    frontier.answered(first.key, first.host, 0.0, Answer.THROTTLED, 100.0)
    frontier.answered(second.key, second.host, 0.0, Answer.OK)
    frontier.answered(third.key, third.host, 0.0, Answer.ERROR)
    counts = [frontier.count_away(seconds) for seconds in (0.05, 50.0, 101.0)]
    assert counts == [2, 1, 0]


def test_a_host_that_asks_to_wait_is_left_alone_until_then(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(
        candidate("a.org", "1", 5),
        candidate("a.org", "2", 4),
        candidate("b.org", "3", 1),
    )
    first = frontier.pop(0.0)
    assert first is not None
    frontier.answered(first.key, first.host, 0.0, Answer.THROTTLED, retry_after=30.0)
    other = frontier.pop(0.0)
    assert other is not None
    assert other.host == "b.org"
    assert frontier.pop(29.0) is None
    assert frontier.wake_seconds(29.0) == 1.0
    again = frontier.pop(30.0)
    assert again is not None
    assert again.host == "a.org"


def test_the_urls_of_a_dead_host_are_given_up_together(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier(*(candidate("a.org", str(n), n) for n in range(3)))
    lost = frontier.store.fail_host("a.org", "dead_host")
    assert len(lost) == 3
    assert frontier.pop(0.0) is None
    assert len(frontier) == 0
    assert frontier.store.count(UrlState.FAILED) == 3


def test_a_host_that_was_throttled_long_ago_is_visited_normally() -> None:
    rules = PolitenessRules(delay=1.0, max_delay=60.0)
    clock = HostClock()
    for _ in range(50):
        clock.learn(rules, 0.0, Answer.THROTTLED, 0.0)
    assert clock.delay(rules) == 60.0
    for _ in range(7):
        clock.learn(rules, 0.0, Answer.OK, 0.0)
    assert clock.delay(rules) == 1.0


def test_a_host_gives_so_many_pages_at_most(
    make_frontier: MakeFrontier, tmp_path: Path
) -> None:
    path = tmp_path / "frontier.db"
    pushed = [candidate("a.org", str(number), 9 - number) for number in range(4)]
    frontier = make_frontier(
        *pushed, candidate("b.org", "1", -1), path=path, max_pages=2
    )
    first = frontier.pop(1)
    assert name_of(first) == "a.org/0"
    assert first is not None
    frontier.release(first.key, "a.org", 2)  # a retry is no other page
    found = [name_of(frontier.pop(now)) for now in range(3, 7)]
    assert found == ["a.org/0", "a.org/1", "b.org/1", None]
    assert not len(frontier)
    frontier.push(candidate("a.org", "late", 99), 8)
    assert frontier.pop(9) is None
    assert frontier.store.state_of("http://a.org/late") is UrlState.REFUSED
    for name in ("a.org/0", "a.org/1", "b.org/1"):
        frontier.finish(f"http://{name}", name[:5], UrlState.DONE, 10)
    frontier.store.commit()
    again = make_frontier(path=path, max_pages=2)
    assert again.pop(0) is None
    again.store.commit()
    wider = make_frontier(path=path, max_pages=3)
    assert [name_of(wider.pop(now)) for now in range(3)] == ["a.org/late", None, None]


def test_hosts_give_as_many_pages_in_a_round(make_frontier: MakeFrontier) -> None:
    frontier = make_frontier(
        *(candidate("a.org", name, 9) for name in "123456"),
        *(candidate("b.org", name, 5) for name in "123"),
        candidate("c.org", "1", 1),
        max_round_pages=2,
    )
    order = [name_of(frontier.pop(0.0)) for _ in range(2)]
    assert order == ["a.org/1", "a.org/2"]
    for key in ("a.org/1", "a.org/2"):
        frontier.finish(f"http://{key}", "a.org", UrlState.DONE, 0.0)
    order = [name_of(frontier.pop(0.0)) for _ in range(3)]
    assert order == ["b.org/1", "b.org/2", "c.org/1"]
    # c.org may have more after its page under way, but nothing of it is queued.
    assert [name_of(frontier.pop(0.0)) for _ in range(2)] == ["a.org/3", "a.org/4"]
    # A page put back is as if it had not been asked for.
    frontier.release("http://a.org/4", "a.org", 0.0)
    assert name_of(frontier.pop(0.0)) == "a.org/4"
    assert name_of(frontier.pop(0.0)) == "b.org/3"
    assert [name_of(frontier.pop(0.0)) for _ in range(3)] == [
        "a.org/5",
        "a.org/6",
        None,
    ]


def test_a_round_waits_for_a_host_that_rests(make_frontier: MakeFrontier) -> None:
    frontier = make_frontier(
        *(candidate("a.org", name, 9) for name in "12"),
        *(candidate("b.org", name, 5) for name in "123"),
        delay_seconds=2.0,
        max_round_pages=2,
    )
    assert name_of(frontier.pop(0.0)) == "a.org/1"
    frontier.push(candidate("a.org", "3", 9), 0.0)
    assert name_of(frontier.pop(0.0)) == "b.org/1"
    assert name_of(frontier.pop(1.0)) is None
    assert name_of(frontier.pop(2.0)) == "a.org/2"
    assert name_of(frontier.pop(2.5)) == "b.org/2"
    # Both have given two; the delay of each holds all the same.
    assert name_of(frontier.pop(3.0)) is None
    assert name_of(frontier.pop(4.0)) == "a.org/3"


STEP = 100.0


@pytest.fixture
def strict(make_frontier: MakeFrontier) -> Callable[..., Frontier]:
    """Make a frontier with buckets of 100: 0 NORMAL, 100 MEDIUM, 200 HIGH."""

    def make(*pushed: Candidate, **rules: Any) -> Frontier:
        plain = make_frontier()
        frontier = Frontier(plain.store, PolitenessRules(**rules), step=STEP)
        for one in pushed:
            frontier.push(one, 0.0)
        return frontier

    return make


def test_a_worse_bucket_waits_for_the_delay_of_a_better_host(
    strict: Callable[..., Frontier],
) -> None:
    frontier = strict(
        *(candidate("a.org", name, 2 * STEP) for name in "12"),
        candidate("b.org", "1", STEP + 9),
        delay=5.0,
    )
    assert name_of(frontier.pop(0.0)) == "a.org/1"
    assert frontier.pop(1.0) is None
    assert frontier.wake_seconds(1.0) == 4.0
    assert name_of(frontier.pop(5.0)) == "a.org/2"
    assert name_of(frontier.pop(5.0)) == "b.org/1", "the better bucket is empty"


def test_hosts_with_urls_in_the_same_bucket_take_turns(
    strict: Callable[..., Frontier],
) -> None:
    frontier = strict(
        *(candidate("a.org", name, 2 * STEP + 30) for name in "12"),
        candidate("b.org", "1", 2 * STEP - 30),
        delay=5.0,
    )
    assert name_of(frontier.pop(0.0)) == "a.org/1"
    assert name_of(frontier.pop(0.0)) == "b.org/1"


def test_a_better_host_that_is_busy_holds_up_the_others(
    strict: Callable[..., Frontier],
) -> None:
    frontier = strict(
        *(candidate("a.org", name, 2 * STEP) for name in "12"),
        candidate("b.org", "1", STEP),
        delay=0.0,
        max_active=1,
    )
    first = frontier.pop(0.0)
    assert first is not None
    assert frontier.pop(0.0) is None
    frontier.finish(first.key, first.host, UrlState.DONE, 0.1)
    assert name_of(frontier.pop(0.1)) == "a.org/2"
    assert name_of(frontier.pop(0.1)) == "b.org/1"


@pytest.mark.parametrize("answer", [Answer.ERROR, Answer.THROTTLED])
def test_a_better_host_that_rests_holds_up_nobody(
    strict: Callable[..., Frontier], answer: Answer
) -> None:
    frontier = strict(
        *(candidate("a.org", name, 2 * STEP) for name in "12"),
        candidate("b.org", "1", STEP),
        delay=1.0,
    )
    first = frontier.pop(0.0)
    assert first is not None
    assert frontier.pop(0.0) is None
    frontier.answered(first.key, first.host, 0.1, answer)
    assert name_of(frontier.pop(0.2)) == "b.org/1"
    assert name_of(frontier.pop(99.0)) == "a.org/2"


def test_a_better_host_that_dies_holds_up_nobody(
    strict: Callable[..., Frontier],
) -> None:
    frontier = strict(
        *(candidate("a.org", name, 2 * STEP) for name in "123"),
        candidate("b.org", "1", STEP),
        delay=9.0,
    )
    assert frontier.pop(0.0) is not None
    assert frontier.pop(0.0) is None
    frontier.store.fail_host("a.org", "dead_host")
    assert name_of(frontier.pop(0.0)) == "b.org/1"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "c"]),
            st.integers(0, 2),
            st.sampled_from([Answer.OK, Answer.ERROR, Answer.THROTTLED]),
        ),
        max_size=25,
    )
)
def test_strict_buckets_visit_every_url_in_the_end(
    urls: list[tuple[str, int, Answer]],
) -> None:
    """Whatever hosts answer, no bucket is waited for without end."""
    frontier = Frontier(SQLiteStore(":memory:"), PolitenessRules(delay=1.0), step=STEP)
    answers = {}
    for number, (host, bucket, answer) in enumerate(urls):
        one = candidate(host, str(number), bucket * STEP)
        answers[one.key] = answer
        frontier.push(one, 0.0)
    now, visited = 0.0, 0
    while len(frontier):
        found = frontier.pop(now)
        if found is None:
            wait = frontier.wake_seconds(now)
            assert wait is not None
            now += max(wait, 0.001)
            continue
        visited += 1
        frontier.answered(found.key, found.host, now, answers[found.key])
        frontier.finish(found.key, found.host, UrlState.DONE, now)
    assert visited == len(urls)
    frontier.store.close()


def test_a_crawl_does_not_wait_for_hosts_that_throttle_alone(
    make_frontier: MakeFrontier,
) -> None:
    frontier = make_frontier()
    frontier.push(Candidate.of("http://a.org/1", 1.0), 0.0)
    frontier.push(Candidate.of("http://a.org/2", 1.0), 0.0)
    frontier.push(Candidate.of("http://b.org/1", 1.0), 0.0)
    assert not frontier.waits_in_vain()
    leased = [frontier.pop(0.0), frontier.pop(0.0)]
    for one in leased:
        assert one is not None
        is_a = one.host == "a.org"
        answer = Answer.THROTTLED if is_a else Answer.OK
        frontier.answered(one.key, one.host, 1.0, answer, 600.0)
        assert not frontier.waits_in_vain()  # its page is not processed yet
        frontier.finish(one.key, one.host, UrlState.DONE, 1.0)
    assert frontier.pop(2.0) is None
    assert frontier.waits_in_vain()
    frontier.push(Candidate.of("http://b.org/2", 1.0), 3.0)
    assert not frontier.waits_in_vain()
