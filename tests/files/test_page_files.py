"""Single pages outside of a crawl: what is read, how it is shown, in which order."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path

import pytest
from file_examples import column, make_docx, make_pdf, word_paragraph
from lxml import etree

from ilspfc.exceptions import ArgumentError
from ilspfc.files.page_files import PageOptions, render_page, render_pages
from ilspfc.files.page_sources import PageSource
from ilspfc.workers import WorkerPool

GERMAN = "Der Helm schützt den Kopf auf jeder Baustelle vor Teilen, die herunterfallen."
ENGLISH = "The helmet protects your head from all the things that may fall on a site."
PAGE = f"""<html><head><title>Der Helm im Betrieb</title></head><body><h1>Der Helm im Betrieb</h1>
<p>{GERMAN}</p><p>{GERMAN}</p><p>{ENGLISH}</p><ul><li><a href="/">Start</a></li></ul>"""


def source(body: str, **fields: str) -> PageSource:
    return PageSource(
        fields.pop("name", "page.html"),
        body=body.encode("utf-8"),
        **fields,  # type: ignore[arg-type]
    )


def record(page: PageSource, **options: object) -> dict[str, object]:
    line = render_page(page, PageOptions("json", **options))  # type: ignore[arg-type]
    assert line.count(b"\n") == 1
    return dict(json.loads(line))


def test_a_record_tells_what_became_of_each_paragraph() -> None:
    found = record(source(PAGE))
    assert (found["file"], found["title"]) == ("page.html", "Der Helm im Betrieb")
    assert found["language"] == "de"
    paragraphs = found["paragraphs"]
    assert isinstance(paragraphs, list)
    assert set(paragraphs[0]) == {"text", "type", "label", "score", "language"}
    assert (paragraphs[0]["type"], paragraphs[0]["label"]) == ("title", "content")
    kept = [p["text"] for p in paragraphs if p["label"] == "content"]
    assert found["text"] == "\n".join(kept)
    assert ENGLISH in kept
    assert paragraphs[-1]["label"] == "boilerplate"
    assert paragraphs[-1]["language"] is None


def test_languages_that_are_given_leave_others_out() -> None:
    found = record(source(PAGE), langs=("deu", "ita"))
    assert GERMAN in str(found["text"])
    assert ENGLISH not in str(found["text"])
    paragraphs = found["paragraphs"]
    assert isinstance(paragraphs, list)
    labels = {p["text"]: (p["label"], p["language"]) for p in paragraphs}
    assert labels[ENGLISH] == ("ooi-lang", "other")


def test_text_is_a_paragraph_a_line() -> None:
    text = render_page(source(PAGE), PageOptions()).decode()
    assert text.splitlines() == ["Der Helm im Betrieb", GERMAN, GERMAN, ENGLISH]


def test_xml_is_a_document_of_a_corpus() -> None:
    root = etree.fromstring(render_page(source(PAGE), PageOptions("xml")))
    assert etree.QName(root).localname == "cesDoc"
    assert GERMAN in [element.text for element in root.iter("{*}p")]


@pytest.mark.parametrize(
    ("name", "content_type"),
    [("a.txt", ""), ("http://a.example/", "text/plain; charset=utf-8")],
)
def test_plain_text_is_no_html(name: str, content_type: str) -> None:
    page = source(f"{GERMAN}\n\n1 < 2, sagt <p> das Buch.", name=name)
    text = record(PageSource(name, body=page.body, content_type=content_type))["text"]
    assert text == f"{GERMAN}\n1 < 2, sagt <p> das Buch."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encodings_are_told_apart(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(PAGE.encode(encoding))
    assert GERMAN in str(record(PageSource("page.html", path))["text"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"%PDF-1.7\n" + PAGE.encode(), "a PDF or Word file that is broken"),
        (b"PK\x03\x04 a zip archive with other things", "a binary file"),
        (b"PK\x03\x04 word/document.xml", "a PDF or Word file that is broken"),
        (bytes(range(256)) * 20, "a binary file"),
        (b"<p>" + b"\0\x01" * 50 + PAGE.encode(), "a binary file"),
        (b"<p " + b"a='1' " * 50_000 + b">", "its markup is excessive"),
    ],
)
def test_what_is_no_page_is_called_so(
    content: bytes, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(content)
    with pytest.raises(ArgumentError, match=rf"^p\.html: .*{words}"):
        render_page(PageSource("p.html", path), PageOptions())


@pytest.mark.parametrize("name", ["pdf", "docx"])
def test_pdf_and_word_files_are_read_whatever_their_name(name: str) -> None:
    heading, text = "Der Helm im Betrieb", f"{GERMAN} {GERMAN}"
    if name == "pdf":
        body = make_pdf(
            [[(72, 760, 24, heading), *column(72, 700, GERMAN.split(". "))]]
        )
    else:
        body = make_docx(word_paragraph(heading, "Title") + word_paragraph(text))
    found = record(PageSource("a file", body=body))
    assert found["language"] == "de"
    assert heading in str(found["text"])
    assert GERMAN in str(found["text"])
    with pytest.raises(ArgumentError, match="a binary file"):
        render_page(PageSource("a file", body=body), PageOptions(files=()))


def test_a_missing_reader_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    page = PageSource("p.pdf", body=make_pdf([[(72, 760, 12, GERMAN)]]))
    with pytest.raises(ArgumentError, match=r"p\.pdf: a PDF, .*pip install pypdfium2"):
        render_page(page, PageOptions())


def test_a_page_with_a_stray_nul_is_a_page() -> None:
    assert GERMAN in str(record(source(PAGE.replace("</h1>", "\0</h1>")))["text"])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda folder: PageSource("x", folder), "a folder; give its files"),
        (lambda folder: PageSource("x", folder / "none"), "No such file"),
        (lambda folder: PageSource("x", failure="HTTP 404"), "HTTP 404"),
    ],
)
def test_what_is_not_there_is_called_so(
    make: object, words: str, tmp_path: Path
) -> None:
    assert callable(make)
    with pytest.raises(ArgumentError, match=f"^x: .*{re.escape(words)}"):
        render_page(make(tmp_path), PageOptions())


def test_a_page_without_text_has_no_paragraphs() -> None:
    found = record(source("<html><title>Leer</title><body></body>"))
    assert (found["title"], found["text"], found["paragraphs"]) == ("Leer", "", [])


def test_pages_come_in_their_order_and_lost_ones_in_their_place() -> None:
    names = [f"{number}.html" for number in range(12)]
    sources = [source("" if name == "7.html" else PAGE, name=name) for name in names]

    async def collect() -> list[bytes | ArgumentError]:
        pool = WorkerPool(2, 60.0)
        try:
            rendered = render_pages(sources, PageOptions("json"), pool)
            return [page async for page in rendered]
        finally:
            pool.close()

    rendered = asyncio.run(collect())
    shown = [
        str(page).partition(":")[0]
        if isinstance(page, ArgumentError)
        else json.loads(page)["file"]
        for page in rendered
    ]
    assert shown == names
    assert isinstance(rendered[7], ArgumentError)
