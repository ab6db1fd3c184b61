"""Metadata of a corpus: a ``.md.xml`` beside its merged exports, as ILSP-FC writes.

The elements are those of META-SHARE 3.1 (``resourceInfo``), in its order; unknown ones are
left out, so the file is a beginning for a repository's form, not a finished entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.atomic import open_atomic
from ilspfc.corpus.records import DocumentEntry
from ilspfc.exports.formats.tmx import DESCRIPTION
from ilspfc.exports.units import DAY_CHARS
from ilspfc.text.codes import language_name, to_bcp47
from ilspfc.text.xml_text import clean_text

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

_NAMESPACE = "http://www.ilsp.gr/META-XMLSchema"
_NSMAP = {None: _NAMESPACE}


@dataclass(frozen=True, slots=True)
class ResourceInfo:
    """Facts of an export; ``langs`` are one language or two (ISO 639-3).

    ``sizes`` are numbers by META-SHARE's units (``translationUnits``, ``tokens`` …),
    ``licenses`` identifiers of the pages' licenses, ``started`` and ``finished`` days of the
    crawl in ISO 8601. Empty fields are unknown.
    """

    langs: Sequence[str]
    title: str
    description: str = ""
    domain: str = ""
    author: str = ""
    contact: str = ""
    started: str = ""
    finished: str = ""
    licenses: Sequence[str] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)


def describe_export(
    corpus: Corpus,
    langs: Sequence[str],
    pages: Iterable[DocumentEntry],
    sizes: Mapping[str, int],
) -> ResourceInfo:
    """Return the metadata of an export of some pages in one language or two (ISO 639-3)."""
    run = corpus.run
    topic, domain = run.get("topic") or {}, run.get("domain", "")
    names = " and ".join(map(language_name, langs))
    subject = topic.get("title") or domain
    licenses = {entry.license_id for entry in pages} - {""}
    return ResourceInfo(
        langs=langs,
        title=f"{subject}: {names}" if subject else names,
        description=topic.get("description") or DESCRIPTION,
        domain=subject,
        author=topic.get("author", ""),
        contact=corpus.settings["FETCH_CONTACT"],
        started=str(run.get("started", ""))[:DAY_CHARS],
        finished=str(run.get("finished", ""))[:DAY_CHARS],
        licenses=sorted(licenses),
        sizes=sizes,
    )


def write_resource_info(path: Path, info: ResourceInfo) -> None:
    """Write the metadata of an export."""
    root = etree.Element(f"{{{_NAMESPACE}}}resourceInfo", nsmap=_NSMAP)  # type: ignore[arg-type]
    identification = _add(root, "identificationInfo")
    _add(identification, "resourceName", info.title, lang="en")
    _add(identification, "description", info.description, lang="en")
    distribution = _add(root, "distributionInfo")
    _add(distribution, "availability", "underNegotiation")
    for name in info.licenses:
        _add(_add(distribution, "licenceInfo"), "licence", name)
    if info.contact:
        person = _add(root, "contactPerson")
        kind = "email" if "@" in info.contact else "url"
        _add(_add(person, "communicationInfo"), kind, info.contact)
    metadata = _add(root, "metadataInfo")
    _add(metadata, "metadataCreationDate", info.finished)
    creation = _add(root, "resourceCreationInfo")
    if info.author:
        creator = _add(_add(creation, "resourceCreator"), "personInfo")
        _add(creator, "surname", info.author)
    _add(creation, "creationStartDate", info.started)
    _add(creation, "creationEndDate", info.finished)
    _add_text_info(root, info)
    with open_atomic(path) as stream:
        stream.write(
            etree.tostring(
                root, encoding="UTF-8", xml_declaration=True, pretty_print=True
            )
        )


def _add_text_info(root: etree._Element, info: ResourceInfo) -> None:
    """Add languages, sizes and domain of the texts."""
    corpus = _add(_add(root, "resourceComponentType"), "corpusInfo")
    _add(corpus, "resourceType", "corpus")
    text = _add(_add(corpus, "corpusMediaType"), "corpusTextInfo")
    _add(text, "mediaType", "text")
    is_parallel = len(info.langs) > 1
    linguality = _add(text, "lingualityInfo")
    _add(linguality, "lingualityType", "bilingual" if is_parallel else "monolingual")
    _add(linguality, "multilingualityType", "parallel" if is_parallel else "")
    for lang in info.langs:
        language = _add(text, "languageInfo")
        _add(language, "languageId", to_bcp47(lang))
        _add(language, "languageName", language_name(lang))
    for unit, size in info.sizes.items():
        measure = _add(text, "sizeInfo")
        _add(measure, "size", str(size))
        _add(measure, "sizeUnit", unit)
    if info.domain:
        _add(_add(text, "domainInfo"), "domain", info.domain)
    _add(_add(text, "creationInfo"), "creationMode", "automatic")


def _add(
    parent: etree._Element, name: str, text: str | None = None, **attributes: str
) -> etree._Element:
    """Append an element; one whose text is empty is left out again."""
    element = etree.SubElement(parent, f"{{{_NAMESPACE}}}{name}", attributes)
    if text is not None:
        element.text = clean_text(text)
        if not element.text:
            parent.remove(element)
    return element
