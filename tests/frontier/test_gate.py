"""The gate before the frontier: what is refused, kept and reopened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.reasons import TrapReason, VisitResult
from ilspfc.frontier.store import trap_memory
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.frontier.store.url_table import read_history
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.gate import TrapGate

SITE = "https://a.example"
HOST = "a.example"
TODAY = date(2026, 3, 2)


def candidate(path: str, referrer: str = f"{SITE}/") -> Candidate:
    url = SITE + path
    return Candidate(url, url, HOST, 1.5, 2, referrer, "Mai", 1, 0.5)


def facet(number: int) -> Candidate:
    values = (number // 3**place % 3 for place in range(4))
    return candidate("/shop?" + "&".join(map("{}={}".format, "abcd", values)))


class Crawl:
    """A frontier in a file, and the number of its refusals by reason."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.open()

    def open(self, *, is_on: bool = True) -> None:
        self.refusals: Counter[str] = Counter()
        self.store = SQLiteStore(self.path)
        detector = TrapDetector(TODAY) if is_on else None
        self.gate = TrapGate(detector, self.store, self._count)
        rules = PolitenessRules(delay=0.0, max_active=1000)
        self.frontier = Frontier(self.store, rules, gate=self.gate)

    def _count(self, key: str) -> None:
        self.refusals[key] += 1

    def push(self, pushed: Candidate) -> bool:
        return self.frontier.push(pushed, 0.0)

    def visit(self, result: VisitResult | str, state: UrlState = UrlState.DONE) -> str:
        """Visit the next URL; return it, or nothing when there is none."""
        popped = self.frontier.pop(0.0)
        if popped is None:
            return ""
        self.frontier.finish(popped.key, HOST, state, 0.0, result)
        self.gate.record(popped.key, state, result, popped.referrer)
        return popped.key

    def visit_all(self, result: VisitResult | str) -> int:
        return len(list(iter(lambda: self.visit(result), "")))


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Crawl]:
    crawl = Crawl(tmp_path / "frontier.db")
    yield crawl
    crawl.store.close()


def test_a_trap_is_refused_counted_and_written_down(crawl: Crawl) -> None:
    trap = candidate("/a/b/a/b/a/b/")
    assert not crawl.push(trap)
    assert not crawl.push(trap)
    assert crawl.refusals == {"frontier/dropped/trap_repeating_path": 2}
    assert crawl.store.state_of(trap.key) is None
    assert crawl.frontier.pop(0.0) is None
    crawl.store.commit()
    history = read_history(crawl.path, trap.key)
    assert history is not None
    assert (history.state, history.reason) == ("refused", "trap_repeating_path")
    assert (history.referrer, history.anchor) == (f"{SITE}/", "Mai")


def test_seeds_are_never_traps(crawl: Crawl) -> None:
    assert crawl.push(candidate("/a/b/a/b/a/b/", referrer=""))


def test_a_known_url_costs_no_budget(crawl: Crawl) -> None:
    assert crawl.push(facet(0))
    for _ in range(100):
        crawl.push(facet(0))
    passed = [crawl.push(facet(number)) for number in range(1, 40)]
    assert passed == [True] * 19 + [False] * 20
    assert crawl.refusals == {"frontier/dropped/trap_facets": 20}


def test_what_is_kept_of_an_endless_trap_is_bounded(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trap_memory, "MAX_REFUSED", 5)
    for number in range(60):
        crawl.push(facet(number))
        crawl.push(facet(number))
    assert len(crawl.store.traps.refused(HOST)) == 5
    assert crawl.refusals.total() == 80
    crawl.push(candidate("/x" * 3000))
    assert len(crawl.store.traps.refused(HOST)) == 5, "too long to be kept"


def test_refused_urls_come_again_when_their_family_proves_good(crawl: Crawl) -> None:
    for number in range(60):
        crawl.push(facet(number))
    for _ in range(19):
        crawl.visit(VisitResult.NOTHING_NEW)
    assert crawl.visit(VisitResult.NEW_TEXT)
    assert crawl.visit_all(VisitResult.NOTHING_NEW) == 3
    assert crawl.refusals.total() == 40
    assert len(crawl.store.traps.refused(HOST)) == 37
    assert crawl.store.count(UrlState.DONE) == 23


def test_what_only_its_url_speaks_against_never_comes_again(crawl: Crawl) -> None:
    crawl.push(candidate("/a/b/a/b/a/b/"))
    crawl.push(candidate("/"))
    assert crawl.visit_all(VisitResult.NEW_TEXT) == 1


def test_a_reopened_url_is_as_it_was_found(crawl: Crawl) -> None:
    for number in range(21):
        crawl.push(facet(number))
    crawl.visit(VisitResult.NEW_TEXT)
    for _ in range(19):
        crawl.visit(VisitResult.UNDECIDED)
    assert crawl.frontier.pop(0.0) == facet(20)


def test_opaque_addresses_of_pages_in_another_language_do_not_end_a_site(
    crawl: Crawl,
) -> None:
    for number in range(60):
        crawl.push(candidate(f"/p/{number:08x}a1.html"))
    visited = crawl.visit_all(VisitResult.OTHER_TEXT)
    assert visited == 60


@pytest.mark.parametrize(
    ("state", "reason", "is_told"),
    [
        (UrlState.DONE, VisitResult.NOTHING_NEW, True),
        (UrlState.FAILED, "http_error", True),
        (UrlState.FAILED, "not_reached", True),
        (UrlState.FAILED, "dead_host", False),
        (UrlState.FAILED, "robots_unreachable", False),
        (UrlState.REFUSED, "robots", False),
        (UrlState.DONE, VisitResult.UNDECIDED, False),
        (UrlState.DONE, VisitResult.OTHER_TEXT, False),
        (UrlState.DONE, "redirected", False),
    ],
)
def test_only_some_ends_speak_against_a_family(
    crawl: Crawl, state: UrlState, reason: str, *, is_told: bool
) -> None:
    for number in range(40):
        crawl.push(candidate(f"/item/{number}"))
    for _ in range(40):
        crawl.visit(reason, state)
    assert crawl.push(candidate("/item/99")) is not is_told


def test_a_crawl_that_goes_on_knows_what_visits_gave(crawl: Crawl) -> None:
    for number in range(40):
        crawl.push(candidate(f"/item/{number}"))
    crawl.visit_all(VisitResult.NOTHING_NEW)
    crawl.store.close()
    crawl.open()
    assert not crawl.push(candidate("/item/99"))
    assert crawl.refusals == {f"frontier/dropped/{TrapReason.PATTERN_EXHAUSTED}": 1}
    assert crawl.push(candidate("/article/99"))


def test_switched_off_it_lets_everything_pass_also_what_was_refused(
    crawl: Crawl,
) -> None:
    crawl.push(candidate("/a/b/a/b/a/b/"))
    crawl.store.close()
    crawl.open(is_on=False)
    assert crawl.push(candidate("/c/d/c/d/c/d/"))
    assert crawl.visit_all(VisitResult.NEW_TEXT) == 2
    assert crawl.store.traps.refused(HOST) == []
