"""What may be wrong with a translation unit: said in its ``info``, never dropped.

The words are those of ILSP-FC, so that its users' scripts go on working.
"""

from __future__ import annotations

import re
import unicodedata

MIN_TOKENS = 3
"""Words that a segment should have (ILSP-FC's production setting, -mtuvl 3)."""

MIN_LENGTH_RATIO = 0.6
"""Smallest ratio of characters (ILSP-FC's production setting, -minlr 0.6)."""

MAX_LENGTH_RATIO = 1.6
"""Largest ratio of characters (ILSP-FC's production setting, -maxlr 1.6)."""

# A word is a run of letters, or a single character of a script without blanks.
_WORD_RE = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+"
)


def annotate(
    source: str,
    target: str,
    *,
    min_tokens: int = MIN_TOKENS,
    min_ratio: float = MIN_LENGTH_RATIO,
    max_ratio: float = MAX_LENGTH_RATIO,
) -> tuple[str, ...]:
    """Return the remarks on a pair of segments, in ILSP-FC's order; empty if there are none.

    Segments are equal, and counted in words, by their letters alone. Numbers are equal
    when both sides have the same digits in any order and any script, so that dates and
    thousands may be written as each language does.

    >>> annotate("Er wog am 3. Mai 70 kg.", "Il 3 maggio pesava 70 kg.")
    ()
    >>> annotate("Seite 4", "Pagina 5")
    ('very short segments, shorter than 3', 'different numbers in TUVs')
    """
    words, other_words = _words(source), _words(target)
    remarks = []
    if not words or not other_words:
        remarks.append("non-letters")
    elif words == other_words:
        remarks.append("equal TUVs")
    if min(len(words), len(other_words)) < min_tokens:
        remarks.append(f"very short segments, shorter than {min_tokens}")
    if not min_ratio <= length_ratio(source, target) <= max_ratio:
        remarks.append(
            f"charlength ratio of TUVs is lower than {min_ratio} or higher than {max_ratio}"
        )
    if _digits(source) != _digits(target):
        remarks.append("different numbers in TUVs")
    return tuple(remarks)


def length_ratio(source: str, target: str) -> float:
    """Return source characters per target character, blanks included.

    Infinite where only the target is empty, 1 where both are.

    >>> length_ratio("abc", "ab")
    1.5
    """
    if not target:
        return float("inf") if source else 1.0
    return len(source) / len(target)


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case, without digits and punctuation."""
    return _WORD_RE.findall(text.lower())


def _digits(text: str) -> list[int]:
    """Return the decimal digits of a text, sorted."""
    return sorted(unicodedata.decimal(char) for char in text if char.isdecimal())
