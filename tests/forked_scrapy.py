"""Scrapy for tests, without the second that each process of it spends on importing.

A server imports Scrapy and the project once; each run of a command is a fork of it, with a
working folder, an environment and files of its own, that does what ``python -m scrapy``
does. All forks share the seed of the hashes of strings: a test that compares runs, to show
that nothing hangs on the order of a set, has to start processes instead.

As a script this file is the server. It is given the number of a socket, which brings four
files for each run: a connection, and what is to be standard input, output and error. On the
connection it reads a request, and answers with two numbers: the process, then its exit status.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Self

# What a crawl loads late and takes long to load, beside the modules of the project.
LATE = (
    "htmldate",
    "scrapy.cmdline",
    "scrapy.core.engine",
    "scrapy.core.scraper",
    "scrapy.downloadermiddlewares.cookies",
    "scrapy.shell",
)
# It is chosen when it is first imported, which is each run's own affair.
REACTOR = "twisted.internet.reactor"
# A number on the connection.
NUMBER = struct.Struct("i")


class ScrapyRun:
    """A command in a fork of the server, used as ``subprocess.Popen`` is."""

    def __init__(self, control: socket.socket, request: str) -> None:
        self.returncode: int | None = None
        self._connection, remote = socket.socketpair()
        with ExitStack() as stack:
            stack.enter_context(self._connection)
            open_file = partial(tempfile.TemporaryFile, "w+", encoding="utf-8")
            self._stdout = stack.enter_context(open_file())
            self._stderr = stack.enter_context(open_file())
            with remote, Path(os.devnull).open() as stdin:
                files = (remote, stdin, self._stdout, self._stderr)
                socket.send_fds(control, [b"."], [file.fileno() for file in files])
            self._open = stack.pop_all()
        self._connection.sendall(f"{request}\n".encode())
        self._pid = self._receive()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.poll() is None:
            self.kill()
            self._wait(None)
        self._open.close()

    def poll(self) -> int | None:
        """Return the exit status, None as long as the command runs."""
        return self._wait(0.0)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the command has ended."""
        if self.poll() is None:
            os.kill(self._pid, number)

    def kill(self) -> None:
        """End the command at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for the end; return standard output and standard error.

        Raises TimeoutError where it does not come within so many seconds.
        """
        if self._wait(timeout) is None:
            raise TimeoutError
        # The process wrote through the same open files, and they stand at their ends.
        self._stdout.seek(0)
        self._stderr.seek(0)
        return self._stdout.read(), self._stderr.read()

    def _wait(self, seconds: float | None) -> int | None:
        if self.returncode is None:
            ready, _, _ = select.select([self._connection], [], [], seconds)
            if ready:
                self.returncode = self._receive()
        return self.returncode

    def _receive(self) -> int:
        data = self._connection.recv(NUMBER.size, socket.MSG_WAITALL)
        number: int
        (number,) = NUMBER.unpack(data)
        return number


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

    def start(
        self,
        arguments: tuple[str, ...],
        *,
        folder: Path,
        environment: Mapping[str, str],
    ) -> ScrapyRun:
        """Start a command."""
        request = json.dumps([str(folder), dict(environment), arguments])
        return ScrapyRun(self._control, request)

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
    _fill_caches()
    assert REACTOR not in sys.modules
    gc.collect()
    gc.freeze()


def _fill_caches() -> None:
    """Have what is read once a process read here, by a little of all work."""
    from ilspfc import align, extract
    from ilspfc.crawl.page_work import PageRules, PageWorker
    from ilspfc.report.html import make_environment
    from ilspfc.text.codes import names_of

    text = "Die Leiter steht sicher. Niemand lehnt sie an."
    PageWorker(PageRules(("deu", "ita")))
    extract(f"<title>Leiter</title><p>{text}", langs=["de", "it"])
    align([text], ["La scala è stabile. Nessuno la appoggia."], ["de", "it"])
    names_of("deu", ("ita",))
    templates = make_environment()
    for name in templates.list_templates(["html"]):
        templates.get_template(name)


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
    connection.sendall(NUMBER.pack(pid))
    _, status = os.waitpid(pid, 0)
    connection.sendall(NUMBER.pack(os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _leave(status: int) -> None:
    """End as Python does, but for taking apart what was loaded: the system does that at once.

    It would copy all memory that the fork shares, and take four fifths of a short run.
    """
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    # A shell that runs the tests in the background has it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _load_all()
    _fork_for_each_run(socket.socket(fileno=int(sys.argv[1])))
    try:
        runpy.run_module("scrapy", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, int):
            _leave(end.code)
        raise
