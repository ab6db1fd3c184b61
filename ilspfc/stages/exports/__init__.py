"""Exports over a corpus."""
