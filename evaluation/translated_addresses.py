"""Addresses of a hard site with folders in the page's language: /de/einleitung/…, /it/introduzione/….

The folders of a page are those that stand above it on the plain site (its links of the
relation "up", else its directory), the nearest two below the start page. Each is named by the
words of its heading in the page's language, as a content management system does; the last part of the
address stays opaque. So the translators of the sites have written the table of names.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

import lxml.html

from evaluation.data import read_table
from ilspfc.line.comparisons import EncodedCorpus
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from ilspfc.pairing.page_arrays import EncodedPage

# Folders of an address, without that of the language.
_FOLDERS = 2
_MAX_WORDS = 6
# Numbers of chapters, perhaps with their name: "Kapitel 3. ", "Annexe C. ", "1.5 ".
_NUMBER_RE = re.compile(r"^\W*(?:\w+\W+)?(?:[0-9]+(?:\.[0-9]+)*|[A-Z])[.:]?\s+(?=\S)")
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def translate_addresses(
    encoded: EncodedCorpus, folder: Path
) -> tuple[EncodedCorpus, dict[str, str]]:
    """Return the pages with such addresses, and the new path of each old one."""
    plain = folder.with_name(folder.name.removesuffix("-hard"))
    lines = (folder / "idmap.tsv").read_text("utf-8").splitlines()
    rows = read_table(plain)
    keys = {row["path"]: row["key"] for row in rows}
    versions = {(row["key"], row["lang"]): row["path"] for row in rows}
    origins = {new: old for old, new in (line.split("\t") for line in lines)}
    parents = _Parents(plain / "www")
    paths: dict[str, str] = {}

    def move(page: EncodedPage) -> EncodedPage:
        parts = urlsplit(page.document.url)
        old = parts.path.lstrip("/")
        names = []
        lang = to_bcp47(page.document.lang)
        if old in origins:
            # An untranslated copy stands where its language does.
            origin = versions.get((keys[origins[old]], lang), origins[old])
            names = parents.names(origin)
        folders = [lang, *names[-_FOLDERS:]]
        new = paths[old] = "/".join([*folders, PurePosixPath(old).name])
        url = parts._replace(path=f"/{quote(new)}").geturl()
        return replace(page, document=replace(page.document, url=url))

    pages = {
        lang: {group: [move(page) for page in some] for group, some in groups.items()}
        for lang, groups in encoded.pages.items()
    }
    return EncodedCorpus(encoded.encoder, pages, encoded.langs), paths


class _Parents:
    """What stands above the pages of a plain site."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found: dict[str, tuple[str, str]] = {}

    def names(self, path: str) -> list[str]:
        """Return the names of the folders above a page, the outermost first."""
        names: list[str] = []
        seen = {path}
        while True:
            path, title = self._above(path)
            if not path or path in seen or not self._above(path)[0]:
                return names
            seen.add(path)
            if name := make_name(title):
                names.insert(0, name)

    def _above(self, path: str) -> tuple[str, str]:
        """Return the path of the page above one, and its heading; empty for a start page."""
        if path not in self._found:
            self._found[path] = self._read(path)
        return self._found[path]

    def _read(self, path: str) -> tuple[str, str]:
        if not (self._root / path).is_file():
            return "", ""
        tree = lxml.html.fromstring((self._root / path).read_bytes())
        for link in tree.iter("link"):
            if link.get("rel") == "up" and link.get("title"):
                above = urlsplit(urljoin(path, link.get("href", ""))).path
                return above, link.get("title", "")
        place = PurePosixPath(path)
        index = place.with_name("index.html")
        if place.name == "index.html":
            index = place.parent.with_name("index.html") if place.parent.name else place
        if str(index) == path or not (self._root / index).is_file():
            return "", ""
        title = lxml.html.parse(str(self._root / index)).findtext(".//title") or ""
        return str(index), title.split(" - ", maxsplit=1)[0]


def make_name(title: str) -> str:
    """Return the words of a heading as the name of a folder.

    >>> make_name("Kapitel 3. Bevor Sie Größe wählen"), make_name("Méthodes d'accès")
    ('bevor-sie-groesse-waehlen', 'methodes-d-acces')
    """
    text = _NUMBER_RE.sub("", title).casefold().translate(_GERMAN)
    text = "".join(
        c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)
    )
    words = re.findall(r"\w+", unicodedata.normalize("NFC", text))
    return "-".join(words[:_MAX_WORDS])
