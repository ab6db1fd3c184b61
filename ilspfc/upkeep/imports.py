"""A corpus of cesDoc files that no crawl of ours has made."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote

from ilspfc.atomic import write_bytes
from ilspfc.cleaning.page import count_clean_tokens
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.reading import text_digest
from ilspfc.corpus.records import LinkEntry
from ilspfc.corpus.xml import format_document, read_documents
from ilspfc.crawl.archives.folder_archive import FOLDER_URL
from ilspfc.crawl.index_records import make_entry, make_link
from ilspfc.documents import Document, document_id
from ilspfc.exceptions import CorpusError
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.text.codes import find_iso639_3
from ilspfc.web.urls import canonicalize, find_key


class ImportReason(StrEnum):
    """Reason that a file was passed over."""

    UNREADABLE = "unreadable"
    NO_LANGUAGE = "no_language"
    SAME_URL = "same_url"


@dataclass(slots=True)
class Import:
    """Documents taken from files, and those dropped with their reasons.

    ``files`` has for each file the languages of the documents taken, by their numbers in it.
    """

    files: dict[Path, dict[int, str]] = field(default_factory=dict)
    dropped: list[tuple[ImportReason, str]] = field(default_factory=list)

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages (ISO 639-3) of the documents."""
        taken = (lang for langs in self.files.values() for lang in langs.values())
        return tuple(sorted(set(taken)))


def scan_folder(source: Path, root: Path) -> Import:
    """Return the cesDoc files of a folder that can become a corpus in ``root``.

    A file may hold one cesDoc, or several in a cesCorpus, as ``scrapy clean --format xml``
    writes; ``source`` may be one file. Documents without a URL are known by their file name.
    CorpusError for a folder without a file that can be used, and where there is a corpus
    already. Nothing is written.
    """
    paths = [source] if source.is_file() else sorted(source.glob("*.xml"))
    if not paths:
        raise CorpusError(f"{source}: no *.xml there; give a folder of cesDoc files")
    files = CorpusFiles(root)
    files.require_known(is_blank=not files.index.exists())
    if files.index.exists():
        raise CorpusError(
            f"{root}: holds a corpus already; give another folder, or pair it without"
            " --import"
        )
    found = _select_files(paths)
    if not found.files:
        raise CorpusError(f"{source}: no file can be used; {found.dropped[0][1]}")
    return found


def make_corpus(found: Import, root: Path, langs: Iterable[str] = ()) -> None:
    """Make the corpus of the files that were found.

    ``langs`` are languages (ISO 639-3) in the order wanted. Links and images are those that
    the files have, see :func:`~ilspfc.corpus.xml.format_document`.
    """
    files = CorpusFiles(root)
    files.documents.mkdir(parents=True, exist_ok=True)
    cues = CueDetector(found.langs)
    with CorpusIndex(files.index) as index:
        order = tuple(dict.fromkeys((*langs, *found.langs)))
        index.add_run({"langs": order, "imported": True})
        for path, langs_of in found.files.items():
            for number, (_, document) in enumerate(_read(path)):
                if number in langs_of:
                    document.lang = langs_of[number]
                    _take(document, files, index, cues)
        index.set_drops("import", Counter(reason for reason, _ in found.dropped))


def _read(path: Path) -> list[tuple[str, Document]]:
    """Return the documents of a file with their names, each with one spelling of its URL.

    The name is the file's, in a collection that of the document's source; a document without
    a URL has one made of its name.
    """
    found = []
    documents = read_documents(path)
    for number, document in enumerate(documents, 1):
        name = path.name
        if len(documents) > 1:
            sources = document.sources or (f"{name}-{number}",)
            name = sources[0].lstrip("/")
        own = FOLDER_URL + quote(os.fsencode(name))
        document.url = find_key(document.url) or canonicalize(own)
        document.id = document_id(document.url)
        found.append((name, document))
    return found


def _select_files(paths: Iterable[Path]) -> Import:
    """Return the usable files."""
    found = Import()
    urls: dict[str, str] = {}
    for path in paths:
        try:
            documents = _read(path)
        except CorpusError as error:
            found.dropped.append((ImportReason.UNREADABLE, str(error)))
            continue
        for number, (name, document) in enumerate(documents):
            place = str(path) if len(documents) == 1 else f"{path}, {name}"
            lang = find_iso639_3(document.lang)
            if not lang:
                said = f"{place}: names no language that is known ({document.lang!r})"
                remedy = 'give it as <language iso639="de"/>'
                found.dropped.append((ImportReason.NO_LANGUAGE, f"{said}; {remedy}"))
                continue
            first = urls.setdefault(document.url, name)
            if first is not name:
                said = f"{place}: has the URL of {first}, which is kept"
                found.dropped.append((ImportReason.SAME_URL, said))
                continue
            found.files.setdefault(path, {})[number] = lang
    return found


def _take(
    document: Document, files: CorpusFiles, index: CorpusIndex, cues: CueDetector
) -> None:
    document.tokens = count_clean_tokens(document.paragraphs)
    name = files.document_name(document.lang, document.id)
    data = format_document(document, links=True)
    write_bytes(files.documents / name, data, sync=False)
    paragraphs = len(document.paragraphs), len(document.clean_paragraphs)
    index.add_document(
        make_entry(document, name, paragraphs),
        _iter_links(document, cues),
        document.images,
        document.licenses,
        text_digest(document),
    )


def _iter_links(document: Document, cues: CueDetector) -> Iterator[LinkEntry]:
    for link in document.links:
        try:
            yield make_link(cues, link, document.url)
        except ValueError:  # no URL of a page
            continue
