"""Scorers of the user's own: their scores in the exports, and thresholds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from openpyxl import load_workbook
from scrapy.settings import BaseSettings
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.exports import read_tmx
from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.own_scorers import load_scorers
from ilspfc.line.units import run_units

PAIR = DocumentPair("d1", "i1", 0.9, "url", 0.5)
UNITS = [
    TranslationUnit("Das Feuer ist gefährlich.", "Il fuoco è pericoloso.", "1:1", 0.9),
    TranslationUnit("Das Wasser ist sehr kalt.", "Il sole è caldo oggi.", "1:1", 0.9),
]


class ByWord:
    """Units with fire are good, documents the better the shorter."""

    name = "word"
    calls: ClassVar[list[int]] = []

    def score_units(
        self, langs: tuple[str, str], units: Sequence[tuple[str, str]]
    ) -> list[float]:
        assert langs == ("deu", "ita")
        self.calls.append(len(units))
        return [0.75 if "Feuer" in source else 0.25 for source, _ in units]

    def score_documents(self, lang: str, texts: Sequence[str]) -> list[float]:
        return [1 / len(text) for text in texts]


class Strict(ByWord):
    threshold = 0.5


class Short(ByWord):
    threshold = 0.021


class TooFew:
    name = "few"

    def score_units(self, *_: object) -> list[float]:
        return [1.0]


class NotFinite(TooFew):
    def score_units(self, *_: object) -> list[float]:
        return [1.0, float("nan")]


WORD = {"EXPORTS_SCORERS": f"{__name__}.ByWord"}


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", [unit.source for unit in UNITS])
    corpus.add("i1", "ita", [unit.target for unit in UNITS])
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", {PAIR: PairState.PAIR})
        opened.bitext.set_units(PAIR, UNITS, null_share=0.0, mean_score=0.9)
    ByWord.calls.clear()
    return corpus


def run(corpus: SmallCorpus, **settings: object) -> dict[str, int]:
    with corpus.open(**settings) as opened:
        run_units(opened)
        run_exports(opened)
        return dict(opened.index.rows("SELECT reason, number FROM drops"))


def test_scores_stand_in_all_exports(corpus: SmallCorpus) -> None:
    formats = "tmx,tsv,jsonl,xlsx,xliff,vertical,tei"
    run(corpus, EXPORTS_FORMATS=formats, **WORD)
    root = corpus.files.root
    assert [unit.scores for unit in read_tmx(root / "de-it.tmx")] == [
        (("word", 0.75),),
        (("word", 0.25),),
    ]
    lines = (root / "de-it.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["scores"]["word"] for line in lines] == [0.75, 0.25]
    sheet = load_workbook(root / "de-it.xlsx").active
    assert sheet is not None
    assert [row[-1].value for row in sheet.rows] == [
        "scores",
        "word=0.7500",
        "word=0.2500",
    ]
    assert '<note category="score-word">0.7500' in (root / "de-it.xlf").read_text(
        "utf-8"
    )
    assert ' score_word="0.0196"' in (root / "vertical" / "de.vert").read_text("utf-8")
    text = (root / "tei" / "deu-d1.xml").read_text("utf-8")
    assert '<note type="score" subtype="word">0.0196</note>' in text


def test_units_and_documents_below_the_threshold_are_dropped(
    corpus: SmallCorpus,
) -> None:
    settings = {"EXPORTS_SCORERS": f"{__name__}.Strict", "EXPORTS_FORMATS": "tmx"}
    assert run(corpus, **settings)["scorer"] == 1
    (unit,) = read_tmx(corpus.files.root / "de-it.tmx")
    assert unit.source == UNITS[0].source
    assert "scorer" not in run(corpus, **settings, EXPORTS_PRESET="off")
    settings |= {"EXPORTS_SCORERS": f"{__name__}.Short", "EXPORTS_FORMATS": "texts"}
    run(corpus, **settings)
    names = [path.name for path in (corpus.files.root / "plain").iterdir()]
    assert names == ["ita-i1.txt"]


def test_units_that_are_dropped_are_not_scored(corpus: SmallCorpus) -> None:
    run(corpus, **WORD, EXPORTS_MIN_SCORE=1)
    assert sum(ByWord.calls) == 0


def test_wrong_scorers_are_named(corpus: SmallCorpus) -> None:
    for path, message in (
        ("mine.Scorer", "mine.Scorer: cannot be loaded .*give the path of a class"),
        ("json.JSONDecoder", "no scorer: it needs a name"),
    ):
        with pytest.raises(SettingError, match=message):
            load_scorers(BaseSettings({"EXPORTS_SCORERS": path}))
    with pytest.raises(CorpusError, match="scorer few: 1 scores for 2 texts"):
        run(corpus, EXPORTS_SCORERS=f"{__name__}.TooFew")
    with pytest.raises(CorpusError, match="scorer few: a score is not finite"):
        run(corpus, EXPORTS_SCORERS=f"{__name__}.NotFinite")
