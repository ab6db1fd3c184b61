"""Feeds of Scrapy: the documents and the pairs of the corpus, at the end."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import crawl_command

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Project, Site

SETTINGS = """
from ilspfc.settings import *

FEEDS = {
    "documents.jsonl": {
        "format": "jsonlines",
        "item_classes": ["ilspfc.extensions.item_feeds.DocumentItem"],
        "fields": ["id", "url"],
    },
    "pairs.csv": {
        "format": "csv",
        "item_classes": ["ilspfc.extensions.item_feeds.PairItem"],
    },
}
"""


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def command(workshop: Site) -> list[str]:
    """A crawl of the workshop."""
    return crawl_command(
        "bilingual",
        {"CORPUS_DIR": "out"},
        langs="de,it",
        domain="demo",
        seeds=workshop.url,
    )


def test_a_feed_has_documents_with_their_text_and_pairs(
    project: Project, command: list[str], workshop: Site
) -> None:
    done = project.run(*command, "-O", "items.jsonl", "-O", "items.csv")
    assert done.status == 0, done
    items = read_lines(project.folder / "items.jsonl")
    documents = [item for item in items if item["kind"] == "document"]
    pairs = [item for item in items if item["kind"] == "pair"]
    assert f"{len(documents)} documents kept" in done.stdout
    (tsv,) = (project.folder / "out" / "pairs").glob("*.tsv")
    rows = [line.split("\t") for line in tsv.read_text("utf-8").splitlines()[1:]]
    assert [(p["source_url"], p["target_url"]) for p in pairs] == [
        (row[0], row[1]) for row in rows
    ]
    assert items == [*documents, *pairs]
    assert {d["file"] for d in documents} == {
        f"xml/{path.name}" for path in (project.folder / "out" / "xml").iterdir()
    }
    ladder = next(d for d in documents if d["url"] == workshop.at("de/leitern.html"))
    assert ladder["lang"] == "de"
    assert ladder["tokens"] > 50
    assert len(ladder["text"].splitlines()) > 3
    with (project.folder / "items.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["id"] for row in table] == [one["id"] for one in documents]


def test_feeds_choose_kind_and_fields(project: Project, command: list[str]) -> None:
    (project.folder / "scrapy.cfg").write_text("[settings]\ndefault = fed\n")
    (project.folder / "fed.py").write_text(SETTINGS)
    assert project.run(*command).status == 0
    documents = read_lines(project.folder / "documents.jsonl")
    assert {tuple(one) for one in documents} == {("id", "url")}
    with (project.folder / "pairs.csv").open(encoding="utf-8", newline="") as file:
        pairs = list(csv.DictReader(file))
    assert len(pairs) > 3
    assert float(pairs[0]["probability"]) > 0.5


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("SCHEDULER=scrapy.core.scheduler.Scheduler", "FrontierScheduler; add it"),
        ("SCHEDULER=nowhere.Scheduler", "No module named 'nowhere'; give the path"),
        ("ITEM_PIPELINES={}", "CleaningPipeline; add it"),
        ('EXTENSIONS={"ilspfc.extensions.ledger.PageLedger": null}', "PageLedger; add"),
        (
            "TWISTED_REACTOR=twisted.internet.selectreactor.SelectReactor",
            "asyncio alone; leave",
        ),
    ],
)
def test_a_crawl_that_could_end_no_page_does_not_begin(
    project: Project, command: list[str], setting: str, said: str
) -> None:
    done = project.run(*command, "-s", setting)
    assert done.status == 2
    assert said in done.error
    assert project.written == set()


def test_without_the_pairing_pipeline_the_report_is_written(
    project: Project, command: list[str]
) -> None:
    parts = {"cleaning.CleaningPipeline": 100, "export.ExportPipeline": 400}
    given = json.dumps({f"ilspfc.pipelines.{name}": n for name, n in parts.items()})
    done = project.run(*command, "-s", f"ITEM_PIPELINES={given}")
    assert done.status == 0, done
    named = done.stdout.partition("Files")[2].split()
    files = [name for name in named if name.startswith("out/")]
    assert "out/report.html" in files
    assert all((project.folder / name).exists() for name in files)
