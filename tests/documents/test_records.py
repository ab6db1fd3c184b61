"""The records that travel: their defaults, their identity as values, their way between processes."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from math import inf

import pytest

from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.documents import (
    CrawlInfo,
    Document,
    DocumentPair,
    License,
    LicensePlace,
    Link,
    Metadata,
    Page,
    PairState,
    Paragraph,
    ParagraphType,
    TranslationUnit,
)

URL = "http://example.org/"


@pytest.mark.parametrize(
    ("crawlinfo", "is_content"),
    [
        (None, True),
        (CrawlInfo.OOI_LENGTH, True),
        (CrawlInfo.BOILERPLATE, False),
        (CrawlInfo.OOI_LANG, False),
        (CrawlInfo.OOI_NEG, False),
    ],
)
def test_short_text_is_content_but_boilerplate_is_not(
    crawlinfo: CrawlInfo | None, *, is_content: bool
) -> None:
    assert Paragraph("text", crawlinfo=crawlinfo).is_content is is_content


def test_paragraphs_are_compared_without_their_scores() -> None:
    assert Paragraph("a", score=0.1) == Paragraph("a", score=0.9)
    assert Paragraph("a", lang="deu") != Paragraph("a", lang="ita")


def test_a_paragraph_keeps_all_its_fields_between_processes() -> None:
    text = Paragraph("a", ParagraphType.HEADING, None, "deu", ("x",), 2, 0.5)
    copy = pickle.loads(pickle.dumps(text))
    assert copy == text
    assert copy.score == 0.5


def test_a_new_document_says_nothing_that_is_not_known() -> None:
    document = Document("id", URL, [])
    assert document.lang == ""
    assert document.probability is None
    assert document.perplexity == inf
    assert document.metadata == Metadata()
    assert document.follow
    assert document.index
    assert not document.is_reserved
    assert document.clean_paragraphs == []


def test_documents_share_no_lists() -> None:
    one, other = Document("1", URL, []), Document("2", URL, [])
    one.links.append(Link(URL))
    one.unusable["address_port"] += 1
    one.meta["robots"] = "noindex"
    assert other.links == []
    assert not other.unusable
    assert other.meta == {}


def test_a_page_is_under_way_until_it_has_a_reason() -> None:
    page = Page(url=URL, id="id", fetched_at="2026-03-01", depth=0)
    assert page.drop == ""
    assert page.document is None


def test_pages_are_made_by_names_alone() -> None:
    """Four strings and numbers in a row would be mistaken for each other."""
    with pytest.raises(TypeError):
        Page(URL, "id", "2026-03-01", 0)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (Metadata(), "title"),
        (License("CC-BY-4.0", URL, LicensePlace.A_REL), "id"),
        (DocumentPair("a", "b", 0.9, "structure"), "probability"),
        (TranslationUnit("a", "b", "1:1", 0.5), "score"),
    ],
)
def test_results_do_not_change(record: object, field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(record, field, "x")


def test_places_of_licenses_begin_with_the_most_trusted() -> None:
    places = list(LicensePlace)
    assert places[0] is LicensePlace.LINK_HEADER
    assert places[-1] is LicensePlace.TEXT
    assert len(set(places)) == 8


def test_states_of_candidates_are_those_of_the_index() -> None:
    states = {"pair", "taken", "not_parallel", "unsure", "off_topic"}
    assert {str(state) for state in PairState} == states


def test_a_link_is_a_tuple_with_names() -> None:
    link = Link(URL, "Start", hreflang="de")
    assert link == (URL, "Start", "", "", "", "de", 0)
    assert link._replace(rel="alternate").rel == "alternate"


# -- pages on their way through the pipelines ----------------------------------------------


def test_a_fetched_page_shows_neither_its_bytes_nor_its_document() -> None:
    document = Document("id", URL, [Paragraph("secret")])
    page = FetchedPage(
        url=URL, id="id", fetched_at="", depth=0, body=b"secret", document=document
    )
    assert "secret" not in repr(page)


def test_work_is_rendered_for_export() -> None:
    texts = [Paragraph("Gurt & Seil"), Paragraph("Menü", None, CrawlInfo.BOILERPLATE)]
    work = PageWork()
    work.render(Document("id", URL, texts))
    assert (work.paragraphs, work.clean_paragraphs) == (2, 1)
    assert b"Gurt &amp; Seil" in work.body
    assert "Menü".encode() in work.body
    assert work.digest


def test_the_digest_is_that_of_the_text() -> None:
    def digest(*texts: str) -> str:
        work = PageWork()
        work.render(Document("id", URL, [Paragraph(text) for text in texts]))
        return work.digest

    assert digest("a", "b") == digest("a", "b")
    assert digest("a", "b") != digest("a", "c")
    assert digest("a", "b") != digest("b", "a")
