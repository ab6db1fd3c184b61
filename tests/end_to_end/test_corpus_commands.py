"""The stages over a corpus, run again alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import pytest
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Crawl, Project, Result

COMMANDS = ("dedup", "pair", "align", "export", "report")
# The index and the frontier are databases: the same rows, but not the same bytes.
FILES = (
    "xml",
    "duplicates",
    "pairs",
    "cesalign",
    "de-it.tmx",
    "report.html",
    "stats.json",
    "manifest.json",
)


@pytest.fixture(scope="module")
def runs(
    bilingual_crawl: Crawl,
    make_project: Callable[[], Project],
    together: Callable[[Iterable[Callable[[], Result]]], list[Result]],
) -> dict[str, tuple[CrawledCorpus, Result]]:
    """Each command, run on a corpus of its own."""
    projects = [make_project() for _ in COMMANDS]
    for project in projects:
        shutil.copytree(bilingual_crawl.corpus, project.folder / "out")
    results = together(
        partial(project.run_process, command, "out")
        for project, command in zip(projects, COMMANDS, strict=True)
    )
    corpora = [CrawledCorpus(project.folder / "out") for project in projects]
    return dict(zip(COMMANDS, zip(corpora, results, strict=True), strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stage_run_again_gives_the_same_files(
    command: str,
    runs: dict[str, tuple[CrawledCorpus, Result]],
    bilingual_crawl: Crawl,
) -> None:
    corpus, result = runs[command]
    assert (result.status, result.stderr) == (0, "")
    before = CrawledCorpus(bilingual_crawl.corpus).contents(*FILES)
    after = corpus.contents(*FILES)
    assert after.keys() == before.keys()
    assert [name for name in before if after[name] != before[name]] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_stage_prints_the_summary(
    command: str, runs: dict[str, tuple[CrawledCorpus, Result]], bilingual_crawl: Crawl
) -> None:
    printed, summary = runs[command][1].stdout, bilingual_crawl.result.stdout
    assert printed.startswith(summary)
    # The export lists its files as well.
    listed = printed.removeprefix(summary).splitlines()
    assert len(listed) == (2 if command == "export" else 0)


def test_files_that_were_deleted_come_back(
    bilingual_crawl: Crawl, project: Project
) -> None:
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    before = CrawledCorpus(root).contents("cesalign", "de-it.tmx")
    (root / "de-it.tmx").unlink()
    shutil.rmtree(root / "cesalign")
    (root / "report.html").write_text("old")
    assert project.run("export", "out").status == 0
    assert CrawledCorpus(root).contents("cesalign", "de-it.tmx") == before
    assert "6 document pairs" in CrawledCorpus(root).report_text()


def test_a_threshold_can_be_changed_afterwards(
    bilingual_crawl: Crawl, project: Project
) -> None:
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    # No pair is certain beyond doubt.
    assert project.run("pair", "out", "-s", "PAIRING_THRESHOLD=1").status == 0
    assert CrawledCorpus(root).pairs() == []
    assert project.run("pair", "out", "-s", "PAIRING_THRESHOLD=0.5").status == 0
    assert len(CrawledCorpus(root).pairs()) == 6


@pytest.mark.parametrize("folder", ["nowhere", "domains"])
def test_what_is_no_corpus_is_named(project: Project, folder: str) -> None:
    result = project.run("pair", folder)
    assert (result.status, result.stdout) == (2, "")
    assert result.error.startswith(f"ilspfc: {folder}: no corpus there")
    assert project.written == set()


def test_a_damaged_index_is_named(project: Project) -> None:
    (project.folder / "corpus.db").write_text("this is no database at all")
    result = project.run("export", ".")
    assert result.status == 2
    assert result.error.startswith("ilspfc: corpus.db: no readable corpus index")
