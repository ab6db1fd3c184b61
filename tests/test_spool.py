"""Objects in a temporary file."""

from __future__ import annotations

import os
import pickle
import tempfile
from pathlib import Path

import numpy as np
import pytest

from ilspfc.spool import Spool, SpoolFile


def test_spools_share_a_file() -> None:
    file = SpoolFile()
    left, right = Spool(["a"], file), Spool([1], file)
    left.append("b")
    right.append(2)
    assert (list(left), list(right), left[-1]) == (["a", "b"], [1, 2], "b")
    assert len(Spool()) == 0


def test_each_read_is_an_object_of_its_own() -> None:
    spool = Spool([np.arange(3)])
    spool[0][0] = 9
    assert spool[0].tolist() == [0, 1, 2]


def test_processes_read_side_by_side() -> None:
    spool = Spool(range(2000))
    expected = list(range(2000))
    child = os.fork()
    if not child:
        os._exit(list(spool) != expected)
    assert list(spool) == expected
    assert os.waitpid(child, 0)[1] == 0


def test_the_file_goes_with_the_last_spool() -> None:
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        pytest.skip("needs /proc")
    before = len(list(folder.iterdir()))
    file = SpoolFile()
    spools = [Spool([1], file), Spool([2], file)]
    del file
    assert len(list(folder.iterdir())) == before + 1
    del spools
    assert len(list(folder.iterdir())) == before


@pytest.mark.parametrize("is_named", [True, False])
def test_another_process_reads_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_named: bool
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    if not is_named:
        monkeypatch.delenv("TMPDIR")
    spool = Spool(["a", "b"])
    assert list(pickle.loads(pickle.dumps(spool))) == ["a", "b"]
    assert len(list(tmp_path.iterdir())) == is_named
    del spool
    assert not list(tmp_path.iterdir())
