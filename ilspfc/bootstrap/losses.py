"""Why a title is no term, a URL no seed, and a part of a source was passed over."""

from __future__ import annotations

from enum import StrEnum


class TitleReason(StrEnum):
    """Why a title does not become a term."""

    DISAMBIGUATION = "disambiguation"
    LIST = "list"
    YEAR = "year"
    NAME = "name"
    ABBREVIATION = "abbreviation"
    REDIRECT = "redirect"
    SECTION = "section"  # a language link that leads into the midst of an article
    EMPTY = "empty"  # nothing but digits and signs
    DUPLICATE = "duplicate"  # another concept has the same term


class SeedReason(StrEnum):
    """Why a URL does not become a seed."""

    NOT_WEB = "not_web"
    WIKI = "wiki"  # of the encyclopedia itself
    CITATION = "citation"  # a catalogue of books, articles or names
    DUPLICATE_URL = "duplicate_url"
    SITE_LIMIT = "site_limit"
    SEED_LIMIT = "seed_limit"


class SourceReason(StrEnum):
    """Why a part of a source was passed over."""

    CATEGORY_LOOP = "category_loop"
    PAGE_LIMIT = "page_limit"
    WIKI_UNREACHED = "wiki_unreached"
    TRUNCATED_DUMP = "truncated_dump"
    BROKEN_ROW = "broken_row"
    NOT_ANSWERED = "not_answered"
