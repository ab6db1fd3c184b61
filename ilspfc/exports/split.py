"""Split of a corpus into training, development and test data, by document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

PARTS = ("train", "dev", "test")
"""Names of the parts, as files have them."""


def split_documents(
    linked: Iterable[tuple[str, str]], shares: Sequence[float]
) -> dict[str, str]:
    """Return the part of each document; linked ones, as pairs are, come into the same part.

    ``shares`` are those of ``PARTS``, which sum up to 1. Groups are ordered by a hash of
    their first id, so that few documents change their part as a corpus grows. A part with a
    share has a group at least, where there are enough of them.

    >>> pairs = [("d1", "i1"), ("d2", "i2"), ("d3", "i3"), ("d1", "e1")]
    >>> parts = split_documents(pairs, (0.98, 0.01, 0.01))
    >>> parts["e1"] == parts["d1"] == parts["i1"], sorted({*parts.values()})
    (True, ['dev', 'test', 'train'])
    """
    groups: dict[str, list[str]] = {}
    for link in linked:
        one, other = (groups.setdefault(name, [name]) for name in link)
        if one is not other:
            small, large = sorted((one, other), key=len)
            large += small
            groups.update(dict.fromkeys(small, large))
    order = sorted({min(group) for group in groups.values()}, key=_hash)
    train, dev, test = (max(round(s * len(order)), s > 0) for s in shares)
    # Of few groups, the first is for training.
    names = (
        ["train"] * (train > 0) + ["test"] * test + ["dev"] * dev + ["train"] * train
    )
    part_of = dict(zip(order, names, strict=False))
    return {name: part_of[min(group)] for name, group in groups.items()}


def _hash(name: str) -> bytes:
    return blake2b(name.encode(), digest_size=8).digest()
