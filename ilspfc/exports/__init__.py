"""Formats of exports, and the selection of units; the names that scripts of users need."""

from ilspfc.exports.interchange.tmx_check import validate_tmx
from ilspfc.exports.interchange.tmx_reader import read_tmx
from ilspfc.exports.interchange.tmx_writer import TmxHeader, write_tmx
from ilspfc.exports.selection import Selection
from ilspfc.exports.units import ExportUnit
from ilspfc.exports.writers import TmxForm

__all__ = [
    "ExportUnit",
    "Selection",
    "TmxForm",
    "TmxHeader",
    "read_tmx",
    "validate_tmx",
    "write_tmx",
]
