"""Crawls that cannot be finished: the exit status tells, and one line says why."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from conftest import SITES, crawl_command

if TYPE_CHECKING:
    from conftest import Project, Serve

START_SECONDS = 300.0


def test_a_stage_that_fails_shows_in_the_exit_status(
    project: Project, serve: Serve
) -> None:
    corpus = project.folder / "out"
    corpus.mkdir()
    (corpus / "pairs").write_text("a file where a folder has to be")
    result = project.crawl(
        "bilingual",
        {"CORPUS_DIR": "out"},
        langs="de,it",
        domain="demo",
        seeds=serve(SITES / "workshop").at("de/laerm.html"),
    )
    assert len(list(corpus.glob("xml/*.xml"))) > 1
    assert result.status != 0
    assert "report.html" not in result.stdout


def test_a_folder_that_another_crawl_writes_to_is_refused(
    project: Project, serve: Serve
) -> None:
    site = serve(SITES / "workshop")
    site.delay_seconds = 5.0
    command = crawl_command(
        "bilingual", {"CORPUS_DIR": "out"}, langs="de,it", domain="demo", seeds=site.url
    )
    with project.start(*command) as first:
        deadline = time.monotonic() + START_SECONDS
        while not site.requests:
            assert time.monotonic() < deadline, "the first crawl did not start"
            time.sleep(0.05)
        second = project.run(*command)
        is_running = first.poll() is None
        first.kill()
        first.communicate()
    assert is_running
    assert second.status != 0
    assert "Traceback" not in second.stderr
    assert second.stderr.splitlines()[-1].startswith("ilspfc: out: ")
