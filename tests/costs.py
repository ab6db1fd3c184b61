"""Costs of calls: counted in the tests, measured in CPU time by ``make bench``.

Time says little on a machine that others use too. What is counted is the same on every one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

_IS_TIMED = os.environ.get("COSTS") == "time"
_TURNS = 1_000_000
_TRIES = 3


def assert_cheap(call: Callable[[], object], *, steps: int, units: float) -> None:
    """Fail where a call takes more than ``steps``; by ``make bench``, more than ``units``.

    Steps are counted as in :func:`count_steps`. A unit is the CPU time of a million turns of an
    empty loop, some 30 ms on an idle machine; the best of three tries counts. Bounds leave room
    for several times the cost; they tell linear cost from quadratic.
    """
    if not _IS_TIMED:
        assert count_steps(call) <= steps
        return
    costs = []
    for _ in range(_TRIES):
        unit = _cpu_seconds(_turn)
        costs.append(_cpu_seconds(call) / unit)
    sys.stdout.write(f"{min(costs):.1f} units, allowed {units}\n")
    assert min(costs) <= units


def count_steps(call: Callable[[], object]) -> int:
    """Return the number of lines of Python and of calls of C functions that a call takes.

    What goes on within a function of C is not seen: ``make bench`` measures it.
    """
    steps = 0

    def trace(*_: Any) -> Any:
        nonlocal steps
        steps += 1
        return trace

    def profile(_frame: object, event: str, _function: object) -> None:
        nonlocal steps
        steps += event == "c_call"

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(trace)
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(before[1])
        sys.settrace(before[0])
    return steps


def _turn() -> None:
    for _ in range(_TURNS):
        pass


def _cpu_seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
