"""Formats of exports: those of the registry are those of the docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.registry import FORMATS, iter_export_files

DOCS = Path(__file__).parents[2] / "docs" / "exports.md"


def test_the_docs_have_a_row_for_each_format() -> None:
    table = DOCS.read_text("utf-8").partition("| format | files |")[2]
    rows = re.findall(
        r"^\| `([\w-]+)` \| (.*) \|$", table.partition("\n\n")[0], re.MULTILINE
    )
    assert sorted(name for name, _ in rows) == sorted(FORMATS)
    for name, text in rows:
        one = FORMATS[name]
        assert f"{one.folder}/" * (one.of != "corpus" and bool(one.folder)) in text
        assert f".{one.suffix}" in text or one.folder == "xml", name


@pytest.mark.parametrize(
    "name", [n for n, one in FORMATS.items() if one.of != "corpus"]
)
def test_files_of_earlier_runs_are_replaced(name: str, tmp_path: Path) -> None:
    one = FORMATS[name]
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", ["Das ist ein Satz von Belang."])
    folder = corpus.files.root / one.folder
    folder.mkdir(exist_ok=True)
    stale = folder / (f"gone.{one.suffix}" if one.folder else "")
    if not one.folder:
        stale = folder / f"de-it.007.{one.suffix or 'de'}"
    other = folder / "notes.rst"
    for path in (stale, other):
        path.touch()
    with corpus.open(EXPORTS_FORMATS=name) as opened:
        run_exports(opened)
        listed = [path for path, _ in iter_export_files(opened)]
    assert not stale.exists()
    assert other.exists()
    expected = folder if one.folder else folder / "de-it"
    assert any(str(path).startswith(str(expected)) for path in listed)
