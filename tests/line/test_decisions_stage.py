"""Decisions over a corpus: states, losses and the list of pairs."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.counts import count_corpus, score_histogram
from ilspfc.decisions import pairs
from ilspfc.documents import DocumentPair, TranslationUnit
from ilspfc.line import run_stage
from ilspfc.line.decisions import run_decisions
from ilspfc.line.stages import STAGES

CANDIDATES = [
    DocumentPair("d1", "i1", 0.9, "url", 0.5),
    DocumentPair("d1", "i2", 0.7, "url"),
    DocumentPair("d2", "i1", 0.6, "url"),
]
UNIT = TranslationUnit("eins", "uno", "1:1", 0.9)


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    for number in (1, 2):
        corpus.add(f"d{number}", "deu", [f"Text {number}"])
        corpus.add(f"i{number}", "ita", [f"Testo {number}"])
    with corpus.open() as opened:
        opened.bitext.set_candidates("deu", "ita", CANDIDATES)
    return corpus


def read_rows(corpus: SmallCorpus) -> list[list[str]]:
    path = corpus.files.pairs_file("de", "it")
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]


def count_drops(corpus: SmallCorpus) -> dict[tuple[str, str], int]:
    with corpus.open() as opened:
        rows = opened.index.rows("SELECT stage, reason, number FROM drops")
        return {(stage, reason): number for stage, reason, number in rows}


def test_the_list_has_the_pairs(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        run_decisions(opened)
    (row,) = read_rows(corpus)
    assert row[:4] == ["http://a.org/d1", "http://a.org/i1", "0.9000", "url"]
    assert row[4:6] == ["xml/deu-d1.xml", "xml/ita-i1.xml"]
    assert row[-4:] == ["0.5000", "", "", ""]
    assert count_drops(corpus) == {("pairing", "taken"): 2}


def test_pages_in_two_variants_are_paired_in_one(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    candidates = []
    for number, (first, second) in enumerate([(0.9, 0.8), (0.9, 0.8), (0.8, 0.9)]):
        corpus.add(f"d{number}", "deu", [f"Text {number}"])
        for tag, probability in (("it-IT", first), ("it_CH", second)):
            name = f"{tag[-2:].lower()}{number}"
            corpus.add(name, "ita", [f"Testo {number}"], declared_lang=tag)
            candidates.append(DocumentPair(f"d{number}", name, probability, "url"))
    # A tag that is none.
    corpus.add("d3", "deu", ["Text 3"])
    corpus.add("x3", "ita", ["Testo 3"], declared_lang="?")
    corpus.add("y3", "ita", ["Testo 3"], declared_lang="it-IT")
    candidates += [
        DocumentPair("d3", n, p, "url") for n, p in (("x3", 0.9), ("y3", 0.8))
    ]
    with corpus.open() as opened:
        opened.bitext.set_candidates("deu", "ita", candidates)
        run_decisions(opened)
    pages = {
        tuple(url.rpartition("/")[2] for url in row[:2]) for row in read_rows(corpus)
    }
    assert pages == {("d0", "it0"), ("d1", "it1"), ("d2", "it2"), ("d3", "x3")}


def test_documents_of_other_genres_are_put_apart_and_come_back(
    tmp_path: Path,
) -> None:
    corpus = SmallCorpus(tmp_path)
    for name, lang, genre in (
        ("d1", "deu", "article"),
        ("i1", "ita", "article"),
        ("d2", "deu", "listing"),
        ("i2", "ita", ""),
    ):
        corpus.add(name, lang, [f"Text {name}"], genre=genre)
    candidates = [
        DocumentPair("d1", "i1", 0.9, "url"),
        DocumentPair("d2", "i2", 0.9, "url"),
    ]
    files = corpus.files
    with corpus.open() as opened:
        opened.bitext.set_candidates("deu", "ita", candidates)
        for pair in candidates:
            opened.bitext.set_units(pair, [UNIT], null_share=0.0, mean_score=0.9)
    for genres, kept in (("article,forum", ["d1"]), ("", ["d1", "d2"])):
        with corpus.open(DECISIONS_GENRES=genres) as opened:
            run_stage("decisions", opened)
            counted = count_corpus(opened.index, opened.langs).pairs[0]
            assert (counted.pairs, counted.units) == (len(kept), len(kept))
            assert sum(score_histogram(opened.index, 10)) == len(kept)
            ids = [
                entry.id for entry in opened.index.documents() if entry.lang == "deu"
            ]
            assert ids == kept
        assert [row[0] for row in read_rows(corpus)] == [
            f"http://a.org/{name}" for name in kept
        ]
        apart = {path.name for path in files.off_topic.glob("*")}
        assert apart == ({"deu-d2.xml", "ita-i2.xml"} if genres else set())
        drops = count_drops(corpus)
        assert drops.get(("decisions", "genre")) == (2 if genres else None)


def test_figures_of_the_alignment_refute_a_pair(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = {"unaligned_source": 4, "not_parallel": 1}
    with corpus.open() as opened:
        for candidate in CANDIDATES:
            share = 0.9 if candidate is CANDIDATES[0] else 0.1
            opened.bitext.set_units(
                candidate, [UNIT], null_share=share, mean_score=0.45, losses=losses
            )
        run_decisions(opened)
        assert [list(opened.bitext.units(c)) for c in CANDIDATES] == [
            [],
            [UNIT],
            [UNIT],
        ]
    assert [row[1][-2:] for row in read_rows(corpus)] == ["i2", "i1"]
    assert [row[-1] for row in read_rows(corpus)] == ["", ""]
    assert count_drops(corpus) == {
        ("alignment", "unaligned_source"): 12,
        ("alignment", "not_parallel"): 1,
    }
    monkeypatch.setattr(pairs, "MIN_ALIGNED_SHARE", 0)
    with corpus.open() as opened:
        run_decisions(opened)
    (row,) = read_rows(corpus)
    assert row[1][-2:] == "i1"
    assert row[-1] == "partial"


def test_figures_of_an_earlier_run_do_not_count(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        opened.bitext.set_units(CANDIDATES[0], [], null_share=0.9, mean_score=0.1)
        opened.index.add_run({"langs": ["deu", "ita"]})
        run_decisions(opened)
    (row,) = read_rows(corpus)
    assert row[1][-2:] == "i1"
    assert row[-1] == "partial"


def test_documents_that_went_are_in_no_pair(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        opened.index.set_duplicates({"i1": ("i2", "near_duplicate")})
        run_decisions(opened)
    assert [row[1][-2:] for row in read_rows(corpus)] == ["i2"]


def test_a_stage_run_alone_is_followed_by_the_decisions(corpus: SmallCorpus) -> None:
    assert [stage.name for stage in STAGES] == [
        *("dedup", "pairing", "content", "alignment", "decisions", "units", "exports")
    ]
    with corpus.open() as opened:
        run_stage("dedup", opened)
    assert len(read_rows(corpus)) == 1
    corpus.files.pairs_file("de", "it").unlink()
    with corpus.open(EXPORTS_FORMATS=["tmx"]) as opened:
        run_stage("exports", opened)
    assert not corpus.files.pairs_file("de", "it").exists()
