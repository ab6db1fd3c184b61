"""Dedup: near-duplicate documents."""

from ilspfc.dedup.near import DedupReason, DocumentParagraphs, find_near_duplicates

__all__ = ["DedupReason", "DocumentParagraphs", "find_near_duplicates"]
