"""SIGINT (Ctrl-C) and SIGTERM: the first stops what runs, the second ends the process."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Self

INTERRUPTED = 130
"""The exit status of a command that was interrupted."""

_MOMENT_SECONDS = 0.02
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """A context in which the first signal calls ``stop`` and the second ends the process.

    ``stop`` may raise, and is given the signal; ``leave`` gives back what would outlive the
    process, also after the context has ended: what Python does at its end would answer it
    with a traceback. Outside of the main thread, which alone may handle signals, nothing
    changes.
    """

    def __init__(
        self,
        stop: Callable[[int, FrameType | None], object],
        leave: Callable[[], object],
    ) -> None:
        self._stop = stop
        self._leave = leave
        self._previous: dict[int, object] = {}
        self.is_interrupted = False

    def __enter__(self) -> Self:
        """Handle the signals, save those that are ignored."""
        if threading.current_thread() is threading.main_thread():
            handlers = {number: signal.getsignal(number) for number in _SIGNALS}
            self._previous = {n: h for n, h in handlers.items() if h != signal.SIG_IGN}
        sys.unraisablehook = _interrupt_again
        self._install()
        return self

    def __exit__(self, *_: object) -> None:
        """Handle the signals as before, unless one has come."""
        if self.is_interrupted:
            return
        for number, handler in self._previous.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _install(self) -> None:
        for number in self._previous:
            signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_interrupted:
            with suppress(Exception):
                self._leave()
            for child in multiprocessing.active_children():
                child.kill()
            os._exit(INTERRUPTED)
        self.is_interrupted = True
        self._stop(number, frame)
        self._install()  # Scrapy's handler puts another in its place


def leave_at_once() -> None:
    """End the process at any further signal: all is done, and only the summary is missing."""
    for number in _SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: os._exit(INTERRUPTED))


def _interrupt_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Repeat an interrupt that has come amid a callback of a weak reference or a finalizer.

    Python prints it, and the work goes on as if there had been none.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        # A moment later: at once, it would be this function that is interrupted.
        identity = threading.get_ident()
        threading.Timer(_MOMENT_SECONDS, interrupt_thread, (identity,)).start()
    else:
        sys.__unraisablehook__(unraisable)


def tell(text: str) -> None:
    """Write a line to standard error; safe in a signal handler, amid another write.

    On a terminal it takes the place of a line of progress.
    """
    with suppress(OSError):
        stderr = sys.__stderr__.fileno() if sys.__stderr__ else 2
        erased = "\r\x1b[K" if os.isatty(stderr) else ""
        os.write(stderr, f"{erased}{text}\n".encode())


def interrupt_thread(identity: int) -> None:
    """Raise KeyboardInterrupt in a thread as soon as it runs Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(identity), ctypes.py_object(KeyboardInterrupt)
    )
