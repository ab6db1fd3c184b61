"""What is said of TMX files that importers would refuse."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from evaluation.data import DATA
from ilspfc.exceptions import CorpusError
from ilspfc.exports import ExportUnit, TmxHeader, write_tmx
from ilspfc.exports.interchange import tmx_check
from ilspfc.exports.interchange.tmx_check import TmxCheck

HEADER = TmxHeader("deu", "ita", datetime(2026, 1, 2, tzinfo=UTC))
UNITS = [ExportUnit(f"Satz {n}", f"Frase {n}", "1:1", 0.9) for n in range(5)]
SCHEMAS = DATA / "conformance" / "tmx-schema"
OLD = """<?xml version="1.0"?>
<tmx version="1.1">
<header creationtool="t" creationtoolversion="1" segtype="sentence" o-tmf="t"
 adminlang="en" srclang="EN-US" datatype="plaintext"/>
<body>
<tu><tuv lang="EN-US"><seg>One</seg></tuv><tuv lang="ES-MX"><seg>Uno</seg></tuv></tu>
</body>
</tmx>
"""


def problems(path: Path) -> list[tuple[int, str]]:
    return [(line, text) for line, text in TmxCheck(path).problems()]


def write(path: Path, old: str = "", new: str = "", number: int = -1) -> Path:
    file = path / "a.tmx"
    write_tmx(file, UNITS, HEADER)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, number), encoding="utf-8")
    return file


def test_nothing_is_wrong_with_what_is_written_here(tmp_path: Path) -> None:
    check = TmxCheck(write(tmp_path))
    assert list(check.problems()) == []
    assert (check.version, check.units) == ("1.4", 5)
    assert check.langs == {"de": 5, "it": 5}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("<seg>Frase 1</seg>", "<seg> </seg>", [(28, "the segment is empty")]),
        ("<seg>Frase 1</seg>", "<seg><ph/></seg>", [(28, "the segment is empty")]),
        ("Frase 1", "Fra\x81se", [(28, "the segment has the character U+0081")]),
        (' xml:lang="it"', "", [(16, "not TMX 1.4: Element tuv does not carry")]),
        ("<seg>Frase 0</seg>", "", [(16, "not TMX 1.4"), (16, "the segment is e")]),
        (
            'xml:lang="it"',
            'xml:lang="itt1"',
            [(16, "'itt1' is no language tag (BCP 47)")],
        ),
        ('xml:lang="it"', 'xml:lang="de"', [(9, "2 variants are in 'de'")]),
        (
            'xml:lang="de"',
            'xml:lang="fr"',
            [(9, "no variant is in the source language 'de': fr, it")],
        ),
        ("tuid=", "id=", [(9, "not TMX 1.4: No declaration for attribute id")]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, expected: list[tuple[int, str]]
) -> None:
    found = problems(write(tmp_path, old, new, 1))
    assert [line for line, _ in found] == [line for line, _ in expected]
    for (_, text), (_, start) in zip(found, expected, strict=True):
        assert text.startswith(start)


def test_a_unit_needs_two_variants(tmp_path: Path) -> None:
    variant = '<tuv xml:lang="it">\n    <seg>Frase 0</seg>\n  </tuv>'
    assert problems(write(tmp_path, variant)) == [(9, "the unit has no translation")]


@pytest.mark.parametrize("batch", [1, 2, 5, 1000])
def test_batches_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    path = write(tmp_path, "<tu tuid=", "<tu id=")
    path.write_text(path.read_text("utf-8").replace(">Frase", ">\x81Frase"), "utf-8")
    expected = problems(path)
    monkeypatch.setattr(tmx_check, "BATCH_UNITS", batch)
    assert problems(path) == expected
    assert len(expected) == 10
    assert expected == sorted(expected)


def test_old_versions_have_no_dtd_here(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(OLD, encoding="utf-8")
    check = TmxCheck(path)
    assert list(check.problems()) == []
    assert (check.version, check.langs) == ("1.1", {"EN-US": 1, "ES-MX": 1})


def test_old_versions_may_lack_no_language_either(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(OLD.replace(' lang="ES-MX"', ""), encoding="utf-8")
    assert problems(path) == [(6, "the variant has no language")]


def test_any_variant_may_be_the_source(tmp_path: Path) -> None:
    assert problems(write(tmp_path, 'srclang="de"', 'srclang="*all*"')) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1: broken XML"),
        ("<tmx><body></tmx>", "line 1: broken XML"),
        ("<tmx/>", "line 1: there is no header"),
        ("<html/>", "not 'tmx'"),
    ],
)
def test_a_damaged_file_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CorpusError, match=message):
        problems(path)


def _validate_by(schema: str, text: str) -> Iterable[str]:
    from lxml import etree

    with (SCHEMAS / schema).open("rb") as file:
        dtd = etree.DTD(file)
    dtd.validate(etree.fromstring(text.encode()))
    return [str(error) for error in cast("Any", dtd.error_log)]


@pytest.mark.skipif(not SCHEMAS.is_dir(), reason="no conformance data")
def test_the_samples_are_valid_by_the_published_dtds(tmp_path: Path) -> None:
    assert _validate_by("tmx11.dtd", OLD) == []
    written = write(tmp_path).read_text(encoding="utf-8")
    assert _validate_by("tmx14.dtd", written) == []
    assert _validate_by("tmx14.dtd", OLD) != []
