"""Alignment: search for the segments of two documents that translate each other."""
