"""Sums over the funnel of a corpus: every address, page and document has one fate."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from ilspfc.corpus.corpus import open_corpus
from ilspfc.line.report import collect_report
from ilspfc.report.funnel import build_funnel

if TYPE_CHECKING:
    from pathlib import Path


def check_sums(root: Path) -> None:
    """Check that known addresses and fetched pages are what became of them."""
    from scrapy.utils.project import get_project_settings

    with closing(sqlite3.connect(root / "frontier.db")) as connection:
        (known,) = connection.execute("SELECT count(*) FROM urls").fetchone()
    with open_corpus(root, get_project_settings()) as corpus:
        data = collect_report(corpus)
    steps = {step.title: step for step in build_funnel(data)}
    fetched = steps["Pages fetched"]
    assert fetched.entered == known
    assert fetched.entered - sum(loss.count for loss in fetched.losses) == fetched.count
    assert steps["Documents"].unexplained == 0
