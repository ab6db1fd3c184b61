"""Texts to align: sentences as strings, and as lengths and token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np

from ilspfc.text.arrays import BoolArray, FloatArray, IdArray, IntArray
from ilspfc.text.tokens import measure_lengths, tokenize
from ilspfc.text.vocabulary import Segments, Vocabulary, spread


@dataclass(frozen=True, slots=True)
class TextPair:
    """The sentences of two texts, in order.

    For pages, ``source_blocks`` and ``target_blocks`` are the ascending paragraph numbers
    of the sentences, and the kinds their types, as any small numbers. The lexicon is
    learned from lessons only, but used for all.
    """

    source: Sequence[str]
    target: Sequence[str]
    source_blocks: Sequence[int] | None = None
    target_blocks: Sequence[int] | None = None
    source_kinds: Sequence[int] | None = None
    target_kinds: Sequence[int] | None = None
    is_lesson: bool = True

    def digest(self) -> bytes:
        """Return a digest of the sentences of both texts, used as a sort key."""
        digest = blake2b(digest_size=16)
        for side in (self.source, self.target):
            digest.update(repr(list(side)).encode("utf-8", "surrogatepass"))
        return digest.digest()


@dataclass(frozen=True, slots=True)
class Side:
    """The sentences of one text.

    ``lengths`` are in characters (``measure_length``). The tokens of sentence ``n`` are
    ``ids[offsets[n]:offsets[n + 1]]``. ``blocks`` are the paragraph numbers of the
    sentences, ``kinds`` the paragraph types; both are None for plain lists of sentences.
    """

    lengths: FloatArray
    ids: IdArray
    offsets: IntArray
    blocks: IntArray | None = None
    kinds: IntArray | None = None

    def __len__(self) -> int:
        return self.lengths.size

    @property
    def token_counts(self) -> IntArray:
        """Number of tokens of each sentence, shape (sentences,)."""
        return np.diff(self.offsets)

    def cut(self, first: int, last: int) -> Side:
        """Return the sentences [first, last)."""
        offsets = self.offsets[first : last + 1]
        return Side(
            self.lengths[first:last],
            self.ids[offsets[0] : offsets[-1]],
            offsets - offsets[0],
            None if self.blocks is None else self.blocks[first:last],
            None if self.kinds is None else self.kinds[first:last],
        )

    def keep_tokens(self, is_kept: BoolArray) -> Side:
        """Return the side with only the tokens marked by the mask, shape (vocabulary,)."""
        kept = is_kept[self.ids]
        ends = np.concatenate([[0], np.cumsum(kept)])
        return Side(
            self.lengths, self.ids[kept], ends[self.offsets], self.blocks, self.kinds
        )


def group_tokens(side: Side, firsts: IntArray, counts: IntArray) -> Segments:
    """Return the tokens of groups of sentences as segments.

    Group ``n`` has ``counts[n]`` sentences, from ``firsts[n]`` on.
    """
    starts = side.offsets[firsts]
    lengths = side.offsets[firsts + counts] - starts
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return Segments(side.ids[spread(starts, lengths)], offsets)


class WordNumbers:
    """Numbering of words and punctuation of one language (ISO 639-3) as texts are read.

    Without a language, texts have no words.
    """

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._words = Vocabulary()

    def read(
        self,
        sentences: Sequence[str],
        blocks: Sequence[int] | None = None,
        kinds: Sequence[int] | None = None,
    ) -> Side:
        """Return the sentences of a text as a side with provisional token ids."""
        ids: list[IdArray] = [np.zeros(0, np.int32)]
        ids += [self._words.add(self._tokenize(sentence)) for sentence in sentences]
        offsets = np.cumsum([one.size for one in ids], dtype=np.int64)
        return Side(
            measure_lengths(sentences),
            np.concatenate(ids),
            offsets,
            None if blocks is None else np.array(blocks, np.int64),
            None if kinds is None else np.array(kinds, np.int64),
        )

    def _tokenize(self, sentence: str) -> list[str]:
        return tokenize(sentence, self._lang, punctuation=True) if self._lang else []

    def finish(self, sides: Sequence[Side]) -> tuple[list[Side], list[str]]:
        """Return the sides with final token ids, and the words in the order of their ids.

        Words are sorted, so ids do not depend on the reading order.
        """
        words = Vocabulary.sort(self._words)
        ranks = words.encode(self._words.words)
        return [replace(side, ids=ranks[side.ids]) for side in sides], words.words


def count_words(sides: Sequence[Side], size: int) -> FloatArray:
    """Return the relative frequency of each word in all texts, shape (``size``,)."""
    ids = np.concatenate([np.zeros(0, np.int32), *(side.ids for side in sides)])
    counts = np.bincount(ids, minlength=size).astype(np.float64)
    return counts / max(float(counts.sum()), 1.0)
