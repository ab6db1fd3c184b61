"""Runs functions in processes of their own, which see all that is there."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

_FORK = multiprocessing.get_context("fork")
_T = TypeVar("_T")


def run_forked(work: Callable[[], _T]) -> _T:
    """Return what a function makes in a copy of this process; what it returns is pickled.

    Raises EOFError where the copy ends without a result.
    """
    receiver, sender = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_send, args=(work, sender))
    child.start()
    sender.close()
    try:
        result: _T = receiver.recv()
    finally:
        child.join()
    return result


def _send(work: Callable[[], _T], sender: Connection) -> None:
    sender.send(work())
