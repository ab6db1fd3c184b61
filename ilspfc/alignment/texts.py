"""The texts that are aligned."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class TextPair:
    """The sentences of two texts, in order.

    For pages ``source_blocks`` and ``target_blocks`` number the paragraphs of the
    sentences, ascending, and the kinds say what those are, in any small numbers.
    """

    source: Sequence[str]
    target: Sequence[str]
    source_blocks: Sequence[int] | None = None
    target_blocks: Sequence[int] | None = None
    source_kinds: Sequence[int] | None = None
    target_kinds: Sequence[int] | None = None

    def digest(self) -> bytes:
        """Return a number for the sentences of both texts, by which pairs are ordered."""
        digest = blake2b(digest_size=16)
        for side in (self.source, self.target):
            digest.update(repr(list(side)).encode("utf-8", "surrogatepass"))
        return digest.digest()
