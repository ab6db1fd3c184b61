"""The line of progress."""

from __future__ import annotations

import sys
import time
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pages_under_way import PartialJob
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from ilspfc.extensions import progress as progress_module
from ilspfc.extensions.progress import Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _without_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "create_looping_call", lambda _: None)


def make_progress(stream: StringIO) -> tuple[Progress, Any]:
    crawler: Any = get_crawler()
    crawler.spider = SimpleNamespace(job=PartialJob(frontier=SimpleNamespace(queued=7)))
    return Progress(crawler, 10.0, stream), crawler.stats


def test_the_line_counts_pages_that_need_not_be_read_again() -> None:
    progress, stats = make_progress(StringIO())
    stats.set_value("fetch/pages", 3)
    stats.set_value("fetch/not_modified", 2)
    stats.set_value("export/documents", 1)
    assert progress.line().startswith("5 pages done, 1 documents, 7 queued, ")


def test_a_stage_over_the_corpus_has_its_name() -> None:
    progress, stats = make_progress(StringIO())
    stats.set_value("stage", "pairing")
    assert progress.line() == "pairing documents"


def test_a_line_is_written_when_it_changes() -> None:
    stream = StringIO()
    progress, stats = make_progress(stream)
    for stage in ("pairing", "pairing", "report"):
        stats.set_value("stage", stage)
        progress.show()
    assert stream.getvalue().splitlines() == ["pairing documents", "writing the report"]


def test_a_terminal_has_one_line_without_rests_of_the_last() -> None:
    stream = Terminal()
    progress, stats = make_progress(stream)
    for stage in ("archive", "exports"):
        stats.set_value("stage", stage)
        progress.show()
    width = len("reading the WARC files")
    assert stream.getvalue().split("\r")[-1] == "writing exports".ljust(width)


def test_a_stage_tells_its_share_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    progress, stats = make_progress(StringIO())
    monkeypatch.setattr(time, "monotonic", lambda: 130.0)
    stats.set_value("stage", "alignment")
    stats.set_value("stage_share", (20, 80, 100.0))
    assert progress.line() == "aligning segments: 20 of 80, 1 min 30 s left"


def test_stages_do_not_count_into_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    progress, stats = make_progress(StringIO())
    stats.set_value("fetch/pages", 50)
    clock[0] = 110.0
    stats.set_value("stage", "alignment")
    progress.line()
    stats.set_value("stage", "")
    clock[0] = 200.0
    assert progress.line().endswith(" 5.0 pages/s")


class Loop:
    """A looping call that the test turns."""

    def __init__(self) -> None:
        self.running = False
        self.seconds = 0.0

    def start(self, seconds: float, *, now: bool) -> None:
        self.running, self.seconds = not now, seconds

    def stop(self) -> None:
        self.running = False


def make_extension(
    monkeypatch: pytest.MonkeyPatch, **settings: object
) -> tuple[Progress, Loop, Any]:
    loop = Loop()
    monkeypatch.setattr(progress_module, "create_looping_call", lambda _: loop)
    crawler: Any = get_crawler(settings_dict=settings)
    crawler.spider = SimpleNamespace(job=PartialJob(frontier=None))
    crawler.engine = SimpleNamespace(scheduler=SimpleNamespace(queued=0))
    return Progress.from_crawler(crawler), loop, crawler


@pytest.mark.parametrize("seconds", [0, -1])
def test_progress_is_off_without_an_interval(
    monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    with pytest.raises(NotConfigured):
        make_extension(monkeypatch, LOGSTATS_INTERVAL=seconds)


def test_a_job_with_a_log_has_its_progress_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, stderr = tmp_path / "crawl.log", StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    progress, loop, crawler = make_extension(
        monkeypatch, LOGSTATS_INTERVAL=30, LOG_FILE=str(path)
    )
    progress.start()
    assert loop.seconds == 30
    crawler.stats.set_value("stage", "dedup")
    progress.stop()
    assert not loop.running
    assert path.read_text() == "removing near-duplicates\n"
    assert stderr.getvalue() == ""


def test_a_terminal_is_told_oftener_and_gets_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, stderr = tmp_path / "crawl.log", Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    progress, loop, crawler = make_extension(
        monkeypatch, LOGSTATS_INTERVAL=30, LOG_FILE=str(path)
    )
    progress.start()
    assert loop.seconds < 1
    crawler.stats.set_value("stage", "a stage without a name")
    progress.stop()
    assert stderr.getvalue() == "\ra stage without a name\n"
    assert not path.exists()


def test_a_crawl_that_ends_before_it_opened_is_shown_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr = StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    progress, *_ = make_extension(monkeypatch, LOGSTATS_INTERVAL=30)
    progress.stop()
    assert stderr.getvalue().startswith("0 pages done, 0 documents, 0 queued, ")
