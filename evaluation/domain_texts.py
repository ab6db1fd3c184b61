"""Plain texts that define a domain, for the scorers that learn from texts."""

from __future__ import annotations

import re
import subprocess
from random import Random
from typing import TYPE_CHECKING

import lxml.html

from evaluation.data import SITES
from evaluation.graph_text import domain_text

if TYPE_CHECKING:
    from pathlib import Path

# Chapters on authentication, network set-up and network applications.
_CHAPTERS = ("ch04", "ch05", "ch06")
_PACKAGE = "debian-reference"
_GRAPH_SEED = 99
_GRAPH_WORDS = 20_000


def reference_texts(langs: tuple[str, ...]) -> Path:
    """Return a folder with ``<lang>/<chapter>.txt`` of the Debian Reference.

    A book by other authors on the subject of the network-security domain; no site of the
    evaluation holds it. About 7,000 words a language. Its packages are downloaded once;
    raises CalledProcessError where they cannot be.
    """
    folder = SITES / "domain" / _PACKAGE
    for lang in langs:
        if not (folder / lang).is_dir():
            _extract(_unpack(folder / "package", lang), folder / lang, lang)
    return folder


def _unpack(folder: Path, lang: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    package = f"{_PACKAGE}-{lang}"
    subprocess.run(
        ["apt-get", "download", "-qq", package],
        cwd=folder,
        check=True,
        stderr=subprocess.DEVNULL,
    )
    for archive in folder.glob(f"{package}_*.deb"):
        subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)
    return folder / "usr" / "share" / _PACKAGE


def _extract(book: Path, folder: Path, lang: str) -> None:
    folder.mkdir(parents=True)
    for chapter in _CHAPTERS:
        tree = lxml.html.parse(str(book / f"{chapter}.{lang}.html"))
        texts = (re.sub(r"\s+", " ", p.text_content()) for p in tree.xpath("//p"))
        text = "\n\n".join(text.strip() for text in texts)
        (folder / f"{chapter}.txt").write_text(text, encoding="utf-8")


def graph_texts(folder: Path) -> Path:
    """Write a text on the subject of the made-up graphs; return its folder."""
    folder.mkdir(exist_ok=True)
    text = domain_text(Random(_GRAPH_SEED), _GRAPH_WORDS)
    (folder / "domain.txt").write_text(text, encoding="utf-8")
    return folder
