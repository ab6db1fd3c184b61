"""Processes of ``scrapy`` that are watched, and rows of what became of them."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.resume import PROJECT
from ilspfc.documents import document_id
from ilspfc.web.urls import canonicalize

_POLL_SECONDS = 0.05
_KILLED = -signal.SIGKILL

CRAWL_SETTINGS = {
    "GUARD_ALLOW": "127.0.0.0/8",
    "DOWNLOAD_DELAY": "0",
    "LOGSTATS_INTERVAL": "0.2",
    "WORKERS": "1",
    "FRONTIER_TRAPS": "False",
}


@dataclass(frozen=True)
class Ended:
    """An ended process: its status, seconds, MB of its largest process, and output."""

    status: int
    seconds: float
    megabytes: float
    output: str

    @property
    def has_traceback(self) -> bool:
        """Return whether a traceback was printed."""
        return "Traceback (most recent call last)" in self.output

    @property
    def messages(self) -> list[str]:
        """Return the lines that the program addresses to its user."""
        return [
            line for line in self.output.splitlines() if line.startswith("ilspfc: ")
        ]


class Run:
    """A process of ``scrapy`` in a group of its own."""

    def __init__(
        self,
        arguments: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._log = log
        self._started = time.monotonic()
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "scrapy", *arguments],
                cwd=PROJECT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._ended: Ended | None = None

    @property
    def output(self) -> str:
        """The output up to now."""
        return self._log.read_text("utf-8", "replace")

    def poll(self) -> Ended | None:
        """Return how the process ended, None where it has not."""
        if self._ended is None:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self._process.returncode = code
                seconds = time.monotonic() - self._started
                megabytes = usage.ru_maxrss / 1024
                self._ended = Ended(code, seconds, megabytes, self.output)
        return self._ended

    def limit_files(self, size: int) -> None:
        """Limit the bytes of each file that the process, and what it starts, may write."""
        if self.poll() is None:
            limits = (size, resource.RLIM_INFINITY)
            resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, limits)

    def interrupt(self) -> None:
        """Send what Ctrl-C sends, to the crawler and its workers alike."""
        if self.poll() is None:
            os.killpg(self._process.pid, signal.SIGINT)

    def wait_until(self, is_reached: Callable[[], bool], limit_seconds: float) -> bool:
        """Wait for a moment; return whether it came before the end and the limit."""
        deadline = time.monotonic() + limit_seconds
        while self.poll() is None and time.monotonic() < deadline:
            if is_reached():
                return True
            time.sleep(_POLL_SECONDS)
        return False

    def wait(self, limit_seconds: float) -> Ended:
        """Wait for the end; kill the process and its workers at the limit."""
        try:
            self.wait_until(lambda: False, limit_seconds)
        finally:
            if self.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
                while self.poll() is None:
                    time.sleep(_POLL_SECONDS)
        assert self._ended is not None
        return self._ended


@dataclass
class Row:
    """A line of the table: pages, or files, that should be there and those that are.

    ``complaints`` are what else was not as it should be.
    """

    fault: str
    expected: int = 0
    kept: int = 0
    runs: list[Ended] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @property
    def lost(self) -> int:
        """Return how many are lost."""
        return self.expected - self.kept

    @property
    def is_good(self) -> bool:
        """Return whether nothing was lost, no traceback seen and nothing to complain of."""
        return not (
            self.lost or self.complaints or any(run.has_traceback for run in self.runs)
        )

    def complain(self, is_wrong: bool, complaint: str) -> None:
        """Note what is wrong, where it is."""
        if is_wrong:
            self.complaints.append(complaint)

    def add(self, run: Ended, *, may_fail: bool = False) -> None:
        """Add a run; complain where it was killed, or failed where it should not."""
        self.runs.append(run)
        if run.status == _KILLED:
            self.complaints.append(f"killed after {run.seconds:.0f} s")
        elif not may_fail and run.status:
            message = (run.messages or [""])[-1]
            self.complaints.append(f"status {run.status} {message}".rstrip())

    def add_refused(self, run: Ended, corpus: Path) -> None:
        """Add a run that has to end by itself with one line, non-zero and without a lock."""
        self.add(run, may_fail=True)
        self.complain(not run.status, "ended with status 0")
        lines = run.messages
        self.complain(not lines, "no line says why")
        self.complain(len(set(lines)) > 1, f"{len(lines)} lines instead of one")
        self.complain((corpus / ".lock").exists(), "the lock is left")

    def cells(self) -> Iterator[str]:
        """Yield the cells of the table."""
        yield f"{self.fault:<38}"
        yield from (f"{n:>8}" for n in (self.expected, self.kept, self.lost))
        yield f"{sum(run.seconds for run in self.runs):7.0f}"
        yield f"{max((run.megabytes for run in self.runs), default=0):6.0f}"
        yield f"{','.join(str(run.status) for run in self.runs):>9}"
        yield f"{'yes' if any(run.has_traceback for run in self.runs) else 'no':>9}"
        yield f"  {'; '.join(dict.fromkeys(self.complaints)) or '-'}"


HEADING = " ".join(
    (
        f"{'what was done':<38}",
        *(f"{name:>8}" for name in ("expected", "kept", "lost")),
        *(
            f"{'seconds':>7}",
            f"{'MB':>6}",
            f"{'status':>9}",
            "traceback",
            " complaints",
        ),
    )
)


def crawl_command(
    corpus: Path,
    seeds: Iterable[str],
    arguments: Mapping[str, str] | None = None,
    *,
    spider: str = "monolingual",
    settings: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the command of a crawl; of English pages, where no arguments say otherwise."""
    lang = {"lang": "en"} if spider == "monolingual" else {"langs": "en,de"}
    given = {"seeds": ",".join(seeds), "domain": "none", **lang, **(arguments or {})}
    changed = {"CORPUS_DIR": str(corpus), **CRAWL_SETTINGS, **(settings or {})}
    command = ["crawl", spider]
    for option, values in (("-a", given), ("-s", changed)):
        for name, value in values.items():
            command += [option, f"{name}={value}"]
    return command


def run(arguments: Sequence[str], log: Path, limit_seconds: float) -> Ended:
    """Run ``scrapy`` to its end, or until it is killed at the limit."""
    return Run(arguments, log).wait(limit_seconds)


def count_kept(corpus: Path, urls: Iterable[str]) -> int:
    """Return how many of the pages have a document, duplicates among them."""
    kept = {
        path.stem.rpartition("-")[2]
        for folder in ("xml", "duplicates")
        for path in (corpus / folder).glob("*.xml")
    }
    return sum(document_id(canonicalize(url)) in kept for url in urls)
