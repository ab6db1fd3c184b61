"""Cleaning: bytes of a page to annotated paragraphs, metadata and links."""

from ilspfc.cleaning.backends import Backend, is_installed
from ilspfc.cleaning.files import clean_file
from ilspfc.cleaning.fingerprints import PagePrints, RecurringTexts, SiteReviser
from ilspfc.cleaning.formats import (
    FORMATS,
    add_media_types,
    format_of,
    readable,
    remove_suffixes,
    sniff_format,
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
from ilspfc.cleaning.recurrence import RecurrenceRules, SiteTexts
from ilspfc.cleaning.recurrence_file import load_site_texts, save_site_texts
from ilspfc.cleaning.refresh import find_redirect

__all__ = [
    "FORMATS",
    "HTML_TYPES",
    "TEXT_TYPES",
    "Backend",
    "CleaningReason",
    "PagePrints",
    "RecurrenceRules",
    "RecurringTexts",
    "SiteReviser",
    "SiteTexts",
    "add_media_types",
    "choose_license",
    "clean_file",
    "clean_page",
    "count_clean_tokens",
    "find_redirect",
    "format_of",
    "is_installed",
    "load_site_texts",
    "mime_type",
    "readable",
    "remove_suffixes",
    "save_site_texts",
    "sniff_format",
]
