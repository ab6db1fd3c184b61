"""The focus that settings and arguments of a crawl make."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scrapy.settings import Settings

from ilspfc.classification.definition import Domain, Term
from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.crawl.scorers import make_focus
from ilspfc.documents import Link
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.link_score import TRANSLATION_BONUS, FoundLink
from ilspfc.frontier.scoring.online_learning import DISTANCE_COST

LANGS = ("deu", "ita")
DOMAIN = Domain("work", (Term(10.0, "Lärm", (), "deu"), Term(4.0, "Staub", (), "deu")))
ARGUMENTS = CrawlArguments(LANGS, DOMAIN, ("http://a.org/",), Scope.SITE)


@pytest.mark.parametrize(("domain", "cost"), [(DOMAIN, 0.0), (None, DISTANCE_COST)])
def test_distance_costs_where_nothing_else_tells_the_way(
    domain: Domain | None, cost: float
) -> None:
    arguments = replace(ARGUMENTS, domain=domain)
    focus = make_focus(
        arguments, Settings({"FRONTIER_LEARNING": True}), CueDetector(LANGS)
    )
    found = FoundLink(Link("http://a.org/b", "x", ""), "http://a.org/", "deu", 0.0)
    near, far = (focus.candidate(found._replace(distance=n), "k") for n in (0, 1))
    assert near is not None
    assert far is not None
    assert near.score - far.score == pytest.approx(cost)


@pytest.mark.parametrize("is_learning", [False, True])
def test_without_learning_the_score_is_that_of_the_paper(is_learning: bool) -> None:
    """s = c + p/L + Σ n·w, for the links of pages that were not kept too."""
    settings = Settings({"FRONTIER_LEARNING": is_learning})
    focus = make_focus(ARGUMENTS, settings, CueDetector(LANGS))
    context = "Lärm und Staub, noch einmal Lärm"
    link = Link("http://a.org/b", "Italiano", context)
    found = FoundLink(link, "http://a.org/", "deu", 30 / 12, distance=2, depth=5)
    candidate = focus.candidate(found, "k")
    assert candidate is not None
    is_paper = candidate.score == TRANSLATION_BONUS + 30 / 12 + 2 * 10.0 + 4.0
    assert is_paper is not is_learning
    other = link._replace(anchor="weiter")
    candidate = focus.candidate(found._replace(link=other), "k")
    assert candidate is not None
    assert (candidate.score == 30 / 12 + 24.0) is not is_learning
