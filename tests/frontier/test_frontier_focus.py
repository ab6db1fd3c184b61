"""Scorers of links, and how focus, bonus and learning come together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from math import inf
from typing import Any

import pytest

from ilspfc.documents import Link
from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.reasons import VisitResult
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.feedback import Feedback, PageGains, Scouts
from ilspfc.frontier.scoring.link_score import (
    TRANSLATION_BONUS,
    BreadthFirstScorer,
    CombinedScorer,
    Focus,
    FoundLink,
    PerplexityScorer,
    SeedLists,
    TermScorer,
    TranslationBonus,
)
from ilspfc.frontier.scoring.online_learning import YieldLearner
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore

BOUNDS = (500.0, 5000.0, 50_000.0)

CUES = CueDetector(("deu", "ita"))

RULES = PolitenessRules(delay=0, max_active=1000)


def found(
    perplexity: float | None = None, *, context: str = "", depth: int = 1
) -> FoundLink:
    link = Link("http://example.org/x", context=context)
    return FoundLink(
        link, "http://example.org/", "deu", depth=depth, perplexity=perplexity
    )


def score_text(text: str) -> float:
    return 10.0 * text.split().count("Helm")


def test_breadth_first_goes_by_depth() -> None:
    scorer = BreadthFirstScorer()
    scores = [scorer.score(found(depth=depth)) for depth in (1, 2, 5)]
    assert scores == sorted(scores, reverse=True)


def test_the_less_perplexing_the_page_the_sooner_its_links() -> None:
    scorer = PerplexityScorer(BOUNDS)
    values = [1.0, 100.0, 500.0, 501.0, 4999.0, 5000.0, 5001.0, 50_000.0]
    scores = [scorer.score(found(value)) for value in values]
    known = [score for score in scores if score is not None]
    assert len(known) == len(values)
    assert known == sorted(known, reverse=True)
    assert len(set(known)) == len(known)


@pytest.mark.parametrize(
    ("perplexity", "low", "high"),
    [(100.0, 2, 3), (500.0, 2, 3), (600.0, 1, 2), (5000.0, 1, 2), (6000.0, 0, 1)],
)
def test_buckets_are_whole_numbers_apart(
    perplexity: float, low: float, high: float
) -> None:
    score = PerplexityScorer(BOUNDS).score(found(perplexity))
    assert score is not None
    assert low <= score <= high


def test_links_beyond_the_last_bound_are_not_followed() -> None:
    far = found(50_001.0, depth=2)
    assert PerplexityScorer(BOUNDS).score(far) is None
    assert PerplexityScorer((500, 5000, inf)).score(found(inf)) == 0
    scorer = CombinedScorer(TermScorer(score_text), PerplexityScorer(BOUNDS), 10)
    assert scorer.score(far) is None
    assert Focus(scorer).base_score(far) is None


def test_no_bound_discards_the_links_of_a_seed() -> None:
    """A seed was given to be followed; its links come last of all."""
    scorer = PerplexityScorer(BOUNDS)
    seed, other = (scorer.score(found(value)) for value in (inf, 50_000.0))
    assert seed is not None
    assert other is not None
    assert seed < other


def test_what_is_expected_of_a_link_counts_before_its_page() -> None:
    scorer = PerplexityScorer(BOUNDS)
    page = found(5000.0, depth=2)
    assert scorer.score(page._replace(expected=500.0)) == 2.0
    assert scorer.score(page._replace(expected=1e9)) == pytest.approx(0, abs=1e-5)
    short = found(None, depth=2)._replace(expected=1e9)
    assert scorer.score(short) is not None, "nothing was measured: nothing is discarded"
    far = found(1e9, depth=2)._replace(expected=100.0)
    assert scorer.score(far) is None, "the bound is for pages"


def test_the_bounds_are_those_of_the_model_that_measured() -> None:
    scorer = PerplexityScorer(BOUNDS, {"ita": (50.0, 100.0, 200.0)})
    english = found(100.0)._replace(source_lang="eng", model_lang="ita")
    assert scorer.score(english) == 1.0


def test_a_page_without_a_model_is_in_the_middle() -> None:
    scorer = PerplexityScorer(BOUNDS)
    assert scorer.score(found(None)) == scorer.score(found(5000.0)) == 1.0


def test_languages_may_have_bounds_of_their_own() -> None:
    scorer = PerplexityScorer(BOUNDS, {"ita": (50.0, 100.0, 200.0)})
    german = found(100.0)
    italian = german._replace(source_lang="ita")
    assert scorer.score(german) == PerplexityScorer(BOUNDS).score(german)
    assert scorer.score(italian) == 1.0
    assert scorer.score(italian._replace(perplexity=201.0, depth=2)) is None


def test_combined_trusts_terms_by_perplexity() -> None:
    """(10 + 10 for the term) times 3 at best, 1 in the middle; .1 · (10 + .01 · 10)."""
    scorer = CombinedScorer(TermScorer(score_text), PerplexityScorer(BOUNDS), unit=10)
    assert scorer.score(found(None, context="Helm")) == 20
    near, far = (
        scorer.score(found(value, context="Helm")) for value in (1.0, 50_000.0)
    )
    assert near == pytest.approx(60, abs=0.1)
    assert far == pytest.approx(1.01)


def test_strict_buckets_are_further_apart_than_anything_else() -> None:
    perplexity = PerplexityScorer(BOUNDS)
    bonus = TranslationBonus(CUES, ("deu", "ita"))
    focus = Focus(TermScorer(score_text), bonus, perplexity=perplexity, is_strict=True)
    high = focus.base_score(found(100.0))
    medium = focus.base_score(found(600.0, context="Helm " * 1000))
    assert high == 2 * focus.step
    assert medium == focus.step + 10_000
    cue = found(9000.0)._replace(link=Link("http://example.org/it/"))
    assert focus.base_score(cue) == 2 * focus.step + TRANSLATION_BONUS
    assert Focus(TermScorer(score_text), bonus).step == 0


def test_learning_moves_links_within_strict_buckets_alone() -> None:
    focus = Focus(
        TermScorer(score_text),
        None,
        YieldLearner(10.0),
        perplexity=PerplexityScorer(BOUNDS),
        is_strict=True,
    )
    base = focus.base_score(found(600.0, context="Helm Helm"))
    assert base == focus.step + 20
    for number in range(40):
        focus.learn(_candidate(base, name=str(number)), 0.0)
    assert abs(focus.score(_candidate(base)) - focus.step) < 50


def _focus(*, learning: bool = True) -> Focus:
    bonus = TranslationBonus(CUES, ("deu", "ita"))
    learner = YieldLearner(10.0) if learning else None
    return Focus(TermScorer(score_text), bonus, learner)


def _candidate(base: float, distance: int = 0, name: str = "x") -> Candidate:
    url = f"http://example.org/{name}"
    return Candidate(url, url, "example.org", base, base=base, distance=distance)


def test_without_learning_the_score_is_the_paper_s() -> None:
    focus = _focus(learning=False)
    for base in (0.0, 3.5, 1003.5):
        assert focus.score(_candidate(base, distance=3)) == base
    assert not focus.learn(_candidate(0), 1.0)


def test_with_learning_the_bonus_is_for_pages_that_were_kept() -> None:
    focus = _focus()
    kept, dropped = (
        focus.score(_candidate(TRANSLATION_BONUS + 5, 0)),
        focus.score(_candidate(TRANSLATION_BONUS + 5, 1)),
    )
    assert kept == dropped + TRANSLATION_BONUS
    assert dropped == focus.score(_candidate(5, 1))


def test_seeds_stay_first() -> None:
    focus = _focus()
    assert focus.score(_candidate(SEED_SCORE)) == SEED_SCORE
    assert not focus.learn(_candidate(SEED_SCORE), 0.0)


def _listed(url: str, **known: Any) -> FoundLink:
    known = {"distance": 1, "depth": 1, **known}
    return FoundLink(Link(url), "http://list.org/a/", "deu", **known)


@pytest.mark.parametrize("learning", [False, True])
def test_what_a_seed_lists_comes_right_after_the_seeds(learning: bool) -> None:
    bonus = TranslationBonus(CUES, ("deu", "ita"))
    learner = YieldLearner(10.0) if learning else None
    focus = Focus(TermScorer(score_text), bonus, learner, SeedLists())
    base = focus.base_score(_listed("http://a.org/"))
    assert base is not None
    listed = _candidate(base, 1)._replace(depth=1)
    assert focus.score(listed) == base
    assert SEED_SCORE > base > 2 * TRANSLATION_BONUS
    # Its rank says nothing of what it is worth.
    assert not focus.learn(listed, 1.0)
    second = focus.base_score(_listed("http://a.org/x"))
    assert second == 0


def test_of_each_host_that_a_seed_lists_the_first_link_is_tried() -> None:
    lists = SeedLists()
    urls = ("http://a.org/", "http://a.org/x/", "http://b.org/y", "http://list.org/z/")
    assert [lists.lists(_listed(url)) for url in urls] == [True, False, True, False]
    # Found a second time it is still the first one.
    assert lists.lists(_listed("http://a.org/"))


def test_of_a_list_that_cannot_be_judged_it_is_each_directory() -> None:
    lists = SeedLists()
    found = {
        "http://list.org/a/2": False,  # where the list itself is
        "http://list.org/b/1": True,
        "http://list.org/b/2": False,
        "http://list.org/c/1": True,
        "http://a.org/": True,
        "http://a.org/d/1": True,
    }
    assert {url: lists.lists(_listed(url, is_judged=False)) for url in found} == found


@pytest.mark.parametrize(
    "known", [{"distance": 0}, {"depth": 2}, {"depth": 2, "distance": 2}]
)
def test_pages_that_were_kept_and_later_ones_are_no_lists(
    known: dict[str, int],
) -> None:
    assert not SeedLists().lists(_listed("http://a.org/", **known))


@pytest.fixture
def store() -> Iterator[SQLiteStore]:
    with closing(SQLiteStore(":memory:")) as store:
        yield store


def _frontier(
    store: SQLiteStore, focus: Focus, scouts: Scouts
) -> tuple[Frontier, Feedback]:
    frontier = Frontier(store, RULES, scouts.handicap)
    return frontier, Feedback(frontier, focus, scouts, PageGains())


def _link(host: str, name: str, anchor: str = "") -> Candidate:
    url = f"http://{host}/{name}"
    return Candidate(url, url, host, 0.0, anchor=anchor)


def test_what_visits_paid_changes_the_order_of_the_queue(store: SQLiteStore) -> None:
    frontier, feedback = _frontier(store, _focus(), Scouts(0, str))
    for number in range(8):
        frontier.push(_link("a.org", f"shop/{number}", "Angebot"), 0)
    frontier.push(_link("a.org", "guide/new", "Ratgeber"), 0)
    frontier.push(_link("a.org", "shop/new", "Angebot"), 0)
    frontier.push(_link("a.org", "guide/newer", "Ratgeber"), 0)
    for number in range(8):
        leased = frontier.pop(number)
        assert leased is not None
        assert "shop" in leased.url
        feedback.failed(leased)
    order = [frontier.pop(number) for number in range(9, 12)]
    assert [leased and leased.url[13:] for leased in order] == [
        *("guide/new", "guide/newer", "shop/new")
    ]


def test_a_host_that_steps_back_goes_behind_the_others(store: SQLiteStore) -> None:
    frontier, feedback = _frontier(store, _focus(learning=False), Scouts(1, str))
    for name in ("1", "2", "3"):
        frontier.push(_link("a.org", name), 0)
    first = frontier.pop(0)
    assert first is not None
    feedback.failed(first)
    frontier.push(_link("b.org", "1"), 0)
    hosts = [frontier.pop(number) for number in range(1, 4)]
    assert [leased and leased.host for leased in hosts] == ["b.org", "a.org", "a.org"]


def test_a_kept_page_with_nothing_new_gains_nothing(store: SQLiteStore) -> None:
    frontier, feedback = _frontier(store, _focus(), Scouts(0, str))
    for number, result in enumerate((VisitResult.NOTHING_NEW, VisitResult.NEW_LINKS)):
        frontier.push(_link("a.org", str(number)), 0)
        leased = frontier.pop(number)
        assert leased is not None
        feedback.visited(leased, "deu", (), 0.0, result)
        frontier.finish(leased.key, leased.host, UrlState.DONE, number, result)
    gains = {one.url[13:]: one.gain for one in store.gains(10)}
    assert gains == {"0": 0.0, "1": 1.0}


def test_what_was_learned_outlives_the_process(store: SQLiteStore) -> None:
    frontier = Frontier(store, RULES)
    feedback = Feedback(frontier, _focus(), Scouts(0, str), PageGains())
    for number in range(20):
        frontier.push(_link("a.org", f"x/{number}"), 0)
        leased = frontier.pop(0)
        assert leased is not None
        feedback.failed(leased)
    again = _focus()
    before = again.score(_link("a.org", "x/new"))
    Feedback(frontier, again, Scouts(0, str), PageGains())
    assert again.score(_link("a.org", "x/new")) < before
