import csv
from pathlib import Path

import pytest
from lxml import etree

from ilspfc.exports.formats import term_pairs
from ilspfc.exports.formats.term_pairs import TbxWriter, TermsWriter
from ilspfc.exports.units import ExportUnit
from ilspfc.text.tbx import NAMESPACE

pytest.importorskip("wordfreq", reason="needs the extra words")

UNITS = [
    ("The smoke detector hangs in the hall.", "Der Rauchmelder hängt im Flur."),
    ("Test the smoke detector.", "Rauchmelder prüfen!"),
    ("A smoke detector saves lives.", "Ein Rauchmelder rettet Leben."),
    ("The fire brigade comes.", "Die Feuerwehr kommt."),
    ("Call the fire brigade.", "Rufen Sie die Feuerwehr."),
    ("The fire brigade left.", "Die Feuerwehr ist weg."),
    ("A fire drill.", "Eine Brandschutzübung."),
]


def export(
    path: Path, units: list[tuple[str, str]] = UNITS, lang: str = "deu"
) -> list[dict[str, str]]:
    kind = TbxWriter if path.suffix == ".tbx" else TermsWriter
    with kind(path, ("eng", lang), len(units)) as writer:
        for source, target in units:
            writer.write(ExportUnit(source, target))
    if path.suffix == ".tbx":
        return []
    return list(csv.DictReader(path.read_text("utf-8").splitlines(), delimiter="\t"))


def test_terms_of_several_words_have_their_translation(tmp_path: Path) -> None:
    rows = export(tmp_path / "en-de.tsv")
    found = {row["source"]: row["target"] for row in rows}
    assert found == {"smoke detector": "Rauchmelder", "fire brigade": "Feuerwehr"}
    assert {(row["score"], row["units"]) for row in rows} == {("1.00", "3")}
    assert all(float(row["source_keyness"]) > 1 for row in rows)


def test_words_that_seldom_stand_together_are_no_translations(tmp_path: Path) -> None:
    units = [
        *([("A fire.", "Ein Feuer.")] * 3 + [("A fire.", "Ein Brand.")] * 4),
        *([("No smoke.", "Kein Feuer.")] * 7),
    ]
    rows = export(tmp_path / "en-de.tsv", units)
    assert ("fire", "Brand") in {(row["source"], row["target"]) for row in rows}
    assert ("fire", "Feuer") not in {(row["source"], row["target"]) for row in rows}


def test_languages_without_general_frequencies_have_no_keyness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wordfreq.available_languages", dict)
    monkeypatch.setattr(term_pairs, "COMMONEST", 1)
    rows = export(tmp_path / "en-de.tsv")
    assert "fire brigade" in {row["source"] for row in rows}
    assert {row["source_keyness"] for row in rows} == {""}


def test_characters_without_spaces_between_words_are_joined(tmp_path: Path) -> None:
    units = [("Burn firmware.", "刻录固件。"), ("Load firmware!", "载入固件！")]
    units += [("The firmware hangs.", "固件挂起。"), ("The disk hangs.", "磁盘挂起。")]
    rows = export(tmp_path / "en-zh.tsv", units, "zho")
    assert ("firmware", "固件") in {(row["source"], row["target"]) for row in rows}


def test_many_units_are_sampled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(term_pairs, "MAX_UNITS", 4)
    assert export(tmp_path / "en-de.tsv") == []
    monkeypatch.setattr(term_pairs, "MAX_UNITS", 7)
    twice = [unit for unit in UNITS for _ in range(2)]
    assert export(tmp_path / "en-de.tsv", twice) == export(tmp_path / "en-de.tsv")


def test_no_units_give_no_terms(tmp_path: Path) -> None:
    assert export(tmp_path / "en-de.tsv", []) == []


def test_terms_as_tbx(tmp_path: Path) -> None:
    export(tmp_path / "en-de.tbx")
    root = etree.parse(tmp_path / "en-de.tbx").getroot()
    entries = root.findall(f".//{{{NAMESPACE}}}conceptEntry")
    texts = [[*map(str, entry.itertext("{*}term"))] for entry in entries]
    assert ["smoke detector", "Rauchmelder"] in [
        [text for text in one if text.strip()] for one in texts
    ]
