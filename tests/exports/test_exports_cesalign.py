"""The cesAlign writer."""

from __future__ import annotations

from pathlib import Path

from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState
from ilspfc.exports.corpus_files import run_exports

EXPECTED = """<?xml version='1.0' encoding='UTF-8'?>
<cesAlign xmlns="http://www.xces.org/schema/2003" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0">
  <cesHeader version="1.0">
    <profileDesc>
      <translations confidence="0.9700" method="links">
        <translation trans.loc="../xml/deu-d1.xml" xml:lang="deu" wsd="UTF-8" n="1"/>
        <translation trans.loc="../xml/ita-i1.xml" xml:lang="ita" wsd="UTF-8" n="2"/>
      </translations>
    </profileDesc>
  </cesHeader>
</cesAlign>
"""


def test_the_file_names_both_documents(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", ["Das Feuer."])
    corpus.add("i1", "ita", ["Il fuoco."])
    pair = DocumentPair("d1", "i1", 0.97, "links", 0.5)
    with corpus.open(EXPORTS_FORMATS="cesalign") as opened:
        opened.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        run_exports(opened)
    (path,) = (tmp_path / "cesalign").iterdir()
    assert path.name == "d1_i1_links.xml"
    assert path.read_text(encoding="utf-8") == EXPECTED
