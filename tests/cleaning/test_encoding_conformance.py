"""Encoding labels and declarations against the files that browsers are tested with."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ilspfc.cleaning.encoding.charsets import codec_of, find_declared
from ilspfc.cleaning.encoding.decoding import decode

CountCases = Callable[[str, int, int], None]
CONFORMANCE = (
    Path(
        os.environ.get(
            "ILSPFC_EVALUATION_DATA", Path(__file__).resolve().parents[3] / "shared"
        )
    )
    / "conformance"
)
ENCODING = CONFORMANCE / "encoding"
LABELS = CONFORMANCE / "encoding-labels" / "encodings.json"
needs_files = pytest.mark.skipif(
    not (ENCODING.is_dir() and LABELS.is_file()),
    reason="The conformance files of encodings are not there; set ILSPFC_EVALUATION_DATA.",
)
# The codecs of the standard's encodings, where Python calls them otherwise.
CODECS = {
    "IBM866": "cp866",
    "ISO-8859-8-I": "iso8859-8",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "windows-874": "cp874",
    "GBK": "gb18030",
    "Big5": "big5hkscs",
    "EUC-JP": "euc_jp",
    "ISO-2022-JP": "iso2022_jp",
    "Shift_JIS": "cp932",
    "EUC-KR": "cp949",
    "UTF-16BE": "utf-16-be",
    "UTF-16LE": "utf-16-le",
    "x-user-defined": None,
}
# What a page declares that declares nothing, in the files.
DEFAULT = "cp1252"
# File and number of the case, and why it is missed.
KNOWN_MISSES = {("scripted/tests1.dat", 0): "a script writes the declaration"}
CASES = {
    "tests1.dat": 59,
    "tests2.dat": 22,
    "test-yahoo-jp.dat": 1,
    "scripted/tests1.dat": 1,
}


def codec_name(encoding: str) -> str | None:
    if encoding in CODECS:
        return CODECS[encoding]
    return encoding.lower().replace("windows-", "cp").replace("iso-8859", "iso8859")


def read_cases(name: str) -> list[tuple[bytes, str]]:
    data = (ENCODING / name).read_bytes()
    cases = re.findall(rb"#data\n(.*?)\n#encoding\n(.*?)\n", data, re.DOTALL)
    return [(page, label.decode()) for page, label in cases]


def declared(page: bytes) -> str | None:
    """Return what is believed of a page that says no more than its declaration."""
    return "utf-8" if page.startswith(b"\xef\xbb\xbf") else find_declared(page)


@needs_files
def test_every_label_of_the_standard_means_its_encoding(
    count_cases: CountCases,
) -> None:
    groups = json.loads(LABELS.read_text(encoding="utf-8"))
    encodings = [encoding for group in groups for encoding in group["encodings"]]
    labels = [
        (label, codec_name(encoding["name"]))
        for encoding in encodings
        for label in encoding["labels"]
    ]
    assert len(labels) == 228
    wrong = [
        label
        for label, codec in labels
        for spelling in (label, f"\t{label.upper()} ")
        if codec_of(spelling) != codec
    ]
    right = len(labels) - len({label.strip().lower() for label in wrong})
    count_cases("encodings: labels of the standard", right, len(labels))
    assert wrong == []


@needs_files
@pytest.mark.parametrize("name", CASES)
def test_declarations_are_found_where_browsers_find_them(
    name: str, count_cases: CountCases
) -> None:
    cases = read_cases(name)
    missed = {
        (name, number)
        for number, (page, label) in enumerate(cases)
        if (declared(page) or DEFAULT) != codec_of(label)
    }
    count_cases(f"encodings: html5lib, {name}", len(cases) - len(missed), len(cases))
    assert len(cases) == CASES[name]
    assert missed == {case for case in KNOWN_MISSES if case[0] == name}


@needs_files
def test_an_undeclared_chinese_page_is_read() -> None:
    body = (ENCODING / "chardet" / "test_big5.txt").read_bytes()
    assert decode(body) == (body.decode("big5hkscs"), "big5hkscs")
