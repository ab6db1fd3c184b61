"""Jobs that users have asked for: limits, folders, state, removal after a time."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.crawl.arguments import project_domains
from ilspfc.database import Database
from ilspfc.exceptions import ArgumentError, IlspfcError
from ilspfc.server.jobs.request import JobRequest, Limits

if TYPE_CHECKING:
    from ilspfc.server.jobs.scrapyd import Scrapyd

_DAY_SECONDS = 86_400
_STATE_SECONDS = 5
# In the log of a crawl: Scrapy's reason for the end, the error that the command ends with, and
# Scrapy's answer to a signal.
_CLOSED_RE = re.compile(r"Spider closed \((\w+)\)")
_ERROR_RE = re.compile(r"^ilspfc: (.*)$", re.MULTILINE)
_SIGNAL = "Received SIG"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    name TEXT PRIMARY KEY,       -- of its folder
    job TEXT NOT NULL,           -- id in scrapyd
    user TEXT NOT NULL,
    request TEXT NOT NULL,       -- as JSON
    begun REAL NOT NULL          -- seconds since 1970
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Job:
    """Job of a user: its corpus is the folder of its name.

    ``state`` is pending, running, finished, stopped or failed; ``cause`` that of a failure.
    """

    name: str
    job: str
    user: str
    request: JobRequest
    begun: float
    state: str = "unknown"
    cause: str = ""

    @property
    def is_open(self) -> bool:
        """True until the job has ended."""
        return self.state in {"pending", "running"}


class UnknownJobError(ArgumentError):
    """No job of a user has this name."""


class _JobTable(Database):
    kind = "list of jobs"
    remedy = "delete it: the corpora of the jobs stay in their folders"
    error_type = IlspfcError
    schema = _SCHEMA


class JobQueue:
    """The jobs of all users, in a folder of their own each; for any thread.

    ``settings`` go to every crawl, such as FETCH_CONTACT; no job can change them.
    """

    def __init__(
        self,
        folder: Path,
        scrapyd: Scrapyd,
        limits: Limits,
        settings: Mapping[str, object],
    ) -> None:
        self._folder = folder.resolve()
        self._scrapyd, self.limits, self._settings = scrapyd, limits, settings
        # Room is looked for and taken by one thread at a time.
        self._starting = threading.Lock()
        # States and causes of jobs that have ended, by their ids in scrapyd.
        self._ends: dict[str, tuple[str, str]] = {}

    def _open(self) -> _JobTable:
        return _JobTable(self._folder / "jobs.db")

    def folder_of(self, job: Job) -> Path:
        """Return the corpus of a job."""
        return self._folder / job.name

    def start(self, user: str, request: JobRequest) -> Job:
        """Start a job; ArgumentError for a wrong field and where a limit is reached."""
        if errors := request.find_errors(self.limits):
            raise ArgumentError("; ".join(errors.values()))
        with self._starting:
            self._check_room(user)
            name = secrets.token_hex(8)
            identity = self._schedule(name, request)
            job = Job(name, identity, user, request, time.time(), "pending")
            row = (name, identity, user, json.dumps(asdict(request)), job.begun)
            with self._open() as table:
                table.change("INSERT INTO jobs VALUES (?, ?, ?, ?, ?)", [row])
        return job

    def resume(self, name: str, user: str = "") -> None:
        """Go on with a job that was stopped or has reached its limits, by as much again."""
        with self._starting:
            job = self.find(name, user)
            if job.is_open:
                raise ArgumentError(f"{name}: is under way")
            self._check_room(job.user)
            identity = self._schedule(name, job.request)
            with self._open() as table:
                sql = "UPDATE jobs SET job = ?, begun = ? WHERE name = ?"
                table.change(sql, [(identity, time.time(), name)])

    def _check_room(self, user: str) -> None:
        """Raise ArgumentError where a user, or all users, have as many jobs as they may."""
        waiting = [job for job in self.jobs() if job.is_open]
        of_user = [job for job in waiting if job.user == user]
        if len(of_user) >= self.limits.jobs_of_user:
            raise ArgumentError(
                f"{len(of_user)} of your jobs are under way; wait for one of them to end"
            )
        if len(waiting) >= self.limits.jobs:
            raise ArgumentError(f"{len(waiting)} jobs are waiting; try again later")

    def _schedule(self, name: str, request: JobRequest) -> str:
        """Write the files of a job and hand it to scrapyd."""
        corpus = self._folder / name
        inputs = self._folder / f"{name}.input"
        inputs.mkdir(parents=True, exist_ok=True)
        seeds, terms = inputs / "seeds.txt", inputs / "terms.tsv"
        seeds.write_text("\n".join([*request.urls, ""]), encoding="utf-8")
        domain = request.domain
        if request.terms:
            terms.write_text(f"{request.terms}\n", encoding="utf-8")
            domain = str(terms)
        elif (own := project_domains() / f"{domain}.tsv").is_file():
            # Scrapyd works in a folder of its own, with domains of its own.
            domain = str(own.resolve())
        spider, argument = request.spider
        arguments = {argument: request.langs, "seeds": str(seeds), "domain": domain}
        settings = {
            **self._settings,
            "CORPUS_DIR": corpus,
            "FRONTIER_MAX_PAGES": request.pages,
            "FRONTIER_MAX_SECONDS": 60 * request.minutes,
            # The log tells how the crawl has ended.
            "LOG_LEVEL": "INFO",
            # The page of the job shows the state that the crawl writes.
            "LOGSTATS_INTERVAL": _STATE_SECONDS,
        }
        return self._scrapyd.schedule(spider, arguments, settings)

    def jobs(self, user: str = "") -> list[Job]:
        """Return the jobs of a user, or of all, the newest first."""
        states = self._scrapyd.states()
        sql = (
            "SELECT name, job, user, request, begun FROM jobs"
            " WHERE ? IN ('', user) ORDER BY begun DESC"
        )
        found = []
        with self._open() as table:
            for name, identity, owner, text, begun in table.rows(sql, (user,)):
                request = JobRequest(**json.loads(text))
                job = Job(name, identity, owner, request, begun)
                state, cause = states.get(job.job, "unknown"), ""
                if state not in {"pending", "running"}:
                    state, cause = self._find_end(job, is_known=state == "finished")
                found.append(replace(job, state=state, cause=cause))
        return found

    def _find_end(self, job: Job, *, is_known: bool) -> tuple[str, str]:
        """Return the state of a job that has ended, and the cause: scrapyd tells neither."""
        if job.job not in self._ends:
            if log := self._scrapyd.read_log(job.request.spider[0], job.job):
                self._ends[job.job] = read_end(log)
            elif self.folder_of(job).exists():
                return "finished", ""  # its log is not kept
            else:
                # Scrapyd forgets a job that it need not begin.
                return (
                    ("failed", "the process left no log")
                    if is_known
                    else ("stopped", "")
                )
        return self._ends[job.job]

    def find(self, name: str, user: str = "") -> Job:
        """Return a job of a user by its name; UnknownJobError for an unknown one."""
        for job in self.jobs(user):
            if job.name == name:
                return job
        raise UnknownJobError(f"{name}: no such job")

    def cancel(self, name: str, user: str = "") -> None:
        """Stop a job; what it has found stays. A second call ends it at once."""
        self._scrapyd.cancel(self.find(name, user).job)

    def remove_old(self) -> list[str]:
        """Remove the corpora of jobs that have ended long ago; return their names."""
        oldest = time.time() - self.limits.kept_days * _DAY_SECONDS
        old = [job for job in self.jobs() if job.begun < oldest]
        gone = [job.name for job in old if not job.is_open]
        for name in gone:
            for folder in (self._folder / name, self._folder / f"{name}.input"):
                shutil.rmtree(folder, ignore_errors=True)
        with self._open() as table:
            table.change("DELETE FROM jobs WHERE name = ?", [(n,) for n in gone])
        return gone


def read_end(log: str) -> tuple[str, str]:
    r"""Return the state in which a crawl has ended, by its log, and the cause of a failure.

    A crawl failed if its command ends with an error, or with no word: it was killed.

    >>> read_end("… INFO: Spider closed (finished)"), read_end("… INFO: Crawled 3 pages")
    (('finished', ''), ('failed', 'the process ended unexpectedly'))
    >>> read_end("… Spider closed (finished)\nilspfc: no seed could be reached: …")
    ('failed', 'no seed could be reached: …')
    """
    closed, errors = _CLOSED_RE.findall(log), _ERROR_RE.findall(log)
    if errors:
        return "failed", errors[-1]
    if "shutdown" in closed or _SIGNAL in log:
        return "stopped", ""
    if not closed or closed[-1].endswith("_error"):
        return "failed", "the process ended unexpectedly"
    return "finished", ""
