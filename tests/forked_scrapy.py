"""Scrapy for tests, without the second that each process of it spends on importing.

A server imports Scrapy and the project once; each run of a command is a fork of it, with a
working folder, an environment and files of its own, that does what ``python -m scrapy``
does. All forks share the seed of the hashes of strings: a test that compares runs, to show
that nothing hangs on the order of a set, has to start processes instead.

As a script this file is the server. It is given the number of a socket, which brings four
files for each run: a connection, and what is to be standard input, output and error. On the
connection it reads a request, and answers with the process and then with its exit status.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

# What a crawl loads late and takes long to load, beside the modules of the project.
LATE = (
    "htmldate",
    "scrapy.cmdline",
    "scrapy.core.engine",
    "scrapy.core.scraper",
    "scrapy.downloadermiddlewares.cookies",
    "scrapy.extensions.remote_control",
    "scrapy.shell",
)
# It is chosen when it is first imported, which is each run's own affair.
REACTOR = "twisted.internet.reactor"


class ScrapyServer:
    """Runs ``scrapy`` in forks of one process; threads may do so side by side."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._control, remote = socket.socketpair()
        with remote:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(remote.fileno())],
                env=environment,
                pass_fds=[remote.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )

    def run(
        self,
        arguments: tuple[str, ...],
        *,
        folder: Path,
        environment: Mapping[str, str],
        timeout_seconds: float,
    ) -> tuple[int, str, str]:
        """Return the exit status, standard output and standard error of a command.

        Raises TimeoutError, and kills it, where it takes too long.
        """
        request = json.dumps([str(folder), dict(environment), arguments])
        connection, remote = socket.socketpair()
        with (
            connection,
            connection.makefile("rw", encoding="ascii") as stream,
            tempfile.TemporaryFile("w+", encoding="utf-8") as stdout,
            tempfile.TemporaryFile("w+", encoding="utf-8") as stderr,
        ):
            with remote, Path(os.devnull).open() as stdin:
                files = [file.fileno() for file in (remote, stdin, stdout, stderr)]
                socket.send_fds(self._control, [b"."], files)
            connection.settimeout(timeout_seconds)
            stream.write(f"{request}\n")
            stream.flush()
            pid = int(stream.readline())
            try:
                status = int(stream.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise
            # The process wrote through the same open files, and they stand at their ends.
            stdout.seek(0)
            stderr.seek(0)
            return status, stdout.read(), stderr.read()

    def close(self) -> None:
        """End the server."""
        self._control.close()
        self._process.wait()


# -- the server --------------------------------------------------------------------------


def _load_all() -> None:
    """Load what the commands may need, and leave it out of all garbage collections."""
    for name in LATE:
        importlib.import_module(name)
    package = importlib.import_module("ilspfc")
    for module in pkgutil.walk_packages(package.__path__, "ilspfc."):
        importlib.import_module(module.name)
    importlib.import_module("ilspfc.language.ngrams").load_ngrams()
    assert REACTOR not in sys.modules
    gc.collect()
    gc.freeze()


def _fork_for_each_run(control: socket.socket) -> None:
    """Return in the process of each run, as soon as it is like one of its own."""
    while True:
        message, files, *_ = socket.recv_fds(control, 1, 4)
        _wait_for_ended(os.WNOHANG if message else 0)
        if not message:
            sys.exit()
        if not os.fork():
            break
        for file in files:
            os.close(file)
    control.close()
    number, *standard_files = files
    with (
        socket.socket(fileno=number) as connection,
        connection.makefile("r", encoding="ascii") as stream,
    ):
        folder, environment, arguments = json.loads(stream.readline())
        if pid := os.fork():
            _tell_status(pid, connection)
    for number, file in enumerate(standard_files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[0] = folder
    sys.argv[1:] = arguments


def _wait_for_ended(options: int) -> None:
    """Take note of the processes that have ended; the system counts their time here, then."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _tell_status(pid: int, connection: socket.socket) -> None:
    """Send the number of a process and, when it has ended, how; then end this one."""
    connection.sendall(f"{pid}\n".encode())
    _, status = os.waitpid(pid, 0)
    connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    _load_all()
    _fork_for_each_run(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("scrapy", run_name="__main__", alter_sys=True)
