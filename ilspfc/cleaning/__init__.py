"""Cleaning: bytes of a page to annotated paragraphs, metadata and links."""

from ilspfc.cleaning.blocks.links import find_redirect
from ilspfc.cleaning.content.backends import (
    Backend,
    is_installed,
    load_function,
    split_backend,
)
from ilspfc.cleaning.files.formats import (
    FORMATS,
    add_media_types,
    format_of,
    readable,
    remove_suffixes,
    sniff_format,
)
from ilspfc.cleaning.files.office import clean_file
from ilspfc.cleaning.metadata.licenses import choose_license
from ilspfc.cleaning.page import (
    HTML_TYPES,
    TEXT_TYPES,
    CleaningReason,
    clean_page,
    count_clean_tokens,
    mime_type,
)
from ilspfc.cleaning.recurrence import (
    PagePrints,
    RecurringTexts,
    SiteReviser,
    SiteTexts,
    load_site_texts,
    save_site_texts,
)

__all__ = [
    "FORMATS",
    "HTML_TYPES",
    "TEXT_TYPES",
    "Backend",
    "CleaningReason",
    "PagePrints",
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
    "load_function",
    "load_site_texts",
    "mime_type",
    "readable",
    "remove_suffixes",
    "save_site_texts",
    "sniff_format",
    "split_backend",
]
