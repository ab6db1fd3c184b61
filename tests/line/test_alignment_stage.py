"""Alignment over a corpus: all candidates once, with one lexicon."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.corpus import Corpus
from ilspfc.documents import DocumentPair
from ilspfc.line.alignment import run_alignment
from ilspfc.line.decisions import run_decisions

if TYPE_CHECKING:
    from ilspfc.corpus.records import DocumentEntry
    from ilspfc.documents import Document

GERMAN = [f"Regel {n} schützt Anton {n * 37} und Berta {n * n}." for n in range(12)]
ITALIAN = [f"La regola {n} protegge Anton {n * 37} e Berta {n * n}." for n in range(12)]
OTHER = [f"Altro testo {n * 991} senza Caesar {n * 77}." for n in range(12)]
WRONG = DocumentPair("d", "other", 0.9, "versions")
RIGHT = DocumentPair("d", "right", 0.6, "identical")


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d", "deu", GERMAN)
    corpus.add("other", "ita", OTHER[:1])
    corpus.add("right", "ita", ITALIAN)
    with corpus.open() as opened:
        opened.bitext.set_candidates("deu", "ita", [WRONG, RIGHT])
    return corpus


@pytest.mark.parametrize("method", ["lexical", "length"])
def test_rivals_are_aligned_with_the_pairs(corpus: SmallCorpus, method: str) -> None:
    with corpus.open(ALIGNMENT_METHOD=method) as opened:
        run_alignment(opened)
        figures = opened.bitext.figures("deu", "ita")
        assert figures.keys() == {("d", "other"), ("d", "right")}
        right, other = figures["d", "right"][0], figures["d", "other"][0]
        assert right is not None
        assert other is not None
        assert right < 0.1 < other
        assert len(list(opened.bitext.units(RIGHT))) == 12


def test_alignment_decides_nothing(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        run_alignment(opened)
        assert {e.state for e in opened.bitext.candidates("deu", "ita")} == {"taken"}
        assert not opened.files.pairs.exists()
        run_decisions(opened)
        (pair,) = opened.bitext.pairs("deu", "ita")
        assert pair.pair.target == "right"
        assert list(opened.bitext.units(WRONG)) == []


def test_a_second_run_gives_the_same(corpus: SmallCorpus) -> None:
    found = []
    for _ in range(2):
        with corpus.open() as opened:
            run_alignment(opened)
            units = [list(opened.bitext.units(pair)) for pair in (WRONG, RIGHT)]
            found.append((opened.bitext.figures("deu", "ita"), units))
            run_decisions(opened)
    assert found[0] == found[1]


def test_each_document_is_read_once(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    original = Corpus.read

    def record(self: Corpus, entry: DocumentEntry) -> Document:
        read.append(entry.id)
        return original(self, entry)

    monkeypatch.setattr(Corpus, "read", record)
    with corpus.open() as opened:
        run_alignment(opened)
    assert sorted(read) == ["d", "other", "right"]


def test_short_pages_are_judged_by_the_words_explained(tmp_path: Path) -> None:
    """Null share and mean score say little there, and nothing is recorded."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abdefgiklmnorst", k=7)) for _ in range(240)]
    german, italian = words[:120], words[120:]
    orders = [chance.sample(range(120), 8) for _ in range(120)]
    corpus = SmallCorpus(tmp_path)
    for name, lang, some in (("d", "deu", german), ("right", "ita", italian)):
        corpus.add(name, lang, [" ".join(some[n] for n in one) for one in orders])
    corpus.add("short", "deu", [" ".join(german[:9]), " ".join(german[20:30])])
    corpus.add("other", "ita", [" ".join(italian[50:59]), " ".join(italian[70:80])])
    wrong = DocumentPair("short", "other", 0.6, "titles", values=(("titles", 1.0),))
    with corpus.open() as opened:
        opened.bitext.set_candidates("deu", "ita", [RIGHT, wrong])
        run_alignment(opened)
        figures = opened.bitext.figures("deu", "ita")
        assert None not in figures["d", "right"]
        *judged, explained = figures["short", "other"]
        assert judged == [None, None]
        assert explained is not None
        assert explained < -0.5
        run_decisions(opened)
        (pair,) = opened.bitext.pairs("deu", "ita")
        assert pair.pair == RIGHT


def test_a_small_corpus_does_not_tell_what_is_usual(tmp_path: Path) -> None:
    """Of a pair alone the words that its units explain say nothing."""
    corpus = SmallCorpus(tmp_path)
    corpus.add("d", "deu", GERMAN[:2])
    corpus.add("i", "ita", OTHER[:2])
    with corpus.open() as opened:
        opened.bitext.set_candidates("deu", "ita", [DocumentPair("d", "i", 0.9, "x")])
        run_alignment(opened)
        assert opened.bitext.figures("deu", "ita") == {("d", "i"): (None, None, None)}


def test_candidates_below_the_threshold_alone_are_aligned(tmp_path: Path) -> None:
    """There is no lesson to learn from."""
    corpus = SmallCorpus(tmp_path)
    corpus.add("d", "deu", GERMAN)
    corpus.add("i", "ita", ITALIAN)
    pair = DocumentPair("d", "i", 0.4, "lexicon", values=(("lexicon", 0.5),))
    with corpus.open() as opened:
        opened.bitext.set_candidates("deu", "ita", [pair])
        run_alignment(opened)
        assert len(list(opened.bitext.units(pair))) == 12
        run_decisions(opened)
        (entry,) = opened.bitext.candidates("deu", "ita")
        assert entry.state == "unsure"
        assert entry.mean_score is not None


def test_without_a_lexicon_too_little_is_not_judged(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d", "deu", GERMAN[:2])
    corpus.add("i", "ita", OTHER[:2])
    with corpus.open(ALIGNMENT_METHOD="length") as opened:
        opened.bitext.set_candidates("deu", "ita", [DocumentPair("d", "i", 0.9, "x")])
        run_alignment(opened)
        run_decisions(opened)
        (pair,) = opened.bitext.pairs("deu", "ita")
        assert (pair.null_share, pair.mean_score) == (None, None)
