"""The store of learned lexicons."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.lexicon_file import LexiconStore

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
    sites = "SELECT source_lang, target_lang, site, date FROM sites"
    assert list(store.rows(sites)) == [("deu", "ita", "a.example", "2026-01-02")]
    store.put(LANGS, "a.example", [], "2026-01-03")
    assert list(store.rows(sites)) == []


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
    with LexiconStore(tmp_path / "a.db") as store:
        assert len(store.entries(LANGS)) == 1


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
