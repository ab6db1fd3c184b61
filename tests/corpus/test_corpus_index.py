"""The corpus index: what was written is there for the next process."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from corpus_examples import entry, page

from ilspfc.corpus import counts as figures
from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.index import REINDEX, SCHEMA_VERSION, CorpusIndex
from ilspfc.corpus.records import LinkEntry, Markup
from ilspfc.database import describe_problem
from ilspfc.documents import Document, License, LicensePlace
from ilspfc.documents.figures import HostCount, LanguageCount, RunCount
from ilspfc.exceptions import CorpusError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus" / "corpus.db"


@pytest.fixture
def index(path: Path) -> Iterator[CorpusIndex]:
    with CorpusIndex(path) as index:
        yield index


def rows(index: CorpusIndex, sql: str) -> list[tuple[object, ...]]:
    return list(index.rows(sql))


# -- documents ---------------------------------------------------------------------------


def test_documents_come_back_as_they_were_by_id(index: CorpusIndex) -> None:
    entries = [entry("b", lang="ita"), entry("a", license="CC"), entry("c")]
    for one in entries:
        index.add_document(one, [], [])
    assert index.documents() == [entries[1], entries[0], entries[2]]


def test_links_keep_their_order_and_images_are_there_once(index: CorpusIndex) -> None:
    links = [
        LinkEntry("z"),
        LinkEntry("b", "hreflang", "ita"),
        LinkEntry("z", "cue", "ita", "italiano"),
    ]
    index.add_document(entry("a"), links, ["y.png", "x.png", "y.png"])
    assert rows(index, "SELECT * FROM links ORDER BY position") == [
        ("a", 0, "z", "", "", ""),
        ("a", 1, "b", "hreflang", "ita", ""),
        ("a", 2, "z", "cue", "ita", "italiano"),
    ]
    assert rows(index, "SELECT * FROM images ORDER BY name") == [
        ("a", "x.png"),
        ("a", "y.png"),
    ]


def test_a_text_is_known_by_its_digest(index: CorpusIndex) -> None:
    index.add_document(entry("a"), [], [], digest="0123")
    assert index.digest_of("a") == "0123"
    assert index.digest_of("b") == ""
    assert index.document("b") is None


def test_the_markup_of_a_page_is_that_of_its_last_state(index: CorpusIndex) -> None:
    index.add_document(entry("a"), [], [], markup=Markup(1234, "0a0"))
    assert index.markup_of("a") == (1234, "0a0")
    assert index.markup_of("b") == (0, "")
    index.add_document(entry("a"), [], [])
    assert index.markup_of("a") == (0, "")


def test_the_score_of_cleaning_is_that_of_the_last_state(index: CorpusIndex) -> None:
    for name, score in (("a", 0.5), ("b", 0.75), ("a", 0.25)):
        index.add_document(entry(name), [], [], cleaning_score=score)
    sql = "SELECT * FROM cleaning_scores ORDER BY document"
    assert rows(index, sql) == [("a", 0.25), ("b", 0.75)]
    index.add_document(entry("b"), [], [])
    index.remove_document("a")
    assert rows(index, sql) == []


def test_links_and_images_are_renewed_alone(index: CorpusIndex) -> None:
    index.add_document(
        entry("a"), [LinkEntry("x"), LinkEntry("y")], ["x.png"], digest="0123"
    )
    index.set_links("a", [LinkEntry("z", "hreflang", "ita")], ["z.png"])
    assert index.document("a") == entry("a")
    assert index.digest_of("a") == "0123"
    assert rows(index, "SELECT * FROM links") == [("a", 0, "z", "hreflang", "ita", "")]
    assert rows(index, "SELECT * FROM images") == [("a", "z.png")]


def test_a_document_is_removed_with_all_that_is_its_own(index: CorpusIndex) -> None:
    for name in ("a", "b"):
        licenses = (License("CC-BY-4.0", "", LicensePlace.TEXT),)
        links, images = [LinkEntry("x")], ["x.png"]
        index.add_document(
            entry(name), links, images, licenses, "0123", markup=Markup(1, "0")
        )
    index.remove_document("a")
    assert index.markup_of("a") == (0, "")
    assert index.markup_of("b") == (1, "0")
    assert rows(index, "SELECT document FROM licenses") == [("b",)]
    assert index.documents(duplicates=True) == [entry("b")]
    assert index.digest_of("a") == ""
    assert rows(index, "SELECT source FROM links") == [("b",)]
    assert rows(index, "SELECT document FROM images") == [("b",)]


def test_a_page_that_was_read_is_no_failure_and_stays_as_it_is_unless_renewed(
    index: CorpusIndex,
) -> None:
    first, again = page("a"), page("a", drop="language/too_short")
    assert index.add_failure(first.url, "h", "http_error", "HTTP 500", is_seed=False)
    index.add_page(first, "h")
    assert not index.add_failure(first.url, "h", "robots", "", is_seed=False)
    assert rows(index, "SELECT * FROM failures") == []
    index.add_page(again, "h", renew=False)
    assert rows(index, "SELECT fate FROM pages") == [("kept",)]
    index.add_page(again, "h")
    assert rows(index, "SELECT fate FROM pages") == [("language/too_short",)]
    index.add_page(page("b"), "h", renew=False)
    assert figures.count_pages(index) == 2


def test_a_document_that_comes_again_replaces_its_earlier_state(
    index: CorpusIndex,
) -> None:
    index.add_document(entry("a"), [LinkEntry("x"), LinkEntry("y")], ["x.png"])
    index.add_document(entry("b"), [LinkEntry("x")], ["x.png"])
    again = entry("a", title="Neu", tokens=7)
    index.add_document(again, [LinkEntry("z")], ["z.png"])
    assert index.documents()[0] == index.document("a") == again
    assert rows(index, "SELECT source, target FROM links") == [("a", "z"), ("b", "x")]
    assert rows(index, "SELECT document, name FROM images") == [
        ("a", "z.png"),
        ("b", "x.png"),
    ]


def test_licenses_keep_their_order_and_are_replaced(index: CorpusIndex) -> None:
    by = License("CC-BY-4.0", "http://b", LicensePlace.A_REL)
    own = License("", "http://o", LicensePlace.META)
    index.add_document(entry("a"), [], [], [own])
    index.add_document(entry("a"), [], [], [by, own])
    assert rows(index, "SELECT * FROM licenses ORDER BY position") == [
        ("a", 0, "CC-BY-4.0", "http://b", "a-rel"),
        ("a", 1, "", "http://o", "meta"),
    ]


def test_near_duplicates_are_returned_only_if_asked_for(index: CorpusIndex) -> None:
    for name in "abc":
        index.add_document(entry(name), [], [])
    index.set_duplicates({"b": ("a", "near_duplicate")})
    assert [one.id for one in index.documents()] == ["a", "c"]
    assert index.documents(duplicates=True)[1] == entry("b", duplicate_of="a")
    index.set_duplicates({"c": ("a", "near_duplicate")})
    assert [one.id for one in index.documents()] == ["a", "b"], "another threshold"


# -- pages, failures and drops -----------------------------------------------------------


def test_pages_are_kept_or_dropped_with_a_reason(index: CorpusIndex) -> None:
    document = Document("a", "u", [], lang="deu", relevance=2.5, terms=4)
    index.add_page(page("a", document=document), "www.example.org")
    index.add_page(page("bb", drop="cleaning/empty"), "www.example.org")
    assert rows(index, "SELECT id, fate, lang, relevance, terms, depth FROM pages") == [
        ("a", "kept", "deu", 2.5, 4, 1),
        ("bb", "cleaning/empty", "", 0.0, 0, 1),
    ]
    assert figures.count_pages(index) == 2


def test_a_page_that_is_fetched_again_is_counted_once(index: CorpusIndex) -> None:
    index.add_page(page("a", drop="language/too_short"), "www.example.org")
    index.add_page(page("a"), "www.example.org")
    assert figures.count_pages(index) == 1
    assert figures.count_drops(index) == {}


def test_a_page_makes_an_earlier_failure_forgotten(index: CorpusIndex) -> None:
    for name in ("a", "b"):
        index.add_failure(
            page(name).url, "www.example.org", "not_reached", "timeout", is_seed=True
        )
    index.add_page(page("a"), "www.example.org")
    assert figures.failed_seeds(index) == {page("b").url: ("not_reached", "timeout")}


def test_drops_of_a_stage_are_those_of_its_last_run(index: CorpusIndex) -> None:
    index.set_drops("dedup", {"near_duplicate": 5, "other": 1})
    index.set_drops("pairing", {"unpaired": 2})
    index.set_drops("dedup", {"near_duplicate": 0})
    assert figures.count_drops(index) == {"pairing/unpaired": 2}


# -- figures -----------------------------------------------------------------------------


def test_drops_of_all_stages_are_counted_together(index: CorpusIndex) -> None:
    index.add_page(page("a"), "a.org")
    index.add_document(entry("a"), [], [])
    index.add_page(page("bb", drop="cleaning/empty"), "a.org")
    index.add_page(page("ccc", drop="cleaning/empty"), "b.org")
    index.add_failure("http://x.org/", "x.org", "robots", "", is_seed=False)
    index.set_drops("dedup", {"near_duplicate": 3})
    assert figures.count_drops(index) == {
        "cleaning/empty": 2,
        "dedup/near_duplicate": 3,
        "fetch/robots": 1,
    }
    assert figures.count_hosts(index) == [
        HostCount("a.org", 2, 1, 0),
        HostCount("b.org", 1, 0, 0),
        HostCount("x.org", 0, 0, 1),
    ]
    assert figures.harvest_curve(index) == [(0, 0), (1, 1), (2, 1), (3, 1)]
    # A duplicate is no document, here as in all other counts.
    index.set_duplicates({"a": ("b", "near_duplicate")})
    assert figures.harvest_curve(index)[-1] == (3, 0)
    assert figures.count_hosts(index)[0] == HostCount("a.org", 2, 0, 0)


def test_the_times_of_all_runs_are_there(index: CorpusIndex) -> None:
    index.add_run({"started": "2026-03-01T10:00:00+00:00"})
    index.finish_run({"finished": "2026-03-01T10:00:30+00:00"})
    index.add_run({})
    begun, ended = "2026-03-01T10:00:00+00:00", "2026-03-01T10:00:30+00:00"
    assert figures.list_runs(index) == [
        RunCount(begun, ended, 0, 0),
        RunCount("", "", 0, 0),
    ]


def test_a_killed_run_has_the_end_and_the_counts_of_its_pages(
    index: CorpusIndex,
) -> None:
    index.add_run({"started": "2026-03-01T10:00:01+00:00"})
    index.add_page(page("a"), "a.org")
    index.add_page(page("bb", drop="cleaning/empty"), "a.org")
    index.add_run({"started": "2026-03-01T10:00:05+00:00"})
    index.add_page(page("cccccc"), "a.org")
    index.finish_run({"finished": "2026-03-01T10:00:09+00:00"})
    killed = RunCount(
        "2026-03-01T10:00:01+00:00", "2026-03-01T10:00:02+00:00", 2, 1, was_killed=True
    )
    assert figures.list_runs(index)[0] == killed


def test_duplicates_do_not_count_as_documents(index: CorpusIndex) -> None:
    index.add_document(entry("a", license="CC", subdomains="x;y"), [], [])
    index.add_document(entry("b", license="CC", subdomains="x"), [], [])
    index.add_document(entry("c", lang="ita", subdomains=""), [], [])
    index.set_duplicates({"b": ("a", "near_duplicate")})
    assert figures.count_corpus(index, ["deu", "ita"]).documents == (
        LanguageCount("deu", 1, 12, 7, 140),
        LanguageCount("ita", 1, 12, 7, 140),
    )
    assert figures.count_subdomains(index) == [("x", 1), ("y", 1)]
    assert figures.count_values(index, figures.LICENSE) == [("CC", 1)]


def test_licenses_are_counted_by_identifier_and_place(index: CorpusIndex) -> None:
    known = {"license_id": "CC-BY-4.0", "license_place": "a-rel"}
    index.add_document(entry("a", license="http://b", **known), [], [])
    index.add_document(entry("b", license="http://b/deed.de", **known), [], [])
    other = entry("c", license="http://o", license_place="meta")
    index.add_document(other, [], [])
    index.add_document(entry("d"), [], [])
    assert figures.count_values(index, figures.LICENSE) == [
        ("CC-BY-4.0", 2),
        ("http://o", 1),
    ]
    assert figures.count_values(index, "license_place") == [("a-rel", 2), ("meta", 1)]


def test_signals_are_counted_by_page_whatever_became_of_it(index: CorpusIndex) -> None:
    assert figures.count_optouts(index) == []
    assert figures.count_reserved(index) == 0
    reserved = Document("a", "u", [], optouts=("noai_meta=noai",), is_reserved=True)
    twice = Document("b", "u", [], optouts=("rsl_link=/a", "rsl_link=/b"))
    index.add_page(page("a", drop="optout/reserved", document=reserved), "a.org")
    index.add_page(page("bb", document=reserved), "a.org")
    index.add_page(page("ccc", drop="language/too_short", document=twice), "a.org")
    index.add_page(page("dddd"), "a.org")
    assert figures.count_optouts(index) == [("noai_meta", 2), ("rsl_link", 1)]
    assert figures.count_reserved(index) == 2
    assert rows(index, "SELECT optouts, reserved FROM pages WHERE id = 'ccc'") == [
        ("rsl_link=/a\nrsl_link=/b", 0)
    ]


def test_examples_of_losses_are_bounded_for_each_reason(index: CorpusIndex) -> None:
    for name in ("a", "b", "c"):
        index.add_page(page(name, drop="cleaning/empty"), "a.org")
    for name in ("x", "y", "z"):
        index.add_document(entry(name), [], [])
    Bitext(index).set_alone(["deu"], {"x": "no_text", "y": "no_text", "z": "unpaired"})
    samples = figures.sample_drops(index, 1)
    assert samples == {
        "cleaning/empty": (page("a").url,),
        "pairing/no_text": (entry("x").url,),
        "pairing/unpaired": (entry("z").url,),
    }


def test_hosts_that_lost_pages_for_a_reason_are_counted(index: CorpusIndex) -> None:
    for name, host in (("a", "a.org"), ("b", "b.org"), ("c", "b.org")):
        index.add_page(page(name, drop="cleaning/needs_javascript"), host)
    index.add_page(page("d", drop="cleaning/empty"), "a.org")
    counted = figures.count_hosts_losing(index, "cleaning/needs_javascript")
    assert counted == [("b.org", 2), ("a.org", 1)]
    index.add_failure(
        "http://c.org/", "c.org", "payment_required", "HTTP 402", is_seed=False
    )
    counted = figures.count_hosts_losing(index, "fetch/payment_required")
    assert counted == [("c.org", 1)]


# -- runs --------------------------------------------------------------------------------


def test_the_last_run_is_described(index: CorpusIndex) -> None:
    assert index.last_run() == {}
    assert figures.list_runs(index) == []
    index.add_run({"langs": ["deu"], "settings": {"a": 1}})
    index.add_run({"langs": ["deu", "ita"], "settings": {"a": 1, "b": 2}})
    index.finish_run({"finished": "today", "settings": {"b": 3}})
    assert len(figures.list_runs(index)) == 2
    assert index.last_run() == {
        "finished": "today",
        "langs": ["deu", "ita"],
        "settings": {"a": 1, "b": 3},
    }


# -- the file ----------------------------------------------------------------------------


def test_what_was_written_survives_a_kill(path: Path) -> None:
    first = CorpusIndex(path)
    first.add_document(entry("a"), [LinkEntry("b")], ["x.png"])
    first._connection.close()  # as a kill would
    with CorpusIndex(path) as second:
        assert second.documents() == [entry("a")]
        assert rows(second, "SELECT count(*) FROM links") == [(1,)]


def test_a_statement_that_fails_takes_the_whole_transaction_back(
    index: CorpusIndex,
) -> None:
    def links() -> Iterator[LinkEntry]:
        yield LinkEntry("b")
        raise RuntimeError

    index.add_document(entry("a"), [LinkEntry("x")], [])
    with pytest.raises(RuntimeError):
        index.add_document(replace(entry("a"), title="neu"), links(), [])
    assert index.documents() == [entry("a")]
    assert rows(index, "SELECT target FROM links") == [("x",)]


def test_what_is_written_in_a_transaction_is_written_together(
    index: CorpusIndex, path: Path
) -> None:
    with closing(sqlite3.connect(path)) as reader:
        sql = "SELECT count(*) FROM documents"
        with index.transaction():
            index.add_document(entry("a"), [LinkEntry("b")], [])
            index.add_document(entry("b"), [], [])
            assert reader.execute(sql).fetchone() == (0,)
        assert reader.execute(sql).fetchone() == (2,)
        with suppress(RuntimeError), index.transaction():
            index.add_document(entry("c"), [], [])
            raise RuntimeError
        index.add_document(entry("d"), [], [])
        assert reader.execute(sql).fetchone() == (3,)
    assert [one.id for one in index.documents()] == ["a", "b", "d"]


def test_any_sqlite_tool_can_read_it_while_it_is_written(
    index: CorpusIndex, path: Path
) -> None:
    index.add_document(entry("a"), [], [])
    with closing(sqlite3.connect(path)) as reader:
        assert reader.execute("SELECT id, title FROM documents").fetchall() == [
            ("a", "Lärm am Bau")
        ]


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, 99, -1])
def test_an_index_of_another_version_is_refused_and_left_alone(
    path: Path, version: int
) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={version}")
    with pytest.raises(CorpusError, match=f"schema {version}") as caught:
        CorpusIndex(path)
    assert str(path) in str(caught.value)
    assert "scrapy reindex" in str(caught.value)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (version,)
        assert not connection.execute("SELECT * FROM sqlite_master").fetchall()


@pytest.mark.parametrize(
    "content", [b"no database at all " * 99, b"SQLite format 3\x00"]
)
def test_a_file_that_is_no_index_is_refused_in_one_line(
    path: Path, content: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(CorpusError, match="no readable corpus index") as caught:
        CorpusIndex(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_a_path_that_cannot_be_opened_is_refused_in_one_line(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(CorpusError, match="no readable corpus index"):
        CorpusIndex(path)


def test_a_refused_index_is_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=99")
    opened: list[sqlite3.Connection] = []
    original: Callable[..., sqlite3.Connection] = sqlite3.connect

    def connect(*args: object, **options: object) -> sqlite3.Connection:
        opened.append(original(*args, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(CorpusError):
        CorpusIndex(path)
    with pytest.raises(sqlite3.ProgrammingError):
        opened[0].execute("SELECT 1")


@pytest.mark.parametrize(
    ("code", "state", "remedy"),
    [
        (sqlite3.SQLITE_BUSY, "locked", "wait for its end"),
        (sqlite3.SQLITE_READONLY, "read-only", "the right to write"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "read-only", "the right to write"),
        (sqlite3.SQLITE_CORRUPT, "damaged", "`scrapy reindex here`"),
        (sqlite3.SQLITE_NOTADB, "damaged", "`scrapy reindex here`"),
    ],
)
def test_the_states_of_an_index_are_told_apart(
    code: int, state: str, remedy: str
) -> None:
    error = sqlite3.DatabaseError("said")
    error.sqlite_errorcode = code
    text = describe_problem(Path("here/corpus.db"), "index", error, REINDEX)
    assert f": {state} (said); " in text
    assert remedy in text


def test_damage_found_while_reading_is_one_line(path: Path) -> None:
    with CorpusIndex(path) as index:
        index.add_run({"langs": ["deu"]})
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with (
        pytest.raises(CorpusError, match=r"damaged .*scrapy reindex"),
        CorpusIndex(path) as index,
    ):
        index.last_run()


def test_text_that_is_no_text_is_one_line(path: Path) -> None:
    with CorpusIndex(path) as index:
        index.add_failure("http://a.org/", "a.org", "x", "y", is_seed=False)
        with index.transaction() as connection:
            connection.execute("UPDATE failures SET cause = CAST(x'ff' AS TEXT)")
        with pytest.raises(CorpusError, match=r"unreadable .*scrapy reindex"):
            rows(index, "SELECT * FROM failures")
