"""A corpus folder: where things are, and whether there is a corpus at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilspfc.corpus.files import CorpusFiles
from ilspfc.exceptions import CorpusError


def test_everything_is_inside_the_folder(tmp_path: Path) -> None:
    files = CorpusFiles(tmp_path)
    names = {
        files.documents / files.document_name("deu", "0123456789ab"): "xml/deu-0123456789ab.xml",
        files.pairs_file("de", "it"): "pairs/de-it.tsv",
        files.index: "corpus.db",
        files.frontier: "frontier.db",
        files.report: "report.html",
        files.manifest: "manifest.json",
        files.stats: "stats.json",
    }  # fmt: skip
    for path, name in names.items():
        assert path.relative_to(tmp_path).as_posix() == name


def test_a_folder_with_an_index_is_a_corpus(tmp_path: Path) -> None:
    files = CorpusFiles(tmp_path)
    files.index.touch()
    assert files.require() is files


@pytest.mark.parametrize("name", ["", "missing"])
def test_a_folder_without_an_index_is_named(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    with pytest.raises(CorpusError, match="no corpus there") as caught:
        CorpusFiles(folder).require()
    assert str(folder) in str(caught.value)
    assert "CORPUS_DIR" in str(caught.value)
    assert list(tmp_path.iterdir()) == [], "looking makes nothing"
