"""Segments of test sets: which units have one, and that they are in no export."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exceptions import SettingError
from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.split import HeldOutSegments
from ilspfc.line.units import run_units

LINES = (
    "\ufeffThe bees fly to the hive.\nYes.\n\nTre api volano sul prato,  ogni giorno\n"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "test.txt"
    path.write_text(LINES, "utf-8")
    return path


def make(*paths: object) -> HeldOutSegments:
    return HeldOutSegments(map(str, paths))


def test_segments_are_alike_by_their_letters(path: Path) -> None:
    sets = make(path)
    assert sets.has("THE BEES FLY TO THE HIVE", "")
    assert sets.has("Etwas anderes.", "Tre api volano sul prato ogni giorno.")
    assert not sets.has("The bees fly to the hive at night.", "")


def test_short_segments_are_said_everywhere(path: Path) -> None:
    assert not make(path).has("Yes.", "")
    assert not make().has("The bees fly to the hive.", "")


def test_units_that_are_added_count_with_both_sides_too() -> None:
    sets = make()
    sets.add("Yes.", "Sì!")
    sets.add("5", "5")
    assert sets.has("yes", "SÌ")
    assert not sets.has("Yes.", "Certo.")
    assert not sets.has("7", "7")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"EXPORTS_TEST_SETS=.*none\.txt: .*read"):
        make(tmp_path / "none.txt")
    (tmp_path / "latin").write_bytes(b"\xe4\n")
    with pytest.raises(SettingError, match="UTF-8"):
        make(tmp_path / "latin")


def test_their_units_are_in_no_export(path: Path, tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path / "corpus")
    for name, lang in (("d1", "deu"), ("i1", "ita")):
        corpus.add(name, lang, ["Die Bienen."])
    pair = DocumentPair("d1", "i1", 0.9, "content")
    units = [
        TranslationUnit(
            "Drei Bienen fliegen über die Wiese",
            "Tre api volano sul prato ogni giorno",
            "1:1",
            0.9,
        ),
        TranslationUnit(
            "Der Honig ist süß und gesund.",
            "Il miele è dolce e molto sano.",
            "1:1",
            0.9,
        ),
    ]
    with corpus.open(EXPORTS_TEST_SETS=str(path), EXPORTS_FORMATS="moses") as opened:
        opened.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        opened.bitext.set_units(pair, units, null_share=0.0, mean_score=0.9)
        run_units(opened)
        run_exports(opened)
        dropped = opened.index.rows(
            "SELECT reason, number FROM drops WHERE stage = 'exports'"
        )
        assert dict(dropped) == {"test_set": 1}
    written = (corpus.files.root / "de-it.de").read_text("utf-8")
    assert written == "Der Honig ist süß und gesund.\n"
