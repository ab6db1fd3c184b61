"""Metadata of a corpus: a ``.md.xml`` beside its merged exports, as ILSP-FC writes.

The elements are those of META-SHARE 3.1 (``resourceInfo``), in its order; unknown ones are
left out, so the file is a beginning for a repository's form, not a finished entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml.builder import ElementMaker

from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry
from ilspfc.exports.formats.tmx import DESCRIPTION
from ilspfc.exports.units import DAY_CHARS
from ilspfc.text.codes import language_name, to_bcp47
from ilspfc.text.xml_text import clean_text, write_xml

_NAMESPACE = "http://www.ilsp.gr/META-XMLSchema"
_META = ElementMaker(namespace=_NAMESPACE, nsmap={None: _NAMESPACE})


def write_resource_info(
    path: Path,
    corpus: Corpus,
    langs: Sequence[str],
    pages: Iterable[DocumentEntry],
    sizes: Mapping[str, int],
) -> None:
    """Write the metadata of an export of some pages in one language or two (ISO 639-3).

    ``sizes`` are numbers by META-SHARE's units (``translationUnits``, ``tokens`` …).
    """
    run, contact = corpus.run, corpus.settings["FETCH_CONTACT"]
    topic, names = run.get("topic") or {}, " and ".join(map(language_name, langs))
    subject = topic.get("title") or run.get("domain", "")
    title = f"{subject}: {names}" if subject else names
    description = topic.get("description") or DESCRIPTION
    begin, end = (str(run.get(n, ""))[:DAY_CHARS] for n in ("started", "finished"))
    licenses = sorted({entry.license_id for entry in pages} - {""})
    kind = "email" if "@" in contact else "url"
    author = _part("personInfo", *_part("surname", topic.get("author", "")))
    root = _META.resourceInfo(
        _META.identificationInfo(
            *_part("resourceName", title, lang="en"),
            *_part("description", description, lang="en"),
        ),
        _META.distributionInfo(
            _META.availability("underNegotiation"),
            *(_META.licenceInfo(*_part("licence", name)) for name in licenses),
        ),
        *_part("contactPerson", *_part("communicationInfo", *_part(kind, contact))),
        _META.metadataInfo(*_part("metadataCreationDate", end)),
        _META.resourceCreationInfo(
            *_part("resourceCreator", *author),
            *_part("creationStartDate", begin),
            *_part("creationEndDate", end),
        ),
        _META.resourceComponentType(
            _META.corpusInfo(
                _META.resourceType("corpus"),
                _META.corpusMediaType(_describe_texts(langs, sizes, subject)),
            )
        ),
    )
    write_xml(path, root)


def _describe_texts(langs: Sequence[str], sizes: Mapping[str, int], domain: str) -> Any:
    """Return the element with languages, sizes and domain of the texts."""
    linguality = ["bilingual", "parallel"] if len(langs) > 1 else ["monolingual", ""]
    return _META.corpusTextInfo(
        _META.mediaType("text"),
        _META.lingualityInfo(
            _META.lingualityType(linguality[0]),
            *_part("multilingualityType", linguality[1]),
        ),
        *(
            _META.languageInfo(
                _META.languageId(to_bcp47(lang)),
                _META.languageName(language_name(lang)),
            )
            for lang in langs
        ),
        *(
            _META.sizeInfo(_META.size(str(size)), _META.sizeUnit(unit))
            for unit, size in sizes.items()
        ),
        *_part("domainInfo", *_part("domain", domain)),
        _META.creationInfo(_META.creationMode("automatic")),
    )


def _part(name: str, *content: Any, **attributes: str) -> list[Any]:
    """Return an element in a list, which is empty where the element would be."""
    found = [clean_text(one) if isinstance(one, str) else one for one in content]
    return [_META(name, *found, attributes)] if any(one != "" for one in found) else []
