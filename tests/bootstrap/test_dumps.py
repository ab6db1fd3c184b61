"""SQL dumps: rows as mysqldump writes them, and a subject collected from them."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, Subject
from ilspfc.bootstrap.dumps import iter_dumps, iter_rows, join_link
from ilspfc.exceptions import BootstrapError

Row = tuple[object, ...]


def _quote(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, int):
        return str(value)
    text = str(value).replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{text}'"


def _dump(table: str, columns: str, rows: Iterable[Row]) -> str:
    """Return a dump with at most two rows an INSERT."""
    names = columns.split()
    text = f"-- MySQL dump\nCREATE TABLE `{table}` (\n"
    text += "".join(f"  `{name}` varbinary(255) NOT NULL,\n" for name in names)
    text += f"  PRIMARY KEY (`{names[0]}`)\n) ENGINE=InnoDB;\n/*!40000 ALTER */;\n"
    values = ["(" + ",".join(map(_quote, row)) + ")" for row in rows]
    for start in range(0, len(values), 2):
        text += f"INSERT INTO `{table}` VALUES {','.join(values[start : start + 2])};\n"
    return text + "-- Dump completed\n"


def _write(path: Path, text: str) -> Path:
    with gzip.open(path, "wb") as file:
        file.write(text.encode())
    return path


# -- rows --------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2**40),
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
            st.none() | st.text("ab'\\(),;\n"),
        ),
        max_size=5,
    )
)
def test_any_value_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, str | None]]
) -> None:
    path = tmp_path_factory.mktemp("dump") / "t.sql.gz"
    # A first row, for an empty table has no INSERT to read columns from.
    _write(path, _dump("t", "a b c", [(1, "x", "y"), *rows]))
    found = list(iter_rows(path, ("c", "a", "b"), BootstrapLog()))[1:]
    expected = [((c or "").encode(), str(a).encode(), b.encode()) for a, b, c in rows]
    assert found == expected


@pytest.mark.parametrize("is_packed", [True, False])
def test_a_truncated_dump_is_read_as_far_as_it_goes(
    tmp_path: Path, is_packed: bool
) -> None:
    text = _dump("t", "a", [(n,) for n in range(10_000)])
    path = tmp_path / ("t.sql.gz" if is_packed else "t.sql")
    data = gzip.compress(text.encode()) if is_packed else text.encode()
    path.write_bytes(data[: len(data) // 2])
    log = BootstrapLog()
    rows = list(iter_rows(path, ("a",), log))
    assert 0 < len(rows) < 10_000
    assert rows == [(str(n).encode(),) for n in range(len(rows))]
    assert log.counts == {"bootstrap/dropped/truncated_dump": 1}
    assert f"{len(rows)} rows of it were read" in log.notices[0]


def test_a_dump_that_ends_before_its_table_is_cut_off(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.sql.gz", _dump("t", "a b", [(1, "x")]))
    path.write_bytes(path.read_bytes()[:30])
    log = BootstrapLog()
    assert list(iter_rows(path, ("a", "b"), log)) == []
    assert log.counts["bootstrap/dropped/truncated_dump"] == 1
    assert "0 rows of it were read, fetch it again" in log.notices[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no SQL dump"),
        (b"<html>not found</html>", "no SQL dump"),
        (gzip.compress(b"-- nothing", mtime=0), "no SQL dump"),
        (_dump("t", "b", [("x",)]).encode(), "no column a, only b"),
    ],
)
def test_what_is_no_dump_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / ("t.sql.gz" if data[:2] == b"\x1f\x8b" else "t.sql")
    path.write_bytes(data)
    with pytest.raises(BootstrapError, match=message):
        list(iter_rows(path, ("a",), BootstrapLog()))
    with pytest.raises(BootstrapError, match="cannot be read"):
        list(iter_rows(tmp_path / "missing.sql", ("a",), BootstrapLog()))


def test_a_table_without_rows_may_stand_before(tmp_path: Path) -> None:
    empty = _dump("s", "b a", []).partition("INSERT")[0]
    path = _write(tmp_path / "t.sql.gz", empty + _dump("t", "a b", [(1, "x")]))
    assert list(iter_rows(path, ("a", "b"), BootstrapLog())) == [(b"1", b"x")]


@pytest.mark.parametrize(
    ("index", "path", "url"),
    [
        (b"https://org.example.www.", b"/a?b=1", "https://www.example.org/a?b=1"),
        (b"http://org.example.:8080", b"/", "http://example.org:8080/"),
    ],
)
def test_links_of_newer_dumps_are_put_together(
    index: bytes, path: bytes, url: str
) -> None:
    assert join_link(index, path) == url


def test_a_column_may_be_absent(tmp_path: Path) -> None:
    path = _write(tmp_path / "t.sql.gz", _dump("t", "a b", [(1, "x")]))
    rows = iter_rows(path, ("c?", "b?", "a"), BootstrapLog())
    assert list(rows) == [(b"", b"x", b"1")]


# -- a subject ---------------------------------------------------------------------------

PAGES = [
    (1, 0, "Bee", 0),
    (2, 0, "Honey_bee", 1),
    (3, 0, "Honey", 0),
    (4, 0, "Hive's_end", 0),
    (5, 0, "Car", 0),
    (6, 0, "Imker", 1),
    (11, 14, "Bees", 0),
    (12, 14, "Bee_products", 0),
    (13, 14, "Hives", 0),
    (14, 14, "Cars", 0),
    (15, 14, "Deep", 0),
    (7, 0, "Nail", 0),
    (8, 1, "Bee", 0),  # its talk page
]
# Page, its category, its kind; the products lead back to the bees.
MEMBERS = [
    (1, "Bees", "page"),
    (3, "Bee_products", "page"),
    (3, "Hives", "page"),
    (4, "Hives", "page"),
    (5, "Cars", "page"),
    (6, "Bees", "page"),
    (2, "Bee_products", "page"),  # a redirect in a category
    (7, "Deep", "page"),
    (8, "Bees", "page"),
    (12, "Bees", "subcat"),
    (13, "Bee_products", "subcat"),
    (11, "Bee_products", "subcat"),
    (15, "Hives", "subcat"),
]
LANGLINKS = [
    (1, "de", "Biene"),
    (3, "de", "Honig#Arten"),
    (5, "de", "Auto"),
    (4, "fr", "Fin"),
]
TARGETS = {"Bees": 101, "Bee_products": 102, "Hives": 103, "Cars": 104, "Deep": 105}


def _write_wiki(folder: Path, *, is_new: bool) -> None:
    def write(table: str, columns: str, rows: Iterable[Row]) -> None:
        _write(folder / f"enwiki-20260101-{table}.sql.gz", _dump(table, columns, rows))

    write(
        "page",
        "page_id page_namespace page_title page_is_redirect page_len",
        [(*row, 9) for row in PAGES],
    )
    write("langlinks", "ll_from ll_lang ll_title", LANGLINKS)
    write("redirect", "rd_from rd_namespace rd_title", [(2, 0, "Bee"), (6, 0, "Car")])
    if is_new:
        write(
            "linktarget",
            "lt_id lt_namespace lt_title",
            [
                *((number, 14, title) for title, number in TARGETS.items()),
                (201, 0, "Bee"),
                (202, 0, "Car"),
            ],
        )
        write(
            "categorylinks",
            "cl_from cl_sortkey cl_type cl_target_id",
            [(page, "KEY (x)", kind, TARGETS[name]) for page, name, kind in MEMBERS],
        )
        write(
            "externallinks",
            "el_id el_from el_to_domain_index el_to_path",
            [(1, 1, "https://org.bees.", "/a"), (2, 5, "https://org.cars.", "/")],
        )
        write(
            "pagelinks",
            "pl_from pl_target_id",
            [(3, 201), (4, 201), (5, 201), (3, 202)],
        )
    else:
        write(
            "categorylinks",
            "cl_from cl_to cl_sortkey cl_type",
            [(page, name, "KEY (x)", kind) for page, name, kind in MEMBERS],
        )
        write(
            "externallinks",
            "el_id el_from el_to",
            [(1, 1, "//bees.org/a"), (2, 5, "https://cars.org/")],
        )
        write(
            "pagelinks",
            "pl_from pl_namespace pl_title",
            [(3, 0, "Bee"), (4, 0, "Bee"), (5, 0, "Bee"), (3, 0, "Car")],
        )


def _collect(
    folder: Path, subject: str = "Bees", depth: int = 2, max_concepts: int = 100
) -> tuple[dict[str, Concept], BootstrapLog]:
    log = BootstrapLog()
    bees = Subject(subject, ("eng", "deu"), depth, max_concepts)
    found = iter_dumps(folder, bees, log)
    return {concept.identity: concept for concept in found}, log


@pytest.mark.parametrize("is_new", [True, False], ids=["newer", "older"])
def test_both_forms_of_dumps_give_the_same(tmp_path: Path, is_new: bool) -> None:
    _write_wiki(tmp_path, is_new=is_new)
    concepts, log = _collect(tmp_path)
    assert {name: c.depth for name, c in concepts.items()} == {
        "Bee": 0,
        "Honey": 1,
        "Hive's end": 2,
    }
    bee = concepts["Bee"]
    assert bee.names == {"eng": "Bee", "deu": "Biene"}
    assert bee.variants == {"eng": ["Honey bee"]}
    assert bee.urls == {"eng": ["https://bees.org/a"]}
    assert (bee.links, concepts["Honey"].links) == (2, 0)
    assert concepts["Honey"].subdomain == "Bee products"
    assert concepts["Honey"].names == {"eng": "Honey"}
    assert log.counts["bootstrap/dropped/section"] == 1
    assert log.counts["bootstrap/dropped/redirect"] == 2
    assert log.counts["bootstrap/dropped/category_loop"] == 1


def test_the_depth_and_the_number_are_bounded(tmp_path: Path) -> None:
    _write_wiki(tmp_path, is_new=True)
    assert {*_collect(tmp_path, depth=0)[0]} == {"Bee"}
    assert "Nail" in _collect(tmp_path, depth=3)[0]
    concepts, log = _collect(tmp_path, max_concepts=4)
    assert {*concepts} == {"Bee", "Honey"}  # and two redirects
    assert "BOOTSTRAP_MAX_PAGES=4" in log.notices[0]


def test_an_unknown_category_is_answered_with_others(tmp_path: Path) -> None:
    _write_wiki(tmp_path, is_new=True)
    with pytest.raises(
        BootstrapError, match=r"no category.*nearest are Bees, Bee products"
    ):
        _collect(tmp_path, "Beez")


def test_dumps_of_other_languages_complete_the_first(tmp_path: Path) -> None:
    _write_wiki(tmp_path, is_new=True)
    tables: dict[str, tuple[str, list[Row]]] = {
        "page": (
            "page_id page_namespace page_title page_is_redirect",
            [(1, 0, "Biene", 0), (2, 0, "Imme", 1), (3, 0, "Auto", 0)],
        ),
        "redirect": ("rd_from rd_namespace rd_title", [(2, 0, "Biene")]),
        "externallinks": (
            "el_from el_to",
            [(1, "http://bienen.de/"), (3, "http://a.de/")],
        ),
    }
    for table, (columns, rows) in tables.items():
        _write(tmp_path / f"dewiki-latest-{table}.sql.gz", _dump(table, columns, rows))
    bee = _collect(tmp_path)[0]["Bee"]
    assert bee.variants["deu"] == ["Imme"]
    assert bee.urls["deu"] == ["http://bienen.de/"]


def test_folders_without_what_is_needed_are_named(tmp_path: Path) -> None:
    with pytest.raises(BootstrapError, match="no such folder"):
        _collect(tmp_path / "missing")
    with pytest.raises(BootstrapError, match="no dumps there"):
        _collect(tmp_path)
    _write(tmp_path / "enwiki-latest-page.sql.gz", _dump("page", "page_id", [(1,)]))
    with pytest.raises(BootstrapError, match="page and categorylinks"):
        _collect(tmp_path)


def test_a_truncated_table_costs_its_end_alone(tmp_path: Path) -> None:
    _write_wiki(tmp_path, is_new=True)
    path = tmp_path / "enwiki-20260101-langlinks.sql.gz"
    path.write_bytes(path.read_bytes()[:-12])
    concepts, log = _collect(tmp_path)
    assert {*concepts} == {"Bee", "Honey", "Hive's end"}
    assert log.counts["bootstrap/dropped/truncated_dump"] == 1


def test_newer_dumps_need_their_titles(tmp_path: Path) -> None:
    _write_wiki(tmp_path, is_new=True)
    (tmp_path / "enwiki-20260101-linktarget.sql.gz").unlink()
    with pytest.raises(BootstrapError, match="no dump of the table linktarget"):
        _collect(tmp_path)
