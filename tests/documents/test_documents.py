"""The records that travel: identity, and which text is clean."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.documents import (
    CrawlInfo,
    Document,
    Link,
    Metadata,
    Paragraph,
    ParagraphType,
    document_id,
)


def test_clean_paragraphs_are_those_without_a_crawlinfo_in_order() -> None:
    paragraphs = [
        Paragraph("a", ParagraphType.TITLE),
        Paragraph("b", crawlinfo=CrawlInfo.BOILERPLATE),
        Paragraph("c", topic=("x",)),
        Paragraph("d", crawlinfo=CrawlInfo.OOI_LANG),
        Paragraph("e", crawlinfo=CrawlInfo.OOI_LENGTH),
        Paragraph("f"),
    ]
    document = Document("id", "url", paragraphs)
    assert [paragraph.text for paragraph in document.clean_paragraphs] == [
        "a",
        "c",
        "f",
    ]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        (ParagraphType.TITLE, "title"),
        (ParagraphType.HEADING, "heading"),
        (ParagraphType.LISTITEM, "listitem"),
        (CrawlInfo.BOILERPLATE, "boilerplate"),
        (CrawlInfo.OOI_LANG, "ooi-lang"),
        (CrawlInfo.OOI_LENGTH, "ooi-length"),
    ],
)
def test_attribute_values_are_those_of_the_paper_s_files(
    member: ParagraphType | CrawlInfo, value: str
) -> None:
    assert str(member) == value


def test_an_identity_never_changes() -> None:
    """Files of old corpora are named by it."""
    assert document_id("http://example.org/") == "ddc79b5d28e5"
    assert document_id("http://example.org/ä") == "2d9a29db984b"


@settings(deadline=None)
@given(st.text(st.characters()) | st.just("\ud800"))
def test_every_url_has_an_identity_of_12_hex_digits(url: str) -> None:
    assert re.fullmatch("[0-9a-f]{12}", document_id(url))


def test_different_urls_have_different_identities() -> None:
    urls = [f"http://example.org/{number}" for number in range(5000)]
    assert len(set(map(document_id, urls))) == len(urls)


def test_documents_leave_a_worker_as_they_are() -> None:
    document = Document(
        "id",
        "url",
        [Paragraph("a", ParagraphType.TITLE, CrawlInfo.OOI_LANG, "deu", ("x",), 2)],
        Metadata(title="t"),
        [Link("http://example.org/", anchor="a")],
    )
    assert pickle.loads(pickle.dumps(document)) == document
