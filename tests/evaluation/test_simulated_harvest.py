"""Crawls without a network: their order, and what is counted of it."""

from __future__ import annotations

import pytest

from evaluation.graph_shapes import SHAPES, answer_of
from evaluation.simulated_crawls import BEST_FIRST, Simulator
from evaluation.simulated_harvest import pair_curve

HOST = "127.0.0.1"
ARGUMENTS = {"langs": "de,it", "seeds": f"http://{HOST}/"}


def test_a_pair_counts_when_both_pages_are_there() -> None:
    pairs = {(("h", "/a"), ("h", "/b")), (("h", "/a"), ("h", "/c"))}
    log = [("h", "/b"), ("h", "/x"), ("h", "/a"), ("h", "/a"), ("h", "/c")]
    assert pair_curve(log, pairs) == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("scorer", ["terms", "breadth-first", BEST_FIRST])
def test_a_simulated_crawl_is_the_same_each_time(scorer: str) -> None:
    site = SHAPES["wiki"](HOST, 1)
    simulator = Simulator(answer_of([site]), 80, "bilingual")
    chosen = {"FRONTIER_SCORER": scorer}
    log = simulator.crawl(ARGUMENTS, chosen, budget=40)
    assert len(log) == 40
    assert log[0] == (HOST, "/")
    assert {path for _, path in log} <= site.pages.keys()
    assert simulator.crawl(ARGUMENTS, chosen, budget=40) == log


def test_texts_of_a_forum_are_not_lost_for_its_buttons() -> None:
    site = SHAPES["forum"](HOST, 2)
    simulator = Simulator(answer_of([site]), 80, "bilingual")
    log = simulator.crawl(ARGUMENTS, {"FRONTIER_SCORER": "terms"}, budget=400)
    found = {path for _, path in log} & site.wanted
    assert len(found) > 200  # with the patterns of addresses alone 56, and the end
