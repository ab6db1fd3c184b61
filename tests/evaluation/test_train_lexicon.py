"""The lexicons that come with the package, as they are made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evaluation import train_lexicon
from ilspfc.lexicon import starter

if TYPE_CHECKING:
    import pytest

ROWS = {
    ("deu", "ita"): [
        ("haus", "casa", "0.90", "4", "2", "b"),
        ("dach", "tett", "0.50", "3", "2", "a"),
    ]
}


def test_the_same_entries_are_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    for name in ("one", "other"):
        monkeypatch.setattr(train_lexicon, "STARTER", tmp_path / name)
        train_lexicon.write(ROWS)
        written.append((tmp_path / name / "deu-ita.tsv.bz2").read_bytes())
    assert written[0] == written[1]
    monkeypatch.setattr(starter, "FOLDER", tmp_path / "one")
    starter.starter_entries.cache_clear()
    found = starter.starter_entries(("deu", "ita"))
    starter.starter_entries.cache_clear()
    assert [(entry.source, entry.score) for entry in found] == [
        ("dach", 0.5),
        ("haus", 0.9),
    ]


def test_entries_of_sites_that_are_not_learned_again_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train_lexicon, "STARTER", tmp_path)
    train_lexicon.write(ROWS)

    kept = train_lexicon.read_kept(("deu", "ita"), ["b"])

    assert kept == [("dach", "tett", "0.50", "3", "2", "a")]
    assert train_lexicon.read_kept(("deu", "fra"), []) == []


def test_each_pair_of_languages_is_sorted_and_there_once() -> None:
    pairs = train_lexicon.language_pairs()
    assert len(set(pairs)) == len(pairs) == 18
    assert all(first < second for first, second in pairs)


def test_without_data_it_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(train_lexicon, "DATA", tmp_path)
    assert train_lexicon.main([]) == 0
    assert "Skipped" in capsys.readouterr().out
