"""Readings: what a cesDoc file has, with its sentences, and the decisions beside it."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import SmallCorpus

from ilspfc.corpus.reading import decode_reading, encode_reading, encode_verdicts
from ilspfc.corpus.xml import format_document, read_document
from ilspfc.documents import CrawlInfo, Document, Paragraph, ParagraphType
from ilspfc.text.sentences import split_sentences

PARAGRAPHS = st.builds(
    Paragraph,
    st.text(max_size=60),
    st.sampled_from([None, *ParagraphType]),
    st.sampled_from([None, *CrawlInfo]),
    topic=st.lists(st.text("ab &<", min_size=1)).map(tuple),
    level=st.integers(0, 6),
    score=st.none() | st.floats(0, 1),
    place=st.integers(0, 1 << 31),
    indent=st.integers(0, 9),
    gap=st.integers(0, 1),
)


@given(st.lists(PARAGRAPHS, max_size=4), st.sampled_from(["deu", "jpn", "und"]))
def test_a_reading_has_what_the_file_has(
    tmp_path_factory: pytest.TempPathFactory, paragraphs: list[Paragraph], lang: str
) -> None:
    document = Document("d1", "http://a.org/", paragraphs, lang=lang)
    path = tmp_path_factory.getbasetemp() / f"{lang}-d1.xml"
    path.write_bytes(format_document(document))
    read = read_document(path)
    reading = decode_reading("d1", encode_reading(document))
    assert reading.paragraphs == read.paragraphs
    assert [p.score for p in reading.paragraphs] == [p.score for p in read.paragraphs]
    assert [p.place for p in reading.paragraphs] == [p.place for p in paragraphs]
    assert reading.lang == read.lang
    for number, one in enumerate(read.paragraphs):
        assert reading.sentences(number) == split_sentences(one.text, lang)


def test_decisions_stand_beside_the_verdicts_of_cleaning() -> None:
    menu = Paragraph("Menü", None, CrawlInfo.BOILERPLATE)
    text = Paragraph("Ein Satz. Noch einer.")
    data = encode_reading(Document("d1", "http://a.org/", [menu, text], lang="deu"))
    reading = decode_reading("d1", data, ".,.")
    assert [p.cleaning for p in reading.paragraphs] == ["boilerplate", ""]
    assert list(reading.clean_sentences()) == [
        (None, ["Menü"]),
        (None, ["Ein Satz.", "Noch einer."]),
    ]
    assert encode_verdicts(reading.paragraphs) == ".,."
    again = encode_reading(
        Document("d1", "http://a.org/", reading.paragraphs, lang="deu")
    )
    assert again == data, "a second run starts from the verdicts of cleaning"
    assert decode_reading("d1", data, "lfra,s").clean_paragraphs == []


def test_what_is_no_reading_is_an_error() -> None:
    with pytest.raises((ValueError, zlib.error)):
        decode_reading("d1", b"nothing")


def test_a_missing_reading_is_made_from_the_file_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = SmallCorpus(tmp_path)
    small.add("d1", "deu", ["Ein Satz. Noch einer."])
    with small.open() as corpus:
        entry = corpus.index.documents()[0]
        first = corpus.reading(entry)
        assert first.sentences(0) == ["Ein Satz.", "Noch einer."]
        corpus.path_of(entry).unlink()
        assert corpus.reading(entry) == first
