"""Parts of a corpus, joined."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import FolderHandler, SiteHandler
from scrapy.settings import BaseSettings
from small_corpus import SmallCorpus

from ilspfc import settings as defaults
from ilspfc.cluster.parts import fetch_parts, join_parts
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.removals import Removal
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.upkeep.removal import remove_pages

if TYPE_CHECKING:
    from conftest import Serve


def make_part(root: Path, name: str) -> SmallCorpus:
    part = SmallCorpus(root / "parts" / name)
    (part.files.archive).mkdir()
    (part.files.archive / "pages.warc.gz").write_bytes(name.encode())
    return part


def visited(part: SmallCorpus, identity: str, time: str, title: str = "") -> None:
    with closing(sqlite3.connect(part.files.index)) as connection, connection:
        connection.execute(
            "UPDATE documents SET fetched_at = ?, title = ? WHERE id = ?",
            (time, title, identity),
        )


def documents(root: Path) -> list[tuple[str, str]]:
    with CorpusIndex(root / "corpus.db") as index:
        return [(entry.id, entry.title) for entry in index.documents()]


def test_parts_become_one_corpus_of_the_newest_visits(tmp_path: Path) -> None:
    one, other = make_part(tmp_path, "one"), make_part(tmp_path, "other")
    one.add("d1", "deu", ["Die Bienen fliegen."])
    one.add("d2", "deu", ["Alter Text."])
    other.add("d2", "deu", ["Neuer Text."])
    visited(one, "d1", "2026-01-01T00:00:00")
    visited(one, "d2", "2026-01-01T00:00:00", "old")
    visited(other, "d2", "2026-02-01T00:00:00", "new")
    assert CorpusFiles(tmp_path).has_parts

    assert join_parts(tmp_path) == 3

    assert documents(tmp_path) == [("d1", ""), ("d2", "new")]
    text = next((tmp_path / "xml").glob("*d2.xml")).read_text("utf-8")
    assert "Neuer Text." in text
    assert sorted(path.name for path in (tmp_path / "warc").iterdir()) == [
        "one-pages.warc.gz",
        "other-pages.warc.gz",
    ]
    assert join_parts(tmp_path) == 0
    visited(one, "d2", "2026-03-01T00:00:00", "newest")
    assert join_parts(tmp_path) == 1
    assert documents(tmp_path)[1] == ("d2", "newest")


def test_parts_in_different_languages_are_refused(tmp_path: Path) -> None:
    for name, langs in (("one", ["deu"]), ("other", ["ita"])):
        part = make_part(tmp_path, name)
        with CorpusIndex(part.files.index) as index:
            index.add_run({"langs": langs})
    with pytest.raises(CorpusError, match="different languages"):
        join_parts(tmp_path)


def test_a_removed_page_does_not_come_back_from_a_part(tmp_path: Path) -> None:
    part = make_part(tmp_path, "one")
    (part.files.archive / "pages.warc.gz").unlink()
    part.add("d1", "deu", ["Die Bienen fliegen."])
    part.add("d2", "deu", ["Der Honig ist süß."])
    assert join_parts(tmp_path) == 2
    values = {k: v for k, v in vars(defaults).items() if k.isupper()}
    with open_corpus(tmp_path, BaseSettings(values)) as corpus:
        (done,) = remove_pages(corpus, [Removal.of("url", "http://a.org/d1")])
    assert done.documents == 1
    assert documents(part.files.root) == [("d2", "")]
    assert not list(part.files.documents.glob("*d1.xml"))
    part.add("d1", "deu", ["Die Bienen fliegen."])  # visited again meanwhile
    assert join_parts(tmp_path) == 0
    assert documents(tmp_path) == [("d2", "")]


# -- parts from elsewhere ----------------------------------------------------------------


def end(part: SmallCorpus, state: str = "finished") -> None:
    part.files.status.write_text(json.dumps({"state": state}))


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """A corpus elsewhere, of two parts of a document each."""
    for name in ("one", "the other"):
        part = make_part(tmp_path / "far", name)
        part.add(f"d-{name[-3:]}", "deu", ["Die Bienen fliegen."])
        (part.files.root / ".lock").write_text("1")
        end(part)
    return tmp_path / "far"


def read_parts(root: Path) -> dict[str, bytes]:
    """Return the files of the parts of a corpus; hidden ones belong to where they are."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in (root / "parts").rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def test_finished_parts_are_copied_once(
    tmp_path: Path, far: Path, serve: Serve
) -> None:
    end(SmallCorpus(far / "parts" / "late"), "crawling")
    root, site = tmp_path / "near", serve(far)
    told = fetch_parts(root, site.url)
    assert told == "parts copied: one, the other; not finished: late"
    there = read_parts(far)
    assert read_parts(root) == {k: v for k, v in there.items() if "/late/" not in k}
    assert join_parts(root) == 2
    assert (root / "warc" / "the other-pages.warc.gz").exists()
    # By the folder of the parts as by that of their corpus.
    assert fetch_parts(root, site.at("parts/")).startswith("parts copied: none is new")
    assert join_parts(root) == 0


def test_of_a_part_that_has_changed_what_is_new_is_copied(
    tmp_path: Path, far: Path, serve: Serve
) -> None:
    class Handler(FolderHandler):
        def send_head(self) -> Any:
            if self.command == "GET" and "." in self.path.rpartition("/")[2]:
                got.append(self.path.removeprefix("/parts/"))
            return super().send_head()

    got: list[str] = []
    site = serve(lambda *args: Handler(*args, directory=str(far)))
    root = tmp_path / "near"
    fetch_parts(root, site.url)
    join_parts(root)
    part = SmallCorpus.__new__(SmallCorpus)
    part.files = CorpusFiles(far / "parts" / "one")
    part.add("new", "deu", ["Der Honig ist süß."])
    (part.files.archive / "more.warc.gz").write_bytes(b"more")
    (part.files.archive / "pages.warc.gz").unlink()
    got.clear()
    assert fetch_parts(root, site.url) == "parts copied: one"
    assert read_parts(root).keys() == read_parts(far).keys()
    states = {"one/status.json", "the%20other/status.json"}
    new = {"one/corpus.db", "one/xml/deu-new.xml", "one/warc/more.warc.gz"}
    assert set(got) == new | states
    assert join_parts(root) == 1
    assert [name for name, _ in documents(root)] == ["d-her", "d-one", "new"]


def test_a_copy_that_broke_off_is_not_joined_and_goes_on(
    tmp_path: Path, far: Path, serve: Serve
) -> None:
    class Handler(FolderHandler):
        def send_head(self) -> Any:
            if self.command == "GET":
                if broken and broken[0] in self.path and "." in self.path:
                    return self.send_error(500)
                got.append(self.path)
            return super().send_head()

    got: list[str] = []
    site = serve(lambda *args: Handler(*args, directory=str(far)))
    broken = ["one/xml/"]
    root = tmp_path / "near"
    with pytest.raises(ArgumentError, match=r"--parts http.*cannot be read .*500"):
        fetch_parts(root, site.url)
    assert not CorpusFiles(root).has_parts
    assert any("one/corpus.db" in path for path in got)
    broken.clear()
    got.clear()
    assert fetch_parts(root, site.url) == "parts copied: one, the other"
    assert [path for path in got if re.search("one/.*(db|gz)$", path)] == []
    assert read_parts(root) == read_parts(far)
    # Killed while the files of a newer version were moved: without its index it is no part.
    (root / "parts" / "one" / "corpus.db").unlink()
    assert join_parts(root) == 1
    assert fetch_parts(root, site.url) == "parts copied: one"
    assert join_parts(root) == 1


def test_a_part_that_was_made_here_is_not_written_over(
    tmp_path: Path, far: Path, serve: Serve
) -> None:
    make_part(tmp_path / "near", "one").add("mine", "deu", ["Der Honig ist süß."])
    with pytest.raises(CorpusError, match=r"parts/one: .*made here; move it away"):
        fetch_parts(tmp_path / "near", serve(far).url)


def test_a_list_cannot_name_files_outside_the_part(
    tmp_path: Path, serve: Serve
) -> None:
    class Handler(SiteHandler):
        def respond(self) -> None:
            names = ("one/corpus.db", "one/../../../x", "one/%2e%2e/%2e%2e/x", "?C=N")
            links = "".join(f"<a href='{name}'>x</a>" for name in names)
            self.answer(links if self.path == "/" else "data")

    root = tmp_path / "a" / "b"
    assert fetch_parts(root, serve(Handler).url) == "parts copied: one"
    found = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(found) == [".versions.json", "corpus.db"]


def test_one_line_tells_what_is_wrong_with_an_address(
    tmp_path: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}/"
    (tmp_path / "empty").mkdir()
    empty = serve(tmp_path / "empty")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    for address, said in (
        (closed, "cannot be read .*ClientConnector.*check address, server"),
        (empty.at("none/"), "cannot be read .*FileNotFound.*check address, server"),
        (empty.url, "no finished parts there; give the folder .* its corpus.db"),
        ("what://parts", "cannot be read .*Protocol not known: what"),
        (str(tmp_path / "none"), "cannot be read .*FileNotFound"),
        ("s3://bucket/parts", "cannot be read .*s3fs.*; pip install fsspec, .* s3fs"),
    ):
        with pytest.raises(ArgumentError, match=said) as caught:
            fetch_parts(tmp_path / "near", address)
        assert str(caught.value).startswith(f"--parts {address}: ")
        assert "\n" not in str(caught.value)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(ArgumentError, match="pip install fsspec"):
        fetch_parts(tmp_path / "near", empty.url)
    assert not (tmp_path / "near").exists()
