"""Crawls and stages that are stopped: by a full disk, by signals, by another writer."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import SITES, crawl_command

from ilspfc.corpus.lock import CorpusLock

if TYPE_CHECKING:
    from conftest import Crawl, Project, Serve

WAIT_SECONDS = 300.0
# Pairs that take so long that a signal comes between.
SLOW = """
import time
import ilspfc.settings
from ilspfc.settings import *
from dataclasses import replace
import ilspfc.line.runner as runner

def wait(corpus):
    while True:
        try:
            (corpus.files.root / "begun").touch()
            while True:
                time.sleep(0.01)
        except {ignored}:
            pass

runner.STAGES = tuple(
    replace(stage, run=wait) if stage.name == "pairing" else stage
    for stage in runner.STAGES
)
"""


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """Mount a file system of so many kB; skip the test where nobody may."""
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.geteuid():
        pytest.skip("file systems can be mounted by root alone")
    options = ["-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if subprocess.run([mount, *options], check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def slow_project(project: Project, ignored: str = "()") -> None:
    (project.folder / "slow.py").write_text(SLOW.format(ignored=ignored))
    (project.folder / "scrapy.cfg").write_text("[settings]\ndefault = slow\n")


def texts(corpus: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in corpus.glob("xml/*.xml")}


def test_a_full_disk_ends_a_crawl_that_then_goes_on(
    project: Project, serve: Serve, bilingual_crawl: Crawl
) -> None:
    site = serve(SITES / "workshop")
    with small_disk(project.folder / "disk", 260) as disk:
        command = crawl_command(
            "bilingual",
            {"CORPUS_DIR": "disk/out", "LOGSTATS_INTERVAL": "60"},
            langs="de,it",
            domain="demo",
            seeds=site.url,
        )
        stopped = project.run(*command)
        files = {path.name for path in (disk / "out").iterdir()}
        subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
        resumed = project.run(*command)
        found = set(texts(disk / "out"))
    told = [line for line in stopped.stderr.splitlines() if "ilspfc: " in line]
    assert stopped.status == 1
    assert "Traceback" not in stopped.stderr
    assert len(told) == 1
    assert f"{disk} is full" in told[0]
    assert not files & {".lock", "report.html", "pairs"}
    assert resumed.status == 0, resumed.stderr
    assert len(found) == len(texts(bilingual_crawl.corpus))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_stages_of_a_crawl(
    project: Project, workshop: object, number: signal.Signals
) -> None:
    slow_project(project)
    corpus = project.folder / "out"
    command = crawl_command(
        "bilingual",
        {"CORPUS_DIR": "out"},
        langs="de,it",
        domain="demo",
        seeds=workshop.url,  # type: ignore[attr-defined]
    )
    with project.start(*command) as process:
        wait_for((corpus / "begun").exists)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 130
    assert "ilspfc: stopping pairing; interrupt again" in stderr
    assert "interrupted in pairing" in stdout
    assert "none found" not in stdout
    assert "Traceback" not in stderr
    assert not (corpus / ".lock").exists()
    assert not (corpus / "corpus.db-wal").exists()
    status = json.loads((corpus / "status.json").read_text("utf-8"))
    assert (status["state"], status["reason"]) == ("stopped", "interrupted in pairing")


def test_a_build_that_is_stopped_does_not_run_for_ever(
    project: Project, bilingual_crawl: Crawl
) -> None:
    slow_project(project)
    corpus = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, corpus)
    with project.start("build", "out", "--force") as process:
        wait_for((corpus / "begun").exists)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=WAIT_SECONDS)
    assert json.loads((corpus / "build.json").read_text("utf-8"))["state"] == "stopped"


@pytest.mark.parametrize("command", ["crawl", "pair"])
def test_a_second_signal_ends_what_does_not_listen(
    project: Project, bilingual_crawl: Crawl, workshop: object, command: str
) -> None:
    slow_project(project, ignored="KeyboardInterrupt")
    corpus = project.folder / "out"
    arguments = ["pair", "out"]
    if command == "pair":
        shutil.copytree(bilingual_crawl.corpus, corpus)
    else:
        arguments = crawl_command(
            "bilingual",
            {"CORPUS_DIR": "out"},
            langs="de,it",
            domain="demo",
            seeds=workshop.url,  # type: ignore[attr-defined]
        )
    with project.start(*arguments) as process:
        wait_for((corpus / "begun").exists)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None

        def has_ended() -> bool:
            # On a busy machine a signal may join one that still waits to be handled.
            process.send_signal(signal.SIGINT)
            return process.poll() is not None

        wait_for(has_ended)
        process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 130
    assert not (corpus / ".lock").exists()


def test_a_crawl_that_is_interrupted_while_it_fetches_says_so(
    project: Project, serve: Serve
) -> None:
    site = serve(SITES / "workshop")
    site.delay_seconds = 0.3
    command = crawl_command(
        "bilingual", {"CORPUS_DIR": "out"}, langs="de,it", domain="demo", seeds=site.url
    )
    with project.start(*command) as process:
        wait_for(lambda: len(site.requests) > 3)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert not (project.folder / "out" / ".lock").exists()
    assert (project.folder / "out" / "report.html").exists()


@pytest.mark.parametrize("name", ["dedup", "pair", "align", "export", "report"])
def test_commands_refuse_a_corpus_that_is_written_to(
    project: Project, bilingual_crawl: Crawl, name: str
) -> None:
    with CorpusLock(bilingual_crawl.corpus):
        refused = project.run(name, str(bilingual_crawl.corpus))
    assert refused.status == 2
    assert f"process {os.getpid()} is writing there" in refused.error


def test_a_full_disk_ends_a_command_in_one_line(
    project: Project, bilingual_crawl: Crawl
) -> None:
    with small_disk(project.folder / "disk", 20_000) as disk:
        shutil.copytree(bilingual_crawl.corpus, disk / "out")
        with pytest.raises(OSError, match="space"):
            (disk / "rest").write_bytes(bytes(30_000_000))
        for name in ("dedup", "pair", "align", "export"):
            ended = project.run(name, "disk/out")
            assert ended.status == 1
            assert "is full" in ended.error


def test_wrong_levels_and_endless_seeds_are_one_line(project: Project) -> None:
    arguments = {"langs": "de,it", "domain": "demo"}
    level = project.crawl(
        "bilingual", {"LOG_LEVEL": "x"}, seeds="http://a/", **arguments
    )
    assert (level.status, level.error.startswith("ilspfc: LOG_LEVEL=x")) == (2, True)
    seeds = project.crawl("bilingual", {}, seeds="/dev/zero", **arguments)
    assert (seeds.status, seeds.error.startswith("ilspfc: seeds=/dev/zero")) == (
        2,
        True,
    )
