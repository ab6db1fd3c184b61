"""No input breaks the Python API: real pages, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.cleaning_sets import read_set
from evaluation.data import DATA
from evaluation.functions import find_exceptions, iter_calls
from ilspfc import align, extract, extract_text, identify, read_corpus
from ilspfc.exceptions import ArgumentError, CorpusError

SENTENCE = "Die Bienen leben in großen Völkern zusammen, die Königin legt Eier. "
LICENSE = (
    '<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>'
)
BODIES = {
    "empty": b"",
    "blank": b" \n\t ",
    "one character": b"x",
    "NUL": b"\0" * 1000,
    "no text": b"<html><head></head><body></body></html>",
    "a comment": b"<!-- x -->",
    "an instruction": b"<?xml version='1.0'?>",
    "a declaration": b"<!DOCTYPE html>",
    "no tag ends": b"<<<<<<a<b<c",
    "all bytes": bytes(range(256)) * 40,
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(255, -1, -1)) * 20,
    "an archive": b"PK\x03\x04" + b"\0\xff" * 500,
    "UTF-16": SENTENCE.encode("utf-16"),
    "half of UTF-16": SENTENCE.encode("utf-16")[:-1],
    "a lone surrogate": b"<p>\xed\xa0\x80 " + SENTENCE.encode(),
    "broken addresses": b"<base href='http://['><a href='http://[::1'>x</a><link rel=canonical href='//'>",
    "an empty base": b"<base href=''><p about='#x'>" + LICENSE.encode(),
    "a license": f"<p>{SENTENCE}</p><div about=''>{LICENSE}</div><footer>CC BY 4.0".encode(),
    "dates": b"<meta name=date content='99999-99-99'><time datetime='-0001-11-30'>x</time>",
    "JSON-LD": b"<script type='application/ld+json'>[[[[{\"@type\": [null], \"author\": 1}</script><p>x",
    "shadow trees": b"<a><template shadowrootmode=open><slot>" * 60 + b"x",
    "many words": f"<p>{SENTENCE * 500}".encode(),
    "many elements": b"<p><span class=sr-only>x<button aria-expanded=true>y" * 500,
    "deep": b"<div>" * 2_100 + SENTENCE.encode(),
}  # fmt: skip
URLS = ("", "x", "http://[", "http://", "//", "\0", "http://a.org/\ud800", "javascript:x", "http://" + "a" * 5_000)  # fmt: skip


def test_no_real_page_breaks_a_function() -> None:
    """Each hundredth page of the smallest set; ``evaluation.functions`` reads all."""
    if not (DATA / "data" / "cleaning" / "cleaneval-final.tar.xz").is_file():
        pytest.skip(f"no evaluation data in {DATA}")
    from evaluation.cleaning_sets import WORK

    pages = read_set("cleaneval-final", WORK)[::100]
    found = {page.id: find_exceptions([page.read()]) for page in pages}
    assert {name: errors for name, errors in found.items() if errors} == {}


@pytest.mark.parametrize("name", BODIES)
def test_no_bytes_break_a_function(name: str) -> None:
    assert find_exceptions([BODIES[name], SENTENCE.encode()]) == []


@pytest.mark.parametrize("url", URLS)
def test_no_address_breaks_extract(url: str) -> None:
    body = BODIES["a license"]
    for call in iter_calls(body, url):
        call()
    document = extract(body, url=url)
    assert document is not None
    assert [one.id for one in document.licenses] == ["CC-BY-4.0"]


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300), st.text(max_size=40))
def test_any_input_is_a_page_or_none(page: bytes | str, url: str) -> None:
    extract(page)
    extract(page, url=url, langs=["de", "it"])


_pieces = st.sampled_from(
    "<p> </p> <h2> </h2> <button> <button\u00a0aria-expanded=true> </button> <pre> </pre> <td> <tr>"
    " <table> <span\u00a0class=sr-only> <span\u00a0class=line> <span\u00a0class=ln> </span>"
    " <i\u00a0aria-hidden=true> </i> <x-a> </x-a> <template\u00a0shadowrootmode=open> </template>"
    " <slot> <slot\u00a0name=b> </slot> <b\u00a0slot=b> <a\u00a0href=#L1> </a> 1 2 Wort \u200b \u200e".split(" ")
).map(lambda piece: piece.replace("\u00a0", " "))  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(_pieces, max_size=40))
def test_no_markup_of_visibility_breaks_extract(pieces: list[str]) -> None:
    extract("".join(pieces))


@settings(max_examples=40, deadline=None)
@given(st.text(), st.lists(st.sampled_from(["de", "ita", "th", "xx", ""]), max_size=3))
def test_a_text_has_a_language_or_the_arguments_are_wrong(
    text: str, langs: list[str]
) -> None:
    try:
        lang, probability = identify(text, langs)
    except ArgumentError:
        return
    assert lang in {*langs, "other"}
    assert 0 <= probability <= 1


_sentences = st.lists(st.text(max_size=40), max_size=6)


@settings(max_examples=15, deadline=None)
@given(_sentences, _sentences)
def test_any_sentences_are_aligned(source: list[str], target: list[str]) -> None:
    for unit in align(source, target, ["de", "km"]):
        assert unit.source
        assert unit.target


@pytest.mark.parametrize("langs", [[], ["de"], ["de", "xx"], ["de", ""], "de"])
def test_wrong_languages_are_an_argument_error(langs: Any) -> None:
    with pytest.raises(ArgumentError):
        align(["x"], ["y"], langs)
    if langs:
        with pytest.raises(ArgumentError):
            extract("<p>x", langs=[*langs, "xx"])
        with pytest.raises(ArgumentError):
            identify("x", [*langs, "xx"])


@pytest.mark.parametrize("value", [None, 1, [None], {"a": 1}.items(), iter("x")])
def test_a_value_of_a_wrong_type_is_named(value: Any) -> None:
    calls: dict[str, list[Callable[[], object]]] = {
        "html": [lambda: extract(value), lambda: extract_text(value)],
        "url": [lambda: extract("<p>x", url=value)],
        "text": [lambda: identify(value, ["de", "it"])],
        "langs": [
            lambda: extract("<p>x", langs=value),
            lambda: identify("x", value),
            lambda: align(["x"], ["y"], value),
        ],
        "source": [lambda: align(value, ["y"], ["de", "it"])],
        "target": [lambda: align(["x"], value, ["de", "it"])],
        "folder": [lambda: read_corpus(value).__enter__()],
    }
    for name, functions in calls.items():
        for call in functions:
            with pytest.raises(TypeError, match=rf"^{name}.*: is of type \w+; give "):
                call()


def test_a_folder_without_a_corpus_is_a_corpus_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\0")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "corpus.db").write_bytes(b"no database")
    for folder in ("", "none", "file", "corpus", "corpus/corpus.db", "\0"):
        with pytest.raises(CorpusError), read_corpus(str(tmp_path / folder)):
            pass
