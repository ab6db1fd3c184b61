"""One crawl at a time in a corpus folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ilspfc.corpus.lock import CorpusLock
from ilspfc.exceptions import CorpusError

# A crawl as far as the lock knows it: it says when it has the lock and waits.
CRAWL = """
import sys
from pathlib import Path
from ilspfc.corpus.lock import CorpusLock
lock = CorpusLock(Path(sys.argv[1]))
lock.acquire()
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_second_crawl_is_refused_in_one_line(tmp_path: Path) -> None:
    first, second = CorpusLock(tmp_path), CorpusLock(tmp_path)
    first.acquire()
    for attempt in (second.acquire, lambda: CorpusLock.check(tmp_path)):
        with pytest.raises(CorpusError, match=r"process [0-9]+ is writing") as caught:
            attempt()
        assert str(tmp_path) in str(caught.value)
        assert "\n" not in str(caught.value)
    first.release()
    second.acquire()
    second.release()


def test_other_folders_are_free(tmp_path: Path) -> None:
    locks = [CorpusLock(tmp_path / name) for name in "ab"]
    for lock in locks:
        lock.acquire()
    for lock in locks:
        lock.release()
        lock.release()


def test_the_lock_of_a_crawl_that_was_killed_is_free(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CRAWL, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as crawl:
        assert crawl.stdout is not None
        assert crawl.stdout.readline().strip() == b"locked"
        with pytest.raises(CorpusError, match=r"process [0-9]+ is writing"):
            CorpusLock(tmp_path).acquire()
        crawl.kill()
    lock = CorpusLock(tmp_path)
    lock.acquire()
    lock.release()


def test_checking_a_new_folder_makes_nothing(tmp_path: Path) -> None:
    CorpusLock.check(tmp_path / "new" / "corpus")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "corpus"
    for attempt in (CorpusLock(folder).acquire, lambda: CorpusLock.check(folder)):
        with pytest.raises(
            CorpusError, match="no corpus can be written there"
        ) as caught:
            attempt()
        assert "CORPUS_DIR" in str(caught.value)
        assert "\n" not in str(caught.value)
