"""Functions in processes of their own."""

from __future__ import annotations

import os

import pytest

from evaluation.forked import run_forked


def test_what_a_function_makes_comes_back_and_what_it_changes_does_not() -> None:
    seen: list[int] = []

    def work() -> tuple[int, bool]:
        seen.append(1)
        return len(seen), os.getpid() != parent

    parent = os.getpid()
    assert run_forked(work) == (1, True)
    assert seen == []


def test_a_process_that_ends_without_a_result_is_an_error() -> None:
    with pytest.raises(EOFError):
        run_forked(lambda: os._exit(3))
