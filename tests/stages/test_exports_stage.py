"""Exports of a corpus by the presets, and what the report says of these."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exports import read_tmx
from ilspfc.report.data import PresetCount
from ilspfc.stages import run_report
from ilspfc.stages.exports import run_exports

PAIR = DocumentPair("d1", "i1", 0.9, "url", 0.5)
GOOD = TranslationUnit(
    "Das Feuer ist sehr gefährlich.", "Il fuoco è molto pericoloso.", "1:1", 0.9
)
LOW = TranslationUnit("Eins. Zwei. Drei. Vier. Fünf.", "Questo è altro.", "5:1", 0.11)


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", [GOOD.source, LOW.source])
    corpus.add("i1", "ita", [GOOD.target, LOW.target])
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", {PAIR: PairState.PAIR})
        # A page most of which found no partner.
        opened.bitext.set_units(PAIR, [GOOD, LOW], null_share=0.7, mean_score=0.5)
    return corpus


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({}, [GOOD]),
        ({"EXPORTS_MIN_SCORE": 0.1}, [GOOD, LOW]),
        ({"EXPORTS_FILTERS": "quality=annotate"}, [GOOD, LOW]),
        ({"EXPORTS_PRESET": "off"}, [GOOD, LOW]),
        # The only neighbor of the good unit is the bad one.
        ({"EXPORTS_PRESET": "clean"}, []),
        ({"EXPORTS_PRESET": "clean", "EXPORTS_FILTERS": "unaligned=off"}, [GOOD]),
    ],
)
def test_units_of_a_preset(
    settings: dict[str, object], kept: list[TranslationUnit], corpus: SmallCorpus
) -> None:
    with corpus.open(**settings) as opened:
        run_exports(opened)
    units = list(read_tmx(corpus.files.root / "de-it.tmx"))
    assert [unit.source for unit in units] == [unit.source for unit in kept]


def test_the_report_has_what_each_preset_keeps(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        run_exports(opened)
        data = run_report(opened)
    (sample,) = data.pair_samples
    kept = {GOOD: ("annotate", "off"), LOW: ("off",)}
    assert sample.unit is not None
    assert sample.presets == kept[sample.unit]
    found = [(preset.name, preset.units) for preset in data.presets]
    assert found == [("annotate", 1), ("clean", 0), ("off", 2)]
    score = sample.unit.score
    assert data.presets[-1] == PresetCount("off", 2, 1, score)
    assert data.presets[1] == PresetCount("clean", 0, 0, 0)
    page = corpus.files.report.read_text("utf-8")
    assert "1:1; annotate, off" in page or "5:1; off" in page
