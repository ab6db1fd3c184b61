"""The formats that a corpus leaves in: one module per format."""

from ilspfc.exports.cesalign import write_cesalign
from ilspfc.exports.filters import annotate, length_ratio
from ilspfc.exports.tmx import TmxHeader, TmxUnit, write_tmx
from ilspfc.exports.tmx_reader import read_tmx, validate_tmx

__all__ = [
    "TmxHeader",
    "TmxUnit",
    "annotate",
    "length_ratio",
    "read_tmx",
    "validate_tmx",
    "write_cesalign",
    "write_tmx",
]
