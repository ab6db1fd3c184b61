"""XLIFF, read by another library."""

from __future__ import annotations

from pathlib import Path

from lxml import etree
from translate.storage.xliff2 import Xliff2File

from ilspfc.exports.formats.xliff import NAMESPACE, XliffWriter
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin

UNITS = [
    ExportUnit("Die & <Biene>.", "L'ape.", "1:1", 0.75, ("short", "url")),
    ExportUnit("Gut.", "Bene."),
]


def write(path: Path) -> None:
    first = UnitOrigin(PageOrigin(url="http://a/de"), PageOrigin(url="http://a/it"))
    second = UnitOrigin(PageOrigin(url="http://a/de2"))
    with XliffWriter(path, ("de", "it-CH")) as writer:
        for origin in (first, second):
            for unit in UNITS:
                writer.write(
                    ExportUnit(
                        *(unit.source, unit.target, unit.kind, unit.score, unit.info),
                        origin,
                    )
                )


def test_a_translation_tool_reads_the_units(tmp_path: Path) -> None:
    path = tmp_path / "de-it.xlf"
    write(path)
    read = Xliff2File.parsefile(str(path))  # type: ignore[no-untyped-call]
    found = [(str(unit.source), str(unit.target)) for unit in read.units]
    assert found == [(unit.source, unit.target) for unit in UNITS] * 2
    assert (read.sourcelanguage, read.targetlanguage) == ("de", "it-CH")


def test_each_pair_of_pages_is_a_file_with_notes(tmp_path: Path) -> None:
    path = tmp_path / "de-it.xlf"
    write(path)
    root = etree.parse(path).getroot()
    spaces = {"x": NAMESPACE}
    first, second = root.findall("x:file", spaces)
    assert (first.get("id"), first.get("original")) == ("f1", "http://a/de")
    assert (second.get("id"), second.get("original")) == ("f2", "http://a/de2")
    ids = [unit.get("id") for unit in second.findall("x:unit", spaces)]
    assert ids == ["u1", "u2"]
    notes = first.find("x:unit", spaces).findall("x:notes/x:note", spaces)  # type: ignore[union-attr]
    assert [(note.get("category"), note.text) for note in notes] == [
        ("score", "0.7500"),
        ("type", "1:1"),
        ("remark", "short"),
        ("remark", "url"),
    ]
    # Notes stand before segments, and not at all where there is nothing to note.
    kinds = [[etree.QName(e).localname for e in one] for one in second.iter("{*}unit")]
    assert kinds == [["notes", "segment"], ["segment"]]
