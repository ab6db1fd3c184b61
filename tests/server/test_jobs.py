"""Jobs of the web application: checks, limits, a crawl in a scrapyd of its own."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import BaseSettings
from small_corpus import SmallCorpus
from starlette.testclient import TestClient

from ilspfc import settings as defaults
from ilspfc.corpus.counts import count_corpus
from ilspfc.exceptions import ArgumentError, CorpusLockedError
from ilspfc.frontier.store.candidates import Candidate
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.server.application import make_application
from ilspfc.server.jobs.queue import Job, JobQueue
from ilspfc.server.jobs.request import JobRequest, Limits
from ilspfc.server.jobs.scrapyd import Scrapyd, ScrapydError, run_scrapyd
from ilspfc.server.library import Library

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conftest import Site

GOOD = JobRequest("de,it", "https://www.example.org/ https://example.com/")
TERMS = "weight\tterm\tsubdomain\tlang\n10\tMaschine\tmachines\tde\n10\tmacchina\tmachines\tit\n"


class FakeScrapyd(Scrapyd):
    """Scrapyd without a server: remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Mapping[str, str], Mapping[str, object]]] = []
        self.cancelled: list[str] = []
        self.state = "running"
        self.log = "INFO: Spider closed (finished)"
        self.logs_read = 0

    def schedule(
        self, spider: str, arguments: Mapping[str, str], settings: Mapping[str, object]
    ) -> str:
        self.told.append((spider, arguments, settings))
        return f"job{len(self.told)}"

    def states(self) -> dict[str, str]:
        return {f"job{n}": self.state for n in range(1, len(self.told) + 1)}

    def read_log(self, spider: str, job: str) -> str:
        self.logs_read += 1
        return self.log

    def cancel(self, job: str) -> None:
        self.cancelled.append(job)


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"langs": "de"}, "", ""),
        ({"terms": TERMS}, "", ""),
        ({"langs": "de,german"}, "langs", "German is de"),
        ({"langs": ""}, "langs", "a language needed"),
        ({"seeds": ""}, "seeds", "give addresses, one a line"),
        ({"seeds": "/etc/passwd"}, "seeds", "write it as https"),
        ({"seeds": "ftp://example.org/"}, "seeds", "https://www.example.org/"),
        (
            {"seeds": "https://a.org/1 https://a.org/2 https://a.org/3"},
            "seeds",
            "3; give 2",
        ),
        ({"terms": "10: \n"}, "terms", "line"),
        ({"domain": "../secret.tsv"}, "domain", "no such domain"),
        ({"domain": "bees"}, "domain", "known are"),
        ({"pages": 501}, "pages", "a number from 1 to 500"),
        ({"minutes": 0}, "minutes", "a number from 1 to 30"),
    ],
)
def test_errors_are_told_by_field(
    changes: dict[str, object], field: str, message: str
) -> None:
    values = {"langs": GOOD.langs, "seeds": GOOD.seeds, **changes}
    errors = JobRequest.read(values).find_errors(Limits(seeds=2))
    assert list(errors) == ([field] if field else [])
    assert message in errors.get(field, "")


def test_unknown_fields_and_words_for_numbers_are_refused() -> None:
    with pytest.raises(ArgumentError, match="GUARD_ALLOW: no such field"):
        JobRequest.read({"GUARD_ALLOW": "0.0.0.0/0"})
    with pytest.raises(ArgumentError, match="pages: 'many' is no whole number"):
        JobRequest.read({"pages": "many"})


def test_values_that_no_form_has_are_refused() -> None:
    values: list[object] = [None, [], {"de": "it"}, 1.5]
    for value in values:
        with pytest.raises(ArgumentError, match="seeds: neither text nor a number"):
            JobRequest.read({"seeds": value})
    for name, limit in (("langs", 200), ("seeds", 100_000), ("domain", 100)):
        JobRequest.read({name: "x" * limit})
        with pytest.raises(ArgumentError, match=f"{name}: .* give {limit:,} at most"):
            JobRequest.read({name: "x" * limit + "y"})


@pytest.fixture
def scrapyd() -> FakeScrapyd:
    return FakeScrapyd()


def make_queue(folder: Path, scrapyd: Scrapyd, **limits: int) -> JobQueue:
    contact = {"FETCH_CONTACT": "me@example.org"}
    return JobQueue(folder, scrapyd, Limits(**limits), contact)


def test_a_job_has_files_and_settings_of_its_own(
    tmp_path: Path, scrapyd: FakeScrapyd
) -> None:
    queue = make_queue(tmp_path, scrapyd)
    job = queue.start("anna", JobRequest("de,it", GOOD.seeds, TERMS, pages=7))
    ((spider, arguments, settings),) = scrapyd.told
    assert (spider, arguments["langs"]) == ("bilingual", "de,it")
    seeds = Path(arguments["seeds"]).read_text("utf-8").split()
    assert seeds == GOOD.urls
    assert "macchina" in Path(arguments["domain"]).read_text("utf-8")
    assert settings == {
        "FETCH_CONTACT": "me@example.org",
        "CORPUS_DIR": queue.folder_of(job),
        "FRONTIER_MAX_PAGES": 7,
        "FRONTIER_MAX_SECONDS": 600,
        "LOG_LEVEL": "INFO",
        "LOGSTATS_INTERVAL": 5,
    }
    assert [one.state for one in queue.jobs("anna")] == ["running"]
    assert queue.jobs("ben") == []
    with pytest.raises(ArgumentError, match="no such job"):
        queue.cancel(job.name, "ben")
    queue.cancel(job.name, "anna")
    assert scrapyd.cancelled == ["job1"]


def test_a_job_has_the_numbers_of_its_corpus_and_frontier(
    tmp_path: Path, scrapyd: FakeScrapyd
) -> None:
    queue = make_queue(tmp_path, scrapyd)
    job = queue.start("local", GOOD)
    small = SmallCorpus(queue.folder_of(job))
    small.add("d1", "deu", ["Die Bienen fliegen im Sommer."])
    with closing(SQLiteStore(small.files.frontier)) as store:
        for number in range(12):
            store.push(Candidate.of(f"http://{number}.org/", 1.0))
    with small.open() as corpus:
        settings, counted = corpus.settings, count_corpus(corpus.index, corpus.langs)
    application = make_application(Library([], settings), queue, token="secret")
    with TestClient(application, base_url="http://127.0.0.1:8080") as client:
        client.headers["authorization"] = "Bearer secret"
        told = client.get(f"/api/jobs/{job.name}").json()
        now = datetime.now(UTC).isoformat()
        status = {"state": "crawling", "pages_per_second": 2.5, "updated": now}
        small.files.status.write_text(json.dumps(status), "utf-8")
        page = client.get("/").text
        application.state.user_header = "X-Remote-User"
        assert f"/jobs/{job.name}" not in client.get("/").text
    # The list of corpora has the crawl with its rate.
    assert f'href="/jobs/{job.name}"' in page
    assert "crawling, 2.5 pages a second" in page
    assert 'hx-trigger="every 3s"' in page
    assert (told["pages"], told["kept"]) == (
        counted.pages_fetched,
        counted.document_count,
    )
    assert told["kept"] == 1
    assert told["queued"] == 12


@pytest.mark.parametrize(
    ("limit", "state", "text"),
    [
        (None, {}, "Running: fetching pages."),
        (None, {"state": "alignment"}, "Running: aligning segments."),
        (None, {"state": "finished"}, "Ended."),
        ("pages", {"state": "finished"}, "Ended at the limit of pages."),
        ("seconds", {"state": "finished"}, "Ended at the limit of minutes."),
        (
            "pages",
            {"state": "stopped", "reason": "interrupted in alignment"},
            "Stopped: interrupted in alignment.",
        ),
    ],
)
def test_a_job_says_what_it_does_and_why_it_has_ended(
    limit: str | None,
    state: dict[str, str],
    text: str,
    tmp_path: Path,
    scrapyd: FakeScrapyd,
) -> None:
    queue = make_queue(tmp_path, scrapyd)
    job = queue.start("local", GOOD)
    values = {name: v for name, v in vars(defaults).items() if name.isupper()}
    library = Library([], BaseSettings(values))
    application = make_application(library, queue, token="secret")
    with TestClient(application, base_url="http://127.0.0.1:8080") as client:
        client.headers["authorization"] = "Bearer secret"
        assert "Running: starting." in client.get(f"/jobs/{job.name}").text
        small = SmallCorpus(queue.folder_of(job))
        small.add("d1", "deu", ["Die Bienen fliegen im Sommer."])
        with small.open() as corpus:
            corpus.index.add_run({"langs": ["deu"]})
            stats = {"frontier/limit_reached": limit}
            corpus.index.finish_run({"stats": stats})
        small.files.status.write_text(json.dumps(state))
        if not text.startswith("Running"):
            scrapyd.state = "finished"
        assert text in client.get(f"/jobs/{job.name}").text


def test_a_job_goes_on_where_it_was(tmp_path: Path, scrapyd: FakeScrapyd) -> None:
    queue = make_queue(tmp_path, scrapyd, jobs_of_user=1)
    job = queue.start("anna", GOOD)
    with pytest.raises(ArgumentError, match="is under way"):
        queue.resume(job.name, "anna")
    scrapyd.state = "finished"
    queue.resume(job.name, "anna")
    first, second = (settings["CORPUS_DIR"] for _, _, settings in scrapyd.told)
    assert first == second
    assert [one.job for one in queue.jobs("anna")] == ["job2"]
    with pytest.raises(ArgumentError, match="no such job"):
        queue.resume(job.name, "ben")


REFUSED = "ilspfc: no seed could be reached: https://a.org/ (refused)"


@pytest.mark.parametrize(
    ("log", "state", "cause"),
    [
        ("INFO: Spider closed (finished)\nGerman: 3 pages", "finished", ""),
        ("INFO: Spider closed (max_pages)", "finished", ""),
        ("INFO: Spider closed (shutdown)", "stopped", ""),
        ("INFO: Received SIGINT twice, forcing unclean shutdown", "stopped", ""),
        (f"INFO: Spider closed (finished)\n{REFUSED}\n", "failed", REFUSED[8:]),
        ("ilspfc: lang=xx: no such language\n", "failed", "lang=xx: no such language"),
        (
            "INFO: Spider closed (start_error)",
            "failed",
            "the process ended unexpectedly",
        ),
        ("INFO: Crawled 12 pages", "failed", "the process ended unexpectedly"),
    ],
)
def test_the_end_of_a_job_is_read_from_its_log(
    log: str, state: str, cause: str, tmp_path: Path, scrapyd: FakeScrapyd
) -> None:
    queue = make_queue(tmp_path, scrapyd)
    queue.start("anna", GOOD)
    scrapyd.state, scrapyd.log = "finished", log
    for _ in range(2):
        (job,) = queue.jobs()
        assert (job.state, job.cause, job.is_open) == (state, cause, False)
    assert scrapyd.logs_read == 1


def test_a_job_without_a_log_is_told_by_its_folder(
    tmp_path: Path, scrapyd: FakeScrapyd
) -> None:
    queue = make_queue(tmp_path, scrapyd)
    job = queue.start("anna", GOOD)
    scrapyd.state, scrapyd.log = "finished", ""
    assert queue.find(job.name).state == "failed"
    scrapyd.state = "forgotten"
    assert queue.find(job.name).state == "stopped"  # before it began
    queue.folder_of(job).mkdir()
    assert queue.find(job.name).state == "finished"


def test_limits_of_a_user_and_of_all(tmp_path: Path, scrapyd: FakeScrapyd) -> None:
    queue = make_queue(tmp_path, scrapyd, jobs_of_user=1, jobs=2)
    queue.start("anna", GOOD)
    with pytest.raises(ArgumentError, match="1 of your jobs are under way"):
        queue.start("anna", GOOD)
    queue.start("ben", GOOD)
    with pytest.raises(ArgumentError, match="2 jobs are waiting; try again later"):
        queue.start("eva", GOOD)
    scrapyd.state = "finished"
    queue.start("anna", GOOD)


def test_limits_hold_for_requests_at_once(
    tmp_path: Path, scrapyd: FakeScrapyd, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = make_queue(tmp_path, scrapyd, jobs_of_user=2)
    known = queue.jobs

    def look_slowly(user: str = "") -> list[Job]:
        found = known(user)
        time.sleep(0.05)
        return found

    monkeypatch.setattr(queue, "jobs", look_slowly)
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(queue.start, "anna", GOOD) for _ in range(8)]
    refused = [future.exception() for future in futures if future.exception()]
    assert len(scrapyd.told) == 2
    assert {type(error) for error in refused} == {ArgumentError}


def test_old_jobs_are_removed(
    tmp_path: Path, scrapyd: FakeScrapyd, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = make_queue(tmp_path, scrapyd, kept_days=7)
    job = queue.start("anna", GOOD)
    queue.folder_of(job).mkdir()
    begun = job.begun
    monkeypatch.setattr(time, "time", lambda: begun + 8 * 86_400)
    assert queue.remove_old() == []  # it runs
    scrapyd.state = "finished"
    assert queue.remove_old() == [job.name]
    assert not queue.folder_of(job).exists()
    assert queue.jobs() == []


def test_a_scrapyd_that_does_not_answer_is_told() -> None:
    with pytest.raises(ScrapydError, match=r"127\.0\.0\.1:9: scrapyd does not answer"):
        Scrapyd("http://127.0.0.1:9").states()


@pytest.mark.skipif(not find_spec("scrapyd"), reason="scrapyd is not installed")
def test_a_job_crawls_in_a_scrapyd_of_its_own(tmp_path: Path, workshop: Site) -> None:
    settings = {
        "GUARD_ALLOW": "127.0.0.0/8",
        "DOWNLOAD_DELAY": 0,
        "FETCH_CONTACT": "me@example.org",
        "WORKERS": 0,  # tests/test_scrapyd.py has a job with one
    }
    with run_scrapyd(tmp_path / "scrapyd", processes=1) as scrapyd:
        with (
            pytest.raises(CorpusLockedError, match=r"scrapyd: process \d+ is writing"),
            run_scrapyd(tmp_path / "scrapyd", processes=1),
        ):
            pass
        queue = JobQueue(tmp_path / "jobs", scrapyd, Limits(), settings)
        job = queue.start("anna", JobRequest("de,it", workshop.url, pages=15))
        deadline = time.monotonic() + 300
        lost = queue.start("anna", JobRequest("de", "http://127.0.0.1:9/"))
        while any(one.is_open for one in queue.jobs()):
            assert time.monotonic() < deadline
            time.sleep(0.5)
        assert queue.find(job.name).state == "finished"
        found = queue.find(lost.name)
        assert found.state == "failed"
        assert found.cause.startswith("no seed could be reached: http://127.0.0.1:9/")
        assert (queue.folder_of(job) / "report.html").is_file()
