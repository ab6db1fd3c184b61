"""Bilingual lexicons: read, and learned from the corpus itself."""
