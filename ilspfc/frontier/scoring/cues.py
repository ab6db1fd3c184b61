"""Translation cues: whether a link leads to another language, and to which."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ilspfc.documents import Link

# So many URLs, segments of paths and anchors are remembered.
_CACHED_URLS = 1 << 14
_CACHED_WORDS = 1 << 13
# A longer anchor is a sentence that happens to name a language.
MAX_CUE_WORDS = 4
# Inflected names add an ending ("deutsche") or change the last vowel ("italiana").
_MIN_INFLECTED_CHARS = 5
_ENDINGS = frozenset({"e", "en", "er", "es", "em", "n", "s", "a"})
_VOWELS = frozenset("aeiouàèéìòùαάεέηήιίοό")

_WORD_RE = re.compile(r"\w+")
# A language mark in a path: a whole segment ("/de/", "/de-ch/", "/de_CH/") or the end of
# a segment's stem ("page_de.html", "page.de.html", "page-de").
_SEGMENT_RE = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{2})?", re.IGNORECASE)
# A hyphen before the mark must be the stem's only one: "what-is-it" is a title.
_STEM_END_RE = re.compile(
    r"(?:.+[._]|[^-]+-)([a-z]{2,3})(?:[-_][a-z]{2})?", re.IGNORECASE
)
_EXTENSION_RE = re.compile(r"\.[a-z]{3,5}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LanguageCues:
    """By what a link shows that it leads to ``lang``: its codes and its names."""

    lang: str
    codes: frozenset[str]
    names: frozenset[str]


def _is_inflected(word: str, name: str) -> bool:
    return (
        len(name) >= _MIN_INFLECTED_CHARS
        and word.startswith(name[:-1])
        and (
            (word[: len(name)] == name and word[len(name) :] in _ENDINGS)
            or (len(word) == len(name) and {word[-1], name[-1]} <= _VOWELS)
        )
    )


class CueDetector:
    """Tells from a link alone in which of the given languages its page probably is.

    The cues are those of the paper (000, section 3.6) and its successors: ``hreflang``,
    anchor text, title and image alternative texts, and language marks in the URL.
    """

    def __init__(self, cues: Iterable[LanguageCues]) -> None:
        self._cues = tuple(cues)
        self._by_code = {code: cue.lang for cue in self._cues for code in cue.codes}
        self._by_name = {name: cue.lang for cue in self._cues for name in cue.names}
        # A site's links and their words are the same on page after page.
        self._from_url = lru_cache(_CACHED_URLS)(self._read_url)
        self._from_segment = lru_cache(_CACHED_WORDS)(self._read_segment)
        self._from_text = lru_cache(_CACHED_WORDS)(self._read_text)

    def detect(self, link: Link) -> str | None:
        """Return the language that a link announces in words or attributes, or None."""
        # Most links of a page have no hreflang, many no title.
        return (
            (link.hreflang and self._from_code(link.hreflang))
            or self._from_text(link.anchor)
            or (link.title and self._from_text(link.title))
            or None
        )

    def detect_in_url(self, url: str) -> str | None:
        """Return the language that a URL is marked with, or None.

        >>> names = frozenset({"deutsch"})
        >>> cues = CueDetector([LanguageCues("deu", frozenset({"de"}), names)])
        >>> cues.detect_in_url("http://example.org/de/a.html")
        'deu'
        >>> cues.detect_in_url("http://example.org/a_de.html")
        'deu'
        >>> cues.detect_in_url("http://example.org/mode.html") is None
        True
        """
        return self._from_url(url)

    def _read_url(self, url: str) -> str | None:
        parts = urlsplit(url)
        for segment in parts.path.split("/"):
            if (lang := self._from_segment(segment)) is not None:
                return lang
        for _, value in parse_qsl(parts.query):
            if (lang := self._from_code(value)) is not None:
                return lang
        return self._from_code((parts.hostname or "").split(".", 1)[0])

    def _read_segment(self, segment: str) -> str | None:
        """Return the language that a segment of a path is marked with."""
        stem = _EXTENSION_RE.sub("", segment)
        for text in (segment, stem):
            for pattern in (_SEGMENT_RE, _STEM_END_RE):
                if (match := pattern.fullmatch(text)) is not None:
                    lang = self._from_code(match[1])
                    if lang is not None:
                        return lang
        return self._by_name.get(segment.casefold())

    def _from_code(self, code: str) -> str | None:
        """Return the language of a code or tag; the region plays no part."""
        tag = code.strip().casefold().replace("_", "-")
        return self._by_code.get(tag.partition("-")[0])

    def _read_text(self, text: str) -> str | None:
        words = _WORD_RE.findall(text.casefold())
        if not 0 < len(words) <= MAX_CUE_WORDS:
            return None
        # A code is a cue only when it is all there is: "it" is an English word too.
        if len(words) == 1 and words[0] in self._by_code:
            return self._by_code[words[0]]
        text = f" {' '.join(words)} "
        for name, lang in self._by_name.items():
            if " " in name and f" {name} " in text:
                return lang
        for word in words:
            for name, lang in self._by_name.items():
                if word == name or _is_inflected(word, name):
                    return lang
        return None
