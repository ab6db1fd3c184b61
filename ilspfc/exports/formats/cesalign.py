"""cesAlign 1.0 (XCES): the file that names two documents that translate each other."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from lxml import etree

from ilspfc.atomic import open_atomic
from ilspfc.exports.writers import FolderWriter
from ilspfc.text.xml_text import XML_LANG, clean_text

if TYPE_CHECKING:
    from ilspfc.exports.units import PairOfPages

NAMESPACE = "http://www.xces.org/schema/2003"

# The stubs of lxml know no default namespace.
_NAMESPACES: Any = {
    None: NAMESPACE,
    "xlink": "http://www.w3.org/1999/xlink",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}


class CesAlignWriter(FolderWriter["PairOfPages"]):
    """Writes a cesAlign file for each pair of pages into a folder beside that of the documents."""

    def write(self, pages: PairOfPages) -> None:
        """Write the file of a pair."""
        path = self._folder / f"{pages.name}.xml"
        pair, source, target = pages.entry.pair, pages.entry.source, pages.entry.target
        write_cesalign(
            path,
            (f"{pages.to_corpus}/{source.path}", source.lang),
            (f"{pages.to_corpus}/{target.path}", target.lang),
            confidence=pair.probability,
            method=pair.evidence,
        )
        self.paths.append(path)


def write_cesalign(
    path: Path,
    source: tuple[str, str],
    target: tuple[str, str],
    *,
    confidence: float | None = None,
    method: str = "",
) -> None:
    """Write the cesAlign file of a pair of documents, atomically.

    ``source`` and ``target`` are each the path of a cesDoc file, relative to the folder
    of ``path`` and with forward slashes, and an ISO 639-3 code. Unlike ILSP-FC's, the
    file has no absolute path, so a corpus can be moved. Raises ValueError for one.
    ``confidence`` is the probability of the pair, ``method`` the evidence that found it;
    ILSP-FC names the method only in the file's name.
    """
    root = etree.Element(f"{{{NAMESPACE}}}cesAlign", nsmap=_NAMESPACES, version="1.0")
    header = etree.SubElement(root, f"{{{NAMESPACE}}}cesHeader", version="1.0")
    profile = etree.SubElement(header, f"{{{NAMESPACE}}}profileDesc")
    translations = etree.SubElement(profile, f"{{{NAMESPACE}}}translations")
    if confidence is not None:
        translations.set("confidence", f"{confidence:.4f}")
    if method:
        translations.set("method", clean_text(method))
    for number, (location, lang) in enumerate((source, target), 1):
        _check_relative(location)
        translation = etree.SubElement(translations, f"{{{NAMESPACE}}}translation")
        translation.set("trans.loc", clean_text(location))
        translation.set(XML_LANG, lang)
        translation.set("wsd", "UTF-8")
        translation.set("n", str(number))
    with open_atomic(path, sync=False) as file:
        etree.ElementTree(root).write(
            file, encoding="UTF-8", xml_declaration=True, pretty_print=True
        )


def _check_relative(location: str) -> None:
    """Raise ValueError for a path that is absolute on any system, or a URL."""
    is_absolute = (
        PurePosixPath(location).is_absolute() or PureWindowsPath(location).anchor
    )
    if not location or is_absolute or "://" in location or "\\" in location:
        raise ValueError(
            f"{location!r} is no relative path with forward slashes; give the document's "
            "path from the folder of the cesAlign file"
        )
