"""The sections of the report that show what was found: document pairs and translation units side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.report.markup import Markup, element, file_link, join, quoted, web_link
from ilspfc.report.numbers import clip, count_noun, format_score
from ilspfc.report.tables import URL_CHARS, paragraph, section

if TYPE_CHECKING:
    from ilspfc.report.data import PairSample, ReportData, UnitSample

TITLE_CHARS = 200
TEXT_CHARS = 1200


def pair_samples_section(data: ReportData) -> Markup:
    """Return the sample of document pairs, the two documents of each side by side."""
    title = "Sample of document pairs"
    if not data.pair_samples:
        text = "A sample was not drawn." if data.pair_count else "There are no pairs."
        return section("pair-samples", title, paragraph(text))
    number = count_noun(len(data.pair_samples), "pair")
    note = f"{number} of {data.pair_count:,}, with the probability that they translate each other."
    items = [_pair(sample) for sample in data.pair_samples]
    return section(
        "pair-samples",
        title,
        paragraph(note, class_="note"),
        element("ol", *items, class_="samples"),
    )


def _pair(sample: PairSample) -> Markup:
    source = _document(
        sample.source_lang,
        sample.source_title,
        sample.source_url,
        sample.source_file,
    )
    target = _document(
        sample.target_lang,
        sample.target_title,
        sample.target_url,
        sample.target_file,
    )
    evidence = sample.evidence.replace("_", " ")
    return _side_by_side(sample.probability, evidence, source, target)


def _document(lang: str, title: str, url: str, file: str) -> Markup:
    name = quoted(clip(title, TITLE_CHARS), lang, "strong") if title else ""
    parts = [
        name or element("em", "no title"),
        element("span", web_link(url, clip(url, URL_CHARS)), class_="line"),
    ]
    if file:
        parts.append(element("span", file_link(file), class_="line"))
    return join(parts)


def unit_samples_section(data: ReportData) -> Markup:
    """Return the sample of translation units, source and target side by side."""
    title = "Sample of translation units"
    if not data.unit_samples:
        text = (
            "A sample was not drawn."
            if data.unit_count
            else "There are no translation units."
        )
        return section("unit-samples", title, paragraph(text))
    number = count_noun(len(data.unit_samples), "unit")
    note = (
        f"{number} of {data.unit_count:,}, with alignment score and type. To judge a corpus, count how many of "
        "them you would keep."
    )
    items = [_unit(sample) for sample in data.unit_samples]
    return section(
        "unit-samples",
        title,
        paragraph(note, class_="note"),
        element("ol", *items, class_="samples"),
    )


def _unit(sample: UnitSample) -> Markup:
    source = quoted(clip(sample.source, TEXT_CHARS), sample.source_lang)
    target = quoted(clip(sample.target, TEXT_CHARS), sample.target_lang)
    return _side_by_side(sample.score, sample.kind, source, target)


def _side_by_side(score: float, remark: str, source: Markup, target: Markup) -> Markup:
    rating = [element("b", format_score(score)), " ", element("span", remark)]
    return element(
        "li",
        element("div", *rating, class_="rating"),
        element("div", source, class_="side"),
        element("div", target, class_="side"),
    )
