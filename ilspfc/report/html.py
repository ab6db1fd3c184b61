"""The HTML report: one page that needs nothing but itself."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from ilspfc.report.markup import Markup, element
from ilspfc.report.overview import charts_section, funnel_section, page_header
from ilspfc.report.samples import pair_samples_section, unit_samples_section
from ilspfc.report.sections import (
    file_section,
    host_section,
    language_section,
    pair_section,
    rights_section,
    seed_section,
    settings_section,
)

if TYPE_CHECKING:
    from ilspfc.report.data import ReportData

CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
"""Nothing is loaded and nothing runs, whatever a crawled text holds."""


def render_html(data: ReportData) -> str:
    """Return the report as a self-contained HTML5 page: inline style and drawings, no script, no remote resource.

    The page is the same for the same data, and is to be written as UTF-8. Its links to files are relative to the
    corpus folder, so it belongs there.
    """
    body = element(
        "body",
        page_header(data),
        _contents(data),
        element("main", *_sections(data)),
        element("footer", _footer(data)),
    )
    page = element("html", _head(data), body, lang="en")
    return f"<!DOCTYPE html>\n{page}"


def _head(data: ReportData) -> Markup:
    style = files("ilspfc.report").joinpath("report.css").read_text(encoding="utf-8")
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=CONTENT_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{data.title or 'Corpus'}: report"),
        element("style", Markup(style)),
    )


def _sections(data: ReportData) -> list[Markup]:
    sections = [
        funnel_section(data),
        charts_section(data),
        language_section(data),
        pair_section(data),
    ]
    if data.is_multilingual or data.pairs:
        sections += [pair_samples_section(data), unit_samples_section(data)]
    return [
        *sections,
        rights_section(data),
        host_section(data),
        seed_section(data),
        file_section(data),
        settings_section(data),
    ]


def _contents(data: ReportData) -> Markup:
    """Return the links to the sections."""
    entries = [
        ("funnel", "Kept and lost"),
        ("harvest", "Harvest"),
        ("languages", "Languages"),
        ("pairs", "Pairs"),
        ("pair-samples", "Sample of pairs"),
        ("unit-samples", "Sample of units"),
        ("rights", "Licenses and reservations"),
        ("hosts", "Hosts"),
        ("seeds", "Seeds"),
        ("files", "Files"),
        ("settings", "Settings"),
    ]
    samples = data.is_multilingual or bool(data.pairs)
    return element(
        "nav",
        *(
            element("a", title, href=f"#{anchor}")
            for anchor, title in entries
            if samples or "samples" not in anchor
        ),
        aria_label="Sections",
    )


def _footer(data: ReportData) -> str:
    version = data.versions.get("ilspfc", "")
    return f"Made by ilspfc {version}".rstrip() + "."
