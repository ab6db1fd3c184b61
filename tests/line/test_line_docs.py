"""The docs of the corpus line: its table of stages, and the example of a stage of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from small_corpus import SmallCorpus

from ilspfc.line import run_outdated
from ilspfc.line.stages import STAGES

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def _cells(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "files alone"


def test_the_table_of_stages_is_current() -> None:
    rows = [
        f"| {one.name} | {_cells(one.reads)} | {_cells(one.writes)} | {_cells(one.settings)} |"
        for one in STAGES
    ]
    assert "\n".join(rows) in PAGE.read_text("utf-8")


def test_the_stage_of_the_docs_runs(tmp_path: Path) -> None:
    section = PAGE.read_text("utf-8").split("## Your own stage")[1]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    namespace: dict[str, object] = {}
    exec(found[1], namespace)
    globals().update(namespace)
    small = SmallCorpus(tmp_path)
    small.add("d1", "deu", ["Das Feuer ist gefährlich."])
    with small.open(CORPUS_STAGES=["test_line_docs.LENGTHS"]) as corpus:
        assert "lengths" in run_outdated(corpus)
        assert list(corpus.index.rows("SELECT * FROM lengths")) == [("d1", 4)]
