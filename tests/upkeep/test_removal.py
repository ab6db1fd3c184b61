"""Removal of pages: nothing of them stays in a file of the corpus but the receipt."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.removals import Removal, Removals, read_removals
from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.line import run_outdated
from ilspfc.upkeep.removal import remove_pages

SECRET = "Zirbelnusskuchen"


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    """Two pages of each language; the first German one has a word of its own."""
    small = SmallCorpus(tmp_path)
    for number, word in enumerate((SECRET, "Honigkuchen")):
        small.add(f"d{number}", "deu", [f"Der {word} steht auf dem Tisch."])
        small.add(f"i{number}", "ita", [f"Il dolce {number} sta sulla tavola."])
    return small


def files_with(root: Path, words: str) -> list[str]:
    """Return the files that have some words, plain or in a database."""
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and words.encode() in path.read_bytes()
    )


@pytest.mark.parametrize(
    ("kind", "value", "documents"),
    [("url", "http://a.org/d0", 1), ("host", "a.org", 4)],
)
def test_nothing_of_a_page_stays(
    small: SmallCorpus, kind: str, value: str, documents: int
) -> None:
    with small.open() as corpus:
        pair = DocumentPair("d0", "i0", 0.9, "urls")
        corpus.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        unit = TranslationUnit(f"Der {SECRET} steht.", "Il dolce sta.", "1:1", 0.9)
        corpus.bitext.set_units(pair, [unit], null_share=0.0, mean_score=0.9)
        run_outdated(corpus)
        assert files_with(small.files.root, SECRET)
        (done,) = remove_pages(corpus, [Removal.of(kind, value)])
        left = {entry.id for entry in corpus.index.documents()}
    assert done.documents == documents
    assert len(left) == 4 - documents
    assert "d0" not in left
    assert files_with(small.files.root, SECRET) == []
    assert Removals(read_removals(small.files.removals)).covers("http://a.org/d0")


def test_a_removal_can_be_asked_for_again(small: SmallCorpus) -> None:
    wanted = [Removal.of("url", "http://a.org/d0")]
    with small.open() as corpus:
        remove_pages(corpus, wanted)
        written = sorted(small.files.root.glob("*.tmx"))
        (again,) = remove_pages(corpus, wanted)
    assert again.documents == 0
    assert written
    assert sorted(small.files.root.glob("*.tmx")) == written
    assert small.files.pairs.is_dir()
