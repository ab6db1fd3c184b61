"""XCES: sentence-split documents and the links of their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast
from zipfile import ZipFile

import pytest

from ilspfc.corpus.records import PairEntry
from ilspfc.documents import TranslationUnit
from ilspfc.exceptions import CorpusError
from ilspfc.exports.formats.xces import (
    XcesWriter,
    locate_units,
    read_links,
    read_sentences,
    write_packages,
)
from ilspfc.exports.units import (
    NO_ORIGIN,
    AlignedPages,
    PairOfPages,
    SentenceLink,
    SplitDocument,
)
from ilspfc.text.packed import unpack

GERMAN = SplitDocument(
    "de/d1.xml", ["Ja.", "Nein.", "Ja.", "Gut & \x00schön."], [0, 0, 1, 1]
)
ITALIAN = SplitDocument("it/i1.xml", ["Sì e no.", "Sì.", "Bello."], [0, 3, 3])
UNITS = [
    TranslationUnit("Ja. Nein.", "Sì e no.", "2:1", 0.75),
    TranslationUnit("Ja.", "Sì.", "1:1", 0.5),
]
LINKS = [
    SentenceLink((1, 2), (1,), 0.75),
    SentenceLink((3,), (2,), 0.5),
    SentenceLink((4,), ()),
    SentenceLink((), (3,)),
]


def write(
    folder: Path, links: Sequence[SentenceLink] = LINKS, suffix: str = ""
) -> Path:
    """Write both documents and their links; return the file of links."""
    german, italian = (
        replace(one, name=one.name + suffix) for one in (GERMAN, ITALIAN)
    )
    aligned = AlignedPages(german, italian, links)
    entry = cast("PairEntry", None)
    path = folder / f"de-it.xml{suffix}"
    with XcesWriter(path) as writer:
        writer.write(PairOfPages(entry, NO_ORIGIN, [], lambda: aligned))
    return path


def test_units_become_links_of_sentences_in_reading_order() -> None:
    assert locate_units(GERMAN, ITALIAN, UNITS) == (LINKS, 0)


def test_a_unit_that_is_not_in_the_documents_is_counted() -> None:
    units = [TranslationUnit("Nein.", "Anderes.", "1:1", 0.9), *UNITS]
    assert locate_units(GERMAN, ITALIAN, units) == (LINKS, 1)


def test_scripts_without_blanks_join_sentences_without_one() -> None:
    page = SplitDocument("ja/j1.xml", ["はい。", "いいえ。"], [0, 0], glue="")
    units = [TranslationUnit("はい。いいえ。", "Sì e no.", "2:1", 0.5)]
    links, lost = locate_units(page, ITALIAN, units)
    assert (links[0].xtargets, lost) == ("1 2;1", 0)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    for suffix in ("", ".gz"):
        path = write(tmp_path, suffix=suffix)
        ((source, target, links),) = read_links(path)
        assert (source, target) == (GERMAN.name + suffix, ITALIAN.name + suffix)
        assert links == LINKS
        assert read_sentences(tmp_path / source)[4] == "Gut & schön."


def test_the_files_are_those_of_opus(tmp_path: Path) -> None:
    text = write(tmp_path).read_text("utf-8")
    assert '<linkGrp targType="s" fromDoc="de/d1.xml" toDoc="it/i1.xml">' in text
    assert '<link xtargets="1 2;1" id="SL1" certainty="0.7500"/>' in text
    assert '<link xtargets="4;" id="SL3"/>' in text
    document = (tmp_path / ITALIAN.name).read_text("utf-8")
    assert document == (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<document id="it/i1.xml">\n'
        '  <p id="1">\n    <s id="1">Sì e no.</s>\n  </p>\n'
        '  <p id="2">\n    <s id="2">Sì.</s>\n    <s id="3">Bello.</s>\n  </p>\n'
        "</document>\n"
    )


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_packages_have_the_names_of_opus(tmp_path: Path, suffix: str) -> None:
    plain, root = tmp_path / "plain", tmp_path / "xces"
    write(plain)
    write(root, suffix=suffix)
    files = filter(Path.is_file, root.rglob("*"))
    links, *packages = paths = [*write_packages(tmp_path / "opus", "bees", files)]
    assert b'fromDoc="de/d1.xml.gz" toDoc="it/i1.xml.gz"' in unpack(links)
    for path, document in zip(packages, (GERMAN, ITALIAN), strict=True):
        with ZipFile(path) as package:
            assert package.namelist() == [f"bees/raw/{document.name}"]
            text = package.read(f"bees/raw/{document.name}").decode()
        id_ = f'id="{document.name}{suffix}"'
        whole = (plain / document.name).read_text("utf-8")
        assert text == whole.replace(f'id="{document.name}"', id_)
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        "opus/bees/latest/xml/de-it.xml.gz",
        "opus/bees/latest/raw/de.zip",
        "opus/bees/latest/raw/it.zip",
    ]


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([SentenceLink((5,), (1,))], "de/d1.xml has no sentence 5"),
        ([SentenceLink((1,), (1,)), SentenceLink((1,), (2,))], "is in two links"),
    ],
)
def test_links_are_checked_against_the_sentences(
    tmp_path: Path, links: list[SentenceLink], message: str
) -> None:
    with pytest.raises(CorpusError, match=message):
        list(read_links(write(tmp_path, links)))


def test_broken_files_are_named(tmp_path: Path) -> None:
    path = write(tmp_path)
    good = path.read_text("utf-8")
    for text, message in (
        (good.replace("1 2;1", "1,2"), "line 5: xtargets='1,2' is not of the form"),
        (good.replace("</cesAlign>", ""), "de-it.xml: cannot be read"),
        (good.replace("cesAlign", "other"), "its root is other, not cesAlign"),
        (good.replace("de/d1", "de/d9"), "d9.xml: cannot be read"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(CorpusError, match=message):
            list(read_links(path))
