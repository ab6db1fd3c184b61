"""Formats of exports, and the selection of units."""

from ilspfc.exports.cesalign import write_cesalign
from ilspfc.exports.filters import ExportReason, Thresholds, find_reasons, measure
from ilspfc.exports.lines import JsonlWriter, LineWriter, MosesWriter, TsvWriter
from ilspfc.exports.plain_text import LEVELS, TextDocument, write_texts
from ilspfc.exports.selection import PRESETS, Action, Selection, SelectionCounts
from ilspfc.exports.tmx_check import TmxCheck, validate_tmx
from ilspfc.exports.tmx_reader import TmxEntry, read_entries, read_header, read_tmx
from ilspfc.exports.tmx_writer import TmxHeader, TmxWriter, write_tmx
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin, length_ratio
from ilspfc.exports.writers import UnitWriter, find_files, remove_stale

__all__ = [
    "LEVELS",
    "PRESETS",
    "Action",
    "ExportReason",
    "ExportUnit",
    "JsonlWriter",
    "LineWriter",
    "MosesWriter",
    "PageOrigin",
    "Selection",
    "SelectionCounts",
    "TextDocument",
    "Thresholds",
    "TmxCheck",
    "TmxEntry",
    "TmxHeader",
    "TmxWriter",
    "TsvWriter",
    "UnitOrigin",
    "UnitWriter",
    "find_files",
    "find_reasons",
    "length_ratio",
    "measure",
    "read_entries",
    "read_header",
    "read_tmx",
    "remove_stale",
    "validate_tmx",
    "write_cesalign",
    "write_texts",
    "write_tmx",
]
