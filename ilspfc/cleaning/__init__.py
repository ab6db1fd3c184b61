"""Cleaning: bytes of a page to annotated paragraphs, metadata and links."""
