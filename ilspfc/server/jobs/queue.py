"""Jobs that users have asked for: limits, folders, state, removal after a time."""

from __future__ import annotations

import json
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.database import Database
from ilspfc.exceptions import ArgumentError, IlspfcError
from ilspfc.server.jobs.request import JobRequest, Limits

if TYPE_CHECKING:
    from ilspfc.server.jobs.scrapyd import Scrapyd

_DAY_SECONDS = 86_400
_OPEN = ("pending", "running")
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
    """Job of a user: its corpus is the folder of its name."""

    name: str
    job: str
    user: str
    request: JobRequest
    begun: float
    state: str = "unknown"


class _JobTable(Database):
    kind = "list of jobs"
    remedy = "delete it: the corpora of the jobs stay in their folders"
    error_type = IlspfcError

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.executescript(_SCHEMA)


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
            with self._open() as table, table.transaction() as connection:
                row = (name, identity, user, json.dumps(asdict(request)), job.begun)
                connection.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?)", row)
        return job

    def resume(self, name: str, user: str = "") -> None:
        """Go on with a job that was stopped or has reached its limits, by as much again."""
        with self._starting:
            job = self.find(name, user)
            if job.state in _OPEN:
                raise ArgumentError(f"{name}: is under way")
            self._check_room(job.user)
            identity = self._schedule(name, job.request)
            with self._open() as table, table.transaction() as connection:
                sql = "UPDATE jobs SET job = ?, begun = ? WHERE name = ?"
                connection.execute(sql, (identity, time.time(), name))

    def _check_room(self, user: str) -> None:
        """Raise ArgumentError where a user, or all users, have as many jobs as they may."""
        waiting = [job for job in self.jobs() if job.state in _OPEN]
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
        spider, argument = request.spider
        arguments = {argument: request.langs, "seeds": str(seeds), "domain": domain}
        settings = {
            **self._settings,
            "CORPUS_DIR": corpus,
            "FRONTIER_MAX_PAGES": request.pages,
            "FRONTIER_MAX_SECONDS": 60 * request.minutes,
        }
        return self._scrapyd.schedule(spider, arguments, settings)

    def jobs(self, user: str = "") -> list[Job]:
        """Return the jobs of a user, or of all, the newest first."""
        states = self._scrapyd.states()
        with self._open() as table:
            rows = list(
                table.rows(
                    "SELECT name, job, user, request, begun FROM jobs"
                    " WHERE ? IN ('', user) ORDER BY begun DESC",
                    (user,),
                )
            )
        return [
            Job(
                name,
                job,
                owner,
                JobRequest(**json.loads(request)),
                begun,
                # Scrapyd forgets old jobs.
                states.get(job, "finished"),
            )
            for name, job, owner, request, begun in rows
        ]

    def find(self, name: str, user: str = "") -> Job:
        """Return a job of a user by its name; ArgumentError for an unknown one."""
        for job in self.jobs(user):
            if job.name == name:
                return job
        raise ArgumentError(f"{name}: no such job")

    def cancel(self, name: str, user: str = "") -> None:
        """Stop a job; what it has found stays. A second call ends it at once."""
        self._scrapyd.cancel(self.find(name, user).job)

    def remove_old(self) -> list[str]:
        """Remove the corpora of jobs that have ended long ago; return their names."""
        oldest = time.time() - self.limits.kept_days * _DAY_SECONDS
        old = [job for job in self.jobs() if job.begun < oldest]
        gone = [job.name for job in old if job.state not in _OPEN]
        for name in gone:
            for folder in (self._folder / name, self._folder / f"{name}.input"):
                shutil.rmtree(folder, ignore_errors=True)
        with self._open() as table, table.transaction() as connection:
            connection.executemany(
                "DELETE FROM jobs WHERE name = ?", [(n,) for n in gone]
            )
        return gone
