"""Plain words for the reasons of losses, for the report, the summary and ``scrapy url``."""

from __future__ import annotations

import re

_CODE_RE = re.compile(r"[a-z]+/[a-z0-9_-]+")

REASONS = {
    "frontier/address_length": "an address of 2,048 characters or more",
    "frontier/address_host": "an address without a host, or with one that is none",
    "frontier/address_port": "an address with a port that is none",
    "frontier/address_characters": "an address with half a character",
    "frontier/trap_too_long": "an address longer than 2,000 characters",
    "frontier/trap_repeating_path": "a path that repeats itself",
    "frontier/trap_too_deep_path": "a path of more than 16 segments",
    "frontier/trap_too_many_parameters": "more than 8 parameters",
    "frontier/trap_calendar": "a calendar without end, or a date far from today",
    "frontier/trap_facets": "one of very many combinations of parameters or words",
    "frontier/trap_pattern_exhausted": "one of very many like it, which gave nothing new",
    "frontier/trap_copies": "linked to only by pages without text of their own",
    "fetch/http_error": "the server answered with an error",
    "fetch/not_reached": "the server could not be reached",
    "fetch/error": "an error in ilspfc; the log has it",
    "fetch/robots": "forbidden by robots.txt",
    "fetch/address_refused": "a private address or closed port, or neither http nor https",
    "fetch/out_of_scope": "outside the scope of the crawl",
    "fetch/redirects": "redirected in circles or too often",
    "fetch/robots_unreachable": "robots.txt could not be read",
    "fetch/host_limit": "beyond the pages that a host may give",
    "fetch/dead_host": "the host failed too often",
    "fetch/not_archived": "not in the WARC files",
    "fetch/too_large": "larger than the size limit",
    "fetch/timeout": "the server took too long to answer",
    "fetch/certificate": "the certificate of the server cannot be trusted",
    "cleaning/not_html": "not HTML",
    "cleaning/no_reader": "a format whose reader is not installed",
    "cleaning/unreadable": "a broken or encrypted file",
    "cleaning/empty": "no text on the page",
    "cleaning/no_index": "the page asks not to be indexed",
    "cleaning/excessive_markup": "more markup than the parser is given",
    "cleaning/worker_lost": "the page broke the process that cleaned it",
    "cleaning/soft_404": "an error page that the server sends as a page",
    "cleaning/timeout": "cleaning, or identifying its language, took too long",
    "optout/reserved": "the owner reserves text and data mining",
    "language/other_language": "in a language that was not asked for",
    "language/too_short": "too little text in the language",
    "classification/off_topic": "not about the domain",
    "classification/sparse_terms": "too few terms of the domain for its length",
    "classification/high_perplexity": "too unlike the texts that define the domain",
    "export/error": "an error in ilspfc; the log has it",
    "export/pipeline": "dropped by a pipeline of your own",
    "import/unreadable": "no cesDoc file, or a broken one",
    "import/no_language": "names no language that is known",
    "import/same_url": "the URL of another file",
    "dedup/exact_duplicate": "the very same text as another document",
    "dedup/untranslated_copy": "another page again, where its translation should be",
    "dedup/near_duplicate": "nearly the same text as another document",
    "dedup/contained": "its text stands within a longer document; paired all the same",
    "content/frame": "part of the site's frame, by what recurs and by the translation",
    "pairing/below_threshold": "its best candidate is not probable enough",
    "pairing/no_candidate": "no document looks like its translation",
    "pairing/taken": "its likeliest translation is another document's",
    "pairing/not_parallel": "aligned with its likeliest translation, it proved to be none",
    "pairing/ambiguous": "two documents are nearly as likely to be its translation",
    "pairing/no_other_language": "no document in another language to compare it with",
    "pairing/no_text": "no word of text to compare",
    "pairing/unpaired": "no translation found by the method",
    "alignment/unaligned_source": "source segment without a translation",
    "alignment/unaligned_target": "target segment without a source",
    "alignment/not_parallel": "segment of pages that turned out not to be parallel",
    "exports/no_letters": "a side has no letters",
    "exports/identical": "both sides have the same words",
    "exports/short": "a side has too few words",
    "exports/length_ratio": "the lengths of the sides are too unlike",
    "exports/numbers": "the sides have different numbers",
    "exports/email": "more than half of a side is e-mail addresses",
    "exports/url": "more than half of a side is URLs",
    "exports/capitals": "one side is all in capitals",
    "exports/long_tokens": "tokens longer than words are",
    "exports/language": "a side is in another language",
    "exports/quality": "the score of the alignment is too low",
    "exports/type": "an alignment type that is not wanted",
    "exports/unaligned": "too much of its pages found no partner",
    "exports/duplicate": "the same unit as an earlier one",
    "exports/near_duplicate": "the letters of an earlier unit",
    "exports/text_short": "a text of too few words",
    "exports/text_long_words": "a text of words longer than words are",
    "exports/text_duplicate": "a text that was there before",
}
"""Plain words by ``stage/reason``."""

UNITS = {
    "frontier": ("link", "links"),
    "fetch": ("address", "addresses"),
    "cleaning": ("page", "pages"),
    "optout": ("page", "pages"),
    "language": ("page", "pages"),
    "classification": ("page", "pages"),
    "export": ("page", "pages"),
    "import": ("file", "files"),
    "dedup": ("document", "documents"),
    "pairing": ("document", "documents"),
    "content": ("paragraph", "paragraphs"),
    "alignment": ("segment", "segments"),
    "exports": ("unit or text", "units or texts"),
}
"""Nouns for the losses of each stage, singular and plural."""


def unit_of(code: str, count: int) -> str:
    """Return the noun for losses of a ``stage/reason``, empty for an unknown stage.

    >>> unit_of("dedup/near_duplicate", 1), unit_of("other/reason", 2)
    ('document', '')
    """
    one, many = UNITS.get(code.partition("/")[0], ("", ""))
    return one if count == 1 else many


def explain(code: str) -> str:
    """Return the plain words for a ``stage/reason``.

    An unknown code loses its stage and underscores; a text of another form stays as it is.

    >>> explain("cleaning/timeout")
    'cleaning, or identifying its language, took too long'
    >>> explain("exports/other_reason")
    'other reason'
    >>> explain("no answer from http://example.org/a_b")
    'no answer from http://example.org/a_b'
    """
    if code in REASONS:
        return REASONS[code]
    if not _CODE_RE.fullmatch(code):
        return code
    return code.rpartition("/")[2].replace("_", " ")
