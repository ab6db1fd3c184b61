"""A document as Markdown: what is written is read again by a parser of CommonMark."""

from __future__ import annotations

import re
from html import unescape

import markdown  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ilspfc import extract_text
from ilspfc.documents import CrawlInfo, Document, Paragraph, ParagraphType
from ilspfc.documents.markdown import to_markdown


def make(*paragraphs: Paragraph) -> Document:
    return Document("0" * 12, "http://example.org/", list(paragraphs))


def test_all_types_have_their_form() -> None:
    kinds = ParagraphType
    document = make(
        Paragraph("Bees", kinds.TITLE, level=1),
        Paragraph("Menu", crawlinfo=CrawlInfo.BOILERPLATE),
        Paragraph("Bees live in\ncolonies."),
        Paragraph("Honey", kinds.HEADING, level=3),
        Paragraph("sweet", kinds.LISTITEM, CrawlInfo.OOI_LENGTH),
        Paragraph("golden", kinds.LISTITEM),
        Paragraph("Month | Kilograms", kinds.ROW),
        Paragraph("May | 3", kinds.ROW),
        Paragraph("for bee in hive:", kinds.CODE),
        Paragraph("fly(`bee`)", kinds.CODE, indent=4),
        Paragraph("rest()", kinds.CODE, gap=1),
        Paragraph("To bee, or not.", kinds.QUOTE),
        Paragraph("Again.", kinds.QUOTE),
    )
    assert to_markdown(document) == (
        "# Bees\n\nBees live in colonies.\n\n### Honey\n\n- sweet\n- golden\n\n"
        "| Month | Kilograms |\n| --- | --- |\n| May | 3 |\n\n"
        "```\nfor bee in hive:\n    fly(`bee`)\n\nrest()\n```\n\n> To bee, or not.\n>\n> Again.\n"
    )
    assert to_markdown(make()) == ""


def test_a_fence_is_longer_than_those_in_the_code() -> None:
    written = to_markdown(make(Paragraph("```\ncode\n````", ParagraphType.CODE)))
    assert written == "`````\n```\ncode\n````\n`````\n"


@pytest.mark.parametrize(
    "text",
    [
        "# no heading",
        "- no item",
        "1. no item",
        "> no quote",
        "*a* _b_ `c`",
        "[a](b)",
        "<b>x</b>",
        "=== a",
        "a | b",
        "2) x",
    ],
)
def test_text_is_no_markup(text: str) -> None:
    element = etree.fromstring(markdown.markdown(to_markdown(make(Paragraph(text)))))
    assert element.tag == "p"
    assert "".join(map(str, element.itertext())) == text
    assert len(element) == 0


@given(
    st.text(
        st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1
    ).filter(str.strip)
)
def test_no_text_is_lost(text: str) -> None:
    written = to_markdown(make(Paragraph(text)))
    # CommonMark, section 2.4: what a backslash before ASCII punctuation stands for.
    plain = unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", written))
    assert plain.split() == text.split()


def test_the_text_of_a_page_is_a_string() -> None:
    page = "<nav><a href=/>Home</a></nav><h1>Bees</h1><p>Bees live in large colonies, and they make honey.</p>"
    assert (
        extract_text(page) == "Bees\nBees live in large colonies, and they make honey."
    )
    assert extract_text(page, markdown=True).startswith("# Bees\n\n")
    assert extract_text("") == ""
