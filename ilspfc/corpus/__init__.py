"""Corpus: what is on disk."""
