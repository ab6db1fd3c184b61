"""Which segments of two documents translate each other."""

from ilspfc.alignment.beads import Bead
from ilspfc.alignment.collection import Options, align_lengths, align_texts
from ilspfc.alignment.page_units import (
    Alignment,
    AlignmentReason,
    PageText,
    drop_units,
    is_parallel,
    make_alignment,
    pair_pages,
)
from ilspfc.alignment.sides import TextPair

__all__ = [
    "Alignment",
    "AlignmentReason",
    "Bead",
    "Options",
    "PageText",
    "TextPair",
    "align_lengths",
    "align_texts",
    "drop_units",
    "is_parallel",
    "make_alignment",
    "pair_pages",
]
