"""Which text a crawl has seen before, in bounded space."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ilspfc.documents import Paragraph

# Text counts as new from so many characters on: less is a heading that names the query, a
# date, a counter.
MIN_NEW_CHARS = 60
# ... and as old when no more than this part of it is new, as in dedup.
MAX_NEW_SHARE = 0.2

_WORD_RE = re.compile(r"\w+")
_HASHES = 4


def text_keys(url: str, texts: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield texts of a page with a 64-bit key of each.

    Numbers, tokens, punctuation and words of the URL do not count: a page that says "page 17" or
    repeats the query has nothing new for that. A text that is nothing else has no key.

    >>> keys = dict(text_keys("http://a.org/?q=dust", ["No DUST found (2)", "2", "Dust!"]))
    >>> other = dict(text_keys("http://a.org/?q=noise", ["No noise found (7)"]))
    >>> list(keys), set(keys.values()) == set(other.values())
    (['No DUST found (2)'], True)
    """
    own = set(_WORD_RE.findall(unquote(url).lower()))
    for text in texts:
        words = _WORD_RE.findall(text.lower())
        # What has digits is a number, a date, a token.
        words = [word for word in words if word.isalpha() and word not in own]
        if words:
            yield text, _key(words)


def _key(words: Iterable[str]) -> int:
    data = " ".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class Novelty:
    """How many characters of a page were new: of its clean text, and of all its text."""

    new_clean: int
    clean: int
    new: int
    whole: int

    @property
    def is_new(self) -> bool:
        """Whether the clean text is new."""
        is_enough = self.new_clean > MAX_NEW_SHARE * self.clean
        return is_enough and self.new_clean >= MIN_NEW_CHARS

    @property
    def is_old(self) -> bool:
        """Whether the clean text was seen before, or there is none."""
        return self.new_clean <= MAX_NEW_SHARE * self.clean

    @property
    def is_copy(self) -> bool:
        """Whether the page, boilerplate included, has as good as nothing new."""
        return self.new < MIN_NEW_CHARS and self.new <= self.whole / 2


class SeenText:
    """Remembers paragraphs by their keys.

    A Bloom filter of ``bits`` bits (16 MiB, taken up as they are used): after 10 million
    different paragraphs 0.4 % of new ones are taken for seen, after 40 million a quarter.
    """

    def __init__(self, bits: int = 1 << 27) -> None:
        self._size = bits
        self._bits = bytearray(bits // 8)

    def add(self, url: str, paragraphs: Iterable[Paragraph]) -> Novelty:
        """Remember the text of a page; return what of it was new.

        Outside the clean text numbers count: there, they tell links apart.
        """
        texts: dict[bool, list[str]] = {True: [], False: []}
        for paragraph in paragraphs:
            texts[paragraph.crawlinfo is None].append(paragraph.text)
        clean = new_clean = labels = new_labels = 0
        for text, key in text_keys(url, texts[True]):
            clean += len(text)
            new_clean += len(text) if self._add(key) else 0
        for text in texts[False]:
            # Numbers, but no tokens, which have letters and digits.
            words = _WORD_RE.findall(text.lower())
            if words := [word for word in words if word.isalpha() or word.isdecimal()]:
                labels += len(text)
                new_labels += len(text) if self._add(_key(words)) else 0
        return Novelty(new_clean, clean, new_clean + new_labels, clean + labels)

    def _add(self, key: int) -> bool:
        """Remember a key; return whether it is new."""
        first, step = key >> 32, (key & 0xFFFFFFFF) | 1
        is_new = False
        for number in range(_HASHES):
            place, bit = divmod((first + number * step) % self._size, 8)
            if not self._bits[place] >> bit & 1:
                self._bits[place] |= 1 << bit
                is_new = True
        return is_new
