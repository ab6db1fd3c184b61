"""cesAlign 1.0 (XCES): the file that names two documents that translate each other."""

from __future__ import annotations

from lxml import etree

from ilspfc.corpus.xml import NAMESPACE, NAMESPACES
from ilspfc.exports.units import PairOfPages
from ilspfc.exports.writers import FolderWriter
from ilspfc.text.xml_text import XML_LANG, clean_text, write_xml


class CesAlignWriter(FolderWriter["PairOfPages"]):
    """Writes a cesAlign file for each pair of pages into a folder beside that of the documents.

    Unlike ILSP-FC's, the files have no absolute path, so a corpus can be moved; the method that
    found the pair, which ILSP-FC has in the name of the file alone, is an attribute, too.
    """

    def write(self, pages: PairOfPages) -> None:
        """Write the file of a pair, atomically."""
        pair = pages.entry.pair
        root = etree.Element(
            f"{{{NAMESPACE}}}cesAlign", nsmap=NAMESPACES, version="1.0"
        )
        header = etree.SubElement(root, f"{{{NAMESPACE}}}cesHeader", version="1.0")
        profile = etree.SubElement(header, f"{{{NAMESPACE}}}profileDesc")
        translations = etree.SubElement(profile, f"{{{NAMESPACE}}}translations")
        translations.set("confidence", f"{pair.probability:.4f}")
        translations.set("method", clean_text(pair.evidence))
        for number, entry in enumerate((pages.entry.source, pages.entry.target), 1):
            translation = etree.SubElement(translations, f"{{{NAMESPACE}}}translation")
            location = f"{pages.to_corpus}/{entry.path}"
            translation.set("trans.loc", clean_text(location))
            translation.set(XML_LANG, entry.lang)
            translation.set("wsd", "UTF-8")
            translation.set("n", str(number))
        self.paths.append(self._folder / f"{pages.name}.xml")
        write_xml(self.paths[-1], root, sync=False)
