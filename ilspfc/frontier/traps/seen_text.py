"""Text seen earlier in a crawl, in bounded space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.documents import Paragraph

# Least number of characters of new text: less is a heading that names the query, a date, a
# counter.
MIN_NEW_CHARS = 60
# Largest share of new characters in text that counts as old, as in dedup.
MAX_NEW_SHARE = 0.2

_WORD_RE = re.compile(r"\w+")
# Numbers of the four bits of a key.
_NUMBERS = np.arange(4, dtype=np.uint64)
_LOW = np.uint64(0xFFFFFFFF)
_BITS = np.left_shift(1, np.arange(8), dtype=np.int64).astype(np.uint8)


def text_keys(url: str, texts: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield texts of a page with a 64-bit key of each.

    Numbers, tokens, punctuation and words of the URL do not count: "page 17" or the
    repeated query are not new text. A text of nothing else has no key.

    >>> keys = dict(text_keys("http://a.org/?q=dust", ["No DUST found (2)", "2", "Dust!"]))
    >>> other = dict(text_keys("http://a.org/?q=noise", ["No noise found (7)"]))
    >>> list(keys), set(keys.values()) == set(other.values())
    (['No DUST found (2)'], True)
    """
    own = set(_WORD_RE.findall(unquote(url).lower()))
    for text in texts:
        words = _WORD_RE.findall(text.lower())
        # Words with digits are numbers, dates or tokens.
        words = [word for word in words if word.isalpha() and word not in own]
        if words:
            yield text, _key(words)


def _key(words: Iterable[str]) -> int:
    data = " ".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class Novelty:
    """Numbers of new and of all characters of a page, in the clean and in the whole text."""

    new_clean: int
    clean: int
    new: int
    whole: int

    @property
    def is_new(self) -> bool:
        """True if the clean text is new."""
        is_enough = self.new_clean > MAX_NEW_SHARE * self.clean
        return is_enough and self.new_clean >= MIN_NEW_CHARS

    @property
    def is_old(self) -> bool:
        """True if the clean text was seen before or is empty."""
        return self.new_clean <= MAX_NEW_SHARE * self.clean

    @property
    def is_copy(self) -> bool:
        """True if the page, boilerplate included, has hardly any new text."""
        return self.new < MIN_NEW_CHARS and self.new <= self.whole / 2


class TextKeys(NamedTuple):
    """64-bit keys and lengths of the texts of a page, the clean texts first.

    ``clean`` is the number of clean texts.
    """

    keys: NDArray[np.uint64]
    chars: NDArray[np.int64]
    clean: int

    @property
    def clean_keys(self) -> frozenset[int]:
        """The keys of the clean text."""
        return frozenset(self.keys[: self.clean].tolist())


def read_keys(url: str, paragraphs: Iterable[Paragraph]) -> TextKeys:
    """Return the keys of a page's paragraphs.

    Outside the clean text numbers count, because they distinguish links.
    """
    texts: dict[bool, list[str]] = {True: [], False: []}
    for paragraph in paragraphs:
        texts[paragraph.crawlinfo is None].append(paragraph.text)
    found = list(text_keys(url, texts[True]))
    clean = len(found)
    for text in texts[False]:
        # Numbers, but no tokens of letters and digits.
        words = _WORD_RE.findall(text.lower())
        if words := [word for word in words if word.isalpha() or word.isdecimal()]:
            found.append((text, _key(words)))
    return TextKeys(
        np.fromiter((key for _, key in found), np.uint64, len(found)),
        np.fromiter((len(text) for text, _ in found), np.int64, len(found)),
        clean,
    )


class SeenText:
    """Bloom filter of the paragraphs seen, with ``bits`` bits (16 MiB).

    After 10 million different paragraphs 0.4 % of new ones count as seen, after 40 million
    a quarter.
    """

    def __init__(self, bits: int = 1 << 27) -> None:
        self._size = np.uint64(bits)
        self._bits = np.zeros(bits // 8, dtype=np.uint8)

    def add(self, page: TextKeys) -> Novelty:
        """Remember the text of a page; return its novelty."""
        chars = page.chars
        fresh = np.where(self._add(page.keys), chars, 0)
        new_clean, clean = fresh[: page.clean].sum(), chars[: page.clean].sum()
        return Novelty(int(new_clean), int(clean), int(fresh.sum()), int(chars.sum()))

    def _add(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Remember keys; return a mask of the new ones, repeated keys marked once."""
        first, step = keys >> np.uint64(32), (keys & _LOW) | np.uint64(1)
        places = (first[:, None] + step[:, None] * _NUMBERS) % self._size
        cells, bits = places >> np.uint64(3), _BITS[places & np.uint64(7)]
        is_new = ((self._bits[cells] & bits) == 0).any(axis=1)
        np.bitwise_or.at(self._bits, cells, bits)
        is_first = np.zeros(len(keys), dtype=np.bool_)
        is_first[np.unique(keys, return_index=True)[1]] = True
        found: NDArray[np.bool_] = is_new & is_first
        return found
