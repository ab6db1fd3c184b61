"""Order of the sitemaps, and the allowance of each host."""

from __future__ import annotations

from ilspfc.frontier.sitemaps.sitemap_queue import (
    MAX_ADDRESSES,
    MAX_SITEMAPS,
    SitemapQueue,
)

A, B = "http://a.org", "http://b.org"


class Refusals:
    """Counts refused sitemaps."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self) -> None:
        self.number += 1


def drain(queue: SitemapQueue) -> list[str]:
    found = []
    while queue:
        host, url, _ = queue.pop()
        found.append(url)
        queue.release(host)
    return found


def names(origin: str, count: int) -> list[str]:
    return [f"{origin}/{number}.xml" for number in range(count)]


def test_hosts_take_turns() -> None:
    queue = SitemapQueue(lambda _: True, Refusals())
    queue.open(A, [f"{A}/1", f"{A}/2", f"{A}/3"])
    queue.open(B, [f"{B}/1"])
    assert drain(queue) == [f"{A}/1", f"{B}/1", f"{A}/2", f"{A}/3"]
    assert A in queue
    assert "http://c.org" not in queue


def test_a_host_has_one_sitemap_at_a_time() -> None:
    queue = SitemapQueue(lambda _: True, Refusals())
    queue.open(A, [f"{A}/1", f"{A}/2"])
    host, _, _ = queue.pop()
    assert not queue
    queue.release(host)
    assert queue


def test_each_host_has_an_allowance_of_its_own() -> None:
    refusals = Refusals()
    queue = SitemapQueue(lambda _: True, refusals)
    queue.open(A, names(A, MAX_SITEMAPS + 5))
    queue.open(B, names(B, MAX_SITEMAPS))
    assert refusals.number == 5
    found = drain(queue)
    for origin in (A, B):
        assert sum(url.startswith(origin) for url in found) == MAX_SITEMAPS


def test_a_sitemap_behind_many_feeds_takes_the_place_of_one() -> None:
    refusals = Refusals()
    queue = SitemapQueue(lambda _: True, refusals)
    feeds = names(A, MAX_SITEMAPS + 5)
    queue.open(A, [*feeds, f"{A}/sitemap.xml"])
    found = drain(queue)
    assert found == [*feeds[: MAX_SITEMAPS - 1], f"{A}/sitemap.xml"]
    assert refusals.number == 6


def test_a_host_whose_addresses_are_used_up_is_asked_no_more() -> None:
    refusals = Refusals()
    queue = SitemapQueue(lambda _: True, refusals)
    queue.open(A, names(A, 4))
    host, _, _ = queue.pop()
    host.addresses = MAX_ADDRESSES
    queue.release(host)
    assert not queue
    assert refusals.number == 3


def test_sitemaps_out_of_scope_known_or_too_deep_are_not_queued() -> None:
    queue = SitemapQueue(lambda url: url.startswith(A), Refusals())
    queue.open(A, [f"{A}/1", f"{B}/1", f"{A}/1"])
    host, url, level = queue.pop()
    assert (url, level) == (f"{A}/1", 0)
    queue.add(host, f"{A}/2", 2)
    queue.add(host, f"{A}/3", 3)
    queue.release(host)
    assert drain(queue) == [f"{A}/2"]
