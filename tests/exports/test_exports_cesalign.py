"""The cesAlign writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilspfc.exports.formats.cesalign import write_cesalign

SOURCE = ("../xml/deu-0123456789ab.xml", "deu")
TARGET = ("../xml/ita-ba9876543210.xml", "ita")

EXPECTED = """<?xml version='1.0' encoding='UTF-8'?>
<cesAlign xmlns="http://www.xces.org/schema/2003" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0">
  <cesHeader version="1.0">
    <profileDesc>
      <translations>
        <translation trans.loc="../xml/deu-0123456789ab.xml" xml:lang="deu" wsd="UTF-8" n="1"/>
        <translation trans.loc="../xml/ita-ba9876543210.xml" xml:lang="ita" wsd="UTF-8" n="2"/>
      </translations>
    </profileDesc>
  </cesHeader>
</cesAlign>
"""


def test_the_file_names_both_documents(tmp_path: Path) -> None:
    path = tmp_path / "cesalign" / "a.xml"
    write_cesalign(path, SOURCE, TARGET)
    assert path.read_text(encoding="utf-8") == EXPECTED
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "location",
    ["", "/xml/a.xml", "C:/xml/a.xml", "..\\xml\\a.xml", "https://example.org/a.xml"],
)
def test_only_relative_paths_are_written(tmp_path: Path, location: str) -> None:
    path = tmp_path / "a.xml"
    with pytest.raises(ValueError, match="is no relative path with forward slashes"):
        write_cesalign(path, SOURCE, (location, "ita"))
    assert not path.exists()


def test_confidence_and_method_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    write_cesalign(path, SOURCE, TARGET, confidence=0.97, method="links")
    text = path.read_text(encoding="utf-8")
    assert '<translations confidence="0.9700" method="links">' in text
