"""Corpora of cesDoc files that no crawl of ours has made, and corpora merged."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.index import CorpusIndex
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.upkeep.imports import ImportReason, make_corpus, scan_folder
from ilspfc.upkeep.merging import merge_corpora


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    small = SmallCorpus(tmp_path / "small")
    small.add("d1", "deu", ["Die Bienen fliegen von Blüte zu Blüte."])
    small.add("i1", "ita", ["Le api volano di fiore in fiore."])
    return small


def test_files_become_a_corpus_and_others_are_dropped_with_a_reason(
    small: SmallCorpus, tmp_path: Path
) -> None:
    folder = small.files.documents
    (folder / "deu-bad.xml").write_text("<cesDoc>")
    same = (folder / "deu-d1.xml").read_bytes()
    (folder / "deu-same.xml").write_bytes(same)
    found = scan_folder(folder, tmp_path / "new")
    assert found.langs == ("deu", "ita")
    assert {reason for reason, _ in found.dropped} == {
        ImportReason.UNREADABLE,
        ImportReason.SAME_URL,
    }
    make_corpus(found, tmp_path / "new", ["ita"])
    with CorpusIndex(tmp_path / "new" / "corpus.db") as index:
        assert sorted(one.url for one in index.documents()) == [
            "http://a.org/d1",
            "http://a.org/i1",
        ]
        assert index.last_run()["langs"] == ["ita", "deu"]


def test_a_folder_without_use_is_one_line(small: SmallCorpus, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"no \*\.xml there"):
        scan_folder(tmp_path, tmp_path / "new")
    with pytest.raises(CorpusError, match="holds a corpus already"):
        scan_folder(small.files.documents, small.files.root)


def test_corpora_are_merged_into_a_new_folder_alone(
    small: SmallCorpus, tmp_path: Path
) -> None:
    root = small.files.root
    with small.open() as corpus:
        settings = corpus.settings
    with pytest.raises(ArgumentError, match="is not empty"):
        merge_corpora(root, [root], settings)
    with pytest.raises(ArgumentError, match="given twice"):
        merge_corpora(tmp_path / "out", [root, root], settings)
    assert not (tmp_path / "out").exists()
