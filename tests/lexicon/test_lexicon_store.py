"""The store of learned lexicons."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.lexicon_file import Contribution, LexiconStore

LANGS = ("deu", "ita")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LexiconStore]:
    with LexiconStore(tmp_path / "folder" / "lexicon.db") as store:
        yield store


def test_sites_are_summed_up(store: LexiconStore) -> None:
    store.put(LANGS, "a.example", [Entry("ja", "sì", 0.9, 6, 2)], "2026-01-01")
    store.put(
        LANGS,
        "b.example",
        [Entry("ja", "sì", 0.3, 2, 1), Entry("nein", "no", 0.5, 4, 4)],
        "2026-01-02",
    )
    ja, nein = store.entries(LANGS)
    assert (ja.source, ja.target, ja.segments, ja.documents, ja.sites) == (
        "ja",
        "sì",
        8,
        3,
        2,
    )
    assert ja.score == pytest.approx((0.9 * 6 + 0.3 * 2) / 8)
    assert nein == Entry("nein", "no", 0.5, 4, 4, 1)
    assert store.entries(("deu", "ell")) == []


def test_a_site_replaces_what_it_gave_before(store: LexiconStore) -> None:
    store.put(LANGS, "a.example", [Entry("ja", "sì", 0.9, 6, 2)], "2026-01-01")
    store.put(LANGS, "a.example", [Entry("nein", "no", 0.5, 4, 4)], "2026-01-02")
    assert [entry.source for entry in store.entries(LANGS)] == ["nein"]
    assert store.contributions() == [
        Contribution("deu", "ita", "a.example", "2026-01-02", 1)
    ]
    store.put(LANGS, "a.example", [], "2026-01-03")
    assert store.contributions() == []


def test_languages_may_be_given_in_either_order(store: LexiconStore) -> None:
    store.put(("ita", "deu"), "a.example", [Entry("sì", "ja", 0.9, 6, 2)], "2026-01-01")
    assert store.entries(LANGS) == [Entry("ja", "sì", 0.9, 6, 2, 1)]
    assert store.entries(("ita", "deu")) == [Entry("sì", "ja", 0.9, 6, 2, 1)]


def test_a_site_can_be_left_out(store: LexiconStore) -> None:
    store.put(LANGS, "a.example", [Entry("ja", "sì", 0.9, 6, 2)], "2026-01-01")
    store.put(LANGS, "b.example", [Entry("ja", "sì", 0.3, 2, 1)], "2026-01-01")
    (entry,) = store.entries(LANGS, without_site="a.example")
    assert entry == Entry("ja", "sì", 0.3, 2, 1, 1)


def test_the_store_survives(tmp_path: Path) -> None:
    with LexiconStore(tmp_path / "a.db") as store:
        store.put(LANGS, "a.example", [Entry("ja", "sì", 0.9, 6, 2)], "2026-01-01")
    with LexiconStore(tmp_path / "a.db", must_exist=True) as store:
        assert len(store.entries(LANGS)) == 1


# -- merging -----------------------------------------------------------------------------


def _fill(path: Path, number: int) -> None:
    """A store with a site of its own, and one that all stores know otherwise."""
    with LexiconStore(path) as store:
        score = (number + 1) / 7
        entries = [Entry("ja", "sì", score, number + 1, 1)]
        store.put(LANGS, f"{number}.example", entries, "2026-01-01")
        store.put(LANGS, "all.example", entries, f"2026-02-0{min(number, 1) + 1}")


def test_the_order_of_merges_plays_no_part(tmp_path: Path) -> None:
    names = [tmp_path / f"{number}.db" for number in range(3)]
    for number, name in enumerate(names):
        _fill(name, number)
    results = []
    for order, parts in enumerate(permutations(names)):
        with LexiconStore(tmp_path / f"merged{order}.db") as merged:
            for part in [*parts, *parts]:
                with LexiconStore(part) as other:
                    merged.merge(other)
            results.append((merged.entries(LANGS), merged.contributions()))
    assert len(results) == 6
    assert all(result == results[0] for result in results)
    (entry,), contributions = results[0]
    assert (entry.sites, entry.segments) == (4, 1 + 2 + 3 + 3)
    assert len(contributions) == 4


def test_merging_again_takes_nothing(tmp_path: Path) -> None:
    _fill(tmp_path / "a.db", 1)
    with (
        LexiconStore(tmp_path / "a.db") as store,
        LexiconStore(tmp_path / "b.db") as other,
    ):
        assert other.merge(store) == 2
        assert other.merge(store) == 0
        assert store.merge(store) == 0


# -- files that cannot be used -----------------------------------------------------------


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE pages (url TEXT)")
    connection.close()
    with pytest.raises(
        LexiconError, match="another SQLite file, or a store of another"
    ):
        LexiconStore(path)
    path.write_text("no database at all, but long enough to be asked for its header")
    with pytest.raises(LexiconError, match="no readable lexicon store"):
        LexiconStore(path)
    with pytest.raises(LexiconError, match="no readable lexicon store"):
        LexiconStore(tmp_path)


def test_a_store_of_another_version_is_refused(tmp_path: Path) -> None:
    LexiconStore(tmp_path / "a.db").close()
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LexiconError, match="a store of another version"):
        LexiconStore(tmp_path / "a.db")


def test_a_missing_store_is_not_made_to_be_read(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="there is no lexicon store; make one"):
        LexiconStore(tmp_path / "none.db", must_exist=True)
    assert not (tmp_path / "none.db").exists()
