"""Translation cues: signs that the target of a link is in another language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit

from ilspfc.documents import Link
from ilspfc.text.codes import codes_of, names_of

# Cache sizes for URLs, and for path segments and anchors.
_CACHED_URLS = 1 << 14
_CACHED_WORDS = 1 << 13
# Longer anchors are sentences that mention a language.
MAX_CUE_WORDS = 4
# Inflected names add an ending ("deutsche") or change the last vowel ("italiana").
_MIN_INFLECTED_CHARS = 5
_ENDINGS = frozenset({"e", "en", "er", "es", "em", "n", "s", "a"})
_VOWELS = frozenset("aeiouàèéìòùαάεέηήιίοό")

_WORD_RE = re.compile(r"\w+")
# Language marks in a path: a segment ("/de/", "/de-ch/", "/de_CH/") or the end of its stem
# ("page_de.html", "page.de.html", "page-de").
_CODE = r"([a-z]{2,3})(?:[-_](?:[a-z]{2}|han[st]|419))?"
_SEGMENT_RE = re.compile(_CODE, re.IGNORECASE)
_STEM_END_RE = re.compile(rf".+[._]{_CODE}", re.IGNORECASE)
# A hyphen before the mark must be the only one in the stem: "what-is-it" is a title.
_TITLE_END_RE = re.compile(rf"[^-]+-{_CODE}", re.IGNORECASE)
_EXTENSION_RE = re.compile(r"\.[a-z]{3,5}$", re.IGNORECASE)


def _primary_subtag(tag: str) -> str:
    return tag.strip().casefold().replace("_", "-").partition("-")[0]


def _is_inflected(word: str, name: str) -> bool:
    return (
        len(name) >= _MIN_INFLECTED_CHARS
        and word.startswith(name[:-1])
        and (
            (word[: len(name)] == name and word[len(name) :] in _ENDINGS)
            or (len(word) == len(name) and {word[-1], name[-1]} <= _VOWELS)
        )
    )


def _join(host: str, folders: Sequence[str], query: str) -> str:
    return f"{host}{'/'.join(folders)}{f'?{query}' if query else ''}"


class CueDetector:
    """Detector of links that lead to a page in one of several languages (ISO 639-3).

    The cues are those of the paper (000, section 3.6) and its successors: ``hreflang``,
    anchor text, title and image alternative texts, and language marks in the URL. Language
    names are recognized in each of the languages. ``others`` maps codes of further
    languages that may mark URLs.
    """

    def __init__(
        self, langs: Iterable[str], *, others: Mapping[str, str] | None = None
    ) -> None:
        langs = tuple(langs)
        self._by_code = {code: lang for lang in langs for code in codes_of(lang)}
        self._by_mark = {**(others or {}), **self._by_code}
        self._by_name = {name: lang for lang in langs for name in names_of(lang, langs)}
        # Pages of a site repeat links and their words.
        self._from_url = lru_cache(_CACHED_URLS)(self._read_url)
        self._from_segment = lru_cache(_CACHED_WORDS)(self._read_segment)
        self._from_text = lru_cache(_CACHED_WORDS)(self._read_text)

    def detect(self, link: Link) -> str | None:
        """Return the language announced by words or attributes of a link, or None."""
        # Most links of a page have no hreflang, many no title.
        return (
            (link.hreflang and self._from_code(link.hreflang))
            or self._from_text(link.anchor)
            or (link.title and self._from_text(link.title))
            or None
        )

    def detect_in_url(self, url: str) -> str | None:
        """Return the language of the mark in a URL, or None; an invalid URL has none.

        >>> cues = CueDetector(["deu"])
        >>> cues.detect_in_url("http://example.org/de/a.html")
        'deu'
        >>> cues.detect_in_url("http://example.org/a_de.html")
        'deu'
        >>> cues.detect_in_url("http://example.org/mode.html") is None
        True
        """
        return self._from_url(url)[0]

    def remove_mark(self, url: str) -> str:
        """Return a URL without its scheme, language mark and leading ``www``.

        URLs of translations that differ only in the mark become equal.

        >>> cues = CueDetector(["deu", "ita"])
        >>> cues.remove_mark("http://www.example.org/de/a.html")
        'example.org/a.html'
        >>> cues.remove_mark("http://it.example.org/a.html?b=1")
        'example.org/a.html?b=1'
        """
        return self._from_url(url)[1]

    def _read_url(self, url: str) -> tuple[str | None, str]:
        """Return the language of the first mark in a URL, and the URL without that mark."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return None, url
        host, folders, query = parts.netloc, parts.path.split("/"), parts.query
        lang = self._from_mark((parts.hostname or "").split(".", 1)[0])
        if lang is not None or host.startswith("www."):
            host = host.partition(".")[2]
        for number, segment in enumerate(folders):
            in_path, rest = self._from_segment(segment)
            if in_path is not None:
                folders[number : number + 1] = [rest] if rest else []
                return in_path, _join(host, folders, query)
        fields = parse_qsl(query)
        for field in fields:
            if (in_query := self._from_mark(field[1])) is not None:
                others = urlencode([one for one in fields if one != field])
                return in_query, _join(host, folders, others)
        return lang, _join(host, folders, query)

    def _read_segment(self, segment: str) -> tuple[str | None, str]:
        """Return the language of the mark in a path segment, and the segment without it."""
        stem = _EXTENSION_RE.sub("", segment)
        for text in (segment, stem):
            for pattern, find in (
                (_SEGMENT_RE, self._from_mark),
                (_STEM_END_RE, self._from_mark),
                # "how-to" is not Tongan.
                (_TITLE_END_RE, self._from_code),
            ):
                if (match := pattern.fullmatch(text)) is not None:
                    lang = find(match[1])
                    if lang is not None:
                        start = max(match.start(1) - 1, 0)
                        return lang, text[:start] + segment[len(text) :]
        return self._by_name.get(segment.casefold()), ""

    def _from_code(self, code: str) -> str | None:
        """Return the language of a code or tag, ignoring the region."""
        return self._by_code.get(_primary_subtag(code))

    def _from_mark(self, code: str) -> str | None:
        """Return the language of a code or tag in a URL, including other languages."""
        return self._by_mark.get(_primary_subtag(code))

    def _read_text(self, text: str) -> str | None:
        words = _WORD_RE.findall(text.casefold())
        if not 0 < len(words) <= MAX_CUE_WORDS:
            return None
        # A code is a cue only if it is the whole text: "it" is also an English word.
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
