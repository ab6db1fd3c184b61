"""Readers of bilingual dictionaries: TSV, Bitextor's and hunalign's .dic.

Every reader returns a :class:`~ilspfc.lexicon.dictionary.Dictionary` and raises
LexiconError if the file cannot be read or has no entries.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.dictionary import Dictionary
from ilspfc.lexicon.entries import Entry
from ilspfc.text.packed import iter_lines

HEADER = ("source", "target", "score", "segments", "documents", "sites")
"""Columns of a lexicon in a TSV file; the first two suffice.

Their headers may be the language codes instead.
"""

_HUNALIGN = " @ "


def read_dictionary(path: Path) -> Dictionary:
    """Read a dictionary, its format inferred from the file name.

    ``.dic`` is Bitextor's or hunalign's format, the rest is TSV; both may be gzipped (.gz).
    """
    if path.name.removesuffix(".gz").endswith(".dic"):
        return read_dic(path)
    return read_tsv(path)


def read_tsv(path: Path) -> Dictionary:
    """Read ``word TAB word [TAB score [TAB segments TAB documents TAB sites]]``.

    Scores are in (0, 1]. The first line may be a header with the names of the columns, or
    with the languages.
    """
    found = Dictionary()
    for number, line in _read_lines(path, found):
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and tuple(cells) == HEADER[: len(cells)]:
            continue
        if number == 1 and tuple(cells[2:]) == HEADER[2:] and _are_codes(cells[:2]):
            found.langs = tuple(cells[:2])
            continue
        if not 2 <= len(cells) <= len(HEADER):
            found.refuse(number, f"{len(cells)} columns instead of 2 to {len(HEADER)}")
            continue
        try:
            score = float(cells[2]) if len(cells) > 2 else 1.0
            counts = [int(cell) for cell in cells[3:]]
        except ValueError:
            found.refuse(number, f"{' '.join(cells[2:])!r}: not numeric")
            continue
        if not 0 < score <= 1 or min(counts, default=0) < 0:
            found.refuse(
                number, f"score {cells[2]} is not in (0, 1], or a count is negative"
            )
            continue
        found.add(number, Entry(cells[0], cells[1], score, *counts))
    return found.require(path, "lines of word TAB word [TAB score], in UTF-8")


def read_dic(path: Path) -> Dictionary:
    """Read Bitextor's ``word TAB word`` under a line with two language codes.

    Also read hunalign's ``target @ source``, identified by its separator.
    """
    found = Dictionary()
    for number, line in _read_lines(path, found):
        if "\t" in line:
            cells = [cell.strip() for cell in line.split("\t")]
            if number == 1 and _are_codes(cells):
                found.langs = tuple(cells)
                continue
        else:
            cells = [cell.strip() for cell in line.split(_HUNALIGN)][::-1]
        if len(cells) != 2:
            found.refuse(number, "neither word TAB word nor target @ source")
            continue
        found.add(number, Entry(cells[0], cells[1]))
    return found.require(path, "lines of word TAB word, or target @ source, in UTF-8")


def write_tsv(entries: list[Entry], langs: tuple[str, str]) -> Iterator[bytes]:
    """Yield the lines of a lexicon as a TSV file in UTF-8.

    The header names the first two columns by their language codes.
    """
    yield ("\t".join((*langs, *HEADER[2:])) + "\n").encode()
    for entry in entries:
        counts = f"{entry.segments}\t{entry.documents}\t{entry.sites}"
        line = f"{entry.source}\t{entry.target}\t{entry.score:.6g}\t{counts}\n"
        yield line.encode("utf-8", "replace")


def _are_codes(cells: list[str]) -> bool:
    """Test whether all cells look like language codes."""
    return all(c.isascii() and c.isalpha() and 2 <= len(c) <= 3 for c in cells)


def _read_lines(path: Path, found: Dictionary) -> Iterator[tuple[int, str]]:
    """Yield the numbers and texts of nonempty lines."""
    with _report(path), _open(path) as file:
        for number, raw in enumerate(iter_lines(file), 1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                found.refuse(number, "not in UTF-8")
                continue
            if line.strip():
                yield number, line.rstrip("\r\n")


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path))
    return path.open("rb")


@contextmanager
def _report(path: Path) -> Iterator[None]:
    """Convert errors of reading a file into LexiconError."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        cause = getattr(error, "strerror", None) or error
        raise LexiconError(
            f"{path}: cannot be read ({cause}); give a dictionary as TSV or .dic"
        ) from error
