"""Cleaning: bytes of a page to annotated paragraphs, metadata and links."""

from ilspfc.cleaning.licence_order import choose_license
from ilspfc.cleaning.pages import (
    HTML_TYPES,
    TEXT_TYPES,
    CleaningReason,
    clean_page,
    count_clean_tokens,
    mime_type,
)

__all__ = [
    "HTML_TYPES",
    "TEXT_TYPES",
    "CleaningReason",
    "choose_license",
    "clean_page",
    "count_clean_tokens",
    "mime_type",
]
