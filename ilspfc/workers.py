"""The process pool of the CPU-bound stages.

A page that hangs or kills its worker is lost alone: the worker is ended and replaced. Limits
of a call are CPU seconds, which do not depend on the load of the machine, seconds by the clock
for calls that wait without computing, and memory. A thread waits for each worker.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import queue
import signal
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count, islice
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from operator import length_hint
from pathlib import Path
from types import ModuleType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

from ilspfc.disk import DiskWatch
from ilspfc.exceptions import DiskError, WorkerLostError, WorkerTimeoutError
from ilspfc.tasks import run_here

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")
K = TypeVar("K")

_JOIN_SECONDS = 2.0
# Time for a new worker to import and prepare: models of a domain take long.
_START_SECONDS = 600.0
# Time by the clock for a call that waits without computing.
CALL_SECONDS = 20.0
# A call that took a smaller share of that in CPU waits: on a busy machine one that computes gets
# little, but more.
_LEAST_SHARE = 0.005
_MIN_CPU_SECONDS = 0.05  # a timer of 0 seconds would never ring
# Windows has no timer of CPU seconds: only the clock bounds calls there.
_HAS_CPU_TIMER = hasattr(signal, "setitimer")
_MAIN_LOCK = threading.Lock()
# A page makes tens of thousands of objects and hardly a cycle; searching them for cycles
# takes a tenth of the time. The threshold bounds the memory of long calls.
_COLLECTION_THRESHOLDS = (500_000, 10, 10)
_CALLS_PER_COLLECTION = 100
# Memory that a call may take beside what the worker has loaded: the most that fuzzing allows.
_MAX_CALL_BYTES = 2 << 30
_MEMORY_STATE = Path("/proc/self/statm")


def _serve(connection: Connection, prepare: Callable[[], object] | None) -> None:
    """Answer calls until the connection closes; the main function of a worker."""
    # Ctrl-C reaches the whole process group; the crawl's own shutdown ends workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        # Models are unpacked into temporary files.
        with DiskWatch(Path(tempfile.gettempdir())):
            state = prepare() if prepare is not None else None
    except DiskError as error:
        connection.send(error)
        return
    collect_rarely()
    _limit_memory()
    connection.send(None)
    for number in count(1):
        try:
            cpu_seconds, *call = connection.recv()
        except (EOFError, OSError):
            return
        _set_cpu_timer(cpu_seconds)
        try:
            answer = (True, *_call_timed(state, *call))
        except MemoryError:
            return  # the worker is lost, and what it holds with it
        except Exception as error:  # noqa: BLE001 - it is raised again by the caller
            answer = (False, error, 0.0)
        connection.send(answer)
        _set_cpu_timer(0.0)
        if number % _CALLS_PER_COLLECTION == 0:
            gc.collect()


def collect_rarely() -> None:
    """Have this process, which works on pages, search for cycles after many objects only."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTION_THRESHOLDS)


def _call_timed(state: object, *call: Any) -> tuple[Any, float]:
    """Return the result of a function and its CPU seconds."""
    is_prepared, function, args, kwargs = call
    start = time.process_time()
    first = (state,) if is_prepared else ()
    return function(*first, *args, **kwargs), time.process_time() - start


def _limit_memory() -> None:
    """Bound the address space of this process, where the system tells and bounds it."""
    if not _MEMORY_STATE.is_file():
        return
    import resource  # noqa: PLC0415 - not on Windows

    pages = int(_MEMORY_STATE.read_text().split()[0])
    limit = pages * resource.getpagesize() + _MAX_CALL_BYTES
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _cpu_seconds(process: int | None) -> float:
    """Return the seconds of CPU that a process has taken, 0 where the system does not tell."""
    try:
        state = Path(f"/proc/{process}/stat").read_text("ascii", "replace")
    except OSError:
        return 0.0
    user, system = state.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _set_cpu_timer(seconds: float) -> None:
    """Have the system end this process after some seconds of CPU; 0 stops the timer.

    The default action of the signal ends it, also in native code, where no handler can run.
    """
    if _HAS_CPU_TIMER:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep a new process from importing the main module of this one.

    Scrapy's command line would take half a second and memory for nothing.
    """
    with _MAIN_LOCK:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Have Ctrl-C wait in this thread, and in a new process until it ignores it.

    It reaches the whole process group: a process still importing would be lost, with its page.
    """
    if sys.platform == "win32":
        yield
        return
    ensure_running()  # otherwise started within, which ends the wait
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(
    serve: Callable[..., None], *args: object
) -> tuple[SpawnProcess, Connection]:
    """Return a new process that serves the other end of a connection, and this end."""
    # Not fork: the crawl has threads, and locks held at the fork stay locked.
    context = multiprocessing.get_context("spawn")
    connection, remote = context.Pipe()
    process = context.Process(target=serve, args=(remote, *args), daemon=True)
    with _without_main(), _without_interrupts():
        process.start()
    remote.close()
    return process, connection


class _Worker:
    """A worker process and the connection to it."""

    def __init__(self, prepare: Callable[[], object] | None) -> None:
        self._lock = threading.Lock()
        self._is_ended = False
        self._is_ready = False
        self.process, self.connection = _start(_serve, prepare)

    def call(
        self, request: tuple[Any, ...], timeout_seconds: float
    ) -> tuple[Any, float]:
        """Return the result of the call and its CPU seconds."""
        try:
            if not self._is_ready:
                if refusal := self._receive(max(timeout_seconds, _START_SECONDS)):
                    raise refusal
                self._is_ready = True
            self.connection.send(request)
            succeeded, value, cpu_seconds = self._receive(timeout_seconds)
        except (EOFError, OSError) as error:
            self.process.join(_JOIN_SECONDS)
            if _HAS_CPU_TIMER and self.process.exitcode == -signal.SIGPROF:
                raise WorkerTimeoutError from error
            raise WorkerLostError from error
        if not succeeded:
            raise value
        return value, cpu_seconds

    def _receive(self, timeout_seconds: float) -> Any:
        spent = _cpu_seconds(self.process.pid)
        while not self.connection.poll(timeout_seconds):
            before, spent = spent, _cpu_seconds(self.process.pid)
            if spent - before < _LEAST_SHARE * timeout_seconds:
                raise WorkerTimeoutError
        return self.connection.recv()

    def end(self) -> None:
        """End the process; may be called by two threads, and does its work once."""
        with self._lock:
            if self._is_ended:
                return
            self._is_ended = True
        # Killed first: a thread that waits for it then finds the connection closed.
        self.process.kill()
        self.process.join(_JOIN_SECONDS)
        self.connection.close()


class WorkerPool:
    """Runs functions in ``size`` processes; with 0, in the calling thread.

    Functions and their arguments have to be picklable. ``cpu_seconds`` of CPU and
    ``timeout_seconds`` by the clock bound each call; in-process calls are not bounded.
    ``prepare`` is called once in each new worker, without these bounds; its result stays
    there, as the state for :meth:`measure_prepared`.
    """

    def __init__(
        self,
        size: int,
        cpu_seconds: float,
        prepare: Callable[[], object] | None = None,
        timeout_seconds: float = CALL_SECONDS,
    ) -> None:
        self.size = size
        self.cpu_seconds = cpu_seconds
        self._timeout_seconds = timeout_seconds
        self._prepare = prepare
        self._state = prepare() if prepare is not None and not size else None
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        self._workers: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(size, "worker") if size else None
        for _ in range(size):
            self._idle.put(None)  # a worker is started when it is first needed

    async def run(
        self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return the result of the function, or raise its error.

        Raises WorkerLostError where the call was lost, WorkerTimeoutError where it took long.
        """
        return (await self.measure(self.cpu_seconds, function, *args, **kwargs))[0]

    async def measure(
        self,
        cpu_seconds: float,
        function: Callable[P, T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> tuple[T, float]:
        """Return the result of the function and its CPU seconds.

        ``cpu_seconds`` bound the call; raises as :meth:`run` does.
        """
        answer = await self._send(cpu_seconds, False, function, args, kwargs)
        return cast("tuple[T, float]", answer)

    async def measure_prepared(
        self,
        function: Callable[Concatenate[Any, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> tuple[T, float]:
        """Do as :meth:`measure`, with the worker's prepared state as the first argument."""
        answer = await self._send(self.cpu_seconds, True, function, args, kwargs)
        return cast("tuple[T, float]", answer)

    async def _send(self, cpu_seconds: float, *call: Any) -> tuple[Any, float]:
        if self._threads is None:
            return _call_timed(self._state, *call)
        loop = asyncio.get_running_loop()
        request = (max(cpu_seconds, _MIN_CPU_SECONDS), *call)
        return await loop.run_in_executor(self._threads, self._call, request)

    def _call(self, request: tuple[Any, ...]) -> tuple[Any, float]:
        worker = self._idle.get()
        try:
            if worker is None:
                worker = _Worker(self._prepare)
                self._workers.add(worker)
            return worker.call(request, self._timeout_seconds)
        except (WorkerLostError, DiskError):
            if worker is not None:
                worker.end()
                self._workers.discard(worker)
            worker = None
            raise
        finally:
            # In any case there is room for the next call.
            self._idle.put(worker)

    def close(self) -> None:
        """End the workers; calls that still run are lost."""
        if self._threads is None:
            return
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in tuple(self._workers):
            worker.end()
        self._workers.clear()


# Seconds of tasks, done and waiting, from which another process is worth its start.
_WORTH_SECONDS = 1.0
# Seconds of tasks that travel together, and their largest number, so that the names of the tasks
# fit the connection while nobody reads; of short tasks a process has two bundles, to work and
# to wait.
_BUNDLE_SECONDS = 0.1
_BUNDLE_TASKS = 100
_BUNDLES = 2
# Results that may wait for their turn while a task takes long here, and how long the rest waits.
_MOST_RESULTS = 1_000
_PAUSE_SECONDS = 0.01


class LocalTasks:
    """Runs tasks here and, where they take long, in other processes at the same time.

    A thread waits for each of these, so that none is idle while a task takes long here. A
    context manager: its end ends the processes. What one had that is lost is done here.
    """

    def __init__(self, processes: int) -> None:
        self._number = processes - 1
        self._helpers: list[_Helper] = []
        self._is_running = False
        self._seconds = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for helper in self._helpers:
            helper.process.kill()
            helper.process.join(_JOIN_SECONDS)
        self._helpers.clear()

    def __call__(
        self, function: Callable[[S, K], T], tasks: Iterable[K], shared: S, /
    ) -> Iterator[T]:
        """Yield the results in the order of the tasks."""
        if self._is_running:  # within another run
            yield from run_here(function, tasks, shared)
            return
        run = _Run(function, tasks, shared)
        threads: list[threading.Thread] = []
        left = run.count_waiting()
        self._is_running = left > 0
        try:
            for number in range(left):
                while number not in run.results:
                    if not threads:
                        threads = self._start_threads(run)
                    run.do_next()
                left -= 1
                if not left:  # nobody may ask for more
                    self._end_run(run, threads)
                yield run.results.pop(number)
        finally:
            if left:
                run.end()
                self.__exit__()
                self._end_run(run, threads)

    def _end_run(self, run: _Run, threads: Iterable[threading.Thread]) -> None:
        """Wait for the threads of a run, and forget processes that were lost."""
        self._seconds += run.seconds
        for thread in threads:
            thread.join()
        living = [helper for helper in self._helpers if not helper.is_lost]
        self._number -= len(self._helpers) - len(living)
        self._helpers = living
        self._is_running = False

    def _start_threads(self, run: _Run) -> list[threading.Thread]:
        """Return the threads that have the other processes work on a run.

        Short runs add up, but none waits for the start of a process.
        """
        waiting = run.estimate_seconds()
        if self._seconds + run.seconds + waiting > _WORTH_SECONDS:
            while len(self._helpers) < self._number:
                self._helpers.append(_Helper())
        threads = [
            threading.Thread(target=run.share, args=(helper,), daemon=True)
            for helper in self._helpers
            if waiting > _WORTH_SECONDS or helper.is_loaded()
        ]
        for thread in threads:
            thread.start()
        return threads


class _Helper:
    """A process that runs tasks."""

    def __init__(self) -> None:
        self.process, self.connection = _start(_serve_tasks)
        self.is_ready = self.is_lost = False

    def is_loaded(self) -> bool:
        """Test whether the process has started, or ended."""
        return self.is_ready or self.connection.poll()


class _Run:
    """The tasks of a run that wait, and the results that have come; for several threads."""

    def __init__(
        self, function: Callable[[S, K], T], tasks: Iterable[K], shared: S
    ) -> None:
        self._function: Any = function
        self._shared: Any = shared
        self._tasks = tasks if isinstance(tasks, Sequence) else list(tasks)
        # Numbers of tasks that wait: both can be taken from by several threads.
        self._numbers = iter(range(len(self._tasks)))
        self._lost: deque[int] = deque()
        self.results: dict[int, Any] = {}
        self._error: Exception | None = None
        self._has_news = threading.Event()
        self._done, self.seconds = 0, 0.0

    def count_waiting(self) -> int:
        """Return the number of tasks that nobody has taken."""
        return len(self._lost) + length_hint(self._numbers)

    def end(self) -> None:
        """Let no task wait any more."""
        self._numbers = iter(range(0))
        self._lost.clear()

    def estimate_seconds(self) -> float:
        """Return the seconds that the tasks that wait would take here, 0 before the first."""
        return self.seconds / max(self._done, 1) * self.count_waiting()

    def do_next(self) -> None:
        """Run the next task here; where none is left, wait for the other processes."""
        taken = next(self._pop_waiting(), None)
        if taken is None:
            self._has_news.wait()
            self._has_news.clear()
        else:
            begun = time.perf_counter()
            self.results[taken[0]] = self._function(self._shared, taken[1])
            self.seconds += time.perf_counter() - begun
            self._done += 1
        if self._error is not None:
            raise self._error

    def share(self, helper: _Helper) -> None:
        """Have a process work on bundles of tasks as long as some wait."""
        bundles: deque[list[tuple[int, Any]]] = deque()
        connection = helper.connection
        try:
            if not helper.is_ready:
                connection.recv()
                helper.is_ready = True
            connection.send((self._function, self._shared))
            connection.recv()
            while True:
                while len(bundles) < self._most_bundles() and (bundle := self._take()):
                    bundles.append(bundle)
                    connection.send(bundle)
                if not bundles:
                    return
                answer, error = connection.recv()
                if error is not None:
                    self._error = error
                    return
                bundles.popleft()
                self.results.update(answer)
                self._has_news.set()
        except (EOFError, OSError):
            helper.is_lost = True
            self._lost.extend(number for bundle in bundles for number, _ in bundle)
        except Exception as error:  # noqa: BLE001 - what cannot be sent; raised by do_next
            self._error = error
        finally:
            self._has_news.set()

    def _most_bundles(self) -> int:
        """Return the number of bundles that a process may have: of long tasks, none waits."""
        is_short = self.seconds < _BUNDLE_SECONDS * self._done
        return _BUNDLES if is_short else 1

    def _take(self) -> list[tuple[int, Any]]:
        """Return tasks that wait, for some time of work; none if none is left."""
        while len(self.results) > _MOST_RESULTS and self.count_waiting():
            time.sleep(_PAUSE_SECONDS)
        left = self.count_waiting()
        known = _BUNDLE_SECONDS * self._done / self.seconds if self.seconds else 1
        most = min(known, left / 4)
        size = max(int(min(most, _BUNDLE_TASKS)), 1)
        return list(islice(self._pop_waiting(), size))

    def _pop_waiting(self) -> Iterator[tuple[int, Any]]:
        """Yield tasks that wait, which other threads take, too."""
        while True:
            try:
                number = self._lost.popleft()
            except IndexError:
                number = next(self._numbers, -1)
            if number < 0:
                return
            yield number, self._tasks[number]


def _serve_tasks(connection: Connection) -> None:
    """Run bundles of tasks until the connection closes; the main function of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    function: Any = None
    shared: Any = None
    with suppress(EOFError, OSError):
        connection.send((None, None))
        while True:
            message = connection.recv()
            try:
                if isinstance(message, list):
                    answer = [(n, function(shared, task)) for n, task in message]
                else:
                    (function, shared), answer = message, None
                connection.send((answer, None))
            except Exception as error:  # noqa: BLE001 - it is raised again by the caller
                connection.send(((), error))
