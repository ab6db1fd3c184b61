"""Texts that lead elsewhere by their form: breadcrumbs, lists of languages, links to neighbors."""

from __future__ import annotations

import re

from ilspfc.text.codes import LISTED_NAMES, two_letter_codes

# Longer steps are text.
_MAX_STEP_WORDS = 12
_SENTENCE_ENDS = (".", "!", "?", ":", ";")
# Words before the first step: "You are here:", "Available languages:".
_LABEL_RE = re.compile(r"[^:：]{1,40}[:：](?!:)\s*")
# Without blanks, :: stands in names of C++ and Perl.
_STEP_SIGN_RE = re.compile("[>»›→❯]|::")
_STEP_RE = re.compile(r"\s*[>»›→❯]\s*|\s+::\s+")
_SEPARATOR_RE = re.compile(r"[,;|/·•、，\n–—-]")
_BETWEEN_RE = re.compile(r"\s*[,;|/·•、，\n]\s*|\s+[–—-]\s+")
_AROUND = " .()[]"
_REGION_RE = re.compile(r"[-_](?:[a-z]{2}|han[st]|419)$")
# Links to the neighboring pages of a manual: "[ < Back ] [ Up : Top ] | [ Next > ]".
_BRACKETS_RE = re.compile(r"(?:\[[^\[\]]{1,120}\][\s|]*)+")


def split_trail(text: str) -> list[str]:
    """Return the steps of a breadcrumb without its label, nothing for another text.

    >>> split_trail("You are here: Home > News > A choir for all")
    ['Home', 'News', 'A choir for all']
    >>> split_trail("Choose File > Save.")
    []
    """
    if not _STEP_SIGN_RE.search(text):  # most
        return []
    steps = _STEP_RE.split(_LABEL_RE.sub("", text, count=1))
    is_trail = (
        len(steps) > 1
        and not text.endswith(_SENTENCE_ENDS)
        and all(0 < len(step.split()) <= _MAX_STEP_WORDS for step in steps)
    )
    return steps if is_trail else []


def split_languages(text: str) -> list[str]:
    """Return the names and codes of a list of languages, nothing for another text.

    >>> split_languages("Available languages: en | français | pt-br")
    ['en', 'français', 'pt-br']
    >>> split_languages("Deutsch, Mathematik")
    []
    """
    if not _SEPARATOR_RE.search(text):  # most
        return []
    label = _LABEL_RE.match(text)
    items = []
    for part in _BETWEEN_RE.split(text[label.end() if label else 0 :]):
        if item := part.strip(_AROUND).casefold():
            if not _is_language(item):
                return []
            items.append(item)
    return items if len(items) > 1 else []


def _is_language(item: str) -> bool:
    return item in LISTED_NAMES or _REGION_RE.sub("", item) in two_letter_codes()


def is_bracketed(text: str) -> bool:
    """Test whether all of a text stands in brackets, as links to neighboring pages do.

    >>> is_bracketed("[ < Scope ] | [ Up : Language ][Index]"), is_bracketed("[1] a")
    (True, False)
    """
    return _BRACKETS_RE.fullmatch(text) is not None


def is_navigation(text: str) -> bool:
    """Test whether a text leads elsewhere by its form."""
    return bool(split_trail(text) or split_languages(text)) or is_bracketed(text)
