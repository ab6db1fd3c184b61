"""The pipelines of single pages: each counts, and drops by the verdict of its stage."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from pages_under_way import ID, URL, make_crawler, make_page
from scrapy.exceptions import DropItem

from ilspfc.classification.relevance import ClassificationReason
from ilspfc.cleaning.page import CleaningReason
from ilspfc.corpus.index import CorpusIndex
from ilspfc.crawl.fetched_page import PageWork
from ilspfc.documents import Document, Paragraph
from ilspfc.extensions.ledger import PageLedger
from ilspfc.frontier.traps.seen_text import read_keys
from ilspfc.language.identification import LanguageReason
from ilspfc.optout.policy import OptOutReason
from ilspfc.pipelines.classification import ClassificationPipeline
from ilspfc.pipelines.cleaning import CleaningPipeline
from ilspfc.pipelines.export import ExportPipeline
from ilspfc.pipelines.language import LanguagePipeline
from ilspfc.pipelines.optout import OptOutPipeline
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ilspfc.crawl.fetched_page import FetchedPage
    from ilspfc.pipelines.stage import StagePipeline

REASONS: dict[type[StagePipeline], StrEnum] = {
    OptOutPipeline: OptOutReason.RESERVED,
    LanguagePipeline: LanguageReason.OTHER_LANGUAGE,
    ClassificationPipeline: ClassificationReason.OFF_TOPIC,
}


def process(pipeline: Any, item: object) -> object:
    result = pipeline.process_item(item)
    return asyncio.run(result) if asyncio.iscoroutine(result) else result


def stat(crawler: Crawler, name: str) -> object:
    return crawler.stats.get_value(name)


@pytest.mark.parametrize("kind", REASONS)
def test_a_pipeline_drops_by_the_verdict_of_its_stage_alone(
    kind: type[StagePipeline], tmp_path: Path
) -> None:
    crawler, reason = make_crawler(tmp_path), REASONS[kind]
    pipeline = kind.from_crawler(crawler)
    for page in (make_page(), make_page(**{kind.stage: None}), make_page(a=reason)):
        assert process(pipeline, page) is page
        assert page.drop == ""
    page = make_page(**{kind.stage: reason})
    with pytest.raises(DropItem) as dropped:
        process(pipeline, page)
    assert dropped.value.log_level == "DEBUG", "no line in the log"
    assert page.drop == f"{kind.stage}/{reason}"
    assert stat(crawler, f"{kind.stage}/dropped/{reason}") == 1


@pytest.mark.parametrize("kind", [CleaningPipeline, ExportPipeline, *REASONS])
def test_items_of_other_kinds_pass(kind: type[StagePipeline], tmp_path: Path) -> None:
    item = {"title": "a spider of the user's"}
    assert process(kind.from_crawler(make_crawler(tmp_path)), item) is item


def test_reserved_pages_are_counted_whether_they_are_dropped_or_recorded(
    tmp_path: Path,
) -> None:
    crawler = make_crawler(tmp_path)
    page = make_page(optout=None)
    assert page.document is not None
    page.document.is_reserved = True
    process(OptOutPipeline.from_crawler(crawler), page)
    assert stat(crawler, "optout/reserved_pages") == 1


# -- cleaning ----------------------------------------------------------------------------


def answer(work: PageWork) -> SimpleNamespace:
    """Return workers that answer each call alike."""

    async def measure_prepared(*_: object) -> tuple[PageWork, float]:
        return work, 0.1

    return SimpleNamespace(measure_prepared=measure_prepared)


def test_cleaning_takes_over_the_document_of_the_worker(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    document = Document(ID, URL, [])
    document.unusable["bad_port"] = 2
    document.backend_error = "mine.extract: OSError: no server"
    done = PageWork(document, {"cleaning": None})
    crawler = make_crawler(tmp_path, workers=answer(done))
    page = make_page()
    page.body = b"<p>Gurt"
    process(CleaningPipeline.from_crawler(crawler), page)
    assert (page.document, page.work, page.body) == (document, done, b"")
    assert stat(crawler, "frontier/dropped/bad_port") == 2
    assert stat(crawler, "cleaning/backend_errors") == 1
    assert f"{URL}: mine.extract: OSError: no server; the learned" in caplog.text


@pytest.mark.parametrize(("depth", "drop"), [(0, ""), (1, "cleaning/soft_404")])
def test_error_pages_of_the_host_are_dropped_but_no_seeds(
    depth: int, drop: str, tmp_path: Path
) -> None:
    keys = read_keys(URL, [Paragraph("Diese Seite gibt es nicht.")])
    done = PageWork(Document(ID, URL, []), {"cleaning": None}, cleaned=keys)
    error_pages = SimpleNamespace(has=lambda url, found: (url, found) == (URL, keys))
    crawler = make_crawler(tmp_path, workers=answer(done), error_pages=error_pages)
    page = make_page()
    page.depth = depth
    if drop:
        with pytest.raises(DropItem, match=drop):
            process(CleaningPipeline.from_crawler(crawler), page)
    else:
        process(CleaningPipeline.from_crawler(crawler), page)
    assert page.drop == drop


def test_a_page_without_a_document_is_dropped(tmp_path: Path) -> None:
    done = PageWork(verdicts={"cleaning": CleaningReason.NOT_HTML})
    crawler = make_crawler(tmp_path, workers=answer(done))
    page = make_page()
    with pytest.raises(DropItem, match="cleaning/not_html"):
        process(CleaningPipeline.from_crawler(crawler), page)
    assert page.document is None


class Compute:
    """Stands for the worker of pages: its calls never end."""

    def __init__(self) -> None:
        """Be prepared in a worker."""

    def work(self, *_: object) -> None:
        end = time.process_time() + 60
        while time.process_time() < end:
            pass


class Die(Compute):
    def work(self, *_: object) -> None:
        os.kill(os.getpid(), 9)


@pytest.mark.parametrize(
    ("prepare", "reason"), [(Compute, "timeout"), (Die, "worker_lost")]
)
def test_a_page_that_a_worker_is_lost_over_is_dropped(
    prepare: Callable[[], Compute],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = WorkerPool(1, cpu_seconds=0.3, prepare=prepare)
    monkeypatch.setattr("ilspfc.pipelines.cleaning.PageWorker", prepare)
    crawler = make_crawler(tmp_path, workers=workers)
    page = make_page()
    try:
        with pytest.raises(DropItem, match=f"cleaning/{reason}"):
            process(CleaningPipeline.from_crawler(crawler), page)
    finally:
        workers.close()
    assert stat(crawler, f"cleaning/dropped/{reason}") == 1


# -- classification ----------------------------------------------------------------------


class Learner:
    """Stands for learned relevance; ``fits`` is whether its model could be fitted."""

    def __init__(self, *, fits: bool = True) -> None:
        self.fits = fits
        self.is_saved = False

    async def judge(self, document: Document, words: object, workers: object) -> bool:
        document.probability = 0.25
        return self.fits

    def save(self) -> None:
        self.is_saved = True


@pytest.mark.parametrize("reason", [None, ClassificationReason.OFF_TOPIC])
def test_the_learner_sees_pages_that_are_dropped_too(
    reason: StrEnum | None, tmp_path: Path
) -> None:
    learner = Learner(fits=False)
    crawler = make_crawler(tmp_path, workers=None)
    pipeline = ClassificationPipeline.from_crawler(crawler)
    pipeline.learned = learner  # type: ignore[assignment]
    page = make_page(classification=reason)
    assert page.work is not None
    page.work.words = ([], [])  # type: ignore[assignment]
    if reason:
        with pytest.raises(DropItem):
            process(pipeline, page)
    else:
        process(pipeline, page)
    assert page.document is not None
    assert page.document.probability == 0.25
    assert stat(crawler, "classification/fits_lost") == 1
    pipeline.close_spider()
    assert learner.is_saved


# -- export ------------------------------------------------------------------------------


@pytest.fixture
def index(tmp_path: Path) -> Iterator[CorpusIndex]:
    with CorpusIndex(tmp_path / "corpus.db") as index:
        yield index


@pytest.fixture
def crawler(tmp_path: Path, index: CorpusIndex) -> Crawler:
    crawler = make_crawler(tmp_path, index=index)
    ledger = PageLedger(crawler)
    crawler.get_extension = lambda _: ledger  # type: ignore[method-assign, assignment, return-value]
    return crawler


def export(crawler: Crawler, page: FetchedPage) -> set[str]:
    """Export a page; return the files of the corpus."""
    process(ExportPipeline.from_crawler(crawler), page)
    folder = crawler.spider.job.files.documents  # type: ignore[union-attr]
    return {path.name for path in folder.glob("*.xml")}


def test_a_document_becomes_a_file_and_an_entry(
    crawler: Crawler, index: CorpusIndex
) -> None:
    assert export(crawler, make_page()) == {f"deu-{ID}.xml"}
    entry = index.document(ID)
    assert entry is not None
    assert (entry.file, entry.paragraphs) == (f"deu-{ID}.xml", 1)
    assert list(index.rows("SELECT url, fate FROM pages")) == [(URL, "kept")]
    assert stat(crawler, "export/documents") == 1


def test_an_unchanged_text_is_not_written_again(
    crawler: Crawler, index: CorpusIndex
) -> None:
    (name,) = export(crawler, make_page())
    file = crawler.spider.job.files.documents / name  # type: ignore[union-attr]
    file.write_text("as it is")
    export(crawler, make_page())
    assert file.read_text() == "as it is"
    assert stat(crawler, "export/unchanged") == 1
    # A power cut leaves a file without content.
    file.write_text("")
    export(crawler, make_page())
    assert file.read_text() != ""


def test_a_page_in_another_language_gets_another_file(crawler: Crawler) -> None:
    export(crawler, make_page())
    page = make_page()
    assert page.document is not None
    assert page.work is not None
    page.document.lang, page.work.digest = "ita", "d2"
    assert export(crawler, page) == {f"ita-{ID}.xml"}
    assert stat(crawler, "export/changed") == 1


def test_paragraphs_are_exported_as_a_pipeline_of_the_users_leaves_them(
    crawler: Crawler, index: CorpusIndex
) -> None:
    page = make_page()
    assert page.document is not None
    page.document.paragraphs = [Paragraph("Seil"), Paragraph("Gurt")]
    page.work = PageWork(
        page.document
    )  # with pipelines of the user's own it is not rendered
    (name,) = export(crawler, page)
    text = (crawler.spider.job.files.documents / name).read_text("utf-8")  # type: ignore[union-attr]
    assert "Seil" in text
    entry = index.document(ID)
    assert entry is not None
    assert entry.paragraphs == 2


@pytest.mark.parametrize(("is_delta", "stored"), [(False, None), (True, 1)])
def test_a_delta_crawl_counts_what_it_stores(
    is_delta: bool, stored: int | None, crawler: Crawler
) -> None:
    crawler.spider.job.arguments.delta = is_delta  # type: ignore[union-attr]
    export(crawler, make_page())
    export(crawler, make_page())
    assert stat(crawler, "deltafetch/stored") == stored


def test_a_page_that_is_not_to_be_stored_is_dropped(
    crawler: Crawler, index: CorpusIndex
) -> None:
    crawler.spider.job.stores = lambda url: url != URL  # type: ignore[union-attr]
    page = make_page()
    with pytest.raises(DropItem):
        export(crawler, page)
    assert page.drop == "export/not_stored"
    assert index.document(ID) is None
    assert stat(crawler, "export/dropped/not_stored") == 1
