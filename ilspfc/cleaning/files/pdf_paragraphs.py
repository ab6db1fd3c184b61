"""Lines of a PDF to paragraphs, joined over page breaks, columns and hyphens."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from ilspfc.cleaning.files.pdf import Line, PdfText

_MIN_COLUMN_LINES = 3
# A column is prose: lines of cells are shorter, and a table is read row by row.
_MIN_COLUMN_CHARS = 18
# Largest share of lines that run across the gutter: headings, wide figures.
_MAX_ACROSS = 0.25
_MIN_OVERLAP = 0.5
# A page of more lines has no columns that could be told apart.
_MAX_LINES = 1000


def _height(lines: Sequence[Line]) -> tuple[float, float]:
    return min(line.bottom for line in lines), max(line.top for line in lines)


def _are_columns(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Test whether lines on two sides of a gutter stand beside each other, as prose."""
    for side in (left, right):
        if len(side) < _MIN_COLUMN_LINES:
            return False
        if median(len(line.text) for line in side) < _MIN_COLUMN_CHARS:
            return False
    (low, high), (other_low, other_high) = _height(left), _height(right)
    shared = min(high, other_high) - max(low, other_low)
    return shared > _MIN_OVERLAP * min(high - low, other_high - other_low)


def _find_gutter(lines: Sequence[Line]) -> float | None:
    """Return the x at which the second of two columns begins."""
    best: tuple[int, float] | None = None
    for x in {round(line.left, 1) for line in lines}:
        left = [line for line in lines if line.right < x]
        right = [line for line in lines if line.left >= x - 0.5]
        across = len(lines) - len(left) - len(right)
        if across > _MAX_ACROSS * len(lines) or not _are_columns(left, right):
            continue
        value = min(len(left), len(right)) - across
        if best is None or (value, -x) > (best[0], -best[1]):
            best = value, x
    return best[1] if best else None


def regions(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of a page in reading order, grouped by column.

    A line across the gutter ends the columns above it. Inside a region lines go from top
    to bottom, and from left to right where they stand on one row.
    """
    ordered = sorted(lines, key=lambda line: (-line.bottom, line.left))
    gutter = _find_gutter(ordered) if len(ordered) <= _MAX_LINES else None
    if gutter is None:
        return [ordered] if ordered else []
    result: list[list[Line]] = []
    zone: list[Line] = []
    for line in ordered:
        if line.right < gutter or line.left >= gutter - 0.5:
            zone.append(line)
            continue
        result += _split(zone, gutter)
        # Lines across, one below the other, are one region.
        if result and not zone and result[-1][-1].right >= gutter > result[-1][-1].left:
            result[-1].append(line)
        else:
            result.append([line])
        zone = []
    return result + _split(zone, gutter)


def _split(zone: Sequence[Line], gutter: float) -> list[list[Line]]:
    left = [line for line in zone if line.right < gutter]
    right = [line for line in zone if line.right >= gutter]
    # A third column is on the right of the second.
    return [side for side in (left, *regions(right)) if side]


# Share of the page with running heads or feet, and the pages on which they repeat.
_MARGIN = 0.1
_MIN_REPEATS = 3
_MIN_REPEATS_SHORT = 2
_SHORT_PAGES = 4
_DIGITS_RE = re.compile(r"\d+")
_PAGE_NUMBER_RE = re.compile(r"\W*(?:[ivxlc]+|\d+)(?:\W+\d+)?\W*", re.IGNORECASE)

_BULLET_RE = re.compile(r"(?:[•▪■●◦‣·–—*-]|\(?(?:\d{1,2}|[a-z])[.)])\s")
_SENTENCE_END_RE = re.compile(r"[.!?:;。！？：…][\"'»”’)\]]*$")
_WORD_RE = re.compile(r"\w+")
# A word is not looked at farther back than this.
_MAX_HALF_CHARS = 64
_HALVES_RE = re.compile(r"(\w+)-(?=(\w+))")
# Baselines farther apart than this many times the usual distance begin a paragraph; what
# usual in a region is limited by this many type sizes.
_WIDE_LEADING = 1.3
_MAX_LEADING = 2.0
# A first cell of fewer characters is a bullet or number that stands apart.
_MIN_CELL_CHARS = 4
_SAME_SIZE = 0.08
# Middles of lines on one row differ by less than this share of the type size.
_SAME_ROW = 0.4
_INDENT = 0.8


@dataclass(slots=True)
class TextBlock:
    """A paragraph of a PDF: its text, type size in points, and first page from 0."""

    text: str
    size: float
    page: int
    is_item: bool = False
    is_frame: bool = False


def _frame_key(line: Line, height: float) -> tuple[str, bool] | None:
    """Return the key of a running head or foot that it has on other pages, too."""
    is_head, is_foot = line.bottom > (1 - _MARGIN) * height, line.top < _MARGIN * height
    if not (is_head or is_foot):
        return None
    return _DIGITS_RE.sub("#", line.text), is_head


def _split_frames(pdf: PdfText) -> tuple[list[Line], list[str]]:
    """Return the lines of the text, and the distinct running heads and feet."""
    pages: dict[tuple[str, bool], set[int]] = defaultdict(set)
    keys = [_frame_key(line, pdf.heights[line.page]) for line in pdf.lines]
    for key, line in zip(keys, pdf.lines, strict=True):
        if key is not None:
            pages[key].add(line.page)
    is_short = len(pdf.heights) <= _SHORT_PAGES
    repeats = _MIN_REPEATS_SHORT if is_short else _MIN_REPEATS
    text, frames = [], []
    for key, line in zip(keys, pdf.lines, strict=True):
        is_number = _PAGE_NUMBER_RE.fullmatch(line.text) is not None
        if key is not None and (is_number or len(pages[key]) >= repeats):
            frames.append(line.text)
        else:
            text.append(line)
    return text, list(dict.fromkeys(frames))


def _rows(lines: Sequence[Line]) -> list[Line]:
    """Join the lines of a region that stand on one row: cells of a table, tabs."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -(line.bottom + line.top)):
        first = rows[-1][0] if rows else line
        shift = abs((first.bottom + first.top) - (line.bottom + line.top)) / 2
        if rows and shift < _SAME_ROW * min(first.size, line.size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [_join_row(sorted(row, key=lambda line: line.left)) for row in rows]


def _join_row(lines: Sequence[Line]) -> Line:
    widest = max(lines, key=lambda line: len(line.text))
    return replace(
        lines[0],
        text=" ".join(line.text for line in lines),
        right=lines[-1].right,
        size=widest.size,
        is_hyphenated=lines[-1].is_hyphenated,
        is_table_row=len(lines) > 1 and len(lines[0].text) >= _MIN_CELL_CHARS,
    )


class _Region:
    """Rows of a column, and the breaks between its paragraphs."""

    def __init__(self, rows: Sequence[Line]) -> None:
        self.rows = rows
        self._right = max(row.right for row in rows)
        distances = [
            above.bottom - below.bottom
            for above, below in pairwise(rows)
            if _same_size(above, below)
        ]
        self._leading = median(distances) if distances else 0.0

    def blocks(self) -> Iterator[list[Line]]:
        """Yield the rows of each paragraph."""
        current: list[Line] = []
        for index, row in enumerate(self.rows):
            if current and self._begins(current, index):
                yield current
                current = []
            current.append(row)
        yield current

    def _begins(self, current: list[Line], index: int) -> bool:
        """Test whether a row begins a paragraph."""
        above, row = current[-1], self.rows[index]
        if not _same_size(above, row):
            return True
        distance = above.bottom - row.bottom
        usual = max(min(self._leading, _MAX_LEADING * row.size), row.size)
        if distance > _WIDE_LEADING * usual or above.is_table_row or row.is_table_row:
            return True
        if _BULLET_RE.match(row.text):
            return True
        if above.is_hyphenated:
            return False
        return self._is_indented(current, index) or self._would_fit(above, row)

    def _is_indented(self, current: list[Line], index: int) -> bool:
        above, row = current[-1], self.rows[index]
        shift = row.left - above.left
        if shift < -_INDENT * row.size:
            # Back from the hanging lines of an entry to the next one.
            return len(current) > 1
        if shift < _INDENT * row.size or _BULLET_RE.match(current[0].text):
            return False
        below = self.rows[index + 1] if index + 1 < len(self.rows) else None
        return below is None or below.left < row.left - _INDENT / 2 * row.size

    def _would_fit(self, above: Line, row: Line) -> bool:
        """Test whether the row's first word had room on the row above."""
        word = row.text.split(maxsplit=1)[0]
        width = (row.right - row.left) / len(row.text) * (len(word) + 1)
        return above.right + width + 0.5 * row.size < self._right


def _same_size(one: Line, other: Line) -> bool:
    return abs(one.size - other.size) <= _SAME_SIZE * max(one.size, other.size)


def _join(rows: Iterable[Line], words: Counter[str]) -> str:
    """Return the text of rows, with words rejoined that a row's end cuts."""
    text, is_hyphenated = "", False
    for row in rows:
        if is_hyphenated or (text[-1:] == "-" and text[-2:-1].isalpha()):
            text = _join_word(text.removesuffix("-"), row.text, words)
        else:
            text = f"{text} {row.text}" if text else row.text
        is_hyphenated = row.is_hyphenated
    return f"{text}-" if is_hyphenated else text


def _join_word(text: str, following: str, words: Counter[str]) -> str:
    """Join two halves of a word.

    The hyphen stays before a capital or figure, and where the document has the word with
    it and not without.
    """
    halves = re.search(r"\w*$", text[-_MAX_HALF_CHARS:]), re.match(r"\w*", following)
    first, second = (half[0] if half else "" for half in halves)
    with_hyphen = words[f"{first}-{second}".casefold()]
    without = words[f"{first}{second}".casefold()]
    start = second[:1]
    is_small = start.islower() and start != start.upper()
    if not is_small or with_hyphen > without:
        return f"{text}-{following}"
    return text + following


def _count_words(lines: Iterable[Line]) -> Counter[str]:
    """Return counts of the words of a PDF, and of the pairs of halves around hyphens."""
    words: Counter[str] = Counter()
    for line in lines:
        text = line.text.casefold()
        words.update(_WORD_RE.findall(text))
        words.update(map("-".join, _HALVES_RE.findall(text)))
    return words


def make_blocks(pdf: PdfText) -> list[TextBlock]:
    """Return the paragraphs of a PDF in reading order, its running heads and feet last."""
    lines, frames = _split_frames(pdf)
    words = _count_words(lines)
    paragraphs: list[list[Line]] = []
    for _, page in groupby(lines, key=lambda line: line.page):
        for region in regions(list(page)):
            for rows in _Region(_rows(region)).blocks():
                if paragraphs and _continues(paragraphs[-1][-1], rows[0]):
                    paragraphs[-1] += rows
                else:
                    paragraphs.append(rows)
    blocks = [
        TextBlock(
            _join(rows, words),
            rows[0].size,
            rows[0].page,
            is_item=_BULLET_RE.match(rows[0].text) is not None,
        )
        for rows in paragraphs
    ]
    return blocks + [TextBlock(text, 0.0, 0, is_frame=True) for text in frames]


def _continues(last: Line, first: Line) -> bool:
    """Test whether a column or page begins within a sentence of the one before."""
    is_next_column = first.page != last.page or first.bottom > last.top
    return (
        is_next_column
        and _same_size(last, first)
        and (last.is_hyphenated or not _SENTENCE_END_RE.search(last.text))
        and first.text[:1].islower()
    )
