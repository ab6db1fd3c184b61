"""Alignment of documents by the lengths and paragraphs of their sentences."""

from __future__ import annotations

import pytest

from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.page_units import (
    Alignment,
    AlignmentReason,
    PageText,
    make_alignment,
    pair_pages,
)
from ilspfc.documents import CrawlInfo, Document, Paragraph, ParagraphType

HEADING = ParagraphType.HEADING


def split(text: str) -> list[str]:
    """Split at a bar."""
    return [part.strip() for part in text.split("|") if part.strip()]


def document(lang: str, *paragraphs: str | Paragraph) -> Document:
    return Document(
        id=lang,
        url=f"https://example.org/{lang}",
        paragraphs=[
            Paragraph(text) if isinstance(text, str) else text for text in paragraphs
        ],
        lang=lang,
    )


def _read(document: Document) -> PageText:
    clean = document.clean_paragraphs
    return PageText.of(((one.type, split(one.text)) for one in clean), document.lang)


def align(source: Document, target: Document) -> Alignment:
    pages = _read(source), _read(target)
    (beads,) = align_texts([pair_pages(*pages, is_lesson=True)], ("deu", "ita"), None)
    return make_alignment(*pages, beads)


FIRST = ("Der erste Absatz ist eher kurz.", "Il primo paragrafo è breve.")
SECOND = (
    "Der zweite Absatz hat mehr zu sagen und ist darum deutlich länger als der erste. | Er hat zwei Sätze.",
    "Il secondo paragrafo ha più da dire ed è quindi molto più lungo del primo. | Ha due frasi.",
)


def test_sentences_of_aligned_paragraphs_become_units() -> None:
    alignment = align(
        document("deu", FIRST[0], SECOND[0]), document("ita", FIRST[1], SECOND[1])
    )
    assert [(unit.source, unit.target, unit.kind) for unit in alignment.units] == [
        (*FIRST, "1:1"),
        (SECOND[0].split(" | ")[0], SECOND[1].split(" | ")[0], "1:1"),
        ("Er hat zwei Sätze.", "Ha due frasi.", "1:1"),
    ]
    assert alignment.null_share == 0.0
    assert alignment.dropped == {
        AlignmentReason.UNALIGNED_SOURCE: 0,
        AlignmentReason.UNALIGNED_TARGET: 0,
    }
    scores = [unit.score for unit in alignment.units]
    assert alignment.mean_score == pytest.approx(sum(scores) / 3)
    assert all(0.8 < score <= 1 for score in scores)


@pytest.mark.parametrize("info", list(CrawlInfo))
def test_what_is_not_clean_text_is_left_out(info: CrawlInfo) -> None:
    noise = Paragraph("Startseite | Kontakt | Impressum", crawlinfo=info)
    with_noise = align(
        document("deu", noise, FIRST[0], noise), document("ita", FIRST[1])
    )
    without = align(document("deu", FIRST[0]), document("ita", FIRST[1]))
    assert with_noise == without


def test_what_has_no_partner_is_counted_by_side() -> None:
    alignment = align(document("deu", FIRST[0], SECOND[0]), document("ita", FIRST[1]))
    assert [unit.source for unit in alignment.units] == [FIRST[0]]
    assert alignment.dropped == {
        AlignmentReason.UNALIGNED_SOURCE: 2,
        AlignmentReason.UNALIGNED_TARGET: 0,
    }
    assert alignment.null_share == pytest.approx(2 / 4)


@pytest.mark.parametrize(
    ("source", "target", "segments"),
    [((), (), 0), ((FIRST[0],), (), 1), ((), (SECOND[1],), 2), ((" ", "|"), (), 0)],
)
def test_empty_documents_have_no_units(
    source: tuple[str, ...], target: tuple[str, ...], segments: int
) -> None:
    alignment = align(document("deu", *source), document("ita", *target))
    assert alignment.units == []
    assert alignment.mean_score == 0.0
    assert alignment.null_share == (1.0 if segments else 0.0)
    assert sum(alignment.dropped.values()) == segments


def test_paragraph_types_tell_apart_what_lengths_do_not() -> None:
    titles = [Paragraph(text, HEADING) for text in ("Erster Titel", "Zweiter Titel")]
    source = document("deu", titles[0], "Ein kurzer Satz", titles[1], "Noch ein Satz.")
    target = document(
        "ita",
        Paragraph("Primo titolo", HEADING),
        Paragraph("Altro titolo", HEADING),
        "Un'altra frase.",
    )
    alignment = align(source, target)
    headings = {"Erster Titel", "Zweiter Titel"}
    for unit in alignment.units:
        assert (unit.source in headings) == ("titolo" in unit.target)


def test_a_paragraph_left_out_is_not_merged_with_the_next() -> None:
    question = "Haben Sie Fragen? | Rufen Sie uns an, wir sind von 9 bis 12 Uhr hier."
    last = ("Alle Türen bleiben frei.", "Tutte le porte restano libere.")
    alignment = align(
        document("deu", FIRST[0], SECOND[0], question, last[0]),
        document("ita", FIRST[1], SECOND[1], last[1]),
    )
    assert [unit.kind for unit in alignment.units] == ["1:1"] * 4
    assert alignment.units[-1].target == last[1]
    assert alignment.dropped[AlignmentReason.UNALIGNED_SOURCE] == 2


@pytest.mark.parametrize(("lang", "glue"), [("ita", " "), ("zho", ""), ("jpn", "")])
def test_sentences_of_one_unit_are_joined_as_the_language_does(
    lang: str, glue: str
) -> None:
    sentence = (
        "Dieser Satz ist so lang, dass die andere Sprache zwei daraus gemacht hat."
    )
    half = "x" * 31 if lang == "ita" else "字" * 10
    source = document("deu", sentence + " | Kurz.")
    target = document(lang, f"{half} | {half} | " + ("Breve" if glue else "短"))
    units = align(source, target).units
    assert (units[0].kind, units[0].target) == ("1:2", half + glue + half)
    assert units[1].kind == "1:1"


def test_reasons_name_their_counters() -> None:
    assert [str(reason) for reason in AlignmentReason] == [
        "unaligned_source",
        "unaligned_target",
        "not_parallel",
    ]
