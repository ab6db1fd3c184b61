"""The line of progress."""

from __future__ import annotations

import time
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
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
    crawler.engine = SimpleNamespace(scheduler=SimpleNamespace(queued=7))
    return Progress(crawler, 10.0, stream), crawler.stats


def test_the_line_counts_pages_that_need_not_be_read_again() -> None:
    progress, stats = make_progress(StringIO())
    stats.set_value("fetch/pages", 3)
    stats.set_value("fetch/not_modified", 2)
    stats.set_value("export/documents", 1)
    assert progress.line().startswith("5 pages done, 1 kept, 7 queued, ")


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
    assert stream.getvalue().split("\r")[-1] == "writing TMX".ljust(width)


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
