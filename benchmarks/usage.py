"""What a command takes, measured from outside: seconds, CPU and memory of all its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.load import read_processes

_POLL_SECONDS = 0.1


class Usage(NamedTuple):
    """Seconds, CPU seconds and MB at the most; both of all processes that have ended well."""

    seconds: float
    cpu: float
    megabytes: float

    def __add__(self, other: object) -> Usage:
        """Return what two commands take, one after the other."""
        assert isinstance(other, Usage)
        peak = max(self.megabytes, other.megabytes)
        return Usage(self.seconds + other.seconds, self.cpu + other.cpu, peak)


def measure(command: Sequence[str], folder: Path, log: Path, bound: float) -> Usage:
    """Run a module of Python in a folder; what it prints goes to ``log``.

    Its errors go to a file of the same name with ``.err``. TimeoutError if it takes more than
    ``bound`` seconds: then it is ended, with all processes of its group.
    CalledProcessError if it fails.
    """
    started, megabytes = time.monotonic(), 0.0
    with log.open("wb") as output, log.with_suffix(".err").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=folder,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        megabytes = max(megabytes, read_processes(process.pid)[0])
        if time.monotonic() - started > bound:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise TimeoutError
        time.sleep(_POLL_SECONDS)
    seconds = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(ended[1])
    if process.returncode:
        print(log.with_suffix(".err").read_text("utf-8", "replace"), file=sys.stderr)
        raise subprocess.CalledProcessError(process.returncode, command)
    return Usage(seconds, ended[2].ru_utime + ended[2].ru_stime, megabytes)
