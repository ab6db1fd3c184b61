"""Signals: the first stops, the second leaves, and neither is lost or ends in a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator

import pytest
from conftest import REPOSITORY

from ilspfc.interrupts import INTERRUPTED, Interrupts, interrupt_thread


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Leave signals and hook of the test run as they were."""
    hook, handlers = sys.unraisablehook, {}
    for number in (signal.SIGINT, signal.SIGTERM):
        handlers[number] = signal.getsignal(number)
    yield
    sys.unraisablehook = hook
    for number, handler in handlers.items():
        signal.signal(number, handler)


class Thing:
    """Something that can be referred to weakly."""


def test_an_interrupt_amid_a_callback_of_a_weak_reference_is_not_lost(
    capfd: pytest.CaptureFixture[str],
) -> None:
    inside, ended = threading.Event(), threading.Event()

    def callback(_: object) -> None:
        inside.set()
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:  # an interrupt ends it
            pass

    def work() -> None:
        try:
            thing = Thing()
            reference = weakref.ref(thing, callback)
            del thing
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline:
                assert reference() is None
        except KeyboardInterrupt:
            ended.set()

    with Interrupts(lambda *_: None, lambda: None):
        thread = threading.Thread(target=work)
        thread.start()
        assert inside.wait(20)
        assert thread.ident is not None
        interrupt_thread(thread.ident)
        thread.join()
    assert ended.is_set()
    assert capfd.readouterr().err == ""


def test_other_errors_of_callbacks_are_printed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def callback(_: object) -> None:
        raise ValueError("broken")

    with Interrupts(lambda *_: None, lambda: None):
        thing = Thing()
        reference = weakref.ref(thing, callback)
        del thing
        assert reference() is None
    assert "ValueError: broken" in capfd.readouterr().err


# Finalizers run at the end of Python, when no code of ours handles an interrupt.
ENDING = """
import os, signal, time, weakref
from ilspfc.interrupts import Interrupts, leave_at_once

class Thing:
    pass

def finalize():
    os.kill(os.getpid(), signal.{number})
    time.sleep(20)

thing = Thing()
weakref.finalize(thing, finalize)
{context}
"""
INTERRUPTED_BEFORE = """
with Interrupts(lambda *_: None, lambda: None):
    os.kill(os.getpid(), signal.SIGINT)
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("context", [INTERRUPTED_BEFORE, "leave_at_once()"])
def test_a_signal_at_the_very_end_has_no_traceback(context: str, number: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDING.format(number=number, context=context)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert (done.returncode, done.stderr) == (INTERRUPTED, "")


def test_handlers_are_restored_where_no_signal_has_come() -> None:
    def mine(*_: object) -> None:
        """Handle nothing."""

    signal.signal(signal.SIGTERM, mine)
    with Interrupts(lambda *_: None, lambda: None):
        assert signal.getsignal(signal.SIGTERM) is not mine
    assert signal.getsignal(signal.SIGTERM) is mine
