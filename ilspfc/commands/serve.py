"""``scrapy serve [CORPUS_DIR …]``: the web application over corpora."""

from __future__ import annotations

import argparse
import threading
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.interrupts import Interrupts

if TYPE_CHECKING:
    from ilspfc.server.jobs.queue import JobQueue
    from ilspfc.server.library import Library

_PACKAGES = ("starlette", "uvicorn", "multipart")


class Command(ProjectCommand):
    """Shows corpora in a browser, and starts crawls if asked to."""

    arguments = "[CORPUS_DIR …]"
    summary = "Look at corpora in a browser, judge them, try crawls"
    options = (
        ("--host", "ADDRESS", "address to listen on", {"default": "127.0.0.1"}),
        ("--port", "N", "port to listen on", {"type": int, "default": 8080}),
        (
            "--jobs",
            "DIR",
            "folder of crawls that users start; without it none are started",
        ),
        ("--scrapyd", "URL", "scrapyd that runs the crawls (default: one of its own)"),
        (
            "--allow-host",
            "NAME",
            "further name under which the server is asked",
            {"action": "append", "default": []},
        ),
        ("--root-path", "PATH", "path under which a proxy shows the server"),
        ("--user-header", "NAME", "header field in which a proxy names the user"),
        ("--token", "TEXT", "token to ask for (default: a new one)"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the server until it is interrupted."""
        if missing := [name for name in _PACKAGES if not find_spec(name)]:
            raise ArgumentError(
                f"{missing[0]} is not installed; pip install starlette uvicorn"
                " python-multipart, or the extra server"
            )
        if not args and not opts.jobs:
            raise ArgumentError("no corpus; give corpus folders, or --jobs DIR")
        # Scrapy imports all commands whenever one is run.
        import uvicorn

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
            )
            host = f"[{opts.host}]" if ":" in opts.host else opts.host
            address = f"http://{host}:{opts.port}{opts.root_path}/"
            print(f"{address}?token={application.state.token}", flush=True)
            with Interrupts(_stop, lambda: None), suppress(KeyboardInterrupt):
                uvicorn.run(
                    application,
                    host=opts.host,
                    port=opts.port,
                    root_path=opts.root_path,
                    log_level="warning",
                )

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
        names = ("FETCH_CONTACT", "GUARD_ALLOW", "DOWNLOAD_DELAY", "WORKERS")
        settings = {
            name: ",".join(self.settings.getlist(name))
            if name == "GUARD_ALLOW"
            else self.settings.get(name)
            for name in names
        }
        queue = JobQueue(folder, scrapyd, Limits(), settings)
        queue.remove_old()
        return queue


def _stop(*_: object) -> None:
    """Leave in order when uvicorn has ended and gives its signal back."""
    raise KeyboardInterrupt


def _renew(library: Library) -> None:
    """Bring the search files up to date, one after the other."""
    for name in library.names:
        try:
            library.renew_search(name)
        except CorpusError as error:
            warn(error)
