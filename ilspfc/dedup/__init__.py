"""Dedup: documents that repeat others."""

from ilspfc.dedup.duplicates import DedupReason, Duplicate, find_duplicates
from ilspfc.dedup.hashes import DocumentParagraphs
from ilspfc.dedup.near import find_near_duplicates, find_untranslated_copies

__all__ = [
    "DedupReason",
    "DocumentParagraphs",
    "Duplicate",
    "find_duplicates",
    "find_near_duplicates",
    "find_untranslated_copies",
]
