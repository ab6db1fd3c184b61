"""The lines of a block."""

from __future__ import annotations


def join_lines(text: str, *, is_preformatted: bool) -> tuple[str, int]:
    """Return a block's text with single blanks and without empty lines, and its words.

    Preformatted text keeps single empty lines, for they end its paragraphs.
    """
    if "\n" not in text:  # most have one line
        words = text.split()
        return " ".join(words), len(words)
    lines = [line.split() for line in text.split("\n")]
    count = sum(map(len, lines))
    if is_preformatted:
        return _join_preformatted([" ".join(line) for line in lines]), count
    return "\n".join(" ".join(line) for line in lines if line), count


def _join_preformatted(lines: list[str]) -> str:
    """Return lines as a text with at most one empty line in a row, none at the ends."""
    kept = [
        line
        for number, line in enumerate(lines)
        if line or (number and lines[number - 1])
    ]
    return "\n".join(kept).strip("\n")
