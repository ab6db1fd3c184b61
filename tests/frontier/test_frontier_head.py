"""The head of a host: its best URLs in memory, however many there are."""

from __future__ import annotations

import random

from ilspfc.frontier.store.head import HostHead


def test_a_head_stays_small_while_links_come_in() -> None:
    scores = [random.Random(1).random() for _ in range(2_000)]
    head = HostHead()
    head.fill([])
    sizes = set()
    for identity, score in enumerate(scores):
        head.offer(identity, score)
        sizes.add(max(len(head.heap), len(head.scores)))
    assert max(sizes) <= head.size * head.growth
    best = sorted(range(2_000), key=lambda identity: -scores[identity])
    popped = [head.pop() for _ in range(head.size)]
    assert popped == best[: head.size]


def test_a_head_that_was_cut_has_the_table_asked_when_it_is_used_up() -> None:
    head = HostHead()
    head.fill([])
    assert not head.is_spent(), "it holds all URLs, and there are none"
    for identity in range(head.size * head.growth + 1):
        head.offer(identity, 1.0)
    while head.pop() is not None:
        pass
    assert head.is_spent()


def test_the_same_urls_with_better_scores_push_nothing_out() -> None:
    head = HostHead()
    head.fill([])
    for score in range(head.size * head.growth * 2):
        head.offer(score % 2, float(score))
    assert len(head.heap) <= head.size * head.growth
    assert {head.pop(), head.pop()} == {0, 1}
    assert not head.is_spent(), "nothing was cut"
