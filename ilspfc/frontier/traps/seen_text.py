"""Text seen earlier in a crawl, in bounded space."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from ilspfc.documents import CrawlInfo, Paragraph

# Minimum number of characters of new text in a new page, about a paragraph.
MIN_NEW_CHARS = 60
# The same for a page with little other text: less is a date, a counter, a heading. Up to
# this share of new text (as in dedup), a page is old text with an addition.
MIN_THIN_CHARS = 20
MAX_NEW_SHARE = 0.2

# Underscores separate words, as in wiki URLs.
_WORD_RE = re.compile(r"[^\W_]+")
# Numbers up to this count are a date or the like, even if words are fewer.
_MIN_NUMBERS = 4
# Indices of the four bits of a key.
_NUMBERS = np.arange(4, dtype=np.uint64)
_LOW = np.uint64(0xFFFFFFFF)
_BITS = np.left_shift(1, np.arange(8), dtype=np.int64).astype(np.uint8)


def text_keys(url: str, texts: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each text of a page with two 64-bit keys, with and without words of the URL.

    Numbers and adjacent words (dates), tokens, punctuation and words of the URL do not
    count: "3 May 2031", "page 17" or the repeated query are not new text. A text of nothing
    else has no key; in tables of data, where most words are numbers, all words count.

    >>> [keys] = text_keys("http://a.org/?q=dust", ["No DUST found", "2", "Dust!"])
    >>> [others] = text_keys("http://a.org/?q=noise", ["No noise found"])
    >>> keys[0], keys[1] == others[1], keys[2] == others[2]
    ('No DUST found', False, True)
    """
    own = set(_WORD_RE.findall(unquote(url).lower()))
    for text in texts:
        words = _keep_distinctive(_WORD_RE.findall(text.lower()))
        if others := [word for word in words if word not in own]:
            key = hash_text(" ".join(others))
            yield (
                text,
                key if len(others) == len(words) else hash_text(" ".join(words)),
                key,
            )


def _keep_distinctive(words: Sequence[str]) -> Sequence[str]:
    """Return the words that distinguish a text from others."""
    is_plain = [word.isalpha() for word in words]
    if all(is_plain):
        return words
    if sum(map(str.isdecimal, words)) > max(len(words) / 2, _MIN_NUMBERS):
        return words
    beside = zip(
        words, is_plain, [True, *is_plain], [*is_plain[1:], True], strict=False
    )
    return [word for word, *plain in beside if all(plain)]


def hash_text(text: str) -> int:
    """Return the 64-bit key of a text."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest())


@dataclass(frozen=True, slots=True)
class Novelty:
    """Numbers of new and of all characters of a page, in its content and in its full text."""

    new_clean: int
    clean: int
    new: int
    whole: int

    @property
    def is_new(self) -> bool:
        """True if the page has enough new text."""
        is_thin = self.new_clean > MAX_NEW_SHARE * self.clean
        least = MIN_THIN_CHARS if is_thin else MIN_NEW_CHARS
        return self.new_clean >= least

    @property
    def is_copy(self) -> bool:
        """True if the page, boilerplate included, has hardly any new text.

        A page without content is a list: a single new link makes it another one.
        """
        return self.new < (MIN_NEW_CHARS if self.clean else 1) and (
            self.new <= self.whole / 2
        )


class TextKeys(NamedTuple):
    """64-bit keys and lengths of the texts of a page, those of its content first.

    ``others`` are the keys without words of the URL: a text is new if both keys are.
    ``clean`` is the number of texts of the content.
    """

    keys: NDArray[np.uint64]
    others: NDArray[np.uint64]
    chars: NDArray[np.int64]
    clean: int

    @property
    def clean_keys(self) -> frozenset[int]:
        """Keys of the content, without words of the URL."""
        return frozenset(self.others[: self.clean].tolist())


def read_keys(url: str, paragraphs: Iterable[Paragraph]) -> TextKeys:
    """Return the keys of a page's paragraphs.

    Short texts and texts in other languages are content too. In boilerplate, numbers count,
    because they distinguish links.
    """
    texts: dict[bool, list[str]] = {True: [], False: []}
    for paragraph in paragraphs:
        is_content = paragraph.crawlinfo is not CrawlInfo.BOILERPLATE
        texts[is_content].append(paragraph.text)
    found = list(text_keys(url, texts[True]))
    clean = len(found)
    for text in texts[False]:
        # Numbers, but no alphanumeric tokens.
        words = _WORD_RE.findall(text.lower())
        if words := [word for word in words if word.isalpha() or word.isdecimal()]:
            key = hash_text(" ".join(words))
            found.append((text, key, key))
    number = len(found)
    return TextKeys(
        np.fromiter((key for _, key, _ in found), np.uint64, number),
        np.fromiter((other for *_, other in found), np.uint64, number),
        np.fromiter((len(text) for text, *_ in found), np.int64, number),
        clean,
    )


class KeyFilter:
    """Bloom filter of 64-bit keys, with ``bits`` bits."""

    def __init__(self, bits: int) -> None:
        self._size = np.uint64(bits)
        self._bits = np.zeros(bits // 8, dtype=np.uint8)

    def _find_bits(self, keys: NDArray[np.uint64]) -> tuple[NDArray[Any], NDArray[Any]]:
        first, step = keys >> np.uint64(32), (keys & _LOW) | np.uint64(1)
        places = (first[:, None] + step[:, None] * _NUMBERS) % self._size
        return places >> np.uint64(3), _BITS[places & np.uint64(7)]

    def new(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Return a mask of the keys not yet added."""
        cells, bits = self._find_bits(keys)
        found: NDArray[np.bool_] = ((self._bits[cells] & bits) == 0).any(axis=1)
        return found

    def add(self, keys: NDArray[np.uint64]) -> None:
        """Add keys."""
        np.bitwise_or.at(self._bits, *self._find_bits(keys))


class SeenText:
    """Filter of paragraphs seen, of 16 MiB.

    The false positive rate is 0.4 % after 10 million distinct paragraphs, and 25 % after 40
    million.
    """

    def __init__(self, bits: int = 1 << 27) -> None:
        self._filter = KeyFilter(bits)

    def add(self, page: TextKeys) -> Novelty:
        """Add the text of a page; return its novelty, with repeated texts counted once."""
        keys, others, chars = page.keys, page.others, page.chars
        is_first = np.zeros(len(keys), dtype=np.bool_)
        is_first[np.unique(keys, return_index=True)[1]] = True
        is_new = self._filter.new(keys) & self._filter.new(others) & is_first
        fresh = np.where(is_new, chars, 0)
        self._filter.add(np.concatenate([keys, others]))
        new_clean, clean = fresh[: page.clean].sum(), chars[: page.clean].sum()
        return Novelty(int(new_clean), int(clean), int(fresh.sum()), int(chars.sum()))
