"""Figures of a corpus: the same in summary, report, statistics and files, however it was made."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sums import check_sums

from ilspfc.exports import read_tmx

if TYPE_CHECKING:
    from conftest import Crawl, Project, Site

Figures = dict[str, int]


def number(text: str) -> int:
    return int(text.replace(",", ""))


def in_files(root: Path) -> Figures:
    """Count what is there."""
    with closing(sqlite3.connect(root / "corpus.db")) as connection:
        (pages,) = connection.execute("SELECT count(*) FROM pages").fetchone()
        (units,) = connection.execute("SELECT count(*) FROM units").fetchone()
    lines = (root / "pairs" / "de-it.tsv").read_text("utf-8").splitlines()
    return {
        "pages": pages,
        "documents": len(list((root / "xml").glob("*.xml"))),
        "pairs": len(lines) - 1,
        "units": units,
    }


def in_summary(text: str) -> Figures:
    pairs = re.search(r"([\d,]+) pairs?  ([\d,]+) translation unit", text)
    pages = re.search(r"([\d,]+) pages? fetched", text)
    documents = re.search(r"([\d,]+) documents? kept", text)
    assert pairs, text
    assert pages, text
    assert documents, text
    return {
        "pages": number(pages[1]),
        "documents": number(documents[1]),
        "pairs": number(pairs[1]),
        "units": number(pairs[2]),
    }


def in_report(root: Path) -> Figures:
    page = (root / "report.html").read_text("utf-8")
    head = page[page.index('class="headline"') :]
    rows = re.findall(r"<strong>([\d,]+)</strong><span>([^<]+)</span>", head)
    found = {name: number(text) for text, name in rows}

    def find(*names: str) -> int:
        return next(found[name] for name in names if name in found)

    return {
        "pages": find("pages fetched", "page fetched"),
        "documents": find("documents", "document"),
        "pairs": find("document pairs", "document pair"),
        "units": find("translation units", "translation unit"),
    }


def in_stats(root: Path) -> Figures:
    stats = json.loads((root / "stats.json").read_text("utf-8"))
    return {
        "pages": stats["fetch/pages"],
        "documents": stats["export/documents"],
        "pairs": stats["pairing/pairs"],
        "units": stats["alignment/units"],
    }


@pytest.fixture(scope="module")
def corpora(
    make_project: Callable[[], Project], workshop: Site, bilingual_crawl: Crawl
) -> dict[str, tuple[Path, str]]:
    """Corpora with their summaries: of one run, stopped at a limit, gone on with after that."""
    found = {"fresh": (bilingual_crawl.corpus, bilingual_crawl.result.stdout)}
    arguments = {"langs": "de,it", "domain": "demo", "seeds": workshop.url}
    for name, limits in (("stopped", ["10"]), ("resumed", ["6", "0"])):
        project = make_project()
        for limit in limits:
            settings = {"CORPUS_DIR": "out", "FRONTIER_MAX_PAGES": limit}
            done = project.crawl("bilingual", settings, **arguments)
            assert done.status == 0, done.stderr
        found[name] = project.folder / "out", done.stdout
    return found


@pytest.mark.parametrize("name", ["fresh", "stopped", "resumed"])
def test_all_places_have_the_same_figures(
    name: str, corpora: dict[str, tuple[Path, str]]
) -> None:
    root, summary = corpora[name]
    found = in_files(root)
    assert found["pairs"] > 0
    assert in_summary(summary) == found
    assert in_report(root) == found
    assert in_stats(root) == found
    memory = list(read_tmx(root / "de-it.tmx"))
    exported = json.loads((root / "stats.json").read_text("utf-8"))["exports/units"]
    assert len(memory) == exported
    limited = "Limit " in summary
    assert limited is (name == "stopped")


@pytest.mark.parametrize("name", ["fresh", "stopped", "resumed"])
def test_every_known_address_has_one_fate(
    name: str, corpora: dict[str, tuple[Path, str]]
) -> None:
    check_sums(corpora[name][0])


def test_a_crawl_in_two_runs_is_one_corpus(
    corpora: dict[str, tuple[Path, str]],
) -> None:
    assert in_files(corpora["resumed"][0]) == in_files(corpora["fresh"][0])
