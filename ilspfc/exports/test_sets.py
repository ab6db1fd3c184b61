"""Segments of test sets, which no training data may hold."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ilspfc.exceptions import SettingError
from ilspfc.exports.filters import find_words

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
