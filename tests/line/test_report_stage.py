"""The report stage and the components that show its data: samples, unreached seeds, progress."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from pages_under_way import PartialJob
from report_examples import bilingual_report, empty_report
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.statscollectors import MemoryStatsCollector

from ilspfc.commands.crawl import _report, describe_unreached
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.extensions import progress
from ilspfc.line.report import collect_report, run_report
from ilspfc.pipelines.pairing import PairingPipeline
from ilspfc.report.data import RecrawlCounts, SeedStatus

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.report.data import ReportData

SEEDS = ("HTTPS://Example.org", "https://example.org/a", "https://example.org/b")
RUN = {
    "spider": "monolingual",
    "langs": ["deu"],
    "domain": "demo",
    "seeds": SEEDS,
    "warc": [],
    "stats": {"fetch/revisits": 3, "fetch/gone": 1, "frontier/dropped/trap_barren": 7},
}


def report_of(root: Path, runs: int = 1) -> ReportData:
    """Run the report stage over a corpus without documents, with two seeds that failed."""
    files = CorpusFiles(root)
    files.root.mkdir(exist_ok=True)
    with CorpusIndex(files.index) as index:
        for _ in range(runs):
            index.add_run(RUN)
        for url, cause in (("https://example.org/", "HTTP 500"), (SEEDS[1], "")):
            index.add_failure(url, "example.org", "http_error", cause, is_seed=True)
    with open_corpus(root, Settings()) as corpus:
        return run_report(corpus)


def unreached(*seeds: SeedStatus, **changes: Any) -> str:
    return describe_unreached(replace(empty_report("deu"), seeds=seeds, **changes))


def test_the_stage_writes_its_files_and_returns_their_data(tmp_path: Path) -> None:
    data = report_of(tmp_path)
    assert data.title == "German: demo"
    assert data.dropped == {"fetch/http_error": 2, "frontier/trap_barren": 7}
    stats = json.loads((tmp_path / "stats.json").read_text("utf-8"))
    assert stats["frontier/dropped/trap_barren"] == 7
    assert (stats["fetch/dropped/http_error"], stats["fetch/pages"]) == (2, 0)
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    assert manifest["title"] == data.title
    assert manifest["files"].keys() == {"report.html", "stats.json"}
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "2 of 3 seeds were not reached" in page


def test_a_seed_is_found_whatever_its_spelling(tmp_path: Path) -> None:
    assert report_of(tmp_path).seeds == (
        SeedStatus("HTTPS://Example.org", False, "HTTP 500"),
        SeedStatus("https://example.org/a", False, "fetch/http_error"),
        SeedStatus("https://example.org/b", True),
    )


def test_only_a_run_over_an_earlier_corpus_has_counts_of_its_own(
    tmp_path: Path,
) -> None:
    assert report_of(tmp_path / "first").recrawl is None
    counts = RecrawlCounts(revisits=3, gone=1)
    assert report_of(tmp_path / "second", runs=2).recrawl == counts


def test_a_crawl_collects_its_report_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report_of(tmp_path)
    collected: list[ReportData] = []

    def collect(corpus: Corpus) -> ReportData:
        collected.append(collect_report(corpus))
        return collected[-1]

    monkeypatch.setattr("ilspfc.line.report.collect_report", collect)
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    crawler: Any = SimpleNamespace(settings=settings)
    crawler.stats = MemoryStatsCollector(SimpleNamespace(settings=settings))  # type: ignore[arg-type]
    job: Any = SimpleNamespace(files=CorpusFiles(tmp_path), report=None)
    PairingPipeline(crawler)._run_guarded(job)
    assert crawler.stats.get_value("stage_failed") is None
    assert [job.report] == collected
    assert collected[0].finished


def test_a_crawl_without_the_report_stage_has_its_data_all_the_same(
    tmp_path: Path,
) -> None:
    data = report_of(tmp_path)
    assert _report(tmp_path, Settings(), "pairing") == data


def test_no_error_once_a_page_was_reached() -> None:
    assert describe_unreached(bilingual_report()) == ""


def test_unreached_seeds_stand_together_by_cause() -> None:
    text = unreached(
        SeedStatus("https://a.example/", False, "fetch/robots"),
        SeedStatus("https://b.example/", False, "name not found"),
        SeedStatus("https://c.example/", False, "fetch/robots"),
    )
    assert text == (
        "no seed could be reached: https://a.example/, https://c.example/ (forbidden by"
        " robots.txt); https://b.example/ (name not found); check the seeds and the"
        " network connection"
    )


def test_a_crawl_that_ended_before_its_first_page_has_reached_no_seed(
    tmp_path: Path,
) -> None:
    with CorpusIndex(CorpusFiles(tmp_path).index) as index:
        index.add_run(RUN)
    with open_corpus(tmp_path, Settings()) as corpus:
        data = collect_report(corpus)
    assert data.unreached_seeds == data.seeds
    assert "(no answer before the crawl ended)" in describe_unreached(data)


def test_archives_without_pages_are_named() -> None:
    text = unreached(arguments={"warc": "a.warc, b.warc"})
    assert text.startswith("no page could be read from a.warc, b.warc;")
    seed = SeedStatus("https://a.example/", False, "fetch/not_archived")
    text = unreached(seed, arguments={"warc": "a.warc"})
    assert "https://a.example/ (not in the archive)" in text


# -- progress ----------------------------------------------------------------------------


def make_crawler(stats: dict[str, int], seconds: float) -> Any:
    """Return the parts of a crawler that the progress looks at."""
    pace = SimpleNamespace(seconds_left=None)
    frontier = SimpleNamespace(queued=4, away=0, pace=pace)
    return SimpleNamespace(
        spider=SimpleNamespace(job=PartialJob(), frontier=frontier),
        settings=Settings({"LOGSTATS_INTERVAL": seconds}),
        signals=SignalManager(),
        stats=SimpleNamespace(get_value=stats.get),
    )


async def show_progress(seconds: float, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines of progress of a crawl that fetches three pages."""
    stats = {"fetch/pages": 0}
    stream = StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    shown = progress.Progress.from_crawler(make_crawler(stats, seconds))
    shown.start()
    for _ in range(3):
        stats["fetch/pages"] += 1
        await asyncio.sleep(0.15)
    shown.stop()
    return stream.getvalue().splitlines()


def test_progress_is_off_at_zero_seconds() -> None:
    with pytest.raises(NotConfigured, match="no progress is shown"):
        progress.Progress.from_crawler(make_crawler({}, 0))


@pytest.mark.parametrize(("seconds", "fewest"), [(0.05, 3), (60, 1)])
def test_progress_is_shown_at_the_interval_asked_for(
    seconds: float, fewest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = asyncio.run(show_progress(seconds, monkeypatch))
    assert len(lines) == 1 if fewest == 1 else len(lines) >= fewest
    assert lines[-1].startswith("3 pages done, 0 documents, 4 queued, ")
