"""The stages as functions: ``from ilspfc import extract, identify, align, read_corpus``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ilspfc
from ilspfc import align, extract, identify, read_corpus
from ilspfc.exceptions import ArgumentError, CorpusError

if TYPE_CHECKING:
    from conftest import Crawl

PAGE = """<html lang="de"><body><ul><li><a href="/">Start</a></ul>
<h1>Imkerei</h1><p>Die Bienen leben in großen Völkern zusammen, die Königin legt Eier.</p>
<p>The queen lays up to two thousand eggs on every single day of the summer.</p>"""


def test_a_page_becomes_clean_text_in_its_language() -> None:
    document = extract(PAGE, url="http://example.org/", langs=["de", "en"])
    assert document is not None
    assert document.lang == "deu"
    assert [p.text[:10] for p in document.clean_paragraphs] == ["Die Bienen"]
    assert extract(b"") is None


def test_a_text_gets_one_of_the_languages() -> None:
    lang, probability = identify("Le api vivono in grandi colonie.", ["de", "it"])
    assert lang == "it"
    assert 0.9 < probability <= 1
    with pytest.raises(ArgumentError, match="xx"):
        identify("Text", ["xx"])
    with pytest.raises(ArgumentError, match=r"langs='de,it': give a list"):
        identify("Die Bienen", "de,it")
    with pytest.raises(ArgumentError, match="give the languages"):
        identify("Text", [])


def test_sentences_become_units() -> None:
    source = ["Bees fly.", "It rains again today, and nobody goes out."]
    target = ["今天又下雨了,", "没有人出去。"]
    (unit,) = align(source[1:], target, ["en", "zh"])
    assert (unit.kind, unit.target) == ("1:2", "今天又下雨了,没有人出去。")
    with pytest.raises(ArgumentError, match="give two languages"):
        align(source, target, ["en"])
    for one, two in (("Bees fly.", target), (source, "Le api volano.")):
        with pytest.raises(
            ArgumentError, match="is one text; give a list of its sentences"
        ):
            align(one, two, ["en", "zh"])


def test_a_corpus_is_read(bilingual_crawl: Crawl, tmp_path: Path) -> None:
    with read_corpus(bilingual_crawl.corpus) as corpus:
        italian = list(corpus.documents("it"))
        assert {document.lang for document in italian} == {"ita"}
        assert all(document.clean_paragraphs for document in italian)
        assert len(list(corpus.documents())) > len(italian)
        assert all(unit.source and unit.target for unit in corpus.units("de", "it"))
        units = list(corpus.units("de", "it"))
        assert units
        turned = [unit.exchanged() for unit in corpus.units("it", "de")]
        assert turned == units
        pairs = list(corpus.pairs("de", "it"))
        assert pairs
        for source, target, probability in pairs:
            assert (source.lang, target.lang) == ("deu", "ita")
            assert source.clean_paragraphs
            assert 0.5 < probability <= 1
        assert pairs == [(b, a, p) for a, b, p in corpus.pairs("it", "de")]
        with pytest.raises(
            ArgumentError, match="fr: the corpus has no such language; known are de, it"
        ):
            corpus.documents("fr")
        with pytest.raises(ArgumentError, match="fr: the corpus has no such language"):
            corpus.units("fr", "de")
        with pytest.raises(ArgumentError, match="fr: the corpus has no such language"):
            corpus.pairs("de", "fr")
    with pytest.raises(CorpusError), read_corpus(tmp_path):
        pass


def test_no_function_needs_a_crawler() -> None:
    code = "import sys, ilspfc.functions; print({'scrapy', 'twisted'} & {*sys.modules})"
    printed = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(ilspfc.__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert printed.stdout.strip() == "set()"
    with pytest.raises(AttributeError, match="no attribute 'train'"):
        ilspfc.train  # noqa: B018


WITHOUT_PACKAGES = """
import sys
sys.modules.update(dict.fromkeys(["lingua", "sklearn", "babel"]))
from ilspfc import align, identify
from ilspfc.text.codes import language_name
print(identify("Knihovna je dnes zavřená.", ["cs", "sk"])[0], language_name("ces"))
print(len(align(["Die Bienen fliegen."], ["Le api volano."], ["de", "it"])))
"""


def test_large_packages_may_be_left_out() -> None:
    """As docs/performance.md has it: languages have their codes for names then."""
    command = [sys.executable, "-W", "error", "-c", WITHOUT_PACKAGES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "cs ces\n1\n"), done.stderr
