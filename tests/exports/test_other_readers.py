"""Packages that read the formats of others open ours: datasets (Hugging Face), opustools (OPUS).

Neither is among the requirements: they bring pandas and lists of corpora of their own. The checks
of each night install them (.ci/nightly).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exports.corpus_files import run_exports
from ilspfc.line.units import run_units

UNITS = [
    TranslationUnit("Die Bienen fliegen weit.", "Le api volano lontano.", "1:1", 0.9),
    TranslationUnit("Sie ruhen nie.", "Non riposano mai.", "1:1", 0.8),
]


def find_package(name: str) -> Any:
    reason = f"{name} is not installed: pip install {name}"
    return pytest.importorskip(name, reason=reason)


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path / "bees")
    corpus.add("d1", "deu", [" ".join(unit.source for unit in UNITS), "Der Honig."])
    corpus.add("i1", "ita", [" ".join(unit.target for unit in UNITS), "Il miele."])
    pair = DocumentPair("d1", "i1", 0.9, "content")
    with corpus.open(EXPORTS_FORMATS="hf,opus,parquet") as opened:
        opened.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        opened.bitext.set_units(pair, UNITS, null_share=None, mean_score=None)
        run_units(opened)
        run_exports(opened)
    return corpus


@pytest.mark.filterwarnings("default")
def test_datasets_loads_the_folder_of_the_hub(
    corpus: SmallCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    load_dataset = find_package("datasets").load_dataset
    cache = str(tmp_path / "cache")
    # The card names the configuration and its split.
    folder = load_dataset(str(corpus.files.root / "hf"), "de-it", cache_dir=cache)
    file = str(corpus.files.root / "de-it.parquet")
    for found in (folder, load_dataset("parquet", data_files=file, cache_dir=cache)):
        texts = [(row["src_text"], row["trg_text"]) for row in found["train"]]
        assert texts == [(unit.source, unit.target) for unit in UNITS]


@pytest.mark.filterwarnings("default")
def test_opustools_reads_the_links_and_their_sentences(corpus: SmallCorpus) -> None:
    folder = str(corpus.files.root / "xces")
    reader = find_package("opustools").OpusRead(
        directory="bees",
        source="de",
        target="it",
        preprocess="raw",  # sentences without tokens
        alignment_file=f"{folder}/de-it.xml",
        download_dir=folder,
        leave_non_alignments_out=True,
    )
    found = list(reader.yieldPairs())
    assert found == [(unit.source, unit.target) for unit in UNITS]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("first", "second"), [("de", "it"), ("it", "de")])
def test_opustools_reads_the_packages(
    first: str, second: str, corpus: SmallCorpus
) -> None:
    reader = find_package("opustools").OpusRead(
        root_directory=str(corpus.files.root / "opus"),
        directory="bees",
        source=first,
        target=second,
        preprocess="raw",
        leave_non_alignments_out=True,
    )
    found = [sorted(pair) for pair in reader.yieldPairs()]
    assert found == [sorted([unit.source, unit.target]) for unit in UNITS]
