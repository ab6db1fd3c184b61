"""A corpus as its reader finds it: files alone, none of the code that wrote them."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

from lxml import etree, html

CESDOC = "{http://www.xces.org/schema/2003}"
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# What a TMX says of the time it was made.
_CREATION_RE = re.compile(rb'creationdate="\d{8}T\d{6}Z"')


class CrawledCorpus:
    """The folder that a crawl wrote."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def stats(self) -> dict[str, Any]:
        """What ``stats.json`` holds."""
        return dict(json.loads((self.root / "stats.json").read_text("utf-8")))

    @property
    def manifest(self) -> dict[str, Any]:
        """What ``manifest.json`` holds."""
        return dict(json.loads((self.root / "manifest.json").read_text("utf-8")))

    def drops(self) -> dict[str, int]:
        """Return the numbers of losses in ``stats.json`` by ``stage/reason``."""
        return {
            key.replace("/dropped/", "/"): number
            for key, number in self.stats.items()
            if "/dropped/" in key
        }

    def fates(self) -> dict[str, str]:
        """Return what became of each fetched page, by the path of its URL."""
        with (
            closing(sqlite3.connect(self.root / "corpus.db")) as connection,
            connection,
        ):
            rows = connection.execute("SELECT url, fate FROM pages").fetchall()
        connection.close()
        return {_path(url): fate for url, fate in rows}

    def documents(self, folder: str = "xml") -> dict[str, etree._Element]:
        """Return the documents in a folder by the path of their URL."""
        found = {}
        for file in (self.root / folder).glob("*.xml"):
            root = etree.parse(file).getroot()
            url = root.findtext(f".//{CESDOC}imprint/{CESDOC}eAddress")
            assert url is not None, file
            assert _path(url) not in found, file
            found[_path(url)] = root
        return found

    def pairs(self) -> list[dict[str, str]]:
        """Return the lines of ``pairs/de-it.tsv``."""
        text = (self.root / "pairs" / "de-it.tsv").read_text("utf-8")
        return list(csv.DictReader(text.splitlines(), delimiter="\t"))

    def paired_paths(self) -> dict[tuple[str, str], str]:
        """Return the evidence of each pair, by the paths of its pages."""
        return {
            (_path(row["url1"]), _path(row["url2"])): row["evidence"]
            for row in self.pairs()
        }

    def tmx(self) -> etree._Element:
        """Return the translation memory of German and Italian."""
        return etree.parse(self.root / "de-it.tmx").getroot()

    def units(self) -> list[tuple[str, str]]:
        """Return German and Italian of all translation units."""
        return [read_unit(unit) for unit in self.tmx().iter("tu")]

    def report_text(self) -> str:
        """Return what a reader of the report sees, blanks as one space."""
        text = (self.root / "report.html").read_text("utf-8")
        page = html.document_fromstring(text)
        etree.strip_elements(page, "style", "script", with_tail=False)
        pieces = (str(piece).strip() for piece in page.itertext())
        return " ".join(piece for piece in pieces if piece)

    def contents(self, *names: str) -> dict[str, bytes]:
        """Return the files of folders, or files, with their content.

        The creation date of a TMX is masked.
        """
        found = {}
        for name in names:
            path = self.root / name
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                key = file.relative_to(self.root).as_posix()
                found[key] = _CREATION_RE.sub(b"", file.read_bytes())
        return found

    def check_archive(self) -> tuple[int, str, str]:
        """Have warcio verify the WARC files; return its status and what it says.

        Fails where there are none, or others beside them.
        """
        files = sorted(map(str, (self.root / "warc").iterdir()))
        assert files
        assert all(name.endswith(".warc.gz") for name in files), files
        command = [sys.executable, "-m", "warcio.cli", "check", *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def digest(self, name: str) -> dict[str, object]:
        """Return size and digest of a file as the manifest should have them."""
        data = (self.root / name).read_bytes()
        return {
            "bytes": len(data),
            "blake2b": blake2b(data, digest_size=16).hexdigest(),
        }


def _path(url: str) -> str:
    """Return the path of a URL without its first slash."""
    return url.split("/", 3)[3]


def read_unit(unit: etree._Element) -> tuple[str, str]:
    """Return German and Italian of a translation unit."""
    texts = {v.get(XML_LANG): v.findtext("seg") or "" for v in unit.iter("tuv")}
    assert sorted(texts, key=str) == ["de", "it"]
    return texts["de"], texts["it"]


def props(element: etree._Element) -> dict[str, str]:
    """Return the properties of a TMX header or unit."""
    return {
        prop.get("type", ""): prop.text or "" for prop in element.iterchildren("prop")
    }


def paragraphs(document: etree._Element) -> dict[str, dict[str, str]]:
    """Return the attributes of each paragraph by its text."""
    return {
        p.text or "": {str(name): str(value) for name, value in p.attrib.items()}
        for p in document.iter(f"{CESDOC}p")
    }
