"""Politeness: the clock of one host."""

from __future__ import annotations

import pytest

from ilspfc.frontier.politeness import Answer, HostClock, PolitenessRules

RULES = PolitenessRules(delay=1.0, max_active=2)


def test_the_next_visit_waits_for_the_delay() -> None:
    clock = HostClock()
    clock.start(RULES, "a", 10.0)
    assert clock.ready_at == 11.0
    assert clock.active == {"a"}


def test_a_crawl_delay_is_kept_up_to_a_bound() -> None:
    clock = HostClock(crawl_delay=5.0)
    assert clock.delay(RULES) == 5.0
    clock.crawl_delay = 600.0
    assert clock.delay(RULES) == RULES.max_crawl_delay
    clock.crawl_delay = 0.1
    assert clock.delay(RULES) == RULES.delay, "robots.txt never shortens the delay"


def test_throttling_doubles_the_delay_and_good_answers_halve_it() -> None:
    clock = HostClock()
    clock.learn(RULES, 0.0, Answer.THROTTLED, 0.0)
    clock.learn(RULES, 0.0, Answer.THROTTLED, 0.0)
    assert clock.delay(RULES) == 4.0
    clock.learn(RULES, 0.0, Answer.OK, 0.0)
    assert clock.delay(RULES) == 2.0
    clock.learn(RULES, 0.0, Answer.OK, 0.0)
    clock.learn(RULES, 0.0, Answer.OK, 0.0)
    assert clock.delay(RULES) == 1.0


def test_a_host_without_delay_is_slowed_down_too() -> None:
    rules = PolitenessRules(delay=0.0)
    clock = HostClock()
    clock.learn(rules, 0.0, Answer.THROTTLED, 0.0)
    assert clock.delay(rules) > 0


@pytest.mark.parametrize(
    ("retry_after", "ready_at"), [(30.0, 130.0), (0.0, 102.0), (1e9, 700.0)]
)
def test_retry_after_is_waited_for_up_to_a_bound(
    retry_after: float, ready_at: float
) -> None:
    clock = HostClock()
    clock.learn(RULES, 60.0, Answer.THROTTLED, 0.0)
    clock.slow_down = 1.0
    clock.learn(RULES, 100.0, Answer.THROTTLED, retry_after)
    assert clock.ready_at == ready_at


def test_a_page_that_is_unavailable_does_not_hold_up_its_host_for_long() -> None:
    clock = HostClock()
    clock.learn(RULES, 100.0, Answer.UNAVAILABLE, 600.0)
    assert clock.ready_at == 130.0
    clock.learn(RULES, 101.0, Answer.UNAVAILABLE, 600.0)  # it was under way
    assert clock.ready_at == 131.0
    clock.learn(RULES, 132.0, Answer.OK, 0.0)
    clock.learn(RULES, 133.0, Answer.UNAVAILABLE, 600.0)
    assert clock.ready_at == 163.0
    clock.learn(RULES, 164.0, Answer.UNAVAILABLE, 600.0)
    assert clock.ready_at == 764.0
    assert not clock.is_given_up(RULES)


def test_too_many_requests_hold_up_the_whole_host_at_once() -> None:
    clock = HostClock()
    clock.learn(RULES, 100.0, Answer.THROTTLED, 600.0)
    assert clock.ready_at == 700.0


@pytest.mark.parametrize(("pages", "is_in_vain"), [(0, True), (40, True), (60, False)])
def test_waiting_for_a_host_is_in_vain_by_what_it_has_given(
    pages: int, is_in_vain: bool
) -> None:
    clock = HostClock()
    for _ in range(pages):
        clock.learn(RULES, 0.0, Answer.OK, 0.0)
    clock.learn(RULES, 100.0, Answer.THROTTLED, 600.0)
    assert clock.is_in_vain(RULES) is is_in_vain
    assert not clock.is_given_up(RULES)
    clock.learn(RULES, 700.0, Answer.OK, 0.0)
    assert not clock.is_in_vain(RULES)


def test_each_error_in_a_row_makes_a_host_rest_longer() -> None:
    clock = HostClock()
    rests = []
    now = 0.0
    for _ in range(6):
        clock.learn(RULES, now, Answer.ERROR, 0.0)
        rests.append(clock.ready_at - now)
        now = clock.ready_at
    assert rests == [1.0, 2.0, 4.0, 8.0, 8.0, 8.0]


def test_a_host_is_given_up_after_errors_in_a_row_only() -> None:
    rules = PolitenessRules(max_errors=3)
    clock = HostClock()
    answers = (Answer.ERROR, Answer.ERROR, Answer.OK, Answer.ERROR, Answer.ERROR)
    for number, answer in enumerate(answers):
        clock.learn(rules, 100.0 * number, answer, 0.0)
        assert not clock.is_given_up(rules)
    clock.learn(rules, 1000.0, Answer.ERROR, 0.0)
    assert clock.is_given_up(rules)


def test_visits_that_fail_together_are_one_error() -> None:
    clock = HostClock()
    for _ in range(20):
        clock.learn(RULES, 0.0, Answer.ERROR, 0.0)
    assert clock.errors == 1
    assert clock.ready_at == RULES.delay


def test_an_outage_of_half_a_minute_is_no_reason_to_give_up() -> None:
    rules = PolitenessRules(delay=0.0)
    clock, now = HostClock(), 0.0
    while not clock.is_given_up(rules):
        clock.learn(rules, now, Answer.ERROR, 0.0)
        now = clock.ready_at
    assert 35.0 < now - rules.max_error_delay < 60.0


def test_a_broken_page_is_no_fault_of_the_host() -> None:
    clock = HostClock()
    for _ in range(20):
        clock.learn(RULES, 0.0, Answer.BROKEN, 0.0)
    assert clock.ready_at == 0.0
    assert not clock.is_given_up(RULES)


def test_what_blocks_a_host() -> None:
    clock = HostClock()
    assert not clock.is_blocked(RULES)
    clock.is_cooling = True
    assert clock.is_blocked(RULES)
    clock.is_cooling = False
    clock.active = {"a", "b"}
    assert clock.is_blocked(RULES)
