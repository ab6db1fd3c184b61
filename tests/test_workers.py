"""The process pool: a call that hangs or kills its worker is lost alone."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NoReturn

import pytest

from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError
from ilspfc.workers import WorkerPool

TIMEOUT_SECONDS = 120.0
PREPARE_SECONDS = 0.2


# What the workers run: they import it by name.


def add(a: int, b: int = 0) -> int:
    return a + b


def has_imported_main() -> bool:
    return sys.modules["__main__"].__name__ == "__mp_main__"


def process_id() -> int:
    return os.getpid()


def blocks_interrupts() -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def collector() -> tuple[int, int]:
    return gc.get_freeze_count(), gc.get_threshold()[0]


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "rested"


def compute(seconds: float) -> str:
    """Spend seconds of CPU, amid native code that lets no handler have its turn."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 200_000)
    return "done"


def prepare() -> list[int]:
    compute(PREPARE_SECONDS)
    return [os.getpid()]


def count_uses(prepared: list[int], number: int) -> list[int]:
    prepared.append(number)
    return prepared


def fill_memory() -> None:
    """Take 6 GiB, a sixteenth at a time."""
    if not sys.platform.startswith("linux"):
        os._exit(1)
    held = [bytes(384 << 20) for _ in range(16)]
    held.clear()


def die() -> None:
    os.kill(os.getpid(), 9)


def leave() -> NoReturn:
    raise SystemExit(3)


def fail(message: str) -> NoReturn:
    raise ValueError(message)


def return_a_lambda() -> Callable[[], None]:
    return lambda: None


@pytest.fixture
def make_pool() -> Iterator[Callable[..., WorkerPool]]:
    pools = []

    def make(
        size: int,
        timeout_seconds: float = TIMEOUT_SECONDS,
        cpu_seconds: float = TIMEOUT_SECONDS,
        prepare: Callable[[], object] | None = None,
    ) -> WorkerPool:
        pools.append(WorkerPool(size, cpu_seconds, prepare, timeout_seconds))
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


def gather(*calls: Awaitable[Any]) -> list[Any]:
    """Return the results of calls that run at the same time, errors among them."""

    async def run() -> list[Any]:
        return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(run())


@pytest.mark.skipif(sys.platform == "win32", reason="no masks of signals")
def test_ctrl_c_reaches_no_worker_that_is_being_loaded(
    make_pool: Callable[..., WorkerPool],
) -> None:
    # Without a tracker, which the first worker starts, and with one.
    for _ in range(2):
        pool = make_pool(1)
        assert gather(pool.run(blocks_interrupts)) == [True]
    assert not blocks_interrupts()


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_call_returns_what_its_function_returns(
    make_pool: Callable[..., WorkerPool], size: int
) -> None:
    pool = make_pool(size)
    calls = [pool.run(add, number, b=1) for number in range(20)]
    assert gather(*calls) == list(range(1, 21))


@pytest.mark.parametrize("size", [0, 1])
def test_a_call_raises_what_its_function_raises(
    make_pool: Callable[..., WorkerPool], size: int
) -> None:
    pool = make_pool(size)
    error, result = gather(pool.run(fail, "wrong"), pool.run(add, 1))
    assert isinstance(error, ValueError)
    assert str(error) == "wrong"
    assert result == 1, "the worker goes on"


def test_without_workers_a_call_runs_in_the_process(
    make_pool: Callable[..., WorkerPool],
) -> None:
    assert gather(make_pool(0).run(process_id)) == [os.getpid()]


def test_workers_are_other_processes_and_go_on_living(
    make_pool: Callable[..., WorkerPool],
) -> None:
    pool = make_pool(1)
    (first,) = gather(pool.run(process_id))
    (second,) = gather(pool.run(process_id))
    assert first == second != os.getpid()


def test_the_collector_of_a_worker_waits(make_pool: Callable[..., WorkerPool]) -> None:
    before = gc.get_threshold()
    frozen, threshold = asyncio.run(make_pool(1).run(collector))
    assert frozen > 1000
    assert threshold > 100 * before[0]
    assert gc.get_threshold() == before


def test_workers_do_not_import_the_main_module(
    make_pool: Callable[..., WorkerPool],
) -> None:
    """It is Scrapy's command line, which takes half a second."""
    main = sys.modules["__main__"]
    assert asyncio.run(make_pool(1).run(has_imported_main)) is False
    assert sys.modules["__main__"] is main


def test_a_call_that_takes_too_long_is_lost_alone(
    make_pool: Callable[..., WorkerPool],
) -> None:
    pool = make_pool(2, timeout_seconds=4.0)
    gather(pool.run(add, 1), pool.run(add, 1))  # both workers are started
    late, *others = gather(pool.run(sleep, 600), *(pool.run(add, n) for n in range(9)))
    assert isinstance(late, WorkerTimeoutError)
    assert others == list(range(9))
    assert gather(pool.run(add, 5), pool.run(add, 6)) == [5, 6], "it was replaced"


@pytest.mark.skipif(sys.platform != "linux", reason="no /proc")
def test_a_call_that_computes_waits_on_a_busy_machine(
    make_pool: Callable[..., WorkerPool],
) -> None:
    """It takes four times the seconds by the clock that a call may wait."""
    pool = make_pool(1, timeout_seconds=0.5)
    assert gather(pool.run(add, 1)) == [1]  # it is started
    assert gather(pool.run(compute, 2.0)) == ["done"]


def test_a_call_that_computes_too_long_is_lost_alone(
    make_pool: Callable[..., WorkerPool],
) -> None:
    pool = make_pool(1, cpu_seconds=0.5)
    before, late, after = gather(
        pool.run(process_id), pool.run(compute, 30), pool.run(process_id)
    )
    assert isinstance(late, WorkerTimeoutError)
    assert isinstance(after, int)
    assert after != before, "another process took its place"


def test_waiting_is_not_computing(make_pool: Callable[..., WorkerPool]) -> None:
    """Where the machine is busy, a page waits."""
    pool = make_pool(1, cpu_seconds=0.3)
    assert gather(pool.run(sleep, 0.6)) == ["rested"]


def test_each_call_has_its_own_seconds(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool(1, cpu_seconds=0.9)
    pid, *calls = gather(
        pool.run(process_id), *(pool.run(compute, 0.3) for _ in range(4))
    )
    assert calls == ["done"] * 4
    assert gather(pool.run(process_id)) == [pid]


@pytest.mark.parametrize("size", [0, 1])
def test_the_seconds_of_a_call_are_measured_and_bounded(
    make_pool: Callable[..., WorkerPool], size: int
) -> None:
    pool = make_pool(size)
    ((answer, seconds),) = gather(pool.measure(10.0, compute, 0.2))
    assert answer == "done"
    assert seconds >= 0.2
    if size:
        (late,) = gather(pool.measure(0.1, compute, 30))
        assert isinstance(late, WorkerTimeoutError)
        (late,) = gather(pool.measure(-1.0, compute, 30))
        assert isinstance(late, WorkerTimeoutError), "no seconds are left"


def test_a_worker_is_prepared_before_calls_are_timed(
    make_pool: Callable[..., WorkerPool],
) -> None:
    pool = make_pool(1, cpu_seconds=PREPARE_SECONDS / 2, prepare=prepare)

    async def use(number: int) -> list[int]:
        return (await pool.measure_prepared(count_uses, number))[0]

    first, second = gather(use(1), use(2))
    assert second == [*first, 2]
    assert first[0] != os.getpid()
    _, third = gather(pool.run(die), use(3))
    assert third[1:] == [3], "the new worker has prepared anew"
    assert third[0] not in {first[0], os.getpid()}


def test_without_workers_this_process_prepares(
    make_pool: Callable[..., WorkerPool],
) -> None:
    pool = make_pool(0, prepare=prepare)
    ((found, seconds),) = gather(pool.measure_prepared(count_uses, 1))
    assert found == [os.getpid(), 1]
    assert seconds < PREPARE_SECONDS


@pytest.mark.parametrize("function", [die, leave, fill_memory])
def test_a_call_that_ends_its_worker_is_lost_alone(
    make_pool: Callable[..., WorkerPool], function: Callable[[], None]
) -> None:
    pool = make_pool(1)
    before, lost, after = gather(
        pool.run(process_id), pool.run(function), pool.run(process_id)
    )
    assert isinstance(lost, WorkerLostError)
    assert isinstance(after, int)
    assert after != before, "another process took its place"


def test_answers_are_never_mixed_up(make_pool: Callable[..., WorkerPool]) -> None:
    """Also where calls before them were lost."""
    pool = make_pool(2)
    calls: list[Awaitable[Any]] = []
    for number in range(12):
        calls.append(pool.run(add, number))
        if number % 6 == 3:
            calls.append(pool.run(die))
    results = [r for r in gather(*calls) if not isinstance(r, WorkerLostError)]
    assert results == list(range(12))


def test_what_cannot_travel_is_an_error_of_its_call(
    make_pool: Callable[..., WorkerPool],
) -> None:
    pool = make_pool(1)
    argument, result, after = gather(
        pool.run(add, lambda: None),  # type: ignore[arg-type]
        pool.run(return_a_lambda),
        pool.run(add, 1),
    )
    assert isinstance(argument, Exception)
    assert isinstance(result, WorkerLostError)
    assert after == 1


def test_closing_ends_the_workers(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool(2)
    pids = gather(pool.run(process_id), pool.run(process_id))
    pool.close()
    alive = {process.pid for process in multiprocessing.active_children()}
    assert not alive & set(pids)


@pytest.mark.parametrize("size", [0, 2])
def test_a_pool_that_was_never_used_can_be_closed(
    make_pool: Callable[..., WorkerPool], size: int
) -> None:
    pool = make_pool(size)
    pool.close()
    pool.close()


def test_closing_loses_the_calls_that_still_run(
    make_pool: Callable[..., WorkerPool],
) -> None:
    pool = make_pool(1)

    async def close_over_a_call() -> None:
        await pool.run(add, 1)
        call = asyncio.ensure_future(pool.run(sleep, 600))
        await asyncio.sleep(0.3)
        pool.close()
        with pytest.raises(WorkerLostError):
            await call

    asyncio.run(close_over_a_call())
    assert not multiprocessing.active_children()


def test_a_worker_that_cannot_be_started_costs_one_call(
    make_pool: Callable[..., WorkerPool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_to_start(prepare: object) -> NoReturn:
        raise OSError("no more processes")

    pool = make_pool(1)
    with monkeypatch.context() as patch:
        patch.setattr("ilspfc.workers._Worker", fail_to_start)
        (error,) = gather(pool.run(add, 1))
    assert isinstance(error, OSError)

    async def run() -> int:
        return await asyncio.wait_for(pool.run(add, 2), timeout=120)

    try:
        assert asyncio.run(run()) == 2
    finally:
        pool._idle.put(None)  # lets a thread that waits for ever go
