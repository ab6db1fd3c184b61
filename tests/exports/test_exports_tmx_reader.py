"""The TMX reader and validator, on files of other tools and on damaged ones."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

import ilspfc
from ilspfc.exceptions import CorpusError
from ilspfc.exports import (
    ExportUnit,
    TmxHeader,
    read_tmx,
    validate_tmx,
    write_tmx,
)
from ilspfc.exports.interchange import tmx_check

HEADER = TmxHeader("deu", "ita", datetime(2026, 1, 2, tzinfo=UTC))


def save(path: Path, body: str, *, srclang: str = "en", head: str = "") -> Path:
    file = path / "a.tmx"
    file.write_text(
        f'{head}<tmx version="1.1"><header srclang="{srclang}"/>\n<body>{body}</body></tmx>',
        encoding="utf-8",
    )
    return file


def variant(lang: str, text: str, *, attribute: str = "xml:lang") -> str:
    return f'<tuv {attribute}="{lang}"><seg>{text}</seg></tuv>'


@pytest.mark.parametrize(
    ("srclang", "first", "second"),
    [
        ("en", "en", "es"),
        ("EN", "en-GB", "es"),
        ("en-US", "en-gb", "es-MX"),
        ("*all*", "en", "es"),
        ("", "en", "es"),
    ],
)
def test_the_source_is_found_by_its_language(
    tmp_path: Path, srclang: str, first: str, second: str
) -> None:
    body = f"<tu>{variant(first, 'One')}{variant(second, 'Uno')}</tu>"
    path = save(tmp_path, body, srclang=srclang)
    assert list(read_tmx(path)) == [ExportUnit("One", "Uno")]


@pytest.mark.parametrize(
    ("code", "joint"),
    [
        ('<ph type="lb"/>', " "),
        ('<ph type="x-LineBreak">1</ph>', " "),
        ("<ph>&lt;BR clear='all'&gt;</ph>", " "),
        ("<it pos='begin'>&lt;w:tab/&gt;</it>", " "),
        ("<ut>\\line </ut>", " "),
        ("<ph>\\n</ph>", " "),
        ("<ph>&#9;</ph>", " "),
        ("<bpt i='1'>&lt;p&gt;</bpt><ept i='1'>&lt;/p&gt;</ept>", " "),
        (" <ph type='lb'/> ", " "),
        ("<bpt i='1'>&lt;b&gt;</bpt><ept i='1'>&lt;/b&gt;</ept>", ""),
        ("<ph>&lt;img src='n.png'/&gt;</ph>", ""),
        ("<ph>\\textbf{</ph>", ""),
        ("<hi>x</hi>", "x"),
        ("<ph/>", ""),
    ],
)
def test_a_code_that_parts_words_is_a_blank(
    tmp_path: Path, code: str, joint: str
) -> None:
    body = f"<tu>{variant('en', f'hive{code}wax')}{variant('es', f'{code}cera')}</tu>"
    (unit,) = read_tmx(save(tmp_path, body))
    assert unit.source == f"hive{joint}wax"
    assert unit.target == f"{joint.strip()}cera"


def test_the_source_need_not_come_first(tmp_path: Path) -> None:
    path = save(tmp_path, f"<tu>{variant('es', 'Uno')}{variant('en', 'One')}</tu>")
    assert list(read_tmx(path)) == [ExportUnit("One", "Uno")]


def test_a_unit_may_have_its_own_source_language(tmp_path: Path) -> None:
    pair = variant("en", "One") + variant("es", "Uno")
    path = save(tmp_path, f'<tu srclang="es">{pair}</tu><tu>{pair}</tu>')
    assert list(read_tmx(path)) == [ExportUnit("Uno", "One"), ExportUnit("One", "Uno")]


def test_the_language_attribute_of_the_first_versions_is_read(tmp_path: Path) -> None:
    body = variant("es", "Uno", attribute="lang") + variant(
        "en", "One", attribute="lang"
    )
    assert list(read_tmx(save(tmp_path, f"<tu>{body}</tu>"))) == [
        ExportUnit("One", "Uno")
    ]


@pytest.mark.parametrize(("count", "units"), [(0, 0), (1, 0), (2, 1), (4, 3)])
def test_every_other_variant_makes_a_unit(
    tmp_path: Path, count: int, units: int
) -> None:
    body = "".join(variant(lang, lang) for lang in ["en", "es", "fr", "de"][:count])
    path = save(tmp_path, f"<tu>{body}</tu>")
    assert [unit.source for unit in read_tmx(path)] == ["en"] * units


def test_inline_codes_are_left_out_and_text_stays(tmp_path: Path) -> None:
    text = (
        'a <bpt i="1">&lt;b&gt;</bpt>b<ept i="1">&lt;/b&gt;</ept> <hi>c</hi>'
        '<ph x="1">code<sub>s</sub></ph> <!-- no --><?no no?>d'
    )
    path = save(tmp_path, f"<tu>{variant('en', text)}{variant('es', 'x')}</tu>")
    assert next(read_tmx(path)).source == "a b c d"


def test_properties_of_other_tools_are_kept(tmp_path: Path) -> None:
    props = '<prop type="score">high</prop><prop type="site">s</prop><prop type="type">1:1</prop>'
    body = f"<tu>{props}{variant('en', 'One')}{variant('es', 'Uno')}</tu>"
    units = list(read_tmx(save(tmp_path, body)))
    site = (("site", "s"),)
    assert units == [ExportUnit("One", "Uno", kind="1:1", score=None, props=site)]


@pytest.mark.parametrize("score", ["nan", "inf", "", "-"])
def test_scores_that_are_no_numbers_are_unknown(tmp_path: Path, score: str) -> None:
    prop = f'<prop type="score">{score}</prop>'
    body = f"<tu>{prop}{variant('en', 'One')}{variant('es', 'Uno')}</tu>"
    assert next(read_tmx(save(tmp_path, body))).score is None


def test_no_entity_is_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    head = f'<!DOCTYPE tmx [<!ENTITY leak SYSTEM "{secret.as_uri()}">]>\n'
    body = f"<tu>{variant('en', '&leak;')}{variant('es', 'x')}</tu>"
    path = save(tmp_path, body, head=head)
    with pytest.raises(CorpusError, match=r"a\.tmx: line 3: entity &leak; is not exp"):
        list(read_tmx(path))


def test_no_dtd_is_fetched(tmp_path: Path) -> None:
    head = '<!DOCTYPE tmx SYSTEM "http://127.0.0.1:9/tmx14.dtd">'
    assert list(read_tmx(save(tmp_path, "", head=head))) == []


DAMAGED = [
    ("", "line 1: broken XML"),
    ("text", "line 1: broken XML"),
    ("<html></html>", "line 1: the root element is 'html', not 'tmx'"),
    ("<tmx><header/>\n<body>\n<tu>", "line 3: broken XML"),
    ("<tmx><header/>\n<body></tmx>", "line 2: broken XML"),
    ("<tmx><body><tu>&nbsp;</tu></body></tmx>", "line 1: broken XML"),
]


@pytest.mark.parametrize(("content", "message"), DAMAGED)
def test_damage_is_told_with_file_and_line(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "a.tmx"
    path.write_text(content, encoding="utf-8")
    for read in (lambda: list(read_tmx(path)), lambda: validate_tmx(path)):
        with pytest.raises(CorpusError) as caught:
            read()
        assert f"{path}: {message}" in str(caught.value)


def test_units_before_the_damage_are_read(tmp_path: Path) -> None:
    path = save(tmp_path, f"<tu>{variant('en', 'One')}{variant('es', 'Uno')}</tu>")
    content = path.read_text(encoding="utf-8")
    path.write_text(content.replace("</body>", "<tu>"), encoding="utf-8")
    units = read_tmx(path)
    assert next(units) == ExportUnit("One", "Uno")
    with pytest.raises(CorpusError, match="broken XML"):
        next(units)


def test_damaged_archives_and_missing_files_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx.gz"
    with pytest.raises(CorpusError, match="cannot be read"):
        list(read_tmx(path))
    path.write_bytes(b"no archive")
    with pytest.raises(CorpusError, match="cannot be read"):
        list(read_tmx(path))
    write_tmx(path, [ExportUnit("a" * 999, "b")], HEADER)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(CorpusError, match=r"a\.tmx\.gz: cannot be read"):
        list(read_tmx(path))


def spoil(path: Path, old: str, new: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new), encoding="utf-8")


ERRORS = [
    ('version="1.4"', 'version="1.1"', "line 3: not TMX 1.4: .*version"),
    (' srclang="de"', "", "line 4: not TMX 1.4: .*srclang"),
    ("<seg>b</seg>", "<text>b</text>", "line 14: not TMX 1.4: .*tuv"),
    ("tuid=", "id=", "line 9: not TMX 1.4: .*id"),
]


@pytest.mark.parametrize(("old", "new", "message"), ERRORS)
def test_the_first_error_against_the_dtd_is_told(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "a.tmx"
    write_tmx(path, [ExportUnit("a", "b")] * 5, HEADER)
    validate_tmx(path)
    spoil(path, old, new)
    with pytest.raises(CorpusError, match=message):
        validate_tmx(path)


@pytest.mark.parametrize("batch", [1, 2, 4, 7])
def test_batches_change_no_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(tmx_check, "BATCH_UNITS", batch)
    for old, new, message in ERRORS:
        test_the_first_error_against_the_dtd_is_told(tmp_path, old, new, message)


def test_a_file_without_a_header_is_not_valid(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_text('<tmx version="1.4"><body/></tmx>', encoding="utf-8")
    with pytest.raises(CorpusError, match="there is no header"):
        validate_tmx(path)


def test_validation_holds_some_units_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    units = (ExportUnit(f"Satz {n}", f"Frase {n}") for n in range(3500))
    assert write_tmx(path, units, HEADER) == 3500
    validate_tmx(path)
    spoil(path, "<seg>Frase 3499</seg>", "")
    with pytest.raises(CorpusError, match="not TMX"):
        validate_tmx(path)


def test_the_dtd_is_found_in_a_zipped_package(tmp_path: Path) -> None:
    package = Path(ilspfc.__file__).parent
    egg, path = tmp_path / "ilspfc.egg", tmp_path / "a.tmx"
    with zipfile.ZipFile(egg, "w") as archive:
        for name in ["__init__.py", "atomic.py", "exceptions.py"]:
            archive.write(package / name, f"ilspfc/{name}")
        for room in ("exports", "exports/interchange", "text"):
            for file in (package / room).iterdir():
                if file.suffix in {".py", ".dtd"}:
                    archive.write(file, f"ilspfc/{room}/{file.name}")
    write_tmx(path, [ExportUnit("a", "b")], HEADER)
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import ilspfc.exports as e;"
        "assert '.egg' in e.__file__; e.validate_tmx(pathlib.Path(sys.argv[2]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(egg), str(path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
