"""Pages as texts, and what comes of their beads."""

from __future__ import annotations

import pytest

from ilspfc.alignment.beads import Bead
from ilspfc.alignment.page_units import (
    AlignmentReason,
    PageText,
    make_alignment,
    pair_pages,
)
from ilspfc.documents import CrawlInfo, Paragraph, ParagraphType


def _split(text: str) -> list[str]:
    return [part for part in text.split("|") if part]


def _page(lang: str, *paragraphs: Paragraph) -> PageText:
    clean = [one for one in paragraphs if one.crawlinfo is None]
    return PageText.of(((one.type, _split(one.text)) for one in clean), lang)


GERMAN = (
    Paragraph("Titel", ParagraphType.TITLE),
    Paragraph("Menü", crawlinfo=CrawlInfo.BOILERPLATE),
    Paragraph("Eins.|Zwei."),
    Paragraph(""),
    Paragraph("Punkt.", ParagraphType.LISTITEM),
)
JAPANESE = (
    Paragraph("題", ParagraphType.HEADING),
    Paragraph("一。|二。|三。"),
)


def test_a_page_is_its_clean_sentences_with_their_paragraphs() -> None:
    pair = pair_pages(_page("deu", *GERMAN), _page("jpn", *JAPANESE), is_lesson=False)
    assert not pair.is_lesson
    assert pair.source == ["Titel", "Eins.", "Zwei.", "Punkt."]
    assert pair.source_blocks == [0, 1, 1, 3]
    assert pair.source_kinds == [1, 0, 0, 2]
    assert pair.target_kinds == [1, 0, 0, 0]


def test_beads_become_units() -> None:
    beads = [
        Bead((0,), (0,), 0.9),
        Bead((1, 2), (1, 2), 0.5),
        Bead((3,), (), 0.7),
        Bead((), (3,), 0.7),
    ]
    found = make_alignment(_page("deu", *GERMAN), _page("jpn", *JAPANESE), beads)
    assert [(unit.source, unit.target, unit.kind) for unit in found.units] == [
        ("Titel", "題", "1:1"),
        ("Eins. Zwei.", "一。二。", "2:2"),
    ]
    assert found.mean_score == pytest.approx(0.7)
    assert found.null_share == pytest.approx(2 / 8)
    assert found.dropped[AlignmentReason.UNALIGNED_SOURCE] == 1
    assert found.dropped[AlignmentReason.UNALIGNED_TARGET] == 1


def test_an_empty_page_has_no_units() -> None:
    found = make_alignment(_page("deu"), _page("jpn"), [])
    assert (found.units, found.null_share, found.mean_score) == ([], 0.0, 0.0)
