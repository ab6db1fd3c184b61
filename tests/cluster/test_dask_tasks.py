"""Tasks of the stages on a cluster: the same results as here, also where a worker dies."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilspfc.cluster import dask_tasks as cluster
from ilspfc.cluster.dask_tasks import open_cluster
from ilspfc.exceptions import ArgumentError
from ilspfc.tasks import run_here

if TYPE_CHECKING:
    from conftest import Crawl, Project

pytest.importorskip("distributed", reason="distributed is not installed")

# Files by which runs differ: they have times and settings.
DIFFERENT = {"manifest.json", "report.html", "stats.json", "corpus.db", "build.json"}


def multiply(factor: int, number: int) -> int:
    return factor * number


def divide(dividend: int, number: int) -> float:
    return dividend / number


def die_once(marker: str, number: int) -> int:
    """Kill the worker that comes to task 20 first."""
    if number == 20 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_results_come_in_the_order_of_the_tasks(dask_scheduler: str) -> None:
    with open_cluster(dask_scheduler) as run:
        assert list(run(multiply, range(100), 3)) == list(
            run_here(multiply, range(100), 3)
        )
        assert list(run(multiply, [7], 3)) == [21]
        assert list(run(multiply, [], 3)) == []


def test_an_error_of_a_task_is_raised(dask_scheduler: str) -> None:
    with open_cluster(dask_scheduler) as run, pytest.raises(ZeroDivisionError):
        list(run(divide, [1, 2, 0], 3))


def test_what_a_killed_worker_had_is_done_again(
    dask_scheduler: str, tmp_path: Path
) -> None:
    marker = tmp_path / "killed"
    with open_cluster(dask_scheduler) as run:
        assert list(run(die_once, range(100), str(marker))) == list(range(100))
    assert marker.exists()


def test_without_a_scheduler_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_TIMEOUT_SECONDS", 1.0)
    with (
        pytest.raises(ArgumentError, match="dask scheduler"),
        open_cluster("tcp://127.0.0.1:1"),
    ):
        pass


def test_a_corpus_is_built_to_the_same_bytes(
    bilingual_crawl: Crawl, project: Project
) -> None:
    built = project.folder / "built"
    shutil.copytree(bilingual_crawl.corpus, built)
    done = project.run("build", "built", "--force", "--cluster", "local")
    assert done.status == 0, done.stderr
    files = [path for path in built.rglob("*") if path.is_file()]
    compared = [path for path in files if path.name not in DIFFERENT]
    assert any(path.suffix == ".tmx" for path in compared)
    for path in compared:
        before = bilingual_crawl.corpus / path.relative_to(built)
        assert path.read_bytes() == before.read_bytes(), path


def test_a_wrong_address_is_one_line(bilingual_crawl: Crawl) -> None:
    project, name = bilingual_crawl.project, bilingual_crawl.corpus.name
    done = project.run("build", name, "--cluster", "nowhere")
    assert done.status == 2
    assert "no address of a scheduler" in done.error
