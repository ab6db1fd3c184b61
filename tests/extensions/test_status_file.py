"""State of a crawl for monitors, and its log."""

from __future__ import annotations

import json
from datetime import datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from pages_under_way import make_crawler

from ilspfc.corpus.files import CorpusFiles
from ilspfc.extensions.status import StatusFile
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import Candidate
from ilspfc.frontier.store.sqlite import SQLiteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Project, Site


@pytest.fixture(scope="module")
def project(make_project: Callable[[], Project], workshop: Site) -> Project:
    """A folder with a crawl that ended at a limit, with a log."""
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_MAX_PAGES": "5",
        "LOG_FILE": "crawl.log",
        "LOG_LEVEL": "INFO",
        "LOGSTATS_INTERVAL": "0.2",
    }
    done = project.crawl(
        "bilingual", settings, langs="de,it", domain="demo", seeds=workshop.url
    )
    assert done.status == 0, done.stderr
    return project


def read(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "out" / "status.json").read_text("utf-8")))


def test_the_last_state_tells_how_a_crawl_ended(project: Project) -> None:
    status = read(project.folder)
    assert (status["state"], status["pages"], status["errors"]) == ("finished", 5, 0)
    assert status["reason"]
    assert 0 < status["documents"] <= 5
    times = [
        datetime.fromisoformat(status[name]) for name in ("last_document", "updated")
    ]
    assert times == sorted(times)


def test_progress_and_summary_are_in_the_log(project: Project) -> None:
    lines = (project.folder / "crawl.log").read_text("utf-8").splitlines()
    assert any("5 pages done" in line for line in lines)
    assert any(line.startswith("Pairs ") for line in lines)


class Clock:
    """The clock and the free space of a disk, set by a test."""

    seconds = 0.0
    free = 100 << 30


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("time.monotonic", lambda: clock.seconds)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=clock.free))
    monkeypatch.setattr("ilspfc.extensions.status.create_looping_call", lambda _: None)
    return clock


@pytest.fixture
def status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> Iterator[StatusFile]:
    """The state of a crawl across hosts, whose queue is in memory."""
    crawler = make_crawler(tmp_path)
    store = SQLiteStore(":memory:")
    job = SimpleNamespace(
        files=CorpusFiles(tmp_path),
        store=store,
        arguments=SimpleNamespace(scope=Scope.ANY),
        frontier=SimpleNamespace(queued=5),
    )
    monkeypatch.setattr(crawler.spider, "job", job)
    yield StatusFile(crawler)
    store.close()


def show(status: StatusFile) -> dict[str, str]:
    """Return the alarms of the present state by name."""
    status._show()
    found = json.loads(status.job.files.status.read_text("utf-8"))
    return {alarm["name"]: alarm["text"] for alarm in found["alarms"]}


def test_an_hour_without_documents_and_a_disk_that_fills_are_alarms(
    status: StatusFile, clock: Clock
) -> None:
    assert show(status) == {}
    clock.seconds, clock.free = 3000.0, 99 << 30
    assert show(status) == {}
    clock.seconds, clock.free = 3700.0, 80 << 30
    assert show(status) == {
        "no_documents": "no new document for 62 minutes: see the report",
        "disk_full": "the disk is full in 4 hours at this rate",
    }
    status._crawler.stats.set_value("export/documents", 1)
    clock.free = 100 << 30
    assert show(status) == {}


def test_requests_most_of_which_fail_are_an_alarm(
    status: StatusFile, clock: Clock
) -> None:
    stats = status._crawler.stats
    stats.set_value("fetch/pages", 1000)
    assert show(status) == {}
    clock.seconds = 300.0
    stats.set_value("fetch/pages", 1040)
    stats.set_value("fetch/dropped/http_error", 50)
    stats.set_value("fetch/dropped/robots", 500)  # obeyed, not failed
    assert show(status) == {}  # too few to tell
    clock.seconds = 500.0
    stats.set_value("fetch/dropped/timeout", 20)
    (text,) = show(status).values()
    assert text.startswith("70 of the last 110 requests failed")
    clock.seconds = 1150.0
    stats.set_value("fetch/pages", 1300)
    assert show(status) == {}


def test_alarms_and_health_are_in_the_log(
    status: StatusFile, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "ilspfc")
    for clock.seconds in (0.0, 3700.0, 3730.0):
        show(status)
    status._crawler.stats.set_value("export/documents", 1)
    show(status)
    warnings = [r.getMessage() for r in caplog.records if r.levelname == "WARNING"]
    assert warnings == [
        "Alarm no_documents: no new document for 62 minutes: see the report",
        "Alarm no_documents is over",
    ]
    health = [r.getMessage() for r in caplog.records if r.levelname == "INFO"]
    assert len(health) == 4
    assert health[0].startswith(
        "Health: state=crawling, pages=0, failed=0, documents=0,"
    )
    assert [line.rpartition("alarms=")[2] for line in health] == [
        "none",
        "no_documents",
        "no_documents",
        "none",
    ]


def test_without_an_interval_there_is_no_file(
    make_project: Callable[[], Project], workshop: Site
) -> None:
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_MAX_PAGES": "1",
        "LOGSTATS_INTERVAL": "0",
    }
    project.crawl("monolingual", settings, lang="de", domain="none", seeds=workshop.url)
    assert (project.folder / "out" / "corpus.db").exists()
    assert not (project.folder / "out" / "status.json").exists()


def test_a_host_that_has_the_queue_is_named(
    status: StatusFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ilspfc.extensions.status._LONG_QUEUE", 20)
    store = status.job.store
    for number in range(19):
        store.push(Candidate.of(f"http://hog.org/{number}", 1.0))
    assert show(status) == {}
    store.push(Candidate.of("http://a.org/", 1.0))
    (text,) = show(status).values()
    assert text.startswith("hog.org has 19 of 20 queued addresses")
    for number in range(5):
        store.push(Candidate.of(f"http://b.org/{number}", 1.0))
    assert show(status) == {}
