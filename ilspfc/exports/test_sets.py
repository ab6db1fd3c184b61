"""Segments of test sets, which no training data may hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.exceptions import SettingError
from ilspfc.exports.filters import find_words
from ilspfc.setting_table import split_list

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

MIN_WORDS = 4
"""Shorter segments are said everywhere."""


class HeldOutSegments:
    """The segments of EXPORTS_TEST_SETS, files of a segment a line; SettingError for no such file.

    Segments are alike if their letters are: case, digits and punctuation do not count.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._known: set[int] = set()
        for name in split_list(settings, "EXPORTS_TEST_SETS"):
            try:
                with Path(name).open(encoding="utf-8-sig") as lines:
                    keys = {_key(line) for line in lines}
            except (OSError, UnicodeDecodeError) as error:
                raise SettingError(
                    f"EXPORTS_TEST_SETS={name}: the file cannot be read ({error}); give text"
                    " files in UTF-8 with a segment a line"
                ) from error
            self._known |= keys - {0}

    def has(self, *texts: str) -> bool:
        """Test whether one of some segments is in a test set."""
        return bool(self._known) and any(_key(text) in self._known for text in texts)


def _key(text: str) -> int:
    """Return a hash of the letters of a segment, 0 for a short one."""
    words = find_words(text)
    return hash(tuple(words)) if len(words) >= MIN_WORDS else 0
