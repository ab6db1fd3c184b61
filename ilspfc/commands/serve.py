"""``scrapy serve [CORPUS_DIR …]``: the web application over corpora."""

from __future__ import annotations

import argparse
import shlex
import socket
import threading
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.command import ProjectCommand
from ilspfc.exceptions import ArgumentError
from ilspfc.interrupts import Interrupts

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from ilspfc.server.jobs.queue import JobQueue
    from ilspfc.server.library import Library

_PACKAGES = ("starlette", "uvicorn")
# For requests under way when the server is to end.
_STOP_SECONDS = 2.0


class Command(ProjectCommand):
    """Shows corpora in a browser, and starts crawls if asked to."""

    arguments = "[CORPUS_DIR …]"
    options = (
        ("--host", "ADDRESS", "address to listen on", "127.0.0.1"),
        ("--port", "N", "port to listen on, 0 for a free one", 8080),
        (
            "--jobs",
            "DIR",
            "folder of crawls that users start; without it none are started",
        ),
        ("--scrapyd", "URL", "scrapyd that runs the crawls (default: one of its own)"),
        ("--allow-host", "NAME", "further name under which the server is asked", list),
        ("--root-path", "PATH", "path under which a proxy shows the server"),
        ("--user-header", "NAME", "header field in which a proxy names the user"),
        ("--bootstrap", "OPTIONS", "options of bootstrap for the page New subject"),
        ("--token", "TEXT", "token to ask for (default: a new one)"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the server until it is interrupted."""
        if missing := [name for name in _PACKAGES if not find_spec(name)]:
            raise ArgumentError(
                f"{missing[0]} is not installed; pip install starlette uvicorn, or the"
                " extra server"
            )
        if not args and not opts.jobs:
            raise ArgumentError("no corpus; give corpus folders, or --jobs DIR")
        # Scrapy imports all commands whenever one is run.
        from ilspfc.corpus.files import CorpusFiles
        from ilspfc.server.application import LOOPBACK, make_application
        from ilspfc.server.library import Library

        roots = [CorpusFiles(Path(arg)).require().root for arg in args]
        library = Library(roots, self.settings)
        threading.Thread(target=_renew, args=(library,), daemon=True).start()
        with ExitStack() as stack:
            queue = self._open_jobs(opts, stack) if opts.jobs else None
            application = make_application(
                library,
                queue,
                token=opts.token,
                hosts={*LOOPBACK, opts.host, *opts.allow_host},
                user_header=opts.user_header,
                bootstrap=shlex.split(opts.bootstrap),
            )
            stack.callback(application.state.builds.close)
            # The server closes it.
            listener = _listen(opts.host, opts.port)
            host = f"[{opts.host}]" if ":" in opts.host else opts.host
            port = listener.getsockname()[1]
            address = f"http://{host}:{port}{opts.root_path}/"
            print(f"{address}?token={application.state.token}", flush=True)
            run_server(application, listener, opts.root_path)

    def _open_jobs(self, opts: argparse.Namespace, stack: ExitStack) -> JobQueue:
        """Return the queue of crawls, run by a scrapyd of its own unless one is named."""
        from ilspfc.server.jobs.queue import JobQueue
        from ilspfc.server.jobs.request import Limits
        from ilspfc.server.jobs.scrapyd import Scrapyd, run_scrapyd

        folder = Path(opts.jobs)
        scrapyd = (
            Scrapyd(opts.scrapyd)
            if opts.scrapyd
            else stack.enter_context(run_scrapyd(folder / "scrapyd", processes=2))
        )
        # What the operator has set counts for every crawl.
        names = ("FETCH_CONTACT", "FETCH_SIGNING_FORM", "DOWNLOAD_DELAY", "WORKERS")
        settings = {name: self.settings.get(name) for name in names}
        settings["GUARD_ALLOW"] = ",".join(self.settings.getlist("GUARD_ALLOW"))
        if key := self.settings["FETCH_SIGNING_KEY"]:
            settings["FETCH_SIGNING_KEY"] = str(Path(key).resolve())
        queue = JobQueue(folder, scrapyd, Limits(), settings)
        queue.remove_old()
        return queue


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; ArgumentError where the system refuses it."""
    try:
        family, *_, target = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(target[:2], family=family)
    except OSError as error:
        raise ArgumentError(
            f"{host}, port {port}: {error.strerror}; give others with --host and --port"
        ) from error


def run_server(application: Starlette, listener: socket.socket, root: str) -> None:
    """Answer requests until a signal; those that take too long then are left behind."""
    import uvicorn

    config = uvicorn.Config(application, root_path=root, log_level="warning")
    server, ended = uvicorn.Server(config), threading.Event()

    def run() -> None:
        try:
            server.run([listener])
        finally:
            ended.set()

    # The threads of requests are daemons as this one is: Python does not wait for them.
    thread = threading.Thread(target=run, daemon=True)
    with Interrupts(_stop, lambda: None):
        with suppress(KeyboardInterrupt):
            thread.start()
            # Not `join`, which takes a thread for ended when a signal breaks it off.
            ended.wait()
        server.should_exit = True
        ended.wait(_STOP_SECONDS)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def _renew(library: Library) -> None:
    """Bring the search files up to date, one after the other."""
    for name in library.names:
        library.renew_search(name)
