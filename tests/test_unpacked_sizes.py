"""Small files that unpack to large ones: each reader refuses them before they fill the memory.

Memory is counted (tracemalloc), and so is what is unpacked: bytes are the same on any machine.
"""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pytest
from file_examples import make_docx

from ilspfc.classification.perplexity.arpa import read_arpa
from ilspfc.cleaning.files.formats import UnreadableFileError
from ilspfc.cleaning.files.office import MAX_UNPACKED_BYTES, read_docx
from ilspfc.corpus.warc.reader import Member, read_member
from ilspfc.exceptions import CorpusError, IlspfcError
from ilspfc.exports import read_tmx, validate_tmx
from ilspfc.exports.formats.xces import read_sentences
from ilspfc.exports.interchange.tmx_reader import MAX_UNIT_BYTES
from ilspfc.lexicon.readers import read_dictionary
from ilspfc.text import packed, workbooks
from ilspfc.text.workbooks import iter_rows

MEGABYTE = 1 << 20
SHEET = "xl/worksheets/sheet1.xml"


def make_workbook(path: Path, part: str, *pieces: bytes, method: int = 8) -> Path:
    """Write a workbook in which a part is made of pieces."""
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"] = "text"
    book.save(buffer)
    with zipfile.ZipFile(buffer) as old, zipfile.ZipFile(path, "w", method) as new:
        for name in {*old.namelist(), part}:
            with new.open(name, "w") as file:
                for piece in pieces if name == part else [old.read(name)]:
                    file.write(piece)
    assert path.stat().st_size < MEGABYTE
    return path


def sheet(*inside: bytes) -> list[bytes]:
    """Return a sheet with a row of one cell."""
    start = (
        b"<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>"
        b"<sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>"
    )
    return [start, *inside, b"</t></is></c></row></sheetData></worksheet>"]


WORKBOOKS: dict[str, tuple[str, list[bytes], int]] = {
    "a cell": (SHEET, sheet(*[b"a" * MEGABYTE] * 90), 8),
    "a value": (SHEET, sheet(b"<x a='", *[b"a" * MEGABYTE] * 40, b"'/>"), 8),
    "character data": (SHEET, sheet(b"<![CDATA[", *[b"<" * MEGABYTE] * 40, b"]]>"), 8),
    "cells without an end": (SHEET, sheet(*[b"<c/>" * (MEGABYTE // 4)] * 40), 8),
    "shared strings": (
        "xl/sharedStrings.xml",
        [b"<sst>", *[b"<si/>" * 200_000] * 50],
        8,
    ),
    "what nothing reads": ("xl/media/image1.png", [b"a" * MEGABYTE] * 130, 8),
    "another compression": (SHEET, sheet(*[b"a" * MEGABYTE] * 60), zipfile.ZIP_BZIP2),
}


@pytest.mark.parametrize("name", WORKBOOKS)
def test_a_workbook_is_refused_before_it_is_parsed(name: str, tmp_path: Path) -> None:
    part, pieces, method = WORKBOOKS[name]
    path = make_workbook(tmp_path / "a.xlsx", part, *pieces, method=method)
    with pytest.raises(CorpusError, match=r"a\.xlsx: .* write it in parts"):
        list(counted(lambda: iter_rows(path), 2 * MEGABYTE))


def counted(call: Callable[[], Iterator[object]], max_bytes: int) -> Iterator[object]:
    """Go through what a call yields; fail where it takes more memory at any time."""
    tracemalloc.start()
    try:
        yield from call()
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < max_bytes


def test_workbooks_at_the_bounds_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell as long as Excel takes it, of characters that are long in XML."""
    path = tmp_path / "a.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["\N{GRINNING FACE}" * 32_767, "<" * 32_767, "&" * 32_767])
    book.save(path)
    assert [len(cell) for _, _, row in iter_rows(path) for cell in row] == [32_767] * 3
    monkeypatch.setattr(workbooks, "MAX_TAGS", 10)
    with pytest.raises(CorpusError, match="too many tags"):
        list(iter_rows(path))


def test_a_word_file_has_a_bound_over_all_its_parts() -> None:
    text = f"<w:p><w:r><w:t>{'a' * 9 * MEGABYTE}</w:t></w:r></w:p>"
    header = f"<w:hdr xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>{text}</w:hdr>"
    parts = {f"word/header{n}.xml": header.encode() for n in range(1, 20)}
    body = make_docx("<w:p/>", parts)
    assert len(body) < MEGABYTE
    with pytest.raises(UnreadableFileError, match="too large when unpacked"):
        list(counted(lambda: iter([read_docx(body)]), 3 * MAX_UNPACKED_BYTES))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("word/document.xml", b"a" * 50 * MEGABYTE)
    with pytest.raises(UnreadableFileError, match="not compressed by deflate"):
        list(counted(lambda: iter([read_docx(buffer.getvalue())]), MEGABYTE))


HEAD = b"<tmx version='1.4'><header srclang='en'/><body>"
VARIANT = b"<tuv xml:lang='en'><seg>a</seg></tuv>"


@pytest.mark.parametrize(
    "pieces",
    [
        [HEAD, b"<tu>", *[VARIANT * 9_000] * 8],
        [HEAD, *[b"<note/>" * 100_000] * 8],
        [HEAD, b"<tu><tuv><seg>", *[b"a" * MEGABYTE] * 8],
        [b"<tmx version='1.4'>", *[b"<!-- a -->" * 100_000] * 8],
    ],
    ids=["variants", "other elements", "text", "comments"],
)
def test_a_memory_is_read_as_far_as_its_units_end(
    pieces: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "a.tmx.gz"
    with gzip.open(path, "wb") as file:
        for piece in pieces:
            file.write(piece)
    assert path.stat().st_size < MEGABYTE
    for read in (read_tmx, validate_tmx):
        with pytest.raises(CorpusError, match=r"a unit of more than 1 MiB"):
            list(counted(lambda: iter(list(read(path) or ())), 8 * MAX_UNIT_BYTES))  # noqa: B023


def write_packed(path: Path, *pieces: bytes) -> Path:
    with gzip.open(path, "wb") as file:
        for piece in pieces:
            file.write(piece)
    return path


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("a.tsv.gz", read_dictionary),
        ("a.arpa.gz", read_arpa),
    ],
)
def test_no_line_is_longer_than_its_bound(
    name: str,
    read: Callable[[Path], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packed, "MAX_LINE_BYTES", MEGABYTE)
    path = write_packed(tmp_path / name, *[b"a" * MEGABYTE] * 30)
    with pytest.raises(IlspfcError, match="a line of more than 1 MiB"):
        list(counted(lambda: iter([read(path)]), 4 * MEGABYTE))


def test_no_file_that_is_held_as_a_whole_is_larger_than_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "MAX_FILE_BYTES", MEGABYTE)
    document = write_packed(tmp_path / "a.xml.gz", *[b"a" * MEGABYTE] * 30)
    with pytest.raises(CorpusError, match="more than 1 MiB when unpacked"):
        list(counted(lambda: iter([read_sentences(document)]), 4 * MEGABYTE))


def test_a_record_of_an_archive_is_unpacked_in_pieces() -> None:
    data = gzip.compress(b"a" * 90 * MEGABYTE) + gzip.compress(b"b")
    (member,) = counted(lambda: iter([read_member(data, 0, 10)]), 2 * MEGABYTE)
    end = len(data) - len(gzip.compress(b"b"))
    assert member == Member(b"a" * 10, 90 * MEGABYTE, end)


@pytest.mark.parametrize("size", [0, 1, 262_143, 262_144, 262_145, 1_000_003])
def test_records_of_all_sizes_are_read_whole(size: int) -> None:
    for content in (b"a" * size, bytes(n * n % 251 for n in range(size))):
        data = gzip.compress(content)
        assert read_member(data, 0, size) == Member(content, size, len(data))
