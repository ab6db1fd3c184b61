"""Text of a corpus: written into the files in a way that can be decided again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.reading import text_digest
from ilspfc.corpus.xml import format_document, read_document, write_verdicts
from ilspfc.decisions.content import SITE_EVIDENCE, ContentModel
from ilspfc.documents import CrawlInfo, Document, Paragraph, ParagraphType
from ilspfc.line import run_stage
from ilspfc.line.content import run_content

MENU = "Startseite und alle Produkte der Firma"
TEXTS = ("Chlor", "Brom", "Säure", "Lauge", "Staub", "Lärm", "Asbest", "Quarz", "Blei")


def make_document(name: str, substance: str) -> Document:
    text = (
        f"{substance} wird an einem trockenen und kühlen Ort gelagert, nie im Freien."
    )
    paragraphs = [
        Paragraph(MENU, None, CrawlInfo.BOILERPLATE, score=0.03),
        Paragraph(f"Umgang mit {substance}", ParagraphType.TITLE, level=1, score=0.9),
        Paragraph(substance, None, CrawlInfo.BOILERPLATE, score=0.45),
        Paragraph(text, None, CrawlInfo.BOILERPLATE, score=0.45),
    ]
    return Document(name, f"http://a.org/{name}", paragraphs, lang="deu")


@pytest.fixture(autouse=True)
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decide by a model that restores text, whatever the one that ships has learned."""
    weights = {"always": 0.6, "beginning": -4.0, "place_scores": 1.6}
    model = ContentModel(np.array([weights.get(name, 1.0) for name in SITE_EVIDENCE]))
    monkeypatch.setattr("ilspfc.line.content.shipped_model", lambda: model)


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    names = [f"{a}{b}" for a in TEXTS for b in TEXTS]
    for number, substance in enumerate(names[:40]):
        document = make_document(f"d{number}", substance)
        corpus.add(document.id, "deu", [p.text for p in document.paragraphs])
        path = corpus.files.documents / f"deu-{document.id}.xml"
        path.write_bytes(format_document(document))
    return corpus


def read_files(corpus: SmallCorpus) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in corpus.files.documents.iterdir()}


def test_text_is_restored_and_a_second_run_gives_the_same(corpus: SmallCorpus) -> None:
    before = read_files(corpus)
    with corpus.open() as opened:
        run_content(opened)
        first = read_files(corpus)
        run_content(opened)
        assert read_files(corpus) == first
        entry = opened.index.document("d3")
        assert entry is not None
        document = opened.read(entry)
        menu, title, short, text = document.paragraphs
        assert menu.crawlinfo is CrawlInfo.BOILERPLATE
        assert title.crawlinfo is None
        assert (text.crawlinfo, text.cleaning) == (None, "boilerplate")
        assert (short.crawlinfo, short.cleaning) == (
            CrawlInfo.OOI_LENGTH,
            "boilerplate",
        )
        assert entry.clean_paragraphs == 2
        assert opened.index.last_run()["restored"] == 80
        assert opened.reading(entry).paragraphs == document.paragraphs
        page = opened.reading(entry, is_decided=False)
        document.paragraphs = page.paragraphs
        assert text_digest(document) == text_digest(opened.read(entry))
        assert format_document(document) == before["deu-d3.xml"]
    assert first != before


def test_a_page_all_of_whose_text_is_frame_keeps_what_cleaning_kept(
    corpus: SmallCorpus,
) -> None:
    """A table of contents: the same items on every page, here the text of one."""
    names = [Paragraph(MENU, None, score=0.6)]
    document = Document("d99", "http://a.org/d99", names, lang="deu")
    corpus.add("d99", "deu", [MENU])
    path = corpus.files.documents / "deu-d99.xml"
    path.write_bytes(format_document(document))
    with corpus.open() as opened:
        run_content(opened)
    assert [p.crawlinfo for p in read_document(path).paragraphs] == [None]


def test_switched_off_the_verdicts_of_cleaning_stand_again(corpus: SmallCorpus) -> None:
    before = read_files(corpus)
    with corpus.open() as opened:
        run_content(opened)
    with corpus.open(DECISIONS_TEXT=False) as opened:
        run_content(opened)
    assert read_files(corpus) == before


@pytest.mark.parametrize("is_decided", [True, False])
def test_types_that_the_user_leaves_out_are_no_text(
    corpus: SmallCorpus, *, is_decided: bool
) -> None:
    before = read_files(corpus)
    settings = {
        "DECISIONS_TEXT": is_decided,
        "DECISIONS_OMITTED_TYPES": "title,comment",
    }
    with corpus.open(**settings) as opened:
        run_content(opened)
        entry = opened.index.document("d3")
        assert entry is not None
        title = opened.read(entry).paragraphs[1]
        assert (title.crawlinfo, title.cleaning) == (CrawlInfo.BOILERPLATE, "text")
        ((number,),) = opened.index.rows(
            "SELECT number FROM drops WHERE stage = 'content' AND reason = 'type'"
        )
        assert number == 40
    with corpus.open(DECISIONS_TEXT=False) as opened:
        run_content(opened)
    assert read_files(corpus) == before


def test_alignment_run_alone_decides_on_the_text(corpus: SmallCorpus) -> None:
    before = read_files(corpus)
    with corpus.open() as opened:
        run_stage("alignment", opened)
    assert read_files(corpus) != before


def test_verdicts_are_written_as_the_whole_file_would_be(tmp_path: Path) -> None:
    document = make_document("d1", "Chlor & <Brom>")
    path = tmp_path / "deu-d1.xml"
    path.write_bytes(format_document(document))
    document.paragraphs[1].crawlinfo = CrawlInfo.BOILERPLATE
    document.paragraphs[1].cleaning = "text"
    document.paragraphs[2].crawlinfo = None
    document.paragraphs[2].cleaning = "boilerplate"
    write_verdicts(path, document.paragraphs)
    assert path.read_bytes() == format_document(document)
    read = read_document(path)
    assert read.paragraphs == document.paragraphs
    assert [p.score for p in read.paragraphs] == [0.03, 0.9, 0.45, 0.45]
