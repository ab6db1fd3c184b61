"""Client of scrapyd's JSON interface, and a scrapyd of one's own on the loopback interface."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx2

import ilspfc
from ilspfc.corpus.lock import CorpusLock
from ilspfc.exceptions import ArgumentError, IlspfcError

PROJECT = "ilspfc"
_START_SECONDS = 60.0
_TIMEOUT_SECONDS = 30.0
_STOP_SECONDS = 1.0
# End of a log that is read: the counts of a crawl and its summary.
_LOG_CHARS = 1 << 16
_CONFIGURATION = """\
[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
username = {user}
password = {password}
poll_interval = 1
max_proc = {processes}
jobs_to_keep = 100

[settings]
{project} = ilspfc.settings
"""


class ScrapydError(IlspfcError):
    """Scrapyd does not answer, or refuses a call."""


class Scrapyd:
    """A running scrapyd in which the project is deployed."""

    def __init__(self, url: str, auth: tuple[str, str] | None = None) -> None:
        self.url = url.rstrip("/")
        self._auth = auth

    def schedule(
        self, spider: str, arguments: Mapping[str, str], settings: Mapping[str, object]
    ) -> str:
        """Start a job as soon as there is room; return its id."""
        options = [f"{name}={value}" for name, value in settings.items()]
        data = {"spider": spider, "setting": options, **arguments}
        return str(self._call("schedule", data)["jobid"])

    def states(self) -> dict[str, str]:
        """Return the state of each job that scrapyd knows: pending, running or finished."""
        answer = self._call("listjobs")
        names = ("pending", "running", "finished")
        return {job["id"]: name for name in names for job in answer[name]}

    def cancel(self, job: str) -> None:
        """Stop a job in order; a second call ends it at once."""
        self._call("cancel", {"job": job})

    def read_log(self, spider: str, job: str) -> str:
        """Return the end of the log of a job, empty where none is kept."""
        answer = self._request("GET", f"logs/{PROJECT}/{spider}/{job}.log")
        return answer.text[-_LOG_CHARS:] if answer.is_success else ""

    def _call(
        self, service: str, data: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the answer of a service: POST with data, GET without."""
        path, project = f"{service}.json", {"project": PROJECT}
        if data is None:
            answer = self._request("GET", path, params=project)
        else:
            answer = self._request("POST", path, data={**project, **data})
        try:
            found: dict[str, Any] = answer.json()
        except ValueError as error:
            raise self._silence(error) from error
        if found.get("status") != "ok":
            raise ScrapydError(f"{self.url}: {service}: {found.get('message', found)}")
        return found

    def _request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        try:
            with httpx2.Client(auth=self._auth, timeout=_TIMEOUT_SECONDS) as client:
                return client.request(method, f"{self.url}/{path}", **options)
        except httpx2.HTTPError as error:
            raise self._silence(error) from error

    def _silence(self, error: Exception) -> ScrapydError:
        return ScrapydError(
            f"{self.url}: scrapyd does not answer ({error}); start it, or name another"
        )


@contextmanager
def run_scrapyd(folder: Path, processes: int) -> Iterator[Scrapyd]:
    """Run a scrapyd in a folder, which its jobs work in, until the block ends.

    ArgumentError where scrapyd is not installed, ScrapydError where it does not start,
    CorpusLockedError where another process runs one in the folder.
    """
    if not find_spec("scrapyd"):
        raise ArgumentError(
            'scrapyd is not installed; pip install "scrapyd<2", or name a running one'
        )
    folder.mkdir(parents=True, exist_ok=True)
    with CorpusLock(folder):
        scrapyd = _configure(folder, processes)
        with (
            (folder / "scrapyd.log").open("ab") as log,
            subprocess.Popen(
                [sys.executable, "-m", "scrapyd"],
                cwd=folder,
                # The package as it is here, also where it is not installed.
                env={**os.environ, "PYTHONPATH": str(Path(ilspfc.__file__).parents[1])},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                yield _wait(scrapyd, process, log.name)
            finally:
                process.terminate()
                try:
                    process.wait(_STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()


def _configure(folder: Path, processes: int) -> Scrapyd:
    """Write the configuration of a scrapyd on a free port; return its address and password."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    user, password = "ilspfc", secrets.token_hex(16)
    # Scrapyd and the crawls that it starts read the same file.
    configuration = folder / "scrapy.cfg"
    configuration.touch(mode=0o600)
    text = _CONFIGURATION.format(
        port=port, user=user, password=password, processes=processes, project=PROJECT
    )
    configuration.write_text(text, encoding="utf-8")
    return Scrapyd(f"http://127.0.0.1:{port}", (user, password))


def _wait(scrapyd: Scrapyd, process: subprocess.Popen[bytes], log: str) -> Scrapyd:
    """Return scrapyd as soon as it answers."""
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            scrapyd.states()
        except ScrapydError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise ScrapydError(f"scrapyd did not start; see {log}") from error
            time.sleep(0.2)
        else:
            return scrapyd
