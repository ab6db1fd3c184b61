"""What the frontier learns of links, and what it forgets."""

from __future__ import annotations

import pytest

from ilspfc.frontier.scoring import online_learning as learning
from ilspfc.frontier.scoring.online_learning import (
    DIMENSIONS,
    YieldLearner,
    directory_of,
    feature_groups,
)
from ilspfc.frontier.store.candidates import Candidate


def link(
    path: str, base: float = 0.0, *, anchor: str = "", page: str = "http://p.org/"
) -> Candidate:
    url = f"http://{path}"
    host = path.split("/", 1)[0]
    return Candidate(url, url, host, base, base=base, anchor=anchor, referrer=page)


def score(learner: YieldLearner, candidate: Candidate) -> float:
    return learner.score(candidate, candidate.base)


def teach(learner: YieldLearner, *visits: tuple[Candidate, float]) -> None:
    for candidate, gain in visits:
        learner.learn(candidate, candidate.base, gain)


def test_at_first_the_order_is_that_of_the_score_before_learning() -> None:
    learner = YieldLearner(unit=10)
    links = [link("a.org/1", base) for base in (-5.0, 0.0, 0.5, 10.0, 400.0)]
    scores = [score(learner, each) for each in links]
    assert scores == sorted(scores)
    assert len(set(scores)) == len(scores)


def test_links_behind_pages_not_kept_wait_until_the_model_knows_better() -> None:
    learner = YieldLearner(distance_cost=0.5)
    near, far = link("a.org/1"), link("a.org/2")._replace(distance=2)
    assert score(learner, near) == score(learner, far) + 1
    for number in range(60):
        behind = link(f"a.org/far/{number}")._replace(distance=2)
        teach(learner, (link(f"a.org/near/{number}"), 0.0), (behind, 1.0))
    near, far = link("a.org/x"), link("a.org/x")._replace(distance=2)
    assert score(learner, far) > score(learner, near)


def test_links_like_those_that_paid_go_before_links_like_those_that_did_not() -> None:
    learner = YieldLearner()
    for number in range(30):
        teach(
            learner,
            (link(f"a.org/shop/{number}"), 0.0),
            (link(f"a.org/guide/{number}"), 1.0),
        )
    good, bad = (
        score(learner, link("a.org/guide/x")),
        score(learner, link("a.org/shop/x")),
    )
    assert good > bad + 1


@pytest.mark.parametrize(
    ("paid", "failed"),
    [
        (link("good.org/1"), link("bad.org/1")),
        (link("a.org/1", anchor="Helm"), link("a.org/2", anchor="Impressum")),
        (
            link("a.org/1", page="http://p.org/x"),
            link("a.org/2", page="http://p.org/y"),
        ),
        (link("a.org/1")._replace(depth=1), link("a.org/2")._replace(depth=6)),
        (link("a.org/1")._replace(distance=0), link("a.org/2")._replace(distance=3)),
    ],
    ids=["host", "anchor", "page", "depth", "distance"],
)
def test_each_kind_of_feature_is_learned_from(
    paid: Candidate, failed: Candidate
) -> None:
    learner = YieldLearner()
    for number in range(20):
        teach(
            learner,
            (paid._replace(key=f"{paid.key}{number}"), 1.0),
            (failed._replace(key=f"{failed.key}{number}"), 0.0),
        )
    new_paid = paid._replace(key="x", url=paid.url + "0")
    new_failed = failed._replace(key="y", url=failed.url + "0")
    assert score(learner, new_paid) > score(learner, new_failed)


def test_a_score_that_misleads_loses_its_say() -> None:
    learner = YieldLearner(unit=10)
    tempting = link("farm.org/x", 50.0, anchor="Helm Leiter")
    plain = link("site.org/x", 0.0, anchor="weiter")
    assert score(learner, tempting) > score(learner, plain)
    for number in range(60):
        teach(
            learner,
            (link(f"farm{number}.org/x", 50.0, anchor="Helm Leiter"), 0.0),
            (link(f"site{number}.org/x", 0.0, anchor="weiter"), float(number % 2)),
        )
    assert score(learner, tempting) < score(learner, plain)


def test_a_link_unlike_those_that_failed_goes_before_them() -> None:
    learner = YieldLearner()
    teach(learner, *((link(f"a.org/x/{number}"), 0.0) for number in range(20)))
    assert score(learner, link("b.org/y/1")) > score(learner, link("a.org/x/new"))


def test_directories_that_were_not_visited_are_worth_a_try() -> None:
    learner = YieldLearner()
    teach(learner, *((link(f"a.org/x/{number}"), 0.0) for number in range(5)))
    assert score(learner, link("a.org/z/1")) > score(learner, link("a.org/x/1"))


def test_gains_may_be_revised_and_say_when_scores_have_changed() -> None:
    learner = YieldLearner()
    changed = [learner.learn(link(f"a.org/{number}"), 0.0, 0.0) for number in range(24)]
    assert changed[:8] == [False] * 7 + [True]
    assert changed.count(True) == 3
    before = score(learner, link("a.org/new"))
    for number in range(24):
        learner.revise(f"http://a.org/{number}", 1.0)
    learner.revise("http://a.org/unknown", 1.0)
    teach(learner, *((link(f"a.org/{number}"), 1.0) for number in range(24, 40)))
    assert score(learner, link("a.org/new")) > before + 1


def test_a_url_is_learned_from_once() -> None:
    learner = YieldLearner()
    for _ in range(100):
        assert not learner.learn(link("a.org/1"), 0.0, 1.0)


def test_the_last_outcomes_alone_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "_MAX_OUTCOMES", 20)
    learner = YieldLearner()
    teach(learner, *((link(f"a.org/{number}"), 1.0) for number in range(20)))
    high = score(learner, link("a.org/new"))
    teach(learner, *((link(f"a.org/{number}"), 0.0) for number in range(20, 80)))
    assert score(learner, link("a.org/new")) < high - 1


def test_the_same_outcomes_give_the_same_scores() -> None:
    def run() -> list[float]:
        learner = YieldLearner()
        for number in range(100):
            teach(learner, (link(f"a.org/{number % 7}/{number}"), number % 3 / 2))
        return [score(learner, link(f"a.org/{number}/x")) for number in range(9)]

    assert run() == run()


def test_features_of_a_group_are_numbers_below_the_bound_each_once() -> None:
    candidate = link("a.org/a/b/c/d.html?x=a&y=é", anchor="a a b", base=3)
    for features in feature_groups(candidate, 3.0):
        assert len(features) == len(set(features))
        assert all(0 <= feature < DIMENSIONS for feature in features)


@pytest.mark.parametrize("url", ["http://a.org", "http://a.org/?q", "http://a.org/x"])
def test_the_directory_of_a_page_at_the_root(url: str) -> None:
    assert directory_of(url) == "a.org"
