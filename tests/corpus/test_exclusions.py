"""Exclusions: a file that its owner edits by hand, and the web application by buttons."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.removals import Exclusion, Exclusions
from ilspfc.exceptions import CorpusError

WRITTEN = "# no spam\nhost\tspam.example\n\nunit\tone\teins\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "exclusions.tsv"
    path.write_text(WRITTEN)
    return path


def test_comments_stay_when_exclusions_come_and_go(path: Path) -> None:
    exclusions = Exclusions(path)
    exclusions.add([Exclusion.of("host", ["ads.example"])])
    assert path.read_text() == WRITTEN + "host\tads.example\n"
    exclusions.remove([Exclusion.of("unit", ["one", "eins"])])
    assert path.read_text() == "# no spam\nhost\tspam.example\n\nhost\tads.example\n"
    assert not exclusions.has_unit("one", "eins")


def test_what_is_there_already_is_not_written_twice(path: Path) -> None:
    Exclusions(path).add([Exclusion.of("unit", ["one", " eins "])])
    assert path.read_text() == WRITTEN


def test_a_document_is_excluded_by_its_id(path: Path, tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path / "bees")
    corpus.add("d1", "deu", ["Bienen"])
    corpus.add("d2", "deu", ["Honig"])
    exclusions = Exclusions(path)
    exclusions.add([Exclusion.of("document", ["d1"])])
    with corpus.open() as opened:
        found = {e.id: exclusions.has_document(e) for e in opened.index.documents()}
    assert found == {"d1": True, "d2": False}


def test_a_wrong_line_is_named(path: Path) -> None:
    path.write_text("# hosts\nhost\n")
    with pytest.raises(CorpusError, match="line 2: host takes 1 values"):
        Exclusions(path)
