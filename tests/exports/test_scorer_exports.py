"""Scorers of the user's own: their scores in the exports, bounds, what is computed once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import pytest
from openpyxl import load_workbook
from scrapy.settings import BaseSettings
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.embeddings import Embeddings
from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.exports import read_tmx
from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.own_scorers import load_scorers, read_bounds
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


def test_bounds_decide(corpus: SmallCorpus) -> None:
    settings = {**WORD, "EXPORTS_SCORER_BOUNDS": "word=0.5", "EXPORTS_FORMATS": "tmx"}
    assert run(corpus, **settings)["scorer"] == 1
    (unit,) = read_tmx(corpus.files.root / "de-it.tmx")
    assert unit.source == UNITS[0].source
    assert "scorer" not in run(corpus, **settings, EXPORTS_PRESET="off")
    settings |= {"EXPORTS_FORMATS": "texts", "EXPORTS_SCORER_BOUNDS": "word=0.021"}
    run(corpus, **settings)
    names = [path.name for path in (corpus.files.root / "plain").iterdir()]
    assert names == ["ita-i1.txt"]


def test_a_text_is_scored_once(corpus: SmallCorpus) -> None:
    run(corpus, **WORD)
    run(corpus, **WORD)
    assert ByWord.calls == [2]


def test_wrong_scorers_are_named(corpus: SmallCorpus) -> None:
    for path, message in (
        ("mine.Scorer", "mine.Scorer: cannot be loaded .*give the path of a class"),
        ("json.JSONDecoder", "no scorer: it needs a name"),
    ):
        with pytest.raises(SettingError, match=message):
            load_scorers(BaseSettings({"EXPORTS_SCORERS": path}))
    for bound, message in (
        ("word=high", "could not convert .*give name=number"),
        ("labse=0.5", "no scorer 'labse'; EXPORTS_SCORERS names word"),
    ):
        with pytest.raises(SettingError, match=message):
            read_bounds(BaseSettings({**WORD, "EXPORTS_SCORER_BOUNDS": bound}))
    with pytest.raises(CorpusError, match="scorer few: 1 scores for 2 texts"):
        run(corpus, EXPORTS_SCORERS=f"{__name__}.TooFew")
    with pytest.raises(CorpusError, match="scorer few: a score is not finite"):
        run(corpus, EXPORTS_SCORERS=f"{__name__}.NotFinite")


HAS_MODELS = find_spec("sentence_transformers") is not None


@pytest.mark.skipif(HAS_MODELS, reason="sentence-transformers is installed")
def test_embeddings_need_their_package() -> None:
    with pytest.raises(SettingError, match="pip install sentence-transformers"):
        Embeddings("any")


@pytest.mark.skipif(not HAS_MODELS, reason="sentence-transformers is not installed")
def test_embeddings_by_a_tiny_model(corpus: SmallCorpus, tmp_path: Path) -> None:
    model = make_model(tmp_path / "model")
    settings = {
        "EXPORTS_SCORERS": "ilspfc.embeddings.Embeddings",
        "EXPORTS_EMBEDDINGS": str(model),
    }
    run(corpus, **settings)
    for unit in read_tmx(corpus.files.root / "de-it.tmx"):
        ((name, score),) = unit.scores
        assert name == "embeddings"
        assert -1 <= score <= 1
    same = Embeddings(str(model)).score_units(("deu", "deu"), [("feuer", "feuer")])
    assert same == pytest.approx([1.0], abs=1e-5)
    with pytest.raises(SettingError, match="no such model"):
        Embeddings(str(tmp_path / "none"))


def make_model(folder: Path) -> Path:
    """Save a model of sentence-transformers with random weights and a few words."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *"das feuer il fuoco".split(),
    ]
    plain = folder / "plain"
    plain.mkdir(parents=True)
    (plain / "vocab.txt").write_text("\n".join(words), "utf-8")
    form: dict[str, Any] = {"vocab_size": len(words), "hidden_size": 8}
    form |= {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    BertModel(BertConfig(**form)).save_pretrained(plain)
    BertTokenizer(str(plain / "vocab.txt")).save_pretrained(plain)
    module = Transformer(str(plain))
    parts = [module, Pooling(module.get_word_embedding_dimension())]
    SentenceTransformer(modules=parts).save(str(folder / "whole"))
    return folder / "whole"
