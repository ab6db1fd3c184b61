"""Two corpora side by side: what only one of them has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState
from ilspfc.line.compare import CorpusContents, Difference, compare, compare_settings

if TYPE_CHECKING:
    from conftest import Project


@pytest.fixture
def folders(tmp_path: Path) -> tuple[SmallCorpus, SmallCorpus]:
    made = SmallCorpus(tmp_path / "a"), SmallCorpus(tmp_path / "b")
    for number, corpus in enumerate(made):
        corpus.add("d1", "deu", ["Die Bienen fliegen."])
        corpus.add("i1", "ita", ["Le api volano."])
        corpus.add(f"d{number + 2}", "deu", ["Der Honig ist süß und gesund."])
        with corpus.open() as opened:
            pair = DocumentPair("d1", "i1", 0.9, "content")
            states = {pair: PairState.PAIR} if not number else {}
            opened.bitext.set_states("deu", "ita", states)
            opened.index.set_drops("dedup", {"near_duplicate": number + 4})
            opened.index.finish_run({"settings": {"X": number, "Y": 1}})
    return made


def test_things_are_compared_by_address(
    folders: tuple[SmallCorpus, SmallCorpus],
) -> None:
    contents = []
    for corpus in folders:
        with corpus.open() as opened:
            contents.append(CorpusContents.of(opened))
    found = {one.name: one for one in compare(*contents)}
    base = "http://a.org/"
    assert found["Documents, German"] == Difference(
        "Documents, German", 2, 2, ((f"{base}d3",),), ((f"{base}d2",),)
    )
    assert found["Documents, Italian"][1:] == (1, 1, (), ())
    assert found["Pairs, German – Italian"].lost == ((f"{base}d1", f"{base}i1"),)
    assert found["dedup/near_duplicate"][1:3] == (4, 5)
    assert list(compare_settings(*contents)) == [("X", "0", "1")]


def test_the_command_prints_what_was_gained_and_lost(
    folders: tuple[SmallCorpus, SmallCorpus], project: Project
) -> None:
    names = [str(one.files.root) for one in folders]
    done = project.run("compare", *names, "--list")
    assert done.status == 0
    assert "+ Documents, German\thttp://a.org/d3" in done.stdout
    assert "- Pairs, German – Italian\thttp://a.org/d1\thttp://a.org/i1" in done.stdout
    assert "X: 0 -> 1" in done.stdout
    assert project.run("compare", names[0]).status == 2
    assert "no corpus" in project.run("compare", names[0], "/nowhere").error
