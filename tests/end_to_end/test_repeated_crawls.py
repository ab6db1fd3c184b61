"""The same crawl again: in the same folder, in another one, after a kill."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import time
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import pytest
from conftest import SITES, crawl_command
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from conftest import Crawl, Project, Result, Site

    Together = Callable[[Iterable[Callable[[], Result]]], list[Result]]

DATA = ("xml", "duplicates", "pairs", "cesalign", "de-it.tmx")
PAGES = [path.relative_to(SITES / "workshop") for path in SITES.rglob("*.html")]
# Everything that a crawl of the workshop finds; nothing links to its index.html.
URLS = {f"/{page}" for page in PAGES} - {"/index.html"} | {"/"}
KILL_WITHIN_SECONDS = 60.0


@pytest.fixture(scope="module")
def reference(bilingual_crawl: Crawl) -> dict[str, bytes]:
    """The corpus of a crawl with one worker."""
    return CrawledCorpus(bilingual_crawl.corpus).contents(*DATA)


@pytest.fixture
def slow_workshop(workshop: Site) -> Iterator[Site]:
    """The workshop, with a wait before each of its pages."""
    workshop.delay_seconds = 0.4
    yield workshop
    workshop.delay_seconds = 0.0


def test_the_number_of_workers_changes_nothing(
    make_project: Callable[[], Project],
    workshop: Site,
    reference: dict[str, bytes],
    together: Together,
) -> None:
    projects = {workers: make_project() for workers in ("0", "2")}
    results = together(
        partial(
            project.crawl,
            "bilingual",
            {"CORPUS_DIR": "out", "WORKERS": workers},
            langs="de,it",
            domain="demo",
            seeds=workshop.url,
        )
        for workers, project in projects.items()
    )
    assert [result.status for result in results] == [0, 0]
    for project in projects.values():
        assert CrawledCorpus(project.folder / "out").contents(*DATA) == reference


def test_a_second_crawl_into_the_folder_changes_no_document_and_no_pair(
    bilingual_crawl: Crawl, project: Project, workshop: Site
) -> None:
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    before = CrawledCorpus(root).contents(*DATA)
    times = _modification_times(root / "xml")
    requests = len(workshop.requests)
    result = project.crawl(
        "bilingual",
        {"CORPUS_DIR": "out"},
        langs="de,it",
        domain="demo",
        seeds=workshop.url,
    )
    assert result.status == 0
    corpus = CrawledCorpus(root)
    assert corpus.contents(*DATA) == before
    assert _modification_times(root / "xml") == times
    assert workshop.requests[requests:] == []  # there was nothing left to visit
    assert corpus.stats["fetch/pages"] == 17
    assert "17 pages fetched" in corpus.report_text()
    assert "nothing new was exported; no page asked for again" in result.stdout


def test_a_killed_crawl_goes_on_and_loses_nothing(
    project: Project, slow_workshop: Site, reference: dict[str, bytes]
) -> None:
    root = project.folder / "out"
    command = _crawl_of(slow_workshop)
    requests = len(slow_workshop.requests)

    def is_halfway() -> bool:
        is_begun = len(list(root.glob("xml/*.xml"))) >= 3
        return is_begun and _count_rows(root / "frontier.db", "urls") == len(URLS)

    _kill_when(project.start(*command), is_halfway)
    assert 3 <= len(CrawledCorpus(root).contents("xml")) < 14
    assert not (root / "pairs").exists()
    [opened] = (root / "warc").iterdir()
    assert opened.name.endswith(".warc.gz.open")
    # As if the kill had hit in the middle of a record.
    opened.write_bytes(opened.read_bytes()[:-40])

    slow_workshop.delay_seconds = 0.0
    assert project.run(*command).status == 0
    corpus = CrawledCorpus(root)
    assert corpus.contents(*DATA) == reference
    assert corpus.check_archive() == (0, "", "")
    assert len(list((root / "warc").iterdir())) == 2
    assert corpus.stats["fetch/pages"] == 17
    assert corpus.stats["export/documents"] == 13
    # Only what was under way, and what the last second had done, is fetched again.
    fetched = Counter(slow_workshop.requests[requests:])
    del fetched["/robots.txt"]
    del fetched["/.well-known/tdmrep.json"]
    del fetched["/sitemap.xml"]
    assert fetched.keys() == URLS - {"/intern/termine.html"}
    assert max(fetched.values()) <= 2
    assert sum(fetched.values()) < 17 + 10


def test_the_links_of_a_page_outlive_a_kill(
    project: Project, slow_workshop: Site
) -> None:
    root = project.folder / "out"
    slow_workshop.delay_seconds = 1.5
    command = _crawl_of(slow_workshop)
    _kill_when(
        project.start(*command),
        lambda: _count_rows(root / "corpus.db", "pages") == 1,
        then_wait_seconds=0.3,
    )
    slow_workshop.delay_seconds = 0.0
    assert project.run(*command).status == 0
    assert CrawledCorpus(root).stats["fetch/pages"] == 17


def _crawl_of(site: Site) -> list[str]:
    settings = {"CORPUS_DIR": "out", "CONCURRENT_REQUESTS_PER_DOMAIN": "2"}
    return crawl_command(
        "bilingual", settings, langs="de,it", domain="demo", seeds=site.url
    )


def _kill_when(
    process: subprocess.Popen[str],
    is_time: Callable[[], bool],
    *,
    then_wait_seconds: float = 0.0,
) -> None:
    """Kill a process, with no chance to tidy up, when a condition has come true."""
    deadline = time.monotonic() + KILL_WITHIN_SECONDS
    with process:
        while not is_time():
            assert time.monotonic() < deadline, "the time to kill did not come"
            assert process.poll() is None, "the crawl ended too soon"
            time.sleep(0.02)
        time.sleep(then_wait_seconds)
        process.kill()
        process.communicate()
    assert process.returncode == -signal.SIGKILL


def _count_rows(database: Path, table: str) -> int:
    """Return the number of rows that a kill would leave in a table."""
    try:
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return 0
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        connection.close()


def _modification_times(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
