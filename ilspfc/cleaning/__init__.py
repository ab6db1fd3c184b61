"""Cleaning: bytes of a page to annotated paragraphs, metadata and links."""

from ilspfc.cleaning.backends import Backend, is_installed
from ilspfc.cleaning.files import clean_file
from ilspfc.cleaning.formats import (
    FORMATS,
    add_media_types,
    format_of,
    readable,
    remove_suffixes,
)
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
    "FORMATS",
    "HTML_TYPES",
    "TEXT_TYPES",
    "Backend",
    "CleaningReason",
    "add_media_types",
    "choose_license",
    "clean_file",
    "clean_page",
    "count_clean_tokens",
    "format_of",
    "is_installed",
    "mime_type",
    "readable",
    "remove_suffixes",
]
