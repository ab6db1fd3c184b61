"""Counts of distinct URLs and of what visits gave, in bounded space."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MEMBER_BITS = 1 << 14
VALUE_BITS = 1 << 11
MAX_PARAMETERS = 12
EXACT_ITEMS = 256


class DistinctCounter:
    """Counts distinct items, by their hashes at first and then in a bitmap.

    Exact up to ``EXACT_ITEMS``; beyond, linear counting (Whang, Vander-Zanden and Taylor
    1990) in ``size`` bits: some per cent off for three times as many items as there are
    bits, and never more than n ln n. There an item may be taken for one that was added.

    >>> counter = DistinctCounter(1024)
    >>> for item in "abcab":
    ...     counter.add(item)
    >>> len(counter), "c" in counter, "d" in counter
    (3, True, False)
    """

    __slots__ = ("_bits", "_hashes", "_set", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._hashes = array("I")
        self._bits = 0
        self._set = 0

    def add(self, item: str) -> None:
        """Count an item, if it was not counted before."""
        digest = _hash(item)
        if self._bits:
            self._set_bit(digest)
        elif digest not in self._hashes:
            self._hashes.append(digest)
            if len(self._hashes) > EXACT_ITEMS:
                for known in self._hashes:
                    self._set_bit(known)
                self._hashes = array("I")

    def _set_bit(self, digest: int) -> None:
        bit = 1 << (digest % self._size)
        if not self._bits & bit:
            self._bits |= bit
            self._set += 1

    @property
    def is_exact(self) -> bool:
        """Whether the count, and what is in it, is exact."""
        return not self._bits

    def __contains__(self, item: str) -> bool:
        digest = _hash(item)
        if self._bits:
            return bool(self._bits >> (digest % self._size) & 1)
        return digest in self._hashes

    def __len__(self) -> int:
        if not self._bits:
            return len(self._hashes)
        free = max(self._size - self._set, 1)
        return round(self._size * math.log(self._size / free))


def _hash(item: str) -> int:
    """Return 32 bits that are the same in every process."""
    data = item.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=4).digest())


@dataclass(slots=True)
class Tally:
    """What is known of a family of URLs: members let pass, pages visited, good ones.

    ``led`` counts the good pages outside the family that were found on its members;
    ``pages`` counts the members that are more than versions of each other, ``values`` the
    values of the first parameters that members have.
    """

    members: DistinctCounter = field(
        default_factory=lambda: DistinctCounter(MEMBER_BITS)
    )
    pages: DistinctCounter = field(default_factory=lambda: DistinctCounter(MEMBER_BITS))
    visited: int = 0
    good: int = 0
    led: int = 0
    values: dict[str, DistinctCounter] = field(default_factory=dict)

    def add(
        self, member: str, page: str, parameters: Iterable[tuple[str, str]]
    ) -> None:
        """Count a member, the page that it is a version of, and its parameters' values."""
        self.members.add(member)
        if page:
            self.pages.add(page)
        for name, value in parameters:
            if name not in self.values and len(self.values) < MAX_PARAMETERS:
                self.values[name] = DistinctCounter(VALUE_BITS)
            if name in self.values:
                self.values[name].add(value)
