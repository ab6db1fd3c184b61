"""Text that XML can hold, the language tags of XML, and its files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from lxml import etree

from ilspfc.atomic import write_bytes
from ilspfc.text.codes import to_bcp47

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def make_parser() -> etree.XMLParser:
    """Return a parser that loads nothing else: no entities, no DTD, no network, no bombs."""
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )


NO_MAPPING: Mapping[str, str] = MappingProxyType({})

# XML 1.0, section 2.2: production Char, and the controls and non-characters that it
# discourages.
FORBIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}"
        for plane in range(0, 0x110000, 0x10000)
    )
)
"""The characters that no XML should hold, as a regular expression's class has them."""

_FORBIDDEN_RE = re.compile(f"[{FORBIDDEN}]")


def clean_text(text: str) -> str:
    r"""Return a text without the characters that XML 1.0 forbids or discourages.

    Control characters, lone surrogates and non-characters go; tabs and line ends stay.

    >>> clean_text("a\x00b\ud800c\uffffd\te")
    'abcd\te'
    """
    return _FORBIDDEN_RE.sub("", text)


def to_xml_lang(lang: str, lang_map: Mapping[str, str] = NO_MAPPING) -> str:
    """Return the value of xml:lang for an ISO 639-3 code: the shortest BCP 47 tag.

    ``lang_map`` gives other tags for the codes in it, such as one with a region.
    ValueError: no language code.

    >>> to_xml_lang("deu"), to_xml_lang("gsw"), to_xml_lang("deu", {"deu": "de-CH"})
    ('de', 'gsw', 'de-CH')
    """
    return lang_map[lang] if lang in lang_map else to_bcp47(lang)


def write_xml(path: Path, root: etree._Element, *, sync: bool = True) -> None:
    """Write an element as an indented file in UTF-8, whole or not at all."""
    data: bytes = etree.tostring(
        root, encoding="UTF-8", xml_declaration=True, pretty_print=True
    )
    write_bytes(path, data, sync=sync)
