"""Exports over a corpus and of translation memories: glue between corpus and writers."""
