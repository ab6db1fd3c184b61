"""Kinds of evidence that two pages translate each other.

Each kind scores every candidate in [0, 1], and may propose candidates from an index; none
compares all pages with all others.
"""
