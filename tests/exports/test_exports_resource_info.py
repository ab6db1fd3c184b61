"""Metadata of exports: META-SHARE's elements, and what a corpus says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from small_corpus import SmallCorpus

from ilspfc.corpus.index import CorpusIndex
from ilspfc.exports.formats.resource_info import write_resource_info
from ilspfc.exports.formats.tmx import DESCRIPTION

NAMES = {"m": "http://www.ilsp.gr/META-XMLSchema"}
TOPIC = {"title": "Bees", "description": "All on bees", "author": "Ape"}
RUN = {
    "domain": "bees",
    "topic": TOPIC,
    "started": "2026-01-30T23:00:00Z",
    "finished": "2026-01-31T01:00:00Z",
}


class Written:
    """A metadata file of a corpus."""

    def __init__(
        self,
        folder: Path,
        langs: tuple[str, ...],
        run: dict[str, Any],
        contact: str = "",
        **sizes: int,
    ) -> None:
        corpus = SmallCorpus(folder / "corpus")
        corpus.add("d1", "deu", ["Das Feuer."], license_id="CC0-1.0")
        corpus.add("d2", "deu", ["Der Helm."])
        corpus.add("i1", "ita", ["Il fuoco."], license_id="CC-BY-4.0")
        with CorpusIndex(corpus.files.index) as index:
            index.add_run({"langs": ["deu", "ita"], **run})
        path = folder / "a.md.xml"
        with corpus.open(FETCH_CONTACT=contact) as opened:
            pages = [one for one in opened.index.documents() if one.lang in langs]
            write_resource_info(path, opened, langs, pages, sizes)
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
    written = Written(
        tmp_path, ("deu", "ita"), RUN, "", translationUnits=12, tokens=345
    )
    assert written.texts("lingualityType") == ["bilingual"]
    assert written.texts("multilingualityType") == ["parallel"]
    assert written.texts("languageInfo", "languageId") == ["de", "it"]
    assert written.texts("languageInfo", "languageName") == ["German", "Italian"]
    assert written.texts("sizeInfo", "size") == ["12", "345"]
    assert written.texts("sizeInfo", "sizeUnit") == ["translationUnits", "tokens"]
    assert written.texts("licenceInfo", "licence") == ["CC-BY-4.0", "CC0-1.0"]
    assert written.texts("domainInfo", "domain") == ["Bees"]


def test_a_domain_with_a_topic_is_described_by_it(tmp_path: Path) -> None:
    written = Written(tmp_path, ("deu", "ita"), RUN)
    assert written.texts("resourceName") == ["Bees: German and Italian"]
    assert written.texts("description") == ["All on bees"]
    assert written.texts("personInfo", "surname") == ["Ape"]
    assert written.texts("creationStartDate") == ["2026-01-30"]
    assert written.texts("creationEndDate") == ["2026-01-31"]
    assert written.texts("metadataCreationDate") == ["2026-01-31"]


@pytest.mark.parametrize(
    ("run", "title", "domain"),
    [
        ({"domain": "bees", "topic": None}, "bees: German and Italian", ["bees"]),
        ({}, "German and Italian", []),
        ({"topic": {"title": ""}, "domain": "x"}, "x: German and Italian", ["x"]),
    ],
)
def test_without_a_topic_the_name_of_the_domain_is_the_title(
    tmp_path: Path, run: dict[str, Any], title: str, domain: list[str]
) -> None:
    written = Written(tmp_path, ("deu", "ita"), run)
    assert written.texts("resourceName") == [title]
    assert written.texts("description") == [DESCRIPTION]
    assert written.texts("domain") == domain


def test_what_is_unknown_is_left_out(tmp_path: Path) -> None:
    written = Written(tmp_path, ("fra",), {})
    assert written.texts("lingualityType") == ["monolingual"]
    assert written.texts("multilingualityType") == []
    for name in ("licenceInfo", "contactPerson", "resourceCreator"):
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
    written = Written(tmp_path, ("ita",), RUN, contact)
    assert written.texts("communicationInfo", kind) == [contact]
    assert written.sections() == [
        "identificationInfo",
        "distributionInfo",
        "contactPerson",
        "metadataInfo",
        "resourceCreationInfo",
        "resourceComponentType",
    ]


def test_characters_that_xml_forbids_do_not_break_the_file(tmp_path: Path) -> None:
    run = {"topic": {"title": "A\x00 & <b>\x1b"}}
    (title,) = Written(tmp_path, ("ita",), run).texts("resourceName")
    assert title == "A & <b>: Italian"
