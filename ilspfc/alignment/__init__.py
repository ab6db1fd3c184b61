"""Which segments of two documents translate each other."""

from ilspfc.alignment.beads import Bead
from ilspfc.alignment.documents import Alignment, AlignmentReason, align_documents
from ilspfc.alignment.segments import align_lengths

__all__ = [
    "Alignment",
    "AlignmentReason",
    "Bead",
    "align_documents",
    "align_lengths",
]
