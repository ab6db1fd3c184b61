"""Alignment: search for the segments of two documents that translate each other."""

from ilspfc.alignment.beads import Bead
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.page_units import (
    Alignment,
    AlignmentReason,
    PageText,
    make_alignment,
    pair_pages,
)
from ilspfc.alignment.sides import TextPair

__all__ = [
    "Alignment",
    "AlignmentReason",
    "Bead",
    "PageText",
    "TextPair",
    "align_texts",
    "make_alignment",
    "pair_pages",
]
