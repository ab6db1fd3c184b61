"""The frontier that several crawlers share: hosts leased, given back and taken over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from ilspfc.cluster.postgresql import PostgreSQLFrontier
from ilspfc.cluster.shared_store import SharedStore
from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.frontier.reasons import (
    REDIRECTED,
    REDIRECTED_TO_KNOWN,
    FetchReason,
    TrapReason,
    VisitResult,
)
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate, UrlState, Visit
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.web.urls import hide_password

if TYPE_CHECKING:
    from benchmarks.postgresql import PostgreSQLServer
    from ilspfc.frontier.store.changes import Arrivals, SharedRun

LEASE_SECONDS = 60.0
Join = Callable[..., SharedStore]


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    return blake2b(str(tmp_path).encode(), digest_size=8).hexdigest()


@pytest.fixture
def join(postgresql: PostgreSQLServer, corpus: str, tmp_path: Path) -> Iterator[Join]:
    stores: list[SharedStore] = []

    def join(
        name: str,
        lease_seconds: float = LEASE_SECONDS,
        has_document: Callable[[str], bool] = lambda key: False,
    ) -> SharedStore:
        frontier = PostgreSQLFrontier(postgresql.url, corpus, name, lease_seconds)
        path = tmp_path / f"{name}-{len(stores)}.db"
        store = SharedStore(path, frontier, lease_seconds, has_document=has_document)
        stores.append(store)
        return stores[-1]

    yield join
    for store in stores:
        if not store.is_closed:
            store.close()


def exchange(store: SharedStore, wait: float = 0.0) -> Arrivals:
    found = store.frontier.exchange(*store.begin_exchange(lambda host: wait))
    store.end_exchange(found)
    return found


def push(store: SharedStore, host: str, *names: str, score: float = 1.0) -> None:
    for name in names:
        store.push(Candidate.of(f"http://{host}/{name}", score))


def settle(*stores: SharedStore) -> None:
    for _ in range(4):
        for store in stores:
            exchange(store)


def visit(store: SharedStore, host: str) -> list[str]:
    """Visit all that is queued of a host."""
    visited = []
    while candidate := store.pop(host):
        store.record_visit(candidate.key, Visit(time.time(), etag="e"))
        store.finish(candidate.key, UrlState.DONE)
        visited.append(candidate.url.rsplit("/", 1)[-1])
    return visited


def die(store: SharedStore) -> None:
    """End a crawler as a kill does: nothing is reported any more."""
    store.is_closed = True
    store.frontier.close()
    SQLiteStore.close(store)


def test_a_host_is_leased_to_one_crawler_at_a_time(join: Join) -> None:
    one, other = join("one"), join("other")
    for number in range(6):
        push(one, f"h{number}.org", "a")
    settle(one, other)
    hosts, others = set(one.hosts()), set(other.hosts())
    assert len(hosts) == len(others) == 3
    assert not hosts & others


def test_links_to_a_host_of_another_crawler_go_there(join: Join) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a")
    settle(one)
    push(other, "a.org", "b")
    assert other.pop("a.org") is None
    exchange(other)
    exchange(one)
    assert visit(one, "a.org") == ["a", "b"]


def test_a_crawler_that_joins_late_gets_its_share(join: Join) -> None:
    one = join("one")
    for number in range(8):
        push(one, f"h{number}.org", "a", "b")
    settle(one)
    assert len(list(one.hosts())) == 8
    busy = one.pop("h0.org")
    assert busy is not None
    late = join("late")
    settle(one, late)
    assert len(list(late.hosts())) == 4
    assert one.count(UrlState.LEASED) == 1


def test_a_host_with_a_visit_under_way_is_kept_until_it_is_over(join: Join) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a")
    settle(one)
    candidate = one.pop("a.org")
    assert candidate is not None
    settle(one, other)
    push(other, "a.org", "b")
    settle(one, other)
    assert not list(other.hosts())
    one.finish(candidate.key, UrlState.DONE)
    settle(one, other)
    assert visit(one, "a.org") == ["b"]


def test_a_given_back_host_waits_for_its_clock(join: Join) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a")
    settle(one)
    assert visit(one, "a.org") == ["a"]
    exchange(one, wait=3600.0)
    push(other, "a.org", "b")
    settle(other)
    assert not list(other.hosts())
    assert not exchange(other).is_over


def test_what_a_killed_crawler_had_goes_to_others_once_its_lease_is_over(
    join: Join, postgresql: PostgreSQLServer, corpus: str
) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a", "b", "c")
    settle(one)
    candidate = one.pop("a.org")
    assert candidate is not None
    one.finish(candidate.key, UrlState.DONE)
    exchange(one)
    assert one.pop("a.org") is not None  # under way when it dies
    die(one)
    exchange(other)
    assert not list(other.hosts())
    assert not exchange(other).is_over
    with psycopg.connect(postgresql.url) as connection:
        connection.execute(
            f"UPDATE ilspfc_{corpus}.hosts SET leased_until = now() - interval '1 second'"
        )
    settle(other)
    assert sorted(visit(other, "a.org")) == ["b", "c"]
    settle(other)
    assert exchange(other).is_over


def test_a_crawler_stops_before_its_lease_may_have_run_out(
    join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = join("one")
    exchange(store)
    assert store.may_visit
    later = time.monotonic() + LEASE_SECONDS
    monkeypatch.setattr("time.monotonic", lambda: later)
    assert not store.may_visit


def test_a_crawler_that_starts_again_goes_on(join: Join) -> None:
    first = join("one")
    push(first, "a.org", "a", "b")
    settle(first)
    candidate = first.pop("a.org")
    assert candidate is not None
    first.finish(candidate.key, UrlState.DONE)
    exchange(first)
    die(first)
    second = join("one")
    settle(second)
    assert visit(second, "a.org") == ["b"]


def test_what_another_crawler_has_visited_is_not_visited_again(join: Join) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a")
    settle(one)
    assert visit(one, "a.org") == ["a"]
    one.close()
    push(other, "a.org", "b")
    settle(other)
    assert list(other.hosts()) == ["a.org"]
    push(other, "a.org", "a", score=5.0)
    settle(other)
    assert visit(other, "a.org") == ["b"]


def test_past_visits_refusals_and_gains_come_with_the_host(join: Join) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a", "b")
    settle(one)
    candidate = one.pop("a.org")
    assert candidate is not None
    one.set_gain(candidate.key, 0.75)
    one.finish(candidate.key, UrlState.DONE, "nothing_new")
    held = one.pop("a.org")
    assert held is not None
    one.finish(held.key, UrlState.REFUSED, TrapReason.HELD_BACK)
    push(one, "a.org", "c")
    one.close()

    found = exchange(other)

    assert {(v.url, v.state, v.reason) for v in found.past} == {
        (candidate.url, "done", "nothing_new"),
        (held.url, "refused", "trap_held_back"),
    }
    assert [(gain.key, gain.gain) for gain in found.gains] == [(candidate.key, 0.75)]
    assert found.leased[0].pages == 1
    [(again, _)] = other.held("a.org")
    assert again.key == held.key
    assert visit(other, "a.org") == ["c"]
    assert other.release_held([again]) == {"trap_held_back": 1}
    assert list(other.held("a.org")) == []
    exchange(other)
    exchange(other)
    assert visit(other, "a.org") == ["b"]


def test_what_is_proven_barren_is_so_for_all(join: Join) -> None:
    one = join("one")
    push(one, "a.org", "a", "b", "c")
    settle(one)
    for _ in range(2):
        held = one.pop("a.org")
        assert held is not None
        one.finish(held.key, UrlState.REFUSED, TrapReason.HELD_BACK)
    settle(one)
    assert one.prove_barren("a.org") == 2
    one.close()
    past = exchange(join("other")).past
    assert {(v.state, v.reason) for v in past} == {("refused", "trap_barren")}


def test_a_visit_comes_with_a_url_that_is_queued_again(join: Join) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a")
    settle(one)
    visit(one, "a.org")
    assert other.requeue_older(time.time() + 1) == 0  # this run has visited it
    one.close()
    other.close()
    other = join("other")
    assert other.requeue_older(time.time() + 1) == 1
    settle(other)
    assert other.visit_of("http://a.org/a") is not None
    assert visit(other, "a.org") == ["a"]


def test_pages_that_a_crawler_has_lost_are_visited_again(join: Join) -> None:
    """As after a power cut: the frontier knows more than the crawler's part of the corpus."""
    one = join("one")
    push(one, "a.org", "kept", "lost")
    settle(one)
    assert visit(one, "a.org") == ["kept", "lost"]
    one.close()

    def is_known(key: str, url: str) -> bool:
        return not url.endswith("lost")

    other = join("other")
    assert other.requeue_unknown(0.0, is_known) == 0
    other.close()
    again = join("one")
    assert again.requeue_unknown(time.time() + 1, is_known) == 0
    assert again.requeue_unknown(0.0, is_known) == 1
    settle(again)
    found = again.visit_of("http://a.org/lost")
    assert found is not None
    assert found.etag == ""
    assert visit(again, "a.org") == ["lost"]


def test_a_host_that_is_given_up_is_given_up_for_all_until_the_next_run(
    join: Join,
) -> None:
    one = join("one")
    push(one, "a.org", "a", "b")
    settle(one)
    assert one.fail_host("a.org", FetchReason.DEAD_HOST) == [
        "http://a.org/a",
        "http://a.org/b",
    ]
    settle(one)
    assert exchange(one).is_over
    other = join("other")  # of the same run
    assert exchange(other).is_over
    one.close()
    other.close()
    again = join("again")
    settle(again)
    assert sorted(visit(again, "a.org")) == ["a", "b"]


def test_a_seed_that_failed_is_tried_again(join: Join) -> None:
    one = join("one")
    seed = Candidate.of("http://a.org/", SEED_SCORE)
    one.push(seed, again=True)
    settle(one)
    assert one.pop("a.org") is not None
    one.finish(seed.key, UrlState.FAILED, "timeout")
    one.close()
    other = join("other")
    settle(other)
    assert not list(other.hosts())
    other.push(seed, again=True)
    settle(other)
    assert list(other.hosts()) == ["a.org"]


def test_where_seeds_have_moved_is_known_to_all(join: Join) -> None:
    one, other = join("one"), join("other")
    target = Candidate.of("http://a.org/", SEED_SCORE).redirect("http://b.org/")
    one.push(target)
    exchange(one)
    assert other.moved_to(["http://a.org"]) == ["http://b.org/"]


def test_a_character_that_the_database_refuses_is_left_out(join: Join) -> None:
    one = join("one")
    link = Candidate.of("http://a.org/x", 1.0)._replace(anchor="a\0b")
    one.push(link)
    settle(one)
    assert one.pop("a.org") is not None


def test_a_server_that_was_away_is_waited_for(
    join: Join, postgresql: PostgreSQLServer, caplog: pytest.LogCaptureFixture
) -> None:
    one = join("one")
    push(one, "a.org", "a")
    with psycopg.connect(postgresql.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'ilspfc one'"
        )
    settle(one)
    assert visit(one, "a.org") == ["a"]
    assert "waiting" in caplog.text
    assert "answers again" in caplog.text


def test_an_address_without_a_server_is_one_line(tmp_path: Path) -> None:
    url = "postgresql://me:secret@127.0.0.1:1/none"
    with pytest.raises(SettingError, match="start the server") as raised:
        PostgreSQLFrontier(url, "corpus", "one", LEASE_SECONDS)
    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert hide_password("postgresql://db/none") == "postgresql://db/none"


def test_tables_of_another_version_are_refused(
    join: Join, postgresql: PostgreSQLServer, corpus: str
) -> None:
    join("one").close()
    with psycopg.connect(postgresql.url, autocommit=True) as connection:
        connection.execute(f"UPDATE ilspfc_{corpus}.about SET version = 99".encode())
    with pytest.raises(CorpusError, match="another version"):
        join("other")


def test_a_crawler_that_leaves_gives_back_its_hosts_with_their_clocks(
    join: Join,
) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a", "b")
    for _ in range(3):
        exchange(one, wait=3600.0)
    assert one.pop("a.org") is not None
    one.close()
    settle(other)
    assert not list(other.hosts())


UNUSABLE = ("not a url", "file:///etc/hostname", "http://[", "http://b.org:x/", "")


def spend(store: SharedStore, requests: int, received: int) -> SharedRun:
    changes, demand = store.begin_exchange()
    changes.requests, changes.received = requests, received
    return store.frontier.exchange(changes, demand).run


def test_what_crawlers_spend_counts_for_the_run_of_all(join: Join) -> None:
    one = join("one")
    assert spend(one, 3, 1000)[:3] == (1, 3, 1000)
    time.sleep(0.3)
    other = join("other")
    run = spend(other, 2, 10**10)
    assert run[:3] == (2, 5, 10**10 + 1000)
    assert run.seconds >= 0.3
    die(other)
    assert spend(join("other"), 1, 0)[:3] == (2, 6, 10**10 + 1000)
    one.changes.requests = 4
    one.close()
    last = join("last")
    assert spend(last, 0, 0)[:3] == (2, 10, 10**10 + 1000)


def test_a_crawler_that_begins_when_none_is_left_begins_a_run(join: Join) -> None:
    one = join("one")
    spend(one, 3, 1000)
    one.close()
    again = spend(join("one"), 1, 0)
    assert again[:3] == (1, 1, 0)
    assert again.seconds < 0.3


def test_pages_without_a_document_in_any_part_are_queued_again(join: Join) -> None:
    one = join("one", has_document=lambda key: not key.endswith("list"))
    one.push(Candidate.of("http://a.org/", SEED_SCORE))
    for name in ("text", "list", "asked"):
        one.push(Candidate.of(f"http://a.org/{name}", 2.0, depth=1))
    settle(one)
    assert len(visit(one, "a.org")) == 4
    one.close()

    def requeue(store: SharedStore) -> int:
        asked = {"http://a.org/asked"}
        found = store.requeue_without_document(time.time() + 1, lambda key: True, asked)
        settle(store)
        return found

    other = join("other")
    assert requeue(other) == 3
    assert sorted(visit(other, "a.org")) == ["", "asked", "list"]
    settle(other)
    assert requeue(join("late")) == 0  # of the same run


def test_a_page_that_is_unchanged_stays_in_its_part(join: Join) -> None:
    one = join("one", has_document=lambda key: True)
    one.push(Candidate.of("http://a.org/a", 1.0, depth=1))
    settle(one)
    assert visit(one, "a.org") == ["a"]
    one.close()
    other = join("other")
    assert other.requeue_older(time.time() + 1) == 1
    settle(other)
    page = other.pop("a.org")
    assert page is not None
    other.record_visit(page.key, Visit(time.time()))
    other.finish(page.key, UrlState.DONE, VisitResult.UNDECIDED)
    other.close()
    again = join("other")
    assert again.requeue_unknown(0.0, lambda *urls: False) == 0
    assert again.requeue_without_document(time.time() + 1, lambda key: False) == 0


@pytest.mark.parametrize("reason", [REDIRECTED, REDIRECTED_TO_KNOWN])
def test_a_redirect_is_no_page_that_was_lost(join: Join, reason: str) -> None:
    one = join("one")
    push(one, "a.org", "a")
    settle(one)
    page = one.pop("a.org")
    assert page is not None
    one.record_visit(page.key, Visit(time.time()))
    one.finish(page.key, UrlState.DONE, reason)
    one.close()
    assert join("one").requeue_unknown(0.0, lambda *urls: False) == 0


def test_sitemaps_are_read_once_in_a_run(join: Join) -> None:
    one, other = join("one"), join("other")
    push(one, "a.org", "a")
    settle(one)
    one.changes.sitemaps = {"http://a.org", "https://a.org"}
    one.close()
    [host] = exchange(other).leased
    assert sorted(host.sitemaps) == ["http://a.org", "https://a.org"]
    other.close()
    [host] = exchange(join("one")).leased  # of the next run
    assert host.sitemaps == []


def test_a_host_is_kept_while_its_sitemaps_are_read(join: Join) -> None:
    one = join("one")
    push(one, "a.org", "a")
    push(one, "b.org", "a")
    settle(one)
    assert visit(one, "a.org") == ["a"]
    other = join("other")
    for _ in range(3):
        found = one.frontier.exchange(*one.begin_exchange(needed=["a.org", "b.org"]))
        one.end_exchange(found)
        assert not exchange(other).kept
    assert found.kept == {"a.org", "b.org"}
    settle(one)
    assert exchange(one).kept == {"b.org"}


def test_rows_that_no_crawler_can_visit_fail_alone(
    join: Join, postgresql: PostgreSQLServer, corpus: str
) -> None:
    one = join("one")
    push(one, "a.org", *map(str, range(9)), "old", "refused", score=2.0)
    settle(one)
    one.close()
    with psycopg.connect(postgresql.url) as connection:
        connection.execute(f"SET search_path = ilspfc_{corpus}".encode())
        for number, url in enumerate(UNUSABLE):
            sql = "UPDATE urls SET url = %s, score = 9 WHERE url = %s"
            connection.execute(sql, (url, f"http://a.org/{number}"))
        # A row under the digest or the host of another URL would never end.
        for number, url in enumerate(("http://b.org/", "http://a.org/other"), 5):
            connection.execute(
                "UPDATE urls SET url = %s WHERE url = %s",
                (url, f"http://a.org/{number}"),
            )
        connection.execute("UPDATE urls SET referrer = 'x:' WHERE url LIKE '%/7'")
        connection.execute(
            "UPDATE urls SET state = 'done', url = 'http://[', referrer = 'http://['"
            " WHERE url = 'http://a.org/old'"
        )
        connection.execute(
            "INSERT INTO gains (url, gain, crawler) SELECT digest, 1, 'x' FROM urls"
        )
    other = join("other")
    arrived = [exchange(other) for _ in range(4)]
    lost = [url for found in arrived for url, host in found.unusable if host == "a.org"]
    assert sorted(lost) == sorted([*UNUSABLE, "http://b.org/", "http://a.org/other"])
    assert [found.past for found in arrived] == [[]] * 4
    assert sorted(visit(other, "a.org")) == ["7", "8", "refused"]
    settle(other)
    assert exchange(other).is_over
    with psycopg.connect(postgresql.url) as connection:
        failed = connection.execute(
            f"SELECT count(*) FROM ilspfc_{corpus}.urls WHERE state = 'failed'"
            f" AND reason = '{FetchReason.ADDRESS_REFUSED}'".encode()
        ).fetchone()
    assert failed == (len(lost),)
    assert other.moved_to(["http://a.org/"]) == []
