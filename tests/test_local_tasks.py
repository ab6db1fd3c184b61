"""Tasks in this process and others: order, errors, lost processes, no orphans."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import BaseSettings

import ilspfc.settings
from ilspfc import workers
from ilspfc.corpus.corpus import open_corpus
from ilspfc.line import run_outdated
from ilspfc.spool import Spool
from ilspfc.workers import LocalTasks

if TYPE_CHECKING:
    from conftest import Crawl

TESTS = str(Path(__file__).parent)


@pytest.fixture(autouse=True)
def everything_is_worth_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_WORTH_SECONDS", 0.0)


# What the processes run: they import it by name.


def look_up(shared: tuple[int, Spool[str]], number: int) -> tuple[str, int]:
    """Return an item and the process; the first process waits for the other's turn."""
    pid, items = shared
    time.sleep(0.02 if os.getpid() == pid else 0.001)
    return items[number], os.getpid()


def take_long_here(pid: int, number: int) -> int:
    time.sleep(1.0 if os.getpid() == pid else 0.01)
    return os.getpid()


def divide(dividend: float, number: int) -> float:
    time.sleep(0.01)
    return dividend / number


def die_elsewhere(pid: int, number: int) -> int:
    time.sleep(0.02)
    if os.getpid() != pid:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def write_pid(shared: tuple[int, str], number: int) -> None:
    pid, path = shared
    if os.getpid() != pid:
        Path(path).write_text(str(os.getpid()))
    time.sleep(0.1)


def run_long(path: str) -> None:
    """Run tasks until this process is killed."""
    # A program that a shell starts in the background inherits that SIGINT is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    workers._WORTH_SECONDS = 0.0
    with LocalTasks(2) as run:
        list(run(write_pid, range(10_000), (os.getpid(), path)))


# -- tests --------------------------------------------------------------------------------


def test_results_come_in_order_from_two_processes() -> None:
    items = Spool(map(str, range(100)))
    pids: Counter[int] = Counter()
    with LocalTasks(2) as run:
        # It may take its time to start; then it goes on living.
        while min(pids.values(), default=0) < 2 or len(pids) < 2:
            found = list(run(look_up, range(100), (os.getpid(), items)))
            assert [item for item, _ in found] == list(items)
            pids.update({pid for _, pid in found})
        assert list(run(divide, [], 1.0)) == []


def test_a_task_that_takes_long_here_keeps_no_other_process_waiting() -> None:
    with LocalTasks(2) as run:
        while {os.getpid()} == {*run(take_long_here, range(40), os.getpid())}:
            pass  # the other process is being loaded
        pids = Counter(run(take_long_here, range(40), os.getpid()))
    assert pids.pop(os.getpid()) <= 10
    assert len(pids) == 1


def test_short_runs_add_up_to_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_WORTH_SECONDS", 0.5)
    with LocalTasks(2) as run:
        for _ in range(200):
            pids = {
                pid for _, pid in run(look_up, range(5), (os.getpid(), Spool("abcde")))
            }
            if pids != {os.getpid()}:
                return
    pytest.fail("each run alone is too short for another process")


def test_two_tasks_are_shared_with_a_process_that_runs() -> None:
    with LocalTasks(2) as run:
        while {os.getpid()} == {*run(take_long_here, range(4), os.getpid())}:
            pass  # the other process is being loaded
        assert len({*run(take_long_here, range(2), os.getpid())}) == 2


def test_of_long_tasks_none_waits_at_a_process() -> None:
    run = workers._Run(divide, range(1, 9), 1.0)
    run.do_next()
    run.seconds = 10.0
    assert run._most_bundles() == 1
    run.seconds = 0.001
    assert run._most_bundles() == 2


@pytest.mark.parametrize("processes", [0, 1])
def test_one_process_does_all_itself(processes: int) -> None:
    with LocalTasks(processes) as run:
        pids = {pid for _, pid in run(look_up, range(3), (0, Spool("abc")))}
    assert pids == {os.getpid()}


def test_an_error_of_a_task_is_raised() -> None:
    with LocalTasks(2) as run:
        with pytest.raises(ZeroDivisionError):
            list(run(divide, [*range(1, 400), 0], 1.0))
        assert list(run(divide, [1, 2], 1.0)) == [1, 0.5]


def test_what_a_lost_process_had_is_done_here() -> None:
    with LocalTasks(2) as run:
        assert list(run(die_elsewhere, range(150), os.getpid())) == list(range(150))


def test_a_run_within_a_run_is_done_here() -> None:
    with LocalTasks(2) as run:
        for _ in run(divide, range(1, 200), 1.0):
            assert list(run(divide, [1, 2], 1.0)) == [1, 0.5]


def test_results_that_nobody_wants_end_the_processes() -> None:
    with LocalTasks(2) as run:
        results = run(look_up, [0] * 100_000, (os.getpid(), Spool("a")))
        pid = next(pid for _, pid in results if pid != os.getpid())
        assert isinstance(results, Generator)
        results.close()
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_first(tmp_path: Path, number: signal.Signals) -> None:
    pid = tmp_path / "pid"
    code = f"import test_local_tasks; test_local_tasks.run_long({str(pid)!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": TESTS},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 600
    while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    other = Path("/proc", pid.read_text())
    process.send_signal(number)
    process.wait(300)
    while other.exists() and time.monotonic() < deadline:
        if "Z" in (other / "stat").read_text().rpartition(")")[2].split()[0]:
            break  # ended; only who inherited it has not asked
        time.sleep(0.05)
    assert time.monotonic() < deadline


def test_stages_whose_tasks_run_elsewhere_give_the_same_bytes(
    bilingual_crawl: Crawl, tmp_path: Path
) -> None:
    root = shutil.copytree(bilingual_crawl.corpus, tmp_path / "corpus")
    values = {k: v for k, v in vars(ilspfc.settings).items() if k.isupper()}
    ran: Counter[str] = Counter()
    with (
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool,
        open_corpus(root, BaseSettings(values)) as corpus,
    ):

        def run(function: Any, tasks: Iterable[Any], shared: Any) -> Iterator[Any]:
            for task in tasks:
                ran[function.__name__] += 1
                yield pool.submit(function, shared, task).result()

        run_outdated(replace(corpus, run_tasks=run), everything=True)
    assert {"_start_site", "_read_page", "_oppose_pages", "_align_and_rate"} <= {*ran}
    files = [*root.rglob("*.xml"), *root.rglob("*.tmx"), *root.rglob("*.tsv")]
    assert any(path.suffix == ".tmx" for path in files)
    for path in files:
        before = bilingual_crawl.corpus / path.relative_to(root)
        assert path.read_bytes() == before.read_bytes(), path
