"""XCES of OPUS: documents in sentences, and links of these by number.

Tiedemann, "Parallel data, tools and interfaces in OPUS" (2012): ``xces/de-it.xml`` has a
``linkGrp`` for each pair of documents, whose ``link xtargets="1 2;1"`` name sentences (``s``) of
``xces/de/….xml`` and ``xces/it/….xml``. Tools that read OPUS read both.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lxml import etree

from ilspfc.atomic import open_atomic
from ilspfc.documents import TranslationUnit
from ilspfc.exceptions import CorpusError
from ilspfc.exports.units import PairOfPages, SentenceLink, SplitDocument
from ilspfc.exports.writers import FileWriter
from ilspfc.text.packed import unpack
from ilspfc.text.xml_text import clean_text, make_parser, write_xml

_HEAD = b"""<?xml version='1.0' encoding='utf-8'?>
<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">
<cesAlign version="1.0">
"""
_TAIL = b"</cesAlign>\n"


def locate_units(
    source: SplitDocument, target: SplitDocument, units: Iterable[TranslationUnit]
) -> tuple[list[SentenceLink], int]:
    """Return the links of two documents in reading order, and the units not found there.

    ``units`` are in reading order. Other sentences get a link with an empty side.
    """
    links: list[SentenceLink] = []
    ends, lost = [0, 0], 0
    for unit in units:
        sizes = [int(size) for size in unit.kind.split(":")]
        left = source.find(unit.source, sizes[0], ends[0])
        right = target.find(unit.target, sizes[1], ends[1])
        if not left or not right:
            lost += 1
            continue
        links += _iter_alone(range(ends[0], left[0]), range(ends[1], right[0]))
        links.append(SentenceLink(_count(left), _count(right), unit.score))
        ends = [left[-1] + 1, right[-1] + 1]
    rest = (
        range(end, len(one.sentences))
        for end, one in zip(ends, (source, target), strict=True)
    )
    links += _iter_alone(*rest)
    return links, lost


def _count(places: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of sentences, which begin with 1."""
    return tuple(place + 1 for place in places)


def _iter_alone(left: range, right: range) -> Iterator[SentenceLink]:
    """Yield a link for each sentence without a partner."""
    yield from (SentenceLink((place + 1,), ()) for place in left)
    yield from (SentenceLink((), (place + 1,)) for place in right)


def _write_document(path: Path, document: SplitDocument) -> None:
    """Write the sentences of a document, in their paragraphs, atomically."""
    root = etree.Element("document", id=clean_text(document.name))
    paragraphs: dict[int, etree._Element] = {}
    pairs = zip(document.sentences, document.blocks, strict=True)
    for number, (sentence, block) in enumerate(pairs, 1):
        if block not in paragraphs:
            place = str(len(paragraphs) + 1)
            paragraphs[block] = etree.SubElement(root, "p", id=place)
        element = etree.SubElement(paragraphs[block], "s", id=str(number))
        element.text = clean_text(sentence)
    write_xml(path, root, sync=False)


class XcesWriter(FileWriter["PairOfPages"]):
    """Writes the sentences of each document into a folder of its language, and their links.

    The path is that of the links of two languages; the names of documents are relative to it.
    """

    def write(self, pages: PairOfPages) -> None:
        """Write both documents, if they are not there yet, and the links between them."""
        source, target, links = pages.aligned
        for document in (source, target):
            path = self.paths[0].parent / document.name
            if path not in self._documents:
                _write_document(path, document)
                self._documents.add(path)
                self.paths.append(path)
        first, second = clean_text(source.name), clean_text(target.name)
        group = etree.Element("linkGrp", targType="s", fromDoc=first, toDoc=second)
        for number, link in enumerate(links, 1):
            attributes = {"xtargets": link.xtargets, "id": f"SL{number}"}
            element = etree.SubElement(group, "link", attributes)
            if link.certainty is not None:
                element.set("certainty", f"{link.certainty:.4f}")
        self._files[0].write(etree.tostring(group, encoding="utf-8", pretty_print=True))

    def _open(self) -> None:
        self._documents: set[Path] = set()
        super()._open()
        self._files[0].write(_HEAD)
        self.callback(self._files[0].write, _TAIL)


def write_packages(root: Path, name: str, files: Iterable[Path]) -> Iterator[Path]:
    """Write XCES files as OPUS publishes a corpus of a name; yield the paths.

    ``files`` are those of an :class:`XcesWriter`. Below ``NAME/latest`` of the folder ``root``
    come ``xml/de-it.xml.gz``, the links, and ``raw/de.zip``, the sentences of a language.
    """
    documents: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(files):
        if path.parent.name == "xces":
            target = root / name / "latest/xml" / f"{path.name.removesuffix('.gz')}.gz"
            with open_atomic(target) as links:
                # OPUS names documents as if each were compressed.
                links.write(_read(path).replace(b'.xml"', b'.xml.gz"'))
            yield target
        else:
            documents[path.parent.name].append(path)
    for lang, paths in documents.items():
        target = root / name / "latest/raw" / f"{lang}.zip"
        with open_atomic(target) as file, ZipFile(file, "w", ZIP_DEFLATED) as package:
            for path in paths:
                # Without its time: same content, same bytes.
                entry = f"{name}/raw/{lang}/{path.name.removesuffix('.gz')}"
                package.writestr(ZipInfo(entry), _read(path), ZIP_DEFLATED)
        yield target


class LinkGroup(NamedTuple):
    """Links between two documents of a file."""

    source: str
    target: str
    links: list[SentenceLink]


def read_links(path: Path) -> Iterator[LinkGroup]:
    """Yield the pairs of documents of a file of links, checked against their sentences.

    CorpusError for a file that is broken, names a missing document or sentence, or
    has a sentence in two links of a pair.
    """
    root = read_xml(path)
    if root.tag != "cesAlign":
        raise CorpusError(f"{path}: its root is {root.tag}, not cesAlign")
    for group in root.iterchildren("linkGrp"):
        names = group.get("fromDoc", ""), group.get("toDoc", "")
        links = [_read_link(path, link) for link in group.iterchildren("link")]
        for side, name in enumerate(names):
            known = read_sentences(path.parent / name).keys()
            used = [number for link in links for number in link.sides[side]]
            if wrong := sorted(set(used) - known):
                raise CorpusError(f"{path}: {name} has no sentence {wrong[0]}")
            if len(used) > len(set(used)):
                raise CorpusError(f"{path}: a sentence of {name} is in two links")
        yield LinkGroup(*names, links)


def read_sentences(path: Path) -> Mapping[int, str]:
    """Return the sentences of a document by number; CorpusError for a broken file."""
    sentences = read_xml(path).iter("s")
    try:
        return {int(one.get("id", "0")): one.text or "" for one in sentences}
    except ValueError as error:
        raise CorpusError(f"{path}: a sentence has no number ({error})") from error


def _read_link(path: Path, link: etree._Element) -> SentenceLink:
    targets, certainty = link.get("xtargets", ""), link.get("certainty")
    try:
        source, target = targets.split(";")
        sides = [tuple(map(int, side.split())) for side in (source, target)]
        score = float(certainty) if certainty else None
        return SentenceLink(sides[0], sides[1], score)
    except ValueError:
        raise CorpusError(
            f"{path}, line {link.sourceline}: xtargets={targets!r} is not of the form '1 2;1'"
        ) from None


def _read(path: Path) -> bytes:
    return unpack(path) if path.suffix == ".gz" else path.read_bytes()


def read_xml(path: Path) -> etree._Element:
    """Return the root of a file, which may be compressed (``.gz``); CorpusError if broken."""
    try:
        return etree.fromstring(_read(path), make_parser())
    except (OSError, EOFError, zlib.error, etree.XMLSyntaxError) as error:
        raise CorpusError(f"{path}: cannot be read ({error})") from error
