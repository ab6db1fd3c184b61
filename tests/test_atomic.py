"""Files that are either whole or not there."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from ilspfc.atomic import open_atomic


def test_the_file_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    with open_atomic(path) as file:
        file.write(b"text")
        assert not path.exists()
    assert path.read_bytes() == b"text"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file_and_no_other(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def fail_half_way() -> None:
        with open_atomic(path) as file:
            file.write(b"new")
            raise error

    with pytest.raises(error):
        fail_half_way()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_compressed_files_carry_no_time(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    with open_atomic(path) as file:
        file.write(b"text")
    assert path.read_bytes()[4:8] == bytes(4)
    assert gzip.decompress(path.read_bytes()) == b"text"


@pytest.mark.parametrize(
    ("new", "is_kept"), [(b"text", True), (b"tect", False), (b"texts", False)]
)
def test_the_same_bytes_leave_the_file_and_its_time(
    tmp_path: Path, new: bytes, *, is_kept: bool
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"text")
    os.utime(path, ns=(1, 1))
    with open_atomic(path) as file:
        file.write(new)
    assert path.read_bytes() == new
    assert (path.stat().st_mtime_ns == 1) == is_kept
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_the_file_that_was_asked_for() -> None:
    path = Path("/proc/a.txt")
    with pytest.raises(OSError, match=r"'/proc/a\.txt'"), open_atomic(path):
        pass
