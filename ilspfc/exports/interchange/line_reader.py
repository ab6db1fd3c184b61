"""Bitexts as lines, of any origin: TSV with or without a header, and Moses pairs of files."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.exports.formats.lines import COLUMNS
from ilspfc.exports.interchange.sheet_reader import make_entry
from ilspfc.exports.interchange.tmx_reader import MAX_UNIT_BYTES, TmxEntry
from ilspfc.text.codes import find_iso639_3

_TABLE_SUFFIXES = frozenset({".tsv", ".sent"})
# Names of the columns of text: those of Bitextor and our own, and common ones.
_TEXTS = (
    ("src_text", "trg_text"),
    ("source", "target"),
    ("src", "tgt"),
    ("src", "trg"),
)


def _suffixes(path: Path) -> list[str]:
    """Return the suffixes of a name, without that of compression."""
    return path.with_name(path.name.removesuffix(".gz")).suffixes


def is_table(path: Path) -> bool:
    """Test whether a file is a TSV by its name."""
    return not _TABLE_SUFFIXES.isdisjoint(_suffixes(path)[-1:])


def side_lang(path: Path) -> str:
    """Return the language (ISO 639-3) of one side of a Moses pair by its name, else nothing."""
    return find_iso639_3(_suffixes(path)[-1][1:]) if _suffixes(path) else ""


def split_side(path: Path) -> str:
    """Return the name of a Moses file without its language: that of both sides."""
    return path.name.removesuffix(".gz").rpartition(".")[0]


def is_own_table(path: Path) -> bool:
    """Test whether a TSV has all columns of ours, so that its scores are comparable."""
    header = next(_read_lines(path), "").split("\t")
    return set(COLUMNS) <= set(header)


def read_table(path: Path, langs: Sequence[str]) -> Iterator[TmxEntry]:
    """Yield the rows of a TSV as entries of a memory.

    A first row that names columns of text says where these are; without one there are two
    columns. Languages are those in the name (``de-it.tsv``), else ``langs``. CorpusError for a
    file that cannot be read and for a row of another length, with its line; ArgumentError where
    the languages are unknown.
    """
    langs = _find_langs(path) or langs
    if not langs:
        raise ArgumentError(
            f"{path}: its name tells no two languages, as de-it.tsv does; give --langs"
        )
    header: list[str] = []
    for number, line in enumerate(_read_lines(path), 1):
        row = line.split("\t")
        if not header:
            names = [one for one in _TEXTS if set(one) <= set(row)]
            header = row if names else ["src_text", "trg_text"]
            texts = names[0] if names else _TEXTS[0]
            if names:
                continue
        if len(row) != len(header):
            raise CorpusError(
                f"{path}: line {number}: {len(row)} columns where {len(header)} are"
                " expected; give a header with src_text and trg_text, or two columns"
            )
        cells = dict(zip(header, row, strict=True))
        yield make_entry(langs, [cells[name].strip() for name in texts], cells)


def read_moses(paths: Sequence[Path]) -> Iterator[TmxEntry]:
    """Yield the lines of two files that translate each other; CorpusError for other numbers."""
    langs = [side_lang(path) for path in paths]
    sides = zip_longest(*map(_read_lines, paths))
    for number, texts in enumerate(sides, 1):
        if None in texts:
            short = paths[texts.index(None)]
            raise CorpusError(
                f"{short}: ends before line {number} of {paths[1 - texts.index(None)]};"
                " give files of which line n translates line n"
            )
        yield make_entry(langs, [text.strip() for text in texts], {})


def _find_langs(path: Path) -> list[str]:
    """Return the two languages in a name, if it tells them."""
    for part in path.name.split("."):
        langs = [find_iso639_3(code) for code in part.split("-")]
        if len(langs) == 2 and all(langs):
            return langs
    return []


def _read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text in UTF-8, compressed or not, without their ends."""
    opening = gzip.open if path.suffix == ".gz" else open
    number = 0
    try:
        with opening(path, "rb") as file:
            while line := file.readline(MAX_UNIT_BYTES + 1):
                number += 1
                if len(line) > MAX_UNIT_BYTES:
                    raise CorpusError(
                        f"{path}: line {number}: of more than {MAX_UNIT_BYTES >> 20} MiB"
                    )
                yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip(
                    "\r\n"
                )
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: line {number}: not in UTF-8; convert it") from error
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path}: cannot be read: {error}") from error
