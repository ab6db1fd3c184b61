"""The lexicons that come with the package."""

from __future__ import annotations

import bz2
from collections.abc import Iterator
from pathlib import Path

import pytest

from ilspfc.lexicon import starter
from ilspfc.lexicon.entries import Entry


@pytest.fixture(autouse=True)
def _read_again() -> Iterator[None]:
    starter.starter_entries.cache_clear()
    yield
    starter.starter_entries.cache_clear()


ROWS = (
    "abc\txyz\t0.50\t4\t2\tone\nabc\txyz\t1.00\t4\t3\ttwo\nbcd\tzab\t0.80\t2\t2\ttwo\n"
    "cde\tyza\t0.60\t0\t1\ttwo\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with bz2.open(tmp_path / "deu-ita.tsv.bz2", "wt", encoding="utf-8") as stream:
        stream.write(ROWS)
    monkeypatch.setattr(starter, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_sites_of_an_entry_are_summed_up() -> None:
    assert starter.starter_entries(("deu", "ita")) == [
        Entry("abc", "xyz", 0.75, 8, 5, 2),
        Entry("bcd", "zab", 0.8, 2, 2, 1),
        Entry("cde", "yza", 0.6, 0, 1, 1),
    ]
    assert starter.starter_entries(("ita", "deu"))[0].source == "xyz"


@pytest.mark.usefixtures("folder")
def test_a_site_can_be_left_out() -> None:
    found = starter.starter_entries(("deu", "ita"), without_site="two")
    assert found == [Entry("abc", "xyz", 0.5, 4, 2, 1)]


@pytest.mark.usefixtures("folder")
def test_other_languages_have_none() -> None:
    assert starter.starter_entries(("deu", "fra")) == []  # neither has one with English


def test_those_that_ship_know_common_words() -> None:
    known = {(e.source, e.target) for e in starter.starter_entries(("deu", "eng"))}
    assert len(known) > 1000
    assert ("datei", "file") in known


def test_two_languages_without_a_lexicon_are_joined_through_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {
        # "bank" is a bench and a bank; "spring" alone would join Feder and Frühling.
        "deu-eng": "bank bank .6, bank bench .4, feder spring 1, frühling spring 1",
        "eng-ita": "bank banca 1, bench panca 1, spring molla .5, spring primavera .5",
    }
    for name, entries in rows.items():
        lines = ["\t".join((*e.split(), "3", "2", "one")) for e in entries.split(",")]
        with bz2.open(tmp_path / f"{name}.tsv.bz2", "wt", encoding="utf-8") as stream:
            stream.write("\n".join(lines))
    monkeypatch.setattr(starter, "FOLDER", tmp_path)
    found = starter.starter_entries(("ita", "deu"))
    assert found == [
        Entry("banca", "bank", 0.77),  # the root of 1 times .6
        Entry("molla", "feder", 0.5),
        Entry("molla", "frühling", 0.5),
        Entry("panca", "bank", 0.63),
        Entry("primavera", "feder", 0.5),
        Entry("primavera", "frühling", 0.5),
    ]
    assert starter.starter_entries(("ita", "deu"), without_site="one") == []
    assert starter.starter_entries(("ita", "fra")) == []


def test_languages_that_ship_with_english_alone_have_words() -> None:
    known = {(e.source, e.target) for e in starter.starter_entries(("deu", "ukr"))}
    assert len(known) > 1000
    assert ("techn", "техно") in known  # stems of the tokenizers
