"""The process pool of the CPU-bound stages.

A page that hangs or kills its worker is lost alone: the worker is ended and replaced, and
the other pages never notice. Each worker is served by a thread of its own that sends one
call and waits for its answer, so no call can be mixed up with another.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import queue
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

P = ParamSpec("P")
T = TypeVar("T")

_JOIN_SECONDS = 2.0


class WorkerLostError(Exception):
    """The worker died over a call: killed, out of memory, crashed in native code."""


class WorkerTimeoutError(Exception):
    """The worker was ended because a call took too long."""


def _serve(connection: Connection) -> None:
    """Answer calls until the connection closes; the main function of a worker."""
    # Ctrl-C reaches the whole process group; the crawl's own shutdown ends workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            function, args, kwargs = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (True, function(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is raised again by the caller
            answer = (False, error)
        connection.send(answer)


class _Worker:
    """A worker process and the connection to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_ended = False
        # Not fork: the crawl has threads, and locks held at the fork stay locked.
        context = multiprocessing.get_context("spawn")
        self.connection, remote = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_serve, args=(remote,), daemon=True
        )
        self.process.start()
        remote.close()

    def call(self, request: tuple[Any, ...], timeout_seconds: float) -> Any:
        try:
            self.connection.send(request)
            if not self.connection.poll(timeout_seconds):
                raise WorkerTimeoutError
            succeeded, value = self.connection.recv()
        except (EOFError, OSError) as error:
            raise WorkerLostError from error
        if not succeeded:
            raise value
        return value

    def end(self) -> None:
        """End the process; may be called by two threads, and does its work once."""
        with self._lock:
            if self._is_ended:
                return
            self._is_ended = True
        # Killed first: a thread that waits for its answer then finds the connection closed.
        self.process.kill()
        self.process.join(_JOIN_SECONDS)
        self.connection.close()


class WorkerPool:
    """Runs functions in ``size`` processes; with 0, in the calling thread.

    Functions and their arguments have to be picklable. ``timeout_seconds`` bounds each
    call (wall clock); in-process calls are not bounded.
    """

    def __init__(self, size: int, timeout_seconds: float) -> None:
        self.size = size
        self._timeout_seconds = timeout_seconds
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        self._workers: set[_Worker] = set()
        self._threads: ThreadPoolExecutor | None = None
        if size:
            self._threads = ThreadPoolExecutor(size, thread_name_prefix="worker")
            for _ in range(size):
                self._idle.put(None)  # a worker is started when it is first needed

    async def run(
        self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return what the function returns, or raise what it raises.

        Raises WorkerTimeoutError or WorkerLostError where the call was lost.
        """
        if self._threads is None:
            return function(*args, **kwargs)
        loop = asyncio.get_running_loop()
        request = (function, args, kwargs)
        return cast("T", await loop.run_in_executor(self._threads, self._call, request))

    def _call(self, request: tuple[Any, ...]) -> Any:
        worker = self._idle.get()
        try:
            if worker is None:
                worker = _Worker()
                self._workers.add(worker)
            return worker.call(request, self._timeout_seconds)
        except (WorkerTimeoutError, WorkerLostError):
            if worker is not None:
                worker.end()
                self._workers.discard(worker)
            worker = None
            raise
        finally:
            # Whatever came of it, there is room for the next call.
            self._idle.put(worker)

    def close(self) -> None:
        """End the workers; calls that still run are lost."""
        if self._threads is None:
            return
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in tuple(self._workers):
            worker.end()
        self._workers.clear()
