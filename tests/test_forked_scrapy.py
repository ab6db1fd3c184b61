"""Runs in forks are as those of processes: output, status, folder, end."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from conftest import SITES, crawl_command

if TYPE_CHECKING:
    from conftest import Project, Serve


@pytest.mark.parametrize("arguments", [("list",), ("pair", "nowhere"), ("never",)])
def test_a_fork_says_what_a_process_says(
    project: Project, arguments: tuple[str, ...]
) -> None:
    assert project.run(*arguments) == project.run_process(*arguments)


def test_runs_know_nothing_of_each_other(make_project: Callable[[], Project]) -> None:
    first, second = make_project(), make_project()
    (first.folder / "scrapy.cfg").write_text("[settings]\ndefault = first.settings\n")
    (first.folder / "first").mkdir()
    (first.folder / "first" / "settings.py").write_text("BOT_NAME = 'the first'\n")
    names = [
        project.run("settings", "--get", "BOT_NAME").stdout.strip()
        for project in (first, second, first)
    ]
    assert names == ["the first", "ilspfc", "the first"]


def test_a_run_that_takes_too_long_is_killed(project: Project, serve: Serve) -> None:
    site = serve(SITES / "workshop")
    site.delay_seconds = 2.0
    command = crawl_command(
        "monolingual", {"CORPUS_DIR": "out"}, lang="de", seeds=site.url
    )
    assert project.run("version").status == 0  # the time of the server's start is over
    with pytest.raises(TimeoutError):
        project.run(*command, timeout_seconds=1.5)
    # Another crawl is not refused for the first one's sake: it has ended.
    site.delay_seconds = 0.0
    assert project.run(*command).status == 0


def test_a_started_run_is_watched_and_killed_like_a_process(
    project: Project, serve: Serve
) -> None:
    site = serve(SITES / "workshop")
    site.delay_seconds = 1.0
    command = crawl_command(
        "monolingual", {"CORPUS_DIR": "out"}, lang="de", seeds=site.url
    )
    with project.start(*command) as run:
        with pytest.raises(TimeoutError):
            run.communicate(0.0)
        while not site.requests:
            assert run.poll() is None
            time.sleep(0.02)
        run.kill()
        stdout, stderr = run.communicate(60.0)
    assert run.poll() == run.returncode == -signal.SIGKILL
    assert "Traceback" not in stdout + stderr
    run.kill()  # it has ended, and no other process is hit
