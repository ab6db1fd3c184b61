"""TBX and lists of terms: read as they come, written so that they are read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from ilspfc.bootstrap.concepts import BootstrapLog, Concept
from ilspfc.bootstrap.definition_terms import Definition
from ilspfc.bootstrap.term_files import iter_tbx, iter_term_list, write_definition
from ilspfc.exceptions import BootstrapError
from ilspfc.text.tbx import NAMESPACE

OLD_TBX = """\
<?xml version="1.0"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><text><body>
<termEntry id="IATE-1"><descripGrp><descrip type="subjectField">beekeeping</descrip></descripGrp>
 <langSet xml:lang="en"><tig><term>honey</term></tig><tig><term>bee honey</term></tig></langSet>
 <langSet xml:lang="de"><ntig><termGrp><term>Honig</term></termGrp></ntig></langSet>
 <langSet xml:lang="pl"><tig><term>miód</term></tig></langSet>
</termEntry>
<termEntry><langSet xml:lang="pl"><tig><term>wosk</term></tig></langSet></termEntry>
<termEntry><langSet xml:lang="de-AT"><tig><term> Wachs <!-- x --></term></tig></langSet></termEntry>
</body></text></martif>
"""
NEW_TBX = f"""\
<tbx xmlns="{NAMESPACE}" type="TBX-Basic" style="dca" xml:lang="en"><text><body>
<conceptEntry id="c1"><langSec xml:lang="en"><termSec><term>hive</term></termSec></langSec>
<langSec xml:lang="xx-unknown-language"><termSec><term>?</term></termSec></langSec></conceptEntry>
</body></text></tbx>
"""


def _read_tbx(folder: Path, text: str) -> list[Concept]:
    path = folder / "terms.tbx"
    path.write_text(text, encoding="utf-8")
    return list(iter_tbx(path, ("eng", "deu")))


def test_terms_of_older_tbx(tmp_path: Path) -> None:
    honey, wax = _read_tbx(tmp_path, OLD_TBX)
    assert honey.identity == "IATE-1"
    assert honey.subdomain == "beekeeping"
    assert honey.names == {"eng": "honey", "deu": "Honig"}
    assert honey.variants == {"eng": ["bee honey"]}
    assert wax.names == {"deu": "Wachs"}


def test_terms_of_newer_tbx(tmp_path: Path) -> None:
    (hive,) = _read_tbx(tmp_path, NEW_TBX)
    assert hive.names == {"eng": "hive"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read as TBX"),
        ("no XML", "cannot be read as TBX"),
        (OLD_TBX[:-30], "cannot be read as TBX.*what stands before is kept"),
        ("<tmx/>", "no conceptEntry or termEntry"),
    ],
)
def test_what_is_no_tbx_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BootstrapError, match=message):
        _read_tbx(tmp_path, text)


def test_what_is_written_is_tbx_basic_and_read_again(tmp_path: Path) -> None:
    entries = (
        Concept(
            "1",
            subdomain="bees & wax",
            names={"eng": "honey", "deu": "Honig"},
            variants={"eng": ["bee <honey>"]},
        ),
        Concept("2", names={"deu": "Wachs"}),
    )
    path = tmp_path / "terms.tbx"
    write_definition(path, Definition(("eng", "deu"), (), entries), "Bees")
    root = etree.parse(path).getroot()
    assert root.tag == f"{{{NAMESPACE}}}tbx"
    assert (root.get("type"), root.get("style")) == ("TBX-Basic", "dca")
    assert {etree.QName(node).namespace for node in root.iter()} == {NAMESPACE}
    honey, wax = iter_tbx(path, ("eng", "deu"))
    assert honey.names == {"eng": "honey", "deu": "Honig"}
    assert honey.variants == {"eng": ["bee <honey>"]}
    assert honey.subdomain == "bees & wax"
    assert wax.names == {"deu": "Wachs"}


# -- lists -------------------------------------------------------------------------------


def _read_list(folder: Path, text: str) -> tuple[list[Concept], BootstrapLog]:
    path = folder / "terms.csv"
    path.write_text(text, encoding="utf-8")
    log = BootstrapLog()
    return list(iter_term_list(path, ("eng", "deu"), log)), log


@pytest.mark.parametrize("sign", ["\t", ",", ";"])
def test_a_column_for_each_language(tmp_path: Path, sign: str) -> None:
    rows = [
        ["en", "deu", "notes", "weight"],
        ["honey|bee honey", "Honig", "sweet", "80"],
        ["", "Wachs", "", ""],
        ["", "", "nothing", ""],
    ]
    text = "".join(sign.join(row) + "\n" for row in rows)
    (honey, wax), _ = _read_list(tmp_path, "\ufeff" + text)
    assert honey.names == {"eng": "honey", "deu": "Honig"}
    assert honey.variants["eng"] == ["bee honey"]
    assert honey.weight == 80
    assert (wax.names, wax.weight) == ({"deu": "Wachs"}, None)


def test_a_line_for_each_term(tmp_path: Path) -> None:
    text = "term,lang,subdomain\nhoney,en,food\nmiele,it,food\n"
    (honey,), _ = _read_list(tmp_path, text)
    assert (honey.names, honey.subdomain) == ({"eng": "honey"}, "food")


def test_broken_lines_are_counted(tmp_path: Path) -> None:
    text = "term,lang,weight\nhoney,en,much\nwax,english!,1\na,en,1,2\nhive,en,0\nbee,en,7\n"
    concepts, log = _read_list(tmp_path, text)
    assert [concept.names["eng"] for concept in concepts] == ["bee"]
    assert log.counts == {"bootstrap/dropped/broken_row": 4}
    assert [dropped.text for dropped in log.dropped] == [
        f"line {n}" for n in (2, 3, 4, 5)
    ]


@pytest.mark.parametrize("text", ["", "honey\nwax\n", "term,weight\nhoney,3\n"])
def test_a_list_without_columns_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(BootstrapError, match="names no columns"):
        _read_list(tmp_path, text)


def test_a_list_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "terms.csv"
    path.write_bytes("de\nKönigin\n".encode("latin-1"))
    with pytest.raises(BootstrapError, match="UTF-8"):
        list(iter_term_list(path, ("deu",), BootstrapLog()))
