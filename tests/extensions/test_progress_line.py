"""The line of progress."""

from __future__ import annotations

import logging
import os
import pty
import re
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
from ilspfc.extensions.progress import Progress, ProgressLine, describe_stage


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _without_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "create_looping_call", lambda _: None)


def make_progress(stream: StringIO, **parts: object) -> tuple[Progress, Any]:
    crawler: Any = get_crawler()
    pace = SimpleNamespace(seconds_left=parts.get("seconds_left"))
    frontier = SimpleNamespace(queued=1007, away=parts.get("away", 0), pace=pace)
    crawler.spider = SimpleNamespace(job=PartialJob(), frontier=frontier)
    return Progress(crawler, stream), crawler.stats


def show_crawl(**parts: object) -> str:
    stream = StringIO()
    progress, stats = make_progress(stream, **parts)
    stats.set_value("fetch/pages", 3)
    stats.set_value("fetch/not_modified", 2)
    stats.set_value("export/documents", 1)
    progress.show()
    return stream.getvalue()


def test_the_line_counts_pages_that_need_not_be_read_again() -> None:
    assert show_crawl().startswith("5 pages done, 1 document, 1,007 queued, ")


def test_hosts_that_rest_and_the_time_to_the_limit_are_shown_where_there_are_any() -> (
    None
):
    assert show_crawl(away=2, seconds_left=185.0).endswith(
        " pages/s, 2 hosts away, 3 min 5 s left\n"
    )
    assert show_crawl().endswith(" pages/s\n")


def test_a_line_is_written_when_it_changes() -> None:
    stream = StringIO()
    progress, stats = make_progress(stream)
    for stage in ("pairing", "pairing", "report"):
        stats.set_value("stage", stage)
        progress.show()
    crawl, *stages = stream.getvalue().splitlines()
    assert crawl.startswith("0 pages done")
    assert stages == ["pairing documents", "writing the report"]


def test_a_stage_tells_its_share_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 130.0)
    text = describe_stage("alignment", (20, 80, 100.0), bar=False)
    assert text == "aligning segments: 20 of 80, 1 min 30 s left"


def test_a_bar_goes_on_from_stage_to_stage() -> None:
    begun = time.monotonic()
    lines = [
        describe_stage("dedup", bar=True),
        describe_stage("alignment", bar=True),
        describe_stage("alignment", (79, 80, begun), bar=True),
        describe_stage("report", bar=True),
    ]
    full = [line.count("#") for line in lines]
    assert full == sorted({*full})
    assert {line.index("]") for line in lines} == {21}
    assert describe_stage("a stage of mine", bar=True) == "a stage of mine"


def test_reading_an_archive_is_no_end_of_the_crawl() -> None:
    stream = StringIO()
    progress, stats = make_progress(stream)
    for stage in ("archive", "", "pairing"):
        stats.set_value("stage", stage)
        progress.show()
    first, *crawl, last = stream.getvalue().splitlines()
    assert (first, last) == ("reading the WARC files", "pairing documents")
    assert [line.partition(",")[0] for line in crawl] == ["0 pages done"] * len(crawl)


def test_stages_do_not_count_into_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    stream = StringIO()
    progress, stats = make_progress(stream)
    stats.set_value("fetch/pages", 50)
    clock[0] = 110.0
    for stage in ("alignment", ""):
        stats.set_value("stage", stage)
        progress.show()
        clock[0] = 200.0
    crawl, stage = stream.getvalue().splitlines()
    assert crawl.endswith(" 5.0 pages/s")
    assert stage == "aligning segments"


def read_screen(text: str) -> list[str]:
    """Return the lines that a terminal shows in the end."""
    lines, column = [""], 0
    for part in re.findall(r"\x1b\[K|\r|\n|[^\x1b\r\n]+", text):
        if part == "\n":
            lines.append("")
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:column]
        elif part != "\r":
            lines[-1] = lines[-1][:column] + part + lines[-1][column + len(part) :]
        column = 0 if part in {"\n", "\r"} else column + len(part) * (part[0] != "\x1b")
    return lines


def test_a_terminal_shows_one_line_for_the_crawl_and_one_for_the_stages() -> None:
    stream = Terminal()
    progress, stats = make_progress(stream)
    stats.set_value("fetch/pages", 1_000_000)
    progress.show()
    for stage in ("dedup", "alignment", "units"):
        stats.set_value("stage", stage)
        progress.show()
    crawl, stages = read_screen(stream.getvalue())
    assert crawl.startswith("1,000,000 pages done, ")
    assert stages.endswith("] judging units")
    assert stream.getvalue().count("\n") == 1


def test_records_of_the_log_stand_above_the_line() -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    record = logging.LogRecord("crawl", logging.WARNING, "", 1, "alarm", None, None)
    line.show("a line of progress")
    for handler in (line, logging.StreamHandler(stream)):
        handler.handle(record)
    line.show("a line of progress")
    assert read_screen(stream.getvalue()) == ["alarm", "a line of progress"]


def test_a_line_is_no_wider_than_its_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    master, slave = pty.openpty()
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((40, 24)))
    with os.fdopen(slave, "w") as stream:
        ProgressLine(stream).show("word " * 20)
        shown = os.read(master, 1000).decode()
    os.close(master)
    (line,) = read_screen(shown)
    assert len(line) == 39
    assert line.endswith("…")


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
    crawler.spider = SimpleNamespace(job=PartialJob(), frontier=None)
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
    assert path.read_text().splitlines()[-1] == "removing near-duplicates"
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
    assert stderr.getvalue() == "\ra stage without a name\x1b[K\n"
    assert not path.exists()


def test_a_crawl_that_ends_before_it_opened_is_shown_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr = StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    progress, *_ = make_extension(monkeypatch, LOGSTATS_INTERVAL=30)
    progress.stop()
    assert stderr.getvalue().startswith("0 pages done, 0 documents, 0 queued, ")
