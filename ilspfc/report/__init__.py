"""The report of a corpus: documents, losses by reason, samples, settings and versions."""

from ilspfc.report.data import ReportData
from ilspfc.report.html import render_html
from ilspfc.report.manifest import collect_versions, write_text
from ilspfc.report.reason_texts import explain
from ilspfc.report.summary import render_summary

__all__ = [
    "ReportData",
    "collect_versions",
    "explain",
    "render_html",
    "render_summary",
    "write_text",
]
