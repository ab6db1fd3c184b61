"""Commands that the web application starts: one at a time for each folder."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from scrapy.settings import BaseSettings

from ilspfc.setting_table import read_table

_SHOWN_CHARS = 4000
_STOP_SECONDS = 1.0
# Priority of Scrapy for settings given by -s.
_COMMAND_LINE = 40


class BuildState(NamedTuple):
    """State of a command: whether it runs, its exit status, the end of its output."""

    is_running: bool
    status: int
    output: str


class Builds:
    """Runs commands, with the settings given to the server on its command line."""

    def __init__(self, settings: BaseSettings) -> None:
        self._settings = [
            part
            for name in read_table()
            if settings.getpriority(name) == _COMMAND_LINE
            for part in ("-s", f"{name}={settings.get(name)}")
        ]
        self._running: dict[Path, tuple[subprocess.Popen[bytes], Path]] = {}
        self._starting = Lock()

    def start(self, root: Path, *command: str) -> None:
        """Start a command for a folder, unless one for it is under way."""
        with self._starting:
            if (state := self.state(root)) and state.is_running:
                return
            if root in self._running:
                self._running[root][1].unlink(missing_ok=True)
            with tempfile.NamedTemporaryFile(suffix=".log", delete=False) as log:
                program = [sys.executable, "-m", "ilspfc", *command]
                process = subprocess.Popen(  # noqa: S603
                    [*program, *self._settings],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            self._running[root] = process, Path(log.name)

    def state(self, root: Path) -> BuildState | None:
        """Return the state of the last command for a folder, None where there was none."""
        if root not in self._running:
            return None
        process, log = self._running[root]
        status = process.poll()
        output = log.read_text("utf-8", "replace")[-_SHOWN_CHARS:]
        return BuildState(status is None, status or 0, output)

    def close(self) -> None:
        """Stop what runs, in order, and remove the outputs."""
        for process, _ in self._running.values():
            process.terminate()
        end = time.monotonic() + _STOP_SECONDS
        for process, log in self._running.values():
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            log.unlink(missing_ok=True)
