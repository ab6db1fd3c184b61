"""The digest of a text: what changes it and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ilspfc.corpus.reading import text_digest
from ilspfc.documents import CrawlInfo, Document, License, LicensePlace, Paragraph

CLOCK = Paragraph("12:01", crawlinfo=CrawlInfo.BOILERPLATE)


def document(*paragraphs: Paragraph, lang: str = "deu") -> Document:
    return Document("a", "http://example.org/", list(paragraphs), lang=lang)


BEFORE = document(Paragraph("Lärm schadet."), Paragraph("Immer.", topic=("Lärm",)))


@pytest.mark.parametrize(
    "after",
    [
        document(CLOCK, *BEFORE.paragraphs),
        document(BEFORE.paragraphs[0], CLOCK, BEFORE.paragraphs[1]),
    ],
)
def test_boilerplate_is_no_news(after: Document) -> None:
    assert text_digest(after) == text_digest(BEFORE)


@pytest.mark.parametrize(
    "after",
    [
        document(Paragraph("Lärm schadet!"), BEFORE.paragraphs[1]),
        document(*BEFORE.paragraphs, Paragraph("12:01")),
        document(Paragraph("Lärm schadet.Immer.", topic=("Lärm",))),
        document(BEFORE.paragraphs[0], Paragraph("Immer.")),
        document(*BEFORE.paragraphs, lang="ita"),
        document(),
        replace(BEFORE, licenses=(License("CC-BY-4.0", "", LicensePlace.TEXT),)),
        replace(BEFORE, optouts=("noai_meta=noai",)),
    ],
    ids=[
        *("a word", "a paragraph", "a boundary", "a term", "the language", "nothing"),
        *("a license", "an opt-out"),
    ],
)
def test_a_new_text_is_news(after: Document) -> None:
    assert text_digest(after) != text_digest(BEFORE)
