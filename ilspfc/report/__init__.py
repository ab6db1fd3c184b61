"""The report of a corpus: what was found, what was dropped and why, with which settings and versions."""

from ilspfc.report.data import (
    HISTOGRAM_BINS,
    HostCount,
    LanguageCount,
    PairCount,
    PairSample,
    RecrawlCounts,
    ReportData,
    SeedStatus,
    UnitSample,
)
from ilspfc.report.html import render_html
from ilspfc.report.manifest import (
    build_manifest,
    collect_versions,
    write_json,
    write_text,
)
from ilspfc.report.reason_texts import REASONS, explain
from ilspfc.report.summary import render_summary

__all__ = [
    "HISTOGRAM_BINS",
    "REASONS",
    "HostCount",
    "LanguageCount",
    "PairCount",
    "PairSample",
    "RecrawlCounts",
    "ReportData",
    "SeedStatus",
    "UnitSample",
    "build_manifest",
    "collect_versions",
    "explain",
    "render_html",
    "render_summary",
    "write_json",
    "write_text",
]
