"""Metadata of exports: META-SHARE's elements, and what a corpus says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from ilspfc.exports.formats.resource_info import ResourceInfo, write_resource_info

NAMES = {"m": "http://www.ilsp.gr/META-XMLSchema"}


class Written:
    """A metadata file."""

    def __init__(self, path: Path, info: ResourceInfo) -> None:
        write_resource_info(path, info)
        self._tree = etree.parse(path)

    def texts(self, *names: str) -> list[str]:
        """Return the texts of the elements of a name below others."""
        path = "//" + "//".join(f"m:{name}" for name in names)
        found = self._tree.xpath(path, namespaces=NAMES)
        assert isinstance(found, list)
        return [one.text or "" for one in found if isinstance(one, etree._Element)]

    def sections(self) -> list[str]:
        return [etree.QName(one).localname for one in self._tree.getroot()]


def test_two_languages_are_a_parallel_corpus(tmp_path: Path) -> None:
    info = ResourceInfo(
        ("deu", "ita"),
        "Bees: German and Italian",
        domain="Bees",
        licenses=["CC-BY-4.0", "CC0-1.0"],
        sizes={"translationUnits": 12, "tokens": 345},
    )
    written = Written(tmp_path / "a.md.xml", info)
    assert written.texts("lingualityType") == ["bilingual"]
    assert written.texts("multilingualityType") == ["parallel"]
    assert written.texts("languageInfo", "languageId") == ["de", "it"]
    assert written.texts("languageInfo", "languageName") == ["German", "Italian"]
    assert written.texts("sizeInfo", "size") == ["12", "345"]
    assert written.texts("sizeInfo", "sizeUnit") == ["translationUnits", "tokens"]
    assert written.texts("licenceInfo", "licence") == ["CC-BY-4.0", "CC0-1.0"]
    assert written.texts("domainInfo", "domain") == ["Bees"]


def test_one_language_is_monolingual(tmp_path: Path) -> None:
    written = Written(tmp_path / "a.md.xml", ResourceInfo(("ita",), "Italian"))
    assert written.texts("lingualityType") == ["monolingual"]
    assert written.texts("multilingualityType") == []


def test_what_is_unknown_is_left_out(tmp_path: Path) -> None:
    written = Written(tmp_path / "a.md.xml", ResourceInfo(("ita",), "Italian"))
    for name in ("description", "licenceInfo", "contactPerson", "resourceCreator"):
        assert written.texts(name) == []
    assert written.texts("creationStartDate") == written.texts("domain") == []
    assert "contactPerson" not in written.sections()


@pytest.mark.parametrize(
    ("contact", "kind"),
    [("me@example.org", "email"), ("https://example.org/bot", "url")],
)
def test_a_contact_is_an_address_of_its_kind(
    tmp_path: Path, contact: str, kind: str
) -> None:
    info = ResourceInfo(("ita",), "Italian", contact=contact, author="Ape")
    written = Written(tmp_path / "a.md.xml", info)
    assert written.texts("communicationInfo", kind) == [contact]
    assert written.texts("personInfo", "surname") == ["Ape"]
    assert written.sections() == [
        "identificationInfo",
        "distributionInfo",
        "contactPerson",
        "metadataInfo",
        "resourceCreationInfo",
        "resourceComponentType",
    ]


def test_characters_that_xml_forbids_do_not_break_the_file(tmp_path: Path) -> None:
    info = ResourceInfo(("ita",), "A\x00 & <b>\x1b", finished="2026-01-31")
    written = Written(tmp_path / "a.md.xml", info)
    (title,) = written.texts("resourceName")
    assert "&" in title
    assert "<b>" in title
    assert not set("\x00\x1b") & set(title)
    assert written.texts("metadataCreationDate") == ["2026-01-31"]
    assert written.texts("creationEndDate") == ["2026-01-31"]
