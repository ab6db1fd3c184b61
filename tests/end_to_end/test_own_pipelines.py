"""Item pipelines of the user's own: what they see, change and drop."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import SITES
from crawled_corpus import CrawledCorpus, paragraphs

if TYPE_CHECKING:
    from conftest import Project, Serve

SETTINGS = """
from ilspfc.settings import *

ITEM_PIPELINES = {
    **ITEM_PIPELINES,
    "mine.pipelines.Notes": 350,
    "mine.pipelines.Selection": 360,
}
"""
PIPELINES = """
import json
from enum import StrEnum

from scrapy.exceptions import DropItem

from ilspfc.documents import Page, ParagraphType
from ilspfc.pipelines.stage import StagePipeline


class Notes:
    def process_item(self, item):
        if isinstance(item, Page):
            found = {p.text: [p.lang, p.type, p.crawlinfo] for p in item.document.paragraphs}
            with open("notes.jsonl", "a", encoding="utf-8") as stream:
                stream.write(json.dumps({item.url: found}) + "\\n")
        return item


class Reason(StrEnum):
    NO_LADDER = "no_ladder"


class Selection(StagePipeline):
    stage = "mine"

    def process_item(self, item):
        document = item.document
        if "leitern" in item.url:
            raise self.drop(item, Reason.NO_LADDER)
        if "handschuhe" in item.url:
            raise DropItem("not wanted")
        document.paragraphs = [
            one for one in document.paragraphs if one.type is not ParagraphType.HEADING
        ]
        return item
"""


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_pipeline_of_the_users_sees_changes_and_drops(
    project: Project, serve: Serve, workers: str
) -> None:
    _write_project(project.folder)
    result = project.crawl(
        "monolingual",
        {"CORPUS_DIR": "out", "WORKERS": workers},
        lang="de",
        domain="none",
        seeds=serve(SITES / "workshop").at("de/laerm.html"),
    )
    assert result.status == 0, result.stderr
    corpus = CrawledCorpus(project.folder / "out")
    seen: dict[str, dict[str, list[str | None]]] = {}
    for line in (project.folder / "notes.jsonl").read_text("utf-8").splitlines():
        seen.update(json.loads(line))
    by_path = {url.split("/", 3)[3]: found for url, found in seen.items()}
    fates = corpus.fates()
    assert by_path.keys() >= {path for path, fate in fates.items() if fate == "kept"}
    # What was seen, without the headings, is what was exported.
    for path, document in corpus.documents().items():
        seen_texts = by_path[path]
        kept = [
            text for text, (_, type_, _) in seen_texts.items() if type_ != "heading"
        ]
        assert list(paragraphs(document)) == kept
        assert any(lang == "deu" for lang, _, _ in seen_texts.values())
    types = {type_ for found in by_path.values() for _, type_, _ in found.values()}
    assert "heading" in types
    # What was dropped has its reason.
    assert fates["de/leitern.html"] == "mine/no_ladder"
    assert fates["de/handschuhe.html"] == "export/pipeline"
    lost = Counter(fate for fate in fates.values() if fate != "kept")
    assert corpus.drops().items() >= lost.items()
    assert "no ladder" in corpus.report_text()
    assert "dropped by a pipeline of your own" in corpus.report_text()


def _write_project(folder: Path) -> None:
    """Make a project of the user's that extends this one."""
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = mine.settings\n")
    (folder / "mine").mkdir()
    (folder / "mine" / "__init__.py").touch()
    (folder / "mine" / "settings.py").write_text(SETTINGS, "utf-8")
    (folder / "mine" / "pipelines.py").write_text(PIPELINES, "utf-8")
