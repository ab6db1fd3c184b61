"""Dedup: documents that repeat others."""
