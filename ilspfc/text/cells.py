"""Texts as lines and as cells of a table."""

from __future__ import annotations

CELL_SEPARATOR = " | "
"""What stands between the cells of a row of a table that is one paragraph."""

# By these a spreadsheet knows a formula, whoever wrote it; those as wide as a Chinese
# character count as well.
_FORMULA_SIGNS = tuple("=+-@＝＋－＠")


def to_line(text: str) -> str:
    r"""Return a text on one line: every run of blanks becomes a single space.

    >>> to_line("a\tb\u2028 c\u00a0d")
    'a b c d'
    """
    return " ".join(text.split())


def to_cell(text: str) -> str:
    """Return a text as a cell of a table: one line, and no formula to a spreadsheet.

    What begins with ``=``, ``+``, ``-`` or ``@`` has a space before it. No other cell
    begins with one, so stripping it gives the text again.

    >>> to_cell("=1+1"), to_cell("a=1")
    (' =1+1', 'a=1')
    """
    line = to_line(text)
    return f" {line}" if line.startswith(_FORMULA_SIGNS) else line
