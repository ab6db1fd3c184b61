"""Costs of calls in CPU time, relative to a fixed piece of work of the same moment."""

from __future__ import annotations

import time
from collections.abc import Callable

_TURNS = 1_000_000
_TRIES = 3


def assert_cheap(call: Callable[[], object], *, units: float) -> None:
    """Fail where a call costs more than ``units`` in each of three tries.

    A unit is the CPU time of a million turns of an empty loop, some 30 ms on an idle
    machine. Machines of tests are shared: seconds alone would measure their load. Bounds
    leave room for ten times the cost; they tell linear cost from quadratic.
    """
    costs = []
    for _ in range(_TRIES):
        unit = _cpu_seconds(_turn)
        costs.append(_cpu_seconds(call) / unit)
        if costs[-1] <= units:
            return
    assert min(costs) <= units, f"costs {costs}, allowed {units}"


def _turn() -> None:
    for _ in range(_TURNS):
        pass


def _cpu_seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
