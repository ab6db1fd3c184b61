"""Bilingual lexicons: read from files, and learned from the corpus itself."""
