"""Split into training, development and test data, and segments that no training data may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from ilspfc.exceptions import SettingError
from ilspfc.exports.filters import find_words

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
    order = sorted(
        {min(group) for group in groups.values()},
        key=lambda name: blake2b(name.encode(), digest_size=8).digest(),
    )
    train, dev, test = (max(round(s * len(order)), s > 0) for s in shares)
    # Of few groups, the first is for training.
    names = (
        ["train"] * (train > 0) + ["test"] * test + ["dev"] * dev + ["train"] * train
    )
    part_of = dict(zip(order, names, strict=False))
    return {name: part_of[min(group)] for name, group in groups.items()}


# -- segments of test sets ---------------------------------------------------------------

MIN_WORDS = 4
"""Shorter segments are said everywhere."""


class HeldOutSegments:
    """Segments of files of a segment a line, or of units that are added.

    Segments are alike if their letters are: case, digits and punctuation do not count. Short
    ones count in units alone, with both sides.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        """Read the files; SettingError for one that cannot be read."""
        self._known: set[int] = set()
        for name in paths:
            try:
                with Path(name).open(encoding="utf-8-sig") as lines:
                    self._known |= {key for line in lines for key in _keys(line)}
            except (OSError, UnicodeDecodeError) as error:
                raise SettingError(
                    f"EXPORTS_TEST_SETS={name}: the file cannot be read ({error}); give text"
                    " files in UTF-8 with a segment a line"
                ) from error

    def add(self, source: str, target: str) -> None:
        """Add the segments of a unit."""
        self._known |= _keys(source, target)

    def has(self, source: str, target: str) -> bool:
        """Test whether a segment of a unit is one of these."""
        return bool(self._known) and not self._known.isdisjoint(_keys(source, target))


def _keys(*texts: str) -> set[int]:
    """Return hashes of the letters of the segments that are not short, and of both together."""
    words = [tuple(find_words(text)) for text in texts]
    keys = {hash(one) for one in words if len(one) >= MIN_WORDS}
    return keys | {hash(tuple(words))} if len(words) > 1 and any(words) else keys
