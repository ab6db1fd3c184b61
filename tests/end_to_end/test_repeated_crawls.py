"""The same crawl again: in the same folder, in another one, after a kill."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from conftest import SITES, crawl_command
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Crawl, Project, Result, Site
    from forked_scrapy import ScrapyRun

    Together = Callable[[Iterable[Callable[[], Result]]], list[Result]]

pytestmark = pytest.mark.slow

DATA = ("xml", "duplicates", "pairs", "cesalign", "de-it.tmx")
WORKSHOP = SITES / "workshop"
PAGES = [path.relative_to(WORKSHOP) for path in WORKSHOP.rglob("*.html")]
# Everything that a crawl of the workshop finds; nothing links to its index.html.
URLS = {f"/{page}" for page in PAGES} - {"/index.html"} | {"/"}
KILL_WITHIN_SECONDS = 300.0
# Pages that were asked for when a crawl is killed: drawn once, the same at every run.
KILL_MOMENTS = sorted(random.Random(7).sample(range(3, 16), 2))


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
    """Nor do the hashes of strings, which each process has of its own."""
    forked, started = make_project(), make_project()
    results = together(
        [
            partial(forked.run, *_crawl_of(workshop, WORKERS="0")),
            partial(started.run_process, *_crawl_of(workshop, WORKERS="2")),
        ]
    )
    assert [result.status for result in results] == [0, 0]
    for project in (forked, started):
        assert CrawledCorpus(project.folder / "out").contents(*DATA) == reference


def test_a_second_crawl_into_the_folder_changes_no_document_and_no_pair(
    bilingual_crawl: Crawl, project: Project, workshop: Site
) -> None:
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    before = CrawledCorpus(root).contents(*DATA)
    times = _modification_times(root / "xml")
    requests = len(workshop.requests)
    result = project.run(*_crawl_of(workshop))
    assert result.status == 0
    corpus = CrawledCorpus(root)
    assert corpus.contents(*DATA) == before
    assert _modification_times(root / "xml") == times
    assert workshop.requests[requests:] == []  # there was nothing left to visit
    assert corpus.stats["fetch/pages"] == 17
    assert "17 pages fetched" in corpus.report_text()
    assert "nothing new was exported; no page asked for again" in result.stdout


def test_what_a_power_cut_has_taken_is_fetched_again(
    bilingual_crawl: Crawl,
    project: Project,
    workshop: Site,
    reference: dict[str, bytes],
) -> None:
    """A page that the index does not know any more, and a document without content."""
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    with closing(sqlite3.connect(root / "corpus.db")) as index, index:
        sql = "SELECT id, file, url FROM documents WHERE duplicate_of = '' ORDER BY id"
        (lost, lost_file, lost_url), (_, emptied, url), *_ = index.execute(sql)
        index.execute("DELETE FROM documents WHERE id = ?", (lost,))
        index.execute("DELETE FROM pages WHERE id = ?", (lost,))
    (root / "xml" / lost_file).unlink()
    (root / "xml" / emptied).write_bytes(b"")
    requests = len(workshop.requests)
    assert project.run(*_crawl_of(workshop, WORKERS="0")).status == 0
    assert CrawledCorpus(root).contents(*DATA) == reference
    asked = [path for path in workshop.requests[requests:] if path.endswith(".html")]
    assert sorted(asked) == sorted(urlsplit(one).path for one in (lost_url, url))


def test_a_killed_crawl_goes_on_and_loses_nothing(
    project: Project, slow_workshop: Site, reference: dict[str, bytes]
) -> None:
    """Killed again and again, it fetches the pages anew that were leased, and no others."""
    root = project.folder / "out"
    command = _crawl_of(slow_workshop, CONCURRENT_REQUESTS_PER_DOMAIN="2")
    visits = _Visits(slow_workshop)
    for moment in KILL_MOMENTS:
        _kill_when(project.start(*command), partial(visits.are_as_many_as, moment))
        assert not (root / "pairs").exists()
        visits.interrupt(leased=_leased(root / "frontier.db"))
        [opened] = (root / "warc").glob("*.warc.gz.open")
        # As if the kill had hit in the middle of a record.
        opened.write_bytes(opened.read_bytes()[:-40])

    slow_workshop.delay_seconds = 0.0
    assert project.run(*command).status == 0
    corpus = CrawledCorpus(root)
    assert corpus.contents(*DATA) == reference
    assert corpus.check_archive() == (0, "", "")
    assert len(list((root / "warc").iterdir())) == 1 + len(KILL_MOMENTS)
    assert corpus.stats["fetch/pages"] == 17
    assert corpus.stats["export/documents"] == 13
    visits.interrupt(leased=set())
    assert visits.before == URLS - {"/intern/termine.html"}
    assert visits.again_without_lease == set()


def test_the_links_of_a_page_outlive_a_kill(
    project: Project, slow_workshop: Site
) -> None:
    root = project.folder / "out"
    slow_workshop.delay_seconds = 1.0
    command = _crawl_of(slow_workshop, CONCURRENT_REQUESTS_PER_DOMAIN="2", WORKERS="0")
    _kill_when(
        project.start(*command),
        lambda: _count_rows(root / "corpus.db", "pages") == 1,
        then_wait_seconds=0.3,
    )
    slow_workshop.delay_seconds = 0.0
    assert project.run(*command).status == 0
    assert CrawledCorpus(root).stats["fetch/pages"] == 17


class _Visits:
    """The pages that a site is asked for, from one kill to the next."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._from = len(site.requests)
        self._owed: set[str] = set()  # leased at a kill, and not visited since
        self.before: set[str] = set()
        self.again_without_lease: set[str] = set()

    def now(self) -> set[str]:
        return URLS.intersection(self._site.requests[self._from :])

    def are_as_many_as(self, pages: int) -> bool:
        return len(self.before | self.now()) >= pages

    def interrupt(self, *, leased: set[str]) -> None:
        self.again_without_lease |= (self.now() & self.before) - self._owed
        self._owed = (self._owed - self.now()) | leased
        self.before |= self.now()
        self._from = len(self._site.requests)


def _leased(database: Path) -> set[str]:
    """Return the paths of the pages that a killed crawl was visiting."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT url FROM urls WHERE state = 'leased'")
        return {urlsplit(url).path for (url,) in rows}


def _crawl_of(site: Site, **settings: str) -> list[str]:
    """Return the command line of the reference's crawl, with other settings."""
    given = {"CORPUS_DIR": "out", "WORKERS": "1", **settings}
    return crawl_command(
        "bilingual", given, langs="de,it", domain="demo", seeds=site.url
    )


def _kill_when(
    process: ScrapyRun,
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
