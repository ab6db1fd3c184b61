"""The lexicons that come with the package."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ilspfc.lexicon import starter
from ilspfc.lexicon.entries import Entry

ROWS = (
    "abc\txyz\t0.50\t4\t2\tone\nabc\txyz\t1.00\t4\t3\ttwo\nbcd\tzab\t0.80\t2\t2\ttwo\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with gzip.open(tmp_path / "deu-ita.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.write(ROWS)
    monkeypatch.setattr(starter, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_sites_of_an_entry_are_summed_up() -> None:
    assert starter.starter_entries(("deu", "ita")) == [
        Entry("abc", "xyz", 0.75, 8, 5, 2),
        Entry("bcd", "zab", 0.8, 2, 2, 1),
    ]
    assert starter.starter_entries(("ita", "deu"))[0].source == "xyz"


@pytest.mark.usefixtures("folder")
def test_a_site_can_be_left_out() -> None:
    found = starter.starter_entries(("deu", "ita"), without_site="two")
    assert found == [Entry("abc", "xyz", 0.5, 4, 2, 1)]


@pytest.mark.usefixtures("folder")
def test_other_languages_have_none() -> None:
    assert starter.starter_entries(("deu", "fra")) == []


def test_those_that_ship_know_common_words() -> None:
    known = {(e.source, e.target) for e in starter.starter_entries(("deu", "eng"))}
    assert len(known) > 1000
    assert ("datei", "file") in known
