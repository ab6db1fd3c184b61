"""Disks that take no more: told in one line, and nothing is written after that."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from ilspfc.corpus.index import CorpusIndex
from ilspfc.disk import DiskWatch, describe_refusal
from ilspfc.exceptions import DiskError
from ilspfc.frontier.store.sqlite import SQLiteStore


def raise_(error: BaseException) -> None:
    raise error


def system_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    ("number", "named"),
    [
        (errno.ENOSPC, "is full"),
        (errno.EDQUOT, "quota"),
        (errno.EFBIG, "ulimit -f"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "input/output"),
    ],
)
def test_an_error_of_the_disk_is_one_line(
    tmp_path: Path, number: int, named: str
) -> None:
    line = describe_refusal(tmp_path, system_error(number))
    assert named in line
    assert str(tmp_path) in line
    assert "same command" in line
    assert "\n" not in line


def test_other_errors_are_none_of_the_disk(tmp_path: Path) -> None:
    others = [
        system_error(errno.EACCES),
        ValueError(),
        sqlite3.OperationalError("busy"),
    ]
    assert [describe_refusal(tmp_path, error) for error in others] == [""] * 3


def test_nothing_is_written_after_a_refusal(tmp_path: Path) -> None:
    calls: list[int] = []
    watch = DiskWatch(tmp_path)
    watch.on_refusal = lambda: calls.append(1)
    with pytest.raises(DiskError), watch:
        raise_(system_error(errno.EROFS))
    with CorpusIndex(tmp_path / "corpus.db", watch) as index:
        with pytest.raises(DiskError):
            index.add_run({})
        assert index.last_run() == {}
    assert calls == [1]
    assert "read-only" in watch.refusal


def test_a_full_index_and_frontier_are_refusals_of_the_disk(tmp_path: Path) -> None:
    watches = [DiskWatch(tmp_path) for _ in range(2)]
    with CorpusIndex(tmp_path / "corpus.db", watches[0]) as index:
        list(index.rows("PRAGMA max_page_count=1"))
        with pytest.raises(DiskError, match="is full"):
            index.add_run({"much": "x" * 100_000})
    store = SQLiteStore(tmp_path / "frontier.db", watches[1])
    store.connection.execute("PRAGMA max_page_count=1")
    with pytest.raises(DiskError, match="is full"):
        store.connection.execute(
            "CREATE TABLE large AS SELECT randomblob(1000000) AS x"
        )
    with pytest.raises(DiskError):
        store.commit()
    with pytest.raises(DiskError):
        store.close()
    assert all(watch.refusal for watch in watches)
