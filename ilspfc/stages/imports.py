"""A corpus of cesDoc files that no crawl of ours has made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.cleaning import count_clean_tokens
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.text_digest import text_digest
from ilspfc.corpus.xml import format_document
from ilspfc.corpus.xml_reader import read_document
from ilspfc.crawl.index_records import make_entry, make_link
from ilspfc.documents import document_id
from ilspfc.exceptions import CorpusError
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.text.codes import find_iso639_3
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from ilspfc.corpus.records import LinkEntry
    from ilspfc.documents import Document


class ImportReason(StrEnum):
    """Reason that a file was passed over."""

    UNREADABLE = "unreadable"
    NO_LANGUAGE = "no_language"
    SAME_URL = "same_url"


@dataclass(slots=True)
class Import:
    """Files taken from a folder with their languages; files dropped with their reasons."""

    files: list[tuple[Path, str]] = field(default_factory=list)
    dropped: list[tuple[ImportReason, str]] = field(default_factory=list)

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages (ISO 639-3) of the documents."""
        return tuple(sorted({lang for _, lang in self.files}))


def look_through(source: Path, root: Path) -> Import:
    """Return the cesDoc files of a folder that can become a corpus in ``root``.

    Documents without a URL are known by their file name. CorpusError for a folder without
    a file that can be used, and where there is a corpus already. Nothing is written.
    """
    paths = sorted(source.glob("*.xml"))
    if not paths:
        raise CorpusError(f"{source}: no *.xml there; give a folder of cesDoc files")
    files = CorpusFiles(root)
    files.require_known(is_blank=not files.index.exists())
    if files.index.exists():
        raise CorpusError(
            f"{root}: holds a corpus already; give another folder, or pair it without"
            " --import"
        )
    found = _sort_out(paths)
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
        for path, lang in found.files:
            _take(_read(path, lang), files, index, cues)
        index.set_drops("import", Counter(reason for reason, _ in found.dropped))


def _sort_out(paths: Iterable[Path]) -> Import:
    """Return the usable files."""
    found = Import()
    urls: dict[str, Path] = {}
    for path in paths:
        try:
            document = read_document(path)
        except CorpusError as error:
            found.dropped.append((ImportReason.UNREADABLE, str(error)))
            continue
        lang = find_iso639_3(document.lang)
        if not lang:
            said = f"{path}: names no language that is known ({document.lang!r})"
            remedy = 'give it as <language iso639="de"/>'
            found.dropped.append((ImportReason.NO_LANGUAGE, f"{said}; {remedy}"))
            continue
        first = urls.setdefault(_url_of(document, path), path)
        if first is not path:
            said = f"{path}: has the URL of {first.name}, which is kept"
            found.dropped.append((ImportReason.SAME_URL, said))
            continue
        found.files.append((path, lang))
    return found


def _url_of(document: Document, path: Path) -> str:
    """Return the one spelling of a document's URL, or one made of its file's name."""
    try:
        return canonicalize(document.url)
    except ValueError:
        return f"file:///{path.name}"


def _read(path: Path, lang: str) -> Document:
    document = read_document(path)
    url = _url_of(document, path)
    document = replace(document, id=document_id(url), url=url, lang=lang)
    document.tokens = count_clean_tokens(document.paragraphs)
    return document


def _take(
    document: Document, files: CorpusFiles, index: CorpusIndex, cues: CueDetector
) -> None:
    name = files.document_name(document.lang, document.id)
    with open_atomic(files.documents / name, sync=False) as stream:
        stream.write(format_document(document, links=True))
    index.add_document(
        make_entry(
            document, name, (len(document.paragraphs), len(document.clean_paragraphs))
        ),
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
