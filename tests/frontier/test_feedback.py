"""What a visit pays, and which hosts step back."""

from __future__ import annotations

import pytest

from ilspfc.frontier.scoring import feedback as feedback_module
from ilspfc.frontier.scoring.feedback import (
    ALONE_SHARE,
    STEP_BACK,
    PageGains,
    PairGains,
    Scouts,
)


def test_a_page_that_is_not_kept_pays_nothing() -> None:
    assert PageGains().visited("a", "", (), None) == {"a": 0.0}
    assert PairGains().visited("a", "", ("b",), None) == {"a": 0.0}


def test_without_a_domain_each_kept_page_pays_all() -> None:
    gains = PageGains()
    assert gains.visited("a", "deu", (), 0.0) == {"a": 1.0}
    assert gains.visited("b", "deu", (), 0.0) == {"b": 1.0}


def test_pages_pay_by_their_rank_in_relevance() -> None:
    gains = PageGains()
    for number in range(1, 10):
        gains.visited(str(number), "deu", (), float(number))
    best, worst, middle = (
        gains.visited(str(value), "deu", (), value)[str(value)]
        for value in (100.0, 0.5, 5.0)
    )
    assert 0.25 < worst < 0.35
    assert 0.5 < middle < 0.75
    assert 0.9 < best <= 1.0


def test_only_the_last_pages_are_compared_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback_module, "_MAX_DENSITIES", 10)
    gains = PageGains()
    for number in range(100):
        gains.visited(str(number), "deu", (), 100.0)
    for number in range(10):
        gains.visited(str(number), "deu", (), 1.0)
    assert gains.visited("x", "deu", (), 2.0)["x"] > 0.9


@pytest.mark.parametrize("names", ["first", "second"])
def test_a_pair_pays_both_pages_whichever_names_the_other(names: str) -> None:
    gains = PairGains()
    first = gains.visited("de", "deu", ("it",) if names == "first" else (), 0.0)
    second = gains.visited("it", "ita", ("de",) if names == "second" else (), 0.0)
    assert first == {"de": ALONE_SHARE}
    assert second == {"de": 1.0, "it": 1.0}


def test_a_translation_that_is_not_kept_completes_nothing() -> None:
    gains = PairGains()
    gains.visited("de", "deu", ("it",), 0.0)
    assert gains.visited("it", "", (), None) == {"it": 0.0}
    assert gains.visited("b", "ita", (), 0.0) == {"b": ALONE_SHARE}


def test_pages_in_one_language_are_no_pair() -> None:
    gains = PairGains()
    gains.visited("a", "deu", ("b",), 0.0)
    assert gains.visited("b", "deu", ("a",), 0.0) == {"b": ALONE_SHARE}


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback_module, "_MAX_PAGES", 5)
    gains = PairGains()
    for number in range(50):
        gains.visited(f"de{number}", "deu", (f"it{number}",), 0.0)
    assert gains.visited("it0", "ita", (), 0.0) == {"it0": ALONE_SHARE}
    assert gains.visited("it49", "ita", (), 0.0) == {"de49": 1.0, "it49": 1.0}


def _site(host: str) -> str:
    return host.split(".", 1)[-1]


def test_a_host_that_gives_nothing_steps_back_until_it_does() -> None:
    scouts = Scouts(3, str)
    assert [scouts.visited("a", "") for _ in range(2)] == [set(), set()]
    assert scouts.handicap("a") == 0
    assert scouts.visited("a", "") == {"a"}
    assert scouts.handicap("a") == STEP_BACK
    assert scouts.handicap("b") == 0
    assert scouts.visited("a", "deu") == {"a"}
    assert scouts.handicap("a") == 0


def test_in_a_bilingual_crawl_one_language_is_not_enough() -> None:
    scouts = Scouts(3, str, min_langs=2)
    for _ in range(3):
        scouts.visited("a", "deu")
    assert scouts.handicap("a") == STEP_BACK
    scouts.visited("a", "ita")
    assert scouts.handicap("a") == 0


def test_the_hosts_of_a_group_are_one() -> None:
    scouts = Scouts(3, _site, min_langs=2)
    scouts.visited("de.x", "deu")
    scouts.visited("de.x", "deu")
    assert scouts.visited("it.x", "") == {"de.x", "it.x"}
    assert scouts.handicap("fr.x") == STEP_BACK
    assert scouts.visited("it.x", "ita") == {"de.x", "it.x"}


def test_a_quota_of_0_lets_every_host_stay() -> None:
    scouts = Scouts(0, str)
    for _ in range(100):
        assert scouts.visited("a", "") == set()
    assert scouts.handicap("a") == 0
