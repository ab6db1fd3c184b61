"""Plain texts that define a domain, for the scorers that learn from texts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import lxml.html

from evaluation.data import SITES
from evaluation.graph_text import domain_text

# Of the Debian Reference the chapters on authentication, network set-up and network
# applications; of Securing Debian everything.
_CHAPTERS = ("ch04", "ch05", "ch06")
_REFERENCE, _MANUAL = "debian-reference", "harden-doc"
_EDITIONS = {"de": "de-DE", "it": "it-IT"}
_ORIGINAL = "en-US"
_GRAPH_SEED = 99
_GRAPH_WORDS = 20_000


def book_texts(langs: tuple[str, ...]) -> Path:
    """Return a folder with ``<lang>/*.txt`` of two books.

    They are by other authors on the subject of the network-security domain, and no site of
    the evaluation holds them: three chapters of the Debian Reference and the manual
    Securing Debian, together 87,000 words of German, 68,000 of Italian. Their packages are
    downloaded once; raises CalledProcessError where they cannot be.
    """
    folder = SITES / "domain" / "books"
    for lang in langs:
        if not (folder / lang).is_dir():
            pages = {
                f"reference-{name}": text for name, text in _reference(folder, lang)
            }
            pages |= {f"securing-{name}": text for name, text in _manual(folder, lang)}
            (folder / lang).mkdir(parents=True)
            for name, text in pages.items():
                (folder / lang / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def _unpack(folder: Path, package: str) -> Path:
    """Download a Debian package and unpack it; return the folder of what is in it."""
    folder = folder / "package" / package
    if not folder.is_dir():
        folder.mkdir(parents=True)
        subprocess.run(
            ["apt-get", "download", "-qq", package],
            cwd=folder,
            check=True,
            stderr=subprocess.DEVNULL,
        )
        for archive in folder.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)
    return folder / "usr" / "share"


def _reference(folder: Path, lang: str) -> Iterator[tuple[str, str]]:
    book = _unpack(folder, f"{_REFERENCE}-{lang}") / _REFERENCE
    for chapter in _CHAPTERS:
        yield chapter, "\n\n".join(_paragraphs(book / f"{chapter}.{lang}.html"))


def _manual(folder: Path, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the pages, without the paragraphs that are left in English."""
    book = _unpack(folder, _MANUAL) / "doc" / _MANUAL / "html"
    english = {
        text for page in (book / _ORIGINAL).glob("*.html") for text in _paragraphs(page)
    }
    for page in sorted((book / _EDITIONS[lang]).glob("*.html")):
        if texts := [text for text in _paragraphs(page) if text not in english]:
            yield page.stem, "\n\n".join(texts)


def _paragraphs(page: Path) -> list[str]:
    elements = lxml.html.parse(str(page)).xpath("//p|//div[@class='para']")
    texts = (re.sub(r"\s+", " ", element.text_content()) for element in elements)
    return [text.strip() for text in texts if text.strip()]


def graph_texts(folder: Path) -> Path:
    """Write a text on the subject of the made-up graphs; return its folder."""
    folder.mkdir(exist_ok=True)
    text = domain_text(Random(_GRAPH_SEED), _GRAPH_WORDS)
    (folder / "domain.txt").write_text(text, encoding="utf-8")
    return folder
