"""State of a crawl for monitors, and its log as JSON."""

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
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Project, Site


@pytest.fixture(scope="module")
def project(make_project: Callable[[], Project], workshop: Site) -> Project:
    """A folder with a crawl that ended at a limit, its log in JSON."""
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_MAX_PAGES": "5",
        "LOG_FILE": "crawl.log",
        "LOG_LEVEL": "INFO",
        "REPORT_LOG_JSON": "True",
        "REPORT_PROGRESS_SECONDS": "0.2",
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
    assert 0 < status["kept"] <= 5
    times = [datetime.fromisoformat(status[name]) for name in ("last_kept", "updated")]
    assert times == sorted(times)


def test_a_log_of_json_has_an_object_a_line(project: Project) -> None:
    lines = (project.folder / "crawl.log").read_text("utf-8").splitlines()
    assert all(line.startswith("{") for line in lines), [
        x for x in lines if x[0] != "{"
    ]
    records = [json.loads(line) for line in lines]
    messages = [record["message"] for record in records]
    assert any("5 pages done" in text for text in messages)
    assert any(text.startswith("Pairs ") for text in messages)
    for record in records:
        datetime.fromisoformat(record["time"])
        assert record["level"] in {"DEBUG", "INFO", "WARNING", "ERROR"}


def test_alarms_name_what_an_operator_should_look_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, free = [0.0], [100 << 30]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr(
        "shutil.disk_usage", lambda _: SimpleNamespace(free=free[0]), raising=True
    )
    monkeypatch.setattr("ilspfc.extensions.status.create_looping_call", lambda _: None)
    crawler = make_crawler(tmp_path)
    engine = SimpleNamespace(scheduler=SimpleNamespace(queued=5))
    monkeypatch.setattr(type(crawler), "engine", engine)
    status = StatusFile(crawler)

    def show() -> list[str]:
        status._show()
        found = json.loads((tmp_path / "status.json").read_text("utf-8"))
        return list(found["alarms"])

    assert show() == []
    clock[0], free[0] = 3000.0, 99 << 30
    assert show() == []
    clock[0], free[0] = 3700.0, 80 << 30
    assert show() == [
        "nothing new was kept for 62 minutes: see the report",
        "the disk is full in 4 hours at this rate",
    ]
    crawler.stats.set_value("export/documents", 1)
    free[0] = 100 << 30
    assert show() == []


def test_without_an_interval_there_is_no_file(
    make_project: Callable[[], Project], workshop: Site
) -> None:
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_MAX_PAGES": "1",
        "REPORT_STATUS_SECONDS": "0",
    }
    project.crawl("monolingual", settings, lang="de", domain="none", seeds=workshop.url)
    assert (project.folder / "out" / "corpus.db").exists()
    assert not (project.folder / "out" / "status.json").exists()


def test_a_host_that_has_the_queue_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ilspfc.extensions.status.create_looping_call", lambda _: None)
    monkeypatch.setattr("ilspfc.extensions.status._LONG_QUEUE", 20)
    crawler = make_crawler(tmp_path)
    store = SQLiteStore(":memory:")
    job = SimpleNamespace(
        files=CorpusFiles(tmp_path),
        store=store,
        arguments=SimpleNamespace(scope=Scope.ANY),
    )
    monkeypatch.setattr(crawler.spider, "job", job)
    engine = SimpleNamespace(scheduler=SimpleNamespace(queued=5))
    monkeypatch.setattr(type(crawler), "engine", engine)
    status = StatusFile(crawler)
    for number in range(19):
        store.push(Candidate.of(f"http://hog.org/{number}", 1.0))
    assert list(status._find_hog()) == []
    store.push(Candidate.of("http://a.org/", 1.0))
    (alarm,) = status._find_hog()
    assert alarm.startswith("hog.org has 19 of 20 queued addresses")
    status._show()
    assert alarm in (tmp_path / "status.json").read_text("utf-8")
    for number in range(5):
        store.push(Candidate.of(f"http://b.org/{number}", 1.0))
    assert list(status._find_hog()) == []
    store.close()
