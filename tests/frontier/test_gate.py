"""The gate before each visit: what is held back, what comes again, and what is proven barren."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.reasons import TrapReason, VisitResult
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.frontier.store.url_table import held_back, read_history
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.gate import SAMPLE, TrapGate

SITE = "https://a.example"
HOST = "a.example"
HELD_BACK, BARREN = (f"frontier/dropped/{reason}" for reason in TrapReason)
# Visits without new text after which a pattern is barren.
TRIALS = 20


def candidate(path: str, referrer: str = f"{SITE}/", score: float = 1.5) -> Candidate:
    url = SITE + path
    return Candidate(url, url, HOST, score, 2, referrer, "Mai", 1, 0.5)


class Crawl:
    """A frontier in a file, and what it has counted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.open()

    def open(self, *, is_on: bool = True) -> None:
        self.counts: Counter[str] = Counter()
        self.store = SQLiteStore(self.path)
        detector = TrapDetector() if is_on else None
        self.gate = TrapGate(detector, self.store, self._count)
        rules = PolitenessRules(delay=0.0, max_active=1000)
        self.frontier = Frontier(self.store, rules, gate=self.gate)

    def _count(self, name: str, number: int) -> None:
        self.counts[name] += number

    def push(self, *paths: str, score: float = 1.5) -> None:
        for path in paths:
            self.frontier.push(candidate(path, score=score), 0.0)

    def visit(self, result: VisitResult | str, state: UrlState = UrlState.DONE) -> str:
        """Visit the next URL; return its path, or nothing when there is none."""
        popped = self.frontier.pop(0.0)
        if popped is None:
            return ""
        self.gate.record(popped.key, state, result, popped.referrer)
        self.frontier.finish(popped.key, HOST, state, 0.0, result)
        return popped.key.removeprefix(SITE)

    def visit_all(self, result: VisitResult | str) -> list[str]:
        return list(iter(lambda: self.visit(result), ""))

    def held(self) -> int:
        return len(list(self.store.held(HOST)))


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Crawl]:
    crawl = Crawl(tmp_path / "frontier.db")
    yield crawl
    crawl.store.close()


def items(*numbers: int) -> list[str]:
    return [f"/item/{number}" for number in range(*numbers)]


def test_after_a_row_and_a_sample_without_new_text_the_others_are_barren(
    crawl: Crawl,
) -> None:
    crawl.push(*items(500))
    visited = crawl.visit_all(VisitResult.NOTHING_NEW)
    assert len(visited) == TRIALS + SAMPLE
    assert crawl.held() == crawl.counts[BARREN] == 500 - TRIALS - SAMPLE
    assert crawl.counts[HELD_BACK] == 0
    crawl.store.commit()
    left = next(path for path in items(500) if path not in visited)
    history = read_history(crawl.path, SITE + left)
    assert history is not None
    found, state, reason = history
    assert (state, reason) == ("refused", "trap_barren")
    assert (found.referrer, found.anchor) == (f"{SITE}/", "Mai")


def test_seeds_are_never_held_back(crawl: Crawl) -> None:
    crawl.push(*items(40))
    crawl.frontier.push(candidate("/item/99", referrer="", score=0.0), 0.0)
    assert "/item/99" in crawl.visit_all(VisitResult.NOTHING_NEW)


def test_what_is_held_back_comes_again_when_its_group_gives_new_text(
    crawl: Crawl,
) -> None:
    crawl.push(*items(100), score=2.0)
    crawl.push("/page", score=1.0)
    for _ in range(TRIALS):
        crawl.visit(VisitResult.NEW_LINKS)
    crawl.frontier.push(candidate("/text", f"{SITE}/item/3", score=3.0), 0.0)
    assert crawl.visit(VisitResult.NEW_TEXT) == "/text"
    assert len(crawl.visit_all(VisitResult.NEW_TEXT)) == 100 - TRIALS + 1
    assert crawl.held() == 0
    assert +crawl.counts == {}


def test_what_a_sample_finds_good_lets_all_others_pass(crawl: Crawl) -> None:
    crawl.push(*items(300))
    for _ in range(TRIALS):
        crawl.visit(VisitResult.NOTHING_NEW)
    assert crawl.visit(VisitResult.NEW_TEXT), "of the sample"
    assert len(crawl.visit_all(VisitResult.NEW_TEXT)) == 300 - TRIALS - 1


def test_a_sample_has_something_of_the_largest_groups(crawl: Crawl) -> None:
    crawl.push(*items(TRIALS), score=9.0)
    crawl.visit_all(VisitResult.NOTHING_NEW)
    crawl.push(*items(100, 400))
    crawl.push(*(f"/item/{n}?print=1" for n in range(100, 110)))
    for number in range(600):
        crawl.push(f"/item/{number}/{'abc'[number % 3]}{number}?v=1")
    sample = crawl.gate._draw(HOST, is_first=True)
    assert sample == []
    visited = crawl.visit_all(VisitResult.NOTHING_NEW)
    assert any(path in visited for path in items(100, 400))


def test_addresses_of_pages_in_another_language_do_not_end_a_site(
    crawl: Crawl,
) -> None:
    crawl.push(*(f"/p/{number:08x}a1.html" for number in range(200)))
    assert len(crawl.visit_all(VisitResult.OTHER_TEXT)) == 200


@pytest.mark.parametrize(
    ("state", "reason", "is_told"),
    [
        (UrlState.DONE, VisitResult.NOTHING_NEW, True),
        (UrlState.DONE, VisitResult.NEW_LINKS, True),
        (UrlState.FAILED, "http_error", True),
        (UrlState.FAILED, "not_reached", True),
        (UrlState.FAILED, "dead_host", False),
        (UrlState.FAILED, "robots_unreachable", False),
        (UrlState.REFUSED, "robots", False),
        (UrlState.DONE, VisitResult.UNDECIDED, False),
        (UrlState.DONE, VisitResult.OTHER_TEXT, False),
        (UrlState.DONE, "redirected", False),
        (UrlState.DONE, "redirected_to_known", True),
    ],
)
def test_only_some_ends_speak_against_a_group(
    crawl: Crawl, state: UrlState, reason: str, *, is_told: bool
) -> None:
    crawl.push(*items(200))
    for _ in range(TRIALS + 1):
        crawl.visit(reason, state)
    assert (crawl.counts[HELD_BACK] > 0) is is_told


def test_a_crawl_that_goes_on_knows_what_visits_gave(crawl: Crawl) -> None:
    crawl.push(*items(100))
    crawl.visit_all(VisitResult.NOTHING_NEW)
    crawl.store.close()
    crawl.open()
    crawl.push("/item/999", "/article/99")
    assert crawl.visit_all(VisitResult.NEW_TEXT)[0] == "/article/99"


def test_a_crawl_that_was_killed_takes_up_what_was_held_back(crawl: Crawl) -> None:
    crawl.push(*items(100), score=2.0)
    crawl.push("/page", score=1.0)
    for _ in range(TRIALS):
        crawl.visit(VisitResult.NOTHING_NEW)
    assert crawl.frontier.pop(0.0) == candidate("/page", score=1.0)
    crawl.store.connection.close()
    crawl.open()
    visited = crawl.visit_all(VisitResult.NEW_TEXT)
    assert len(visited) == 100 - TRIALS + 1, "the sample was good"


def test_what_was_held_back_and_is_given_as_a_seed_is_visited(crawl: Crawl) -> None:
    crawl.push(*items(100))
    crawl.visit_all(VisitResult.NOTHING_NEW)
    held = next(iter(crawl.store.held(HOST)))[0]
    crawl.frontier.push(held._replace(referrer=""), 0.0, again=True)
    assert crawl.visit(VisitResult.NEW_TEXT) == held.key.removeprefix(SITE)


def test_switched_off_it_lets_everything_pass_also_what_was_held_back(
    crawl: Crawl,
) -> None:
    crawl.push(*items(200))
    crawl.visit_all(VisitResult.NOTHING_NEW)
    crawl.store.close()
    crawl.open(is_on=False)
    assert len(crawl.visit_all(VisitResult.NOTHING_NEW)) == 200 - TRIALS - SAMPLE
    assert crawl.held() == 0


def test_what_is_held_back_is_told_by_pattern(crawl: Crawl) -> None:
    crawl.push(*items(500))
    crawl.visit_all(VisitResult.NOTHING_NEW)
    crawl.push(*(f"/shop?id={number}&v=2" for number in range(80)))
    crawl.visit_all(VisitResult.NOTHING_NEW)
    crawl.store.commit()
    groups = held_back(crawl.path)
    assert [(group.host, group.pattern, group.reason) for group in groups] == [
        (HOST, "/item/*", "trap_barren"),
        (HOST, "/shop?id=*&v=*", "trap_barren"),
    ]
    assert sum(group.number for group in groups) == crawl.held()
    assert len(groups[0].examples) == 3
    assert all(f"{SITE}/item/" in example for example in groups[0].examples)
    assert held_back(crawl.path.with_name("none.db")) == []
