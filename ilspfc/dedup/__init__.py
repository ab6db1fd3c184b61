"""Dedup: documents that repeat others."""

from ilspfc.dedup.duplicates import DedupReason, Duplicate, find_duplicates
from ilspfc.dedup.near import find_near_duplicates, find_untranslated_copies
from ilspfc.dedup.paragraphs import DocumentParagraphs

__all__ = [
    "DedupReason",
    "DocumentParagraphs",
    "Duplicate",
    "find_duplicates",
    "find_near_duplicates",
    "find_untranslated_copies",
]
