"""The TMX writer: what it writes, and that it is read back as it was."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import ilspfc
from ilspfc.exports import (
    ExportUnit,
    TmxForm,
    TmxHeader,
    read_tmx,
    validate_tmx,
    write_tmx,
)
from ilspfc.exports.interchange.tmx_writer import TmxWriter
from ilspfc.exports.units import PageOrigin, UnitOrigin

CREATED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
HEADER = TmxHeader("deu", "ita", CREATED)
UNIT = ExportUnit(
    "Guten Tag.",
    "Buon giorno.",
    kind="1:1",
    score=0.9,
    info=("very short segments, shorter than 3", "different numbers in TUVs"),
    origin=UnitOrigin(
        PageOrigin(
            "https://example.org/de?a=1&b=2",
            "xml/deu-1.xml",
            "noise;dust",
            "CC BY 4.0",
            ("tdmrep_header=1; policy=p", "noai"),
            "2026-03-01T10:00:00+00:00",
        ),
        PageOrigin("https://example.org/it", license="CC BY 4.0"),
        probability=0.75,
        evidence="links",
        domain="safety",
    ),
)


def props(element: etree._Element) -> dict[str, str]:
    return {prop.get("type", ""): prop.text or "" for prop in element.findall("prop")}


def write(path: Path, *units: ExportUnit, **options: Any) -> etree._Element:
    write_tmx(path, units, options.pop("header", HEADER), **options)
    return etree.fromstring(path.read_bytes())


def test_a_unit_is_written_with_its_properties_in_order(tmp_path: Path) -> None:
    root = write(tmp_path / "a.tmx", UNIT)
    unit = root.find("body/tu")
    assert unit is not None
    assert unit.get("tuid") == "1"
    assert [child.tag for child in unit] == ["prop"] * 14 + ["tuv"] * 2
    assert list(props(unit).items()) == [
        ("score", "0.9000"),
        ("type", "1:1"),
        ("lengthRatio", "0.83"),
        ("l1-url", "https://example.org/de?a=1&b=2"),
        ("l2-url", "https://example.org/it"),
        ("pair-probability", "0.7500"),
        ("pair-evidence", "links"),
        ("domain", "safety"),
        ("l1-subdomains", "noise;dust"),
        ("license", "CC BY 4.0"),
        ("l1-optouts", "tdmrep_header=1; policy=p | noai"),
        ("l1-fetched", "2026-03-01T10:00:00+00:00"),
        ("l1-file", "xml/deu-1.xml"),
        ("info", "very short segments, shorter than 3 | different numbers in TUVs"),
    ]
    langs = [
        tuv.get("{http://www.w3.org/XML/1998/namespace}lang")
        for tuv in unit.iter("tuv")
    ]
    assert langs == ["de", "it"]
    assert [seg.text for seg in unit.iter("seg")] == ["Guten Tag.", "Buon giorno."]


def test_what_is_unknown_is_not_written(tmp_path: Path) -> None:
    unit = write(tmp_path / "a.tmx", ExportUnit("Ja.", "Sì.")).find("body/tu")
    assert unit is not None
    assert props(unit) == {"lengthRatio": "1.00"}


def test_the_header_is_complete(tmp_path: Path) -> None:
    header = TmxHeader(
        "deu",
        "ita",
        CREATED.astimezone(timezone(timedelta(hours=2))),
        description="A corpus",
        availability="unknown",
        domain="health-safety",
        units=1,
        source_words=2,
        target_words=3,
        source_unique_words=4,
        target_unique_words=5,
        mean_score=0.5,
        std_score=0.25,
    )
    element = write(tmp_path / "a.tmx", header=header).find("header")
    assert element is not None
    assert dict(element.items()) == {
        "creationtool": "ilspfc",
        "creationtoolversion": ilspfc.__version__,
        "segtype": "sentence",
        "o-tmf": "ilspfc",
        "adminlang": "en",
        "srclang": "de",
        "datatype": "plaintext",
        "creationdate": "20260102T030405Z",
    }
    assert list(props(element).items()) == [
        ("description", "A corpus"),
        ("availability", "unknown"),
        ("domain", "health-safety"),
        ("l1", "deu"),
        ("l2", "ita"),
        ("lengthInTUs", "1"),
        ("# of words in l1", "2"),
        ("# of words in l2", "3"),
        ("# of unique words in l1", "4"),
        ("# of unique words in l2", "5"),
        ("mean aligner's score", "0.5000"),
        ("std aligner's score", "0.2500"),
    ]


@pytest.mark.parametrize("kind", ["1:1", "1:2", "2:1", "2:2"])
def test_every_alignment_type_is_valid(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.tmx"
    write(path, ExportUnit("a b", "c d", kind=kind))
    validate_tmx(path)
    assert [unit.kind for unit in read_tmx(path)] == [kind]


def test_units_are_numbered_without_gaps_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    assert write_tmx(path, (ExportUnit(f"{n}", f"{n}") for n in range(5)), HEADER) == 5
    tuids = [tu.get("tuid") for tu in etree.parse(path).iter("tu")]
    assert tuids == ["1", "2", "3", "4", "5"]


def test_a_file_without_units_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    assert write_tmx(path, [], HEADER) == 0
    validate_tmx(path)
    assert list(read_tmx(path)) == []


@pytest.mark.parametrize(
    ("kept", "kinds"), [("none", []), ("score", ["score"]), ("all", None)]
)
def test_properties_can_be_left_out(
    tmp_path: Path, kept: str, kinds: list[str] | None
) -> None:
    path = tmp_path / "a.tmx"
    unit = replace(UNIT, props=(("x-note", "a"),))
    write_tmx(path, [unit, unit], HEADER, TmxForm(props=kept))
    units = etree.fromstring(path.read_bytes()).findall("body/tu")
    written = [list(props(unit)) for unit in units]
    assert written == [kinds] * 2 if kinds is not None else len(written[0]) == 15
    assert [one.get("tuid") for one in units] == ["1", "2"]
    validate_tmx(path)


@pytest.mark.parametrize(
    ("lang", "lang_map", "tag"),
    [
        ("deu", {}, "de"),
        ("ell", {}, "el"),
        ("zho", {}, "zh"),
        ("gsw", {}, "gsw"),
        ("deu", {"deu": "de-CH"}, "de-CH"),
        ("deu", {"ita": "it-CH"}, "de"),
    ],
)
def test_source_language_and_its_variants_have_one_tag(
    tmp_path: Path, lang: str, lang_map: dict[str, str], tag: str
) -> None:
    root = write(
        tmp_path / "a.tmx",
        ExportUnit("a", "b"),
        header=TmxHeader(lang, "eng", CREATED),
        form=TmxForm(lang_map=lang_map),
    )
    header, variant = root.find("header"), root.find("body/tu/tuv")
    assert header is not None
    assert variant is not None
    assert header.get("srclang") == tag
    assert variant.get("{http://www.w3.org/XML/1998/namespace}lang") == tag


def test_what_is_no_language_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'not a code' is no language code"):
        write_tmx(tmp_path / "a.tmx", [], TmxHeader("not a code", "ita", CREATED))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        f"a{char}b"
        for char in "\x00\x0b\x1f\ud800\udfff\ufffe\ufdd0\U0001ffff\U0010fffe"
    ],
)
def test_characters_that_xml_cannot_hold_are_taken_out(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "a.tmx"
    header = TmxHeader("deu", "ita", CREATED, domain=text)
    origin = UnitOrigin(PageOrigin(license=text, optouts=(text,)))
    root = write(
        path, ExportUnit(text, text, text, None, (text,), origin), header=header
    )
    validate_tmx(path)
    assert {seg.text for seg in root.iter("seg")} == {"ab"}
    unit = next(read_tmx(path))
    assert (unit.source, unit.kind, unit.info) == ("ab", "ab", ("ab",))
    assert unit.origin.source == PageOrigin(license="ab", optouts=("ab",))


@pytest.mark.parametrize("text", ["\t", "a\r\nb", " a ", "𝄞", "<&>]]>", "\x85", ""])
def test_other_characters_stay(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.tmx"
    write(path, ExportUnit(text, text))
    assert list(read_tmx(path)) == [ExportUnit(text, text)]


def test_a_name_in_gz_is_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx.gz"
    write_tmx(path, [UNIT], HEADER)
    assert gzip.decompress(path.read_bytes()).startswith(b"<?xml")
    validate_tmx(path)
    assert list(read_tmx(path)) == [UNIT]


@pytest.mark.parametrize("name", ["a.tmx", "a.tmx.gz"])
def test_the_same_input_makes_the_same_bytes(tmp_path: Path, name: str) -> None:
    first, second = tmp_path / "1" / name, tmp_path / "2" / name
    for path in (first, second):
        write_tmx(path, [UNIT] * 3, HEADER)
    assert first.read_bytes() == second.read_bytes()


def test_an_error_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    write_tmx(path, [UNIT], HEADER)
    before = path.read_bytes()

    def fail_at_the_second() -> Any:
        yield UNIT
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        write_tmx(path, fail_at_the_second(), HEADER)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_are_finite(number: float) -> None:
    with pytest.raises(ValueError, match=r"score is .*; give a finite number"):
        ExportUnit("a", "b", score=number)


def test_a_separator_inside_a_remark_is_replaced() -> None:
    assert ExportUnit("a", "b", info=("x | y", " ", "z")).info == ("x / y", "z")


def test_headers_name_what_they_refuse() -> None:
    with pytest.raises(ValueError, match="without a zone; give UTC"):
        TmxHeader("deu", "ita", CREATED.replace(tzinfo=None))


TEXT = st.text(
    st.characters() | st.sampled_from("\x00\r\n\t\ud800\ufdd0\ufffe&<>\"'|%")
)
NUMBER = st.none() | st.floats(0, 1)
LIST = st.lists(TEXT, max_size=2).map(tuple)
PAGES = st.builds(PageOrigin, TEXT, TEXT, TEXT, TEXT, LIST, TEXT)
ORIGINS = st.builds(UnitOrigin, PAGES, PAGES, NUMBER, TEXT, TEXT)
UNITS = st.builds(
    ExportUnit, TEXT, TEXT, st.sampled_from(["", "1:1"]), NUMBER, LIST, ORIGINS
)


@given(st.lists(UNITS, max_size=4))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, units: list[ExportUnit]
) -> None:
    path = tmp_path_factory.mktemp("tmx") / "a.tmx"
    assert write_tmx(path, units, HEADER) == len(units)
    assert list(read_tmx(path)) == units
    validate_tmx(path)


@given(UNITS, st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple))
def test_units_are_written_as_lxml_writes_them(
    tmp_path_factory: pytest.TempPathFactory, unit: ExportUnit, more: Any
) -> None:
    path = tmp_path_factory.mktemp("tmx") / "a.tmx"
    root = write(path, replace(unit, props=more))
    for segment in root.iter("seg", "prop"):
        segment.text = segment.text or ""
    (element,) = root.iter("tu")
    written = etree.tostring(element, encoding="utf-8", with_tail=False)
    assert b"<body>\n" + written + b"\n</body>" in path.read_bytes()
    assert len(element) - len(list(element.iter("tuv"))) >= len(more)


@given(st.lists(st.tuples(TEXT, NUMBER, LIST), max_size=6))
def test_units_of_one_pair_leave_nothing_behind_in_each_other(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("tmx") / "a.tmx"
    units = [ExportUnit(t, t, "", n, info, UNIT.origin) for t, n, info in rows]
    write_tmx(path, units, HEADER)
    assert list(read_tmx(path)) == units


def test_a_licence_of_one_page_is_not_that_of_the_unit(tmp_path: Path) -> None:
    origin = UnitOrigin(PageOrigin(license="a"), PageOrigin(license="b"))
    unit = write(tmp_path / "a.tmx", ExportUnit("x", "y", origin=origin)).find(
        "body/tu"
    )
    assert unit is not None
    assert props(unit).items() >= {"l1-license": "a", "l2-license": "b"}.items()
    assert "license" not in props(unit)


def test_each_unit_has_its_own_properties(tmp_path: Path) -> None:
    units = [
        ExportUnit("a", "b", props=(("client", "one"),)),
        ExportUnit("a", "b"),
        ExportUnit("a", "b", "1:1", 0.5, ("url",)),
        ExportUnit("a", "b", props=(("client", "100 %s"),)),
    ]
    write_tmx(tmp_path / "a.tmx", units, HEADER)
    assert list(read_tmx(tmp_path / "a.tmx")) == units


def split(path: Path, count: int, **limits: Any) -> TmxWriter:
    with TmxWriter(path, HEADER, TmxForm(**limits)) as writer:
        for number in range(count):
            writer.write(ExportUnit(f"Satz {number:04}", "x" * 100))
    return writer


def test_a_memory_is_split_by_units(tmp_path: Path) -> None:
    writer = split(tmp_path / "de-it.tmx.gz", 5, max_units=2)
    names = [path.name for path in writer.paths]
    assert names == ["de-it.001.tmx.gz", "de-it.002.tmx.gz", "de-it.003.tmx.gz"]
    assert [len(list(read_tmx(path))) for path in writer.paths] == [2, 2, 1]
    assert writer.count == 5
    for number, path in enumerate(writer.paths, 1):
        validate_tmx(path)
        root = etree.fromstring(gzip.decompress(path.read_bytes()))
        header = root.find("header")
        assert header is not None
        assert props(header)["part"] == str(number)
        tuids = [tu.get("tuid") for tu in root.iter("tu")]
        assert tuids == [str(n + 1) for n in range(len(tuids))]


def test_an_error_leaves_no_part_half_written(tmp_path: Path) -> None:
    def fail() -> None:
        with TmxWriter(tmp_path / "a.tmx", HEADER) as writer:
            writer.write(UNIT)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
