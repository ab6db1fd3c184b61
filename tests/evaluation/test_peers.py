"""Comparison of whole commands: what is measured, what is bounded, what is missed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from benchmarks.peers import OURS, PLAIN, Figures, find_missed
from benchmarks.usage import Usage, measure

if TYPE_CHECKING:
    from pathlib import Path


def test_what_a_command_takes_is_measured(tmp_path: Path) -> None:
    usage = measure(["timeit", "-n1", "-r1", "'x' * 9"], tmp_path, tmp_path / "out", 60)
    assert "1 loop" in (tmp_path / "out").read_text()
    assert usage.cpu > 0
    assert 0 < usage.seconds < 60
    assert usage + usage == (2 * usage.seconds, 2 * usage.cpu, usage.megabytes)


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError):
        measure(["http.server", "0"], tmp_path, tmp_path / "out", 0.5)


def test_a_command_that_fails_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        measure(["json.tool", "missing"], tmp_path, tmp_path / "out", 60)


def test_missed_targets_are_said() -> None:
    plain = Figures(Usage(10.0, 10.0, 100.0), pages=10, crawl=8.0)
    good = Figures(Usage(3.0, 5.0, 300.0), pages=10, crawl=2.0, stages=1.0)
    slow = Figures(Usage(9.0, 5.0, 300.0), pages=10, crawl=2.0, stages=6.0)
    assert find_missed({PLAIN: plain}) == []
    assert find_missed({PLAIN: plain, OURS: good}) == []
    assert find_missed({PLAIN: plain, OURS: slow}) == [
        "ratio of the whole command 1.11, at least 3.0",
        "stages 3.00 of the crawl, at most 0.5",
    ]
