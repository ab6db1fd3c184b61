"""Manuals of programs in Debian packages, whose main content is an element of their pages.

Web pages with gold text are articles, shops and forums; the manuals add pages that are content but
for a thin frame. Each was made by another generator or theme, and none is a site that figures of
the text of manuals are measured on. What is learned from them are figures of blocks, no text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.help_sites import unpack_package
from evaluation.main_elements import MainElement, read_labels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# Pages of each manual: with these a seventh of the pages that the model is made of are manuals.
MAX_PAGES = 25
_MIN_BYTES = 2000
_NO_PAGE_RE = re.compile(
    r"class-use|package-|/search|_source|/src/|genindex|/doc-index"
)

# Package: folder of its pages below usr/share, and their main element.
MANUALS: Mapping[str, tuple[str, MainElement]] = {
    "erlang-doc": (
        "doc/erlang-doc",
        MainElement((), '//div[@id="content"]', frame='//div[@class="footer"]'),
    ),
    "exim4-doc-html": (
        "doc/exim4-doc-html",
        MainElement((), '//div[@id="content"]/div'),
    ),
    "ghc-doc": (
        "doc/ghc-doc/html/libraries/base-4.15.1.0",
        MainElement((), '//div[@id="content"]', '//div[@id="table-of-contents"]'),
    ),
    "git-doc": (
        "doc/git-doc",
        MainElement((), '/html/body/div[@id="header" or @id="content"]'),
    ),
    "libeigen3-doc": (
        "doc/libeigen3-dev/html",
        MainElement((), '//div[@class="contents"]', '//div[@class="toc"]'),
    ),
    "libglib2.0-doc": (
        "gtk-doc/html/gio",
        MainElement((), '//div[@class="refentry" or @class="chapter"]'),
    ),
    "maxima-doc": (
        "doc/maxima-doc/html",
        MainElement((), "/html/body", '//*[@class="menu"]', '//div[@class="header"]'),
    ),
    "nodejs-doc": ("doc/nodejs/api", MainElement((), '//div[@id="apicontent"]')),
    "octave-doc": (
        "doc/octave/octave.html",
        MainElement(
            (), "/html/body/div", '//*[@class="menu"] | //ul', '//div[@class="header"]'
        ),
    ),
    "openjdk-17-doc": (
        "doc/openjdk-17-jre-headless/api/java.base/java",
        MainElement((), "//main"),
    ),
    "postgresql-doc-15": (
        "doc/postgresql-doc-15/html",
        MainElement(
            (),
            '/html/body/div[not(@class="navheader" or @class="navfooter")]',
            '//div[@class="toc"]',
        ),
    ),
    "python-flask-doc": (
        "doc/python-flask-doc/html",
        MainElement((), '//div[@class="body"]', '//div[contains(@class, "toctree")]'),
    ),
    "python-scrapy-doc": (
        "doc/python-scrapy-doc/html",
        MainElement(
            (),
            '//div[@itemprop="articleBody"]',
            '//div[contains(@class, "toctree") or contains(@class, "contents")]',
        ),
    ),
    "python-sqlalchemy-doc": (
        "doc/python-sqlalchemy-doc/html",
        MainElement((), '//div[@id="docs-body"]'),
    ),
    "python3.11-doc": (
        "doc/python3.11/html/library",
        MainElement((), '//div[@role="main"]', '//div[contains(@class, "toctree")]'),
    ),
    "qtbase5-doc-html": (
        "qt5/doc/qtcore",
        MainElement(
            (), '//div[@class="content mainContent"]', '//div[@class="sidebar"]'
        ),
    ),
    "racket-doc": (
        "doc/racket/reference",
        MainElement(
            (), '//div[@class="main"]', frame='//div[starts-with(@class, "nav")]'
        ),
    ),
    "rust-doc": (
        "doc/rust-doc/html/book",
        MainElement((), '//div[@id="content"]/main'),
    ),
    "sqlite3-doc": (
        "doc/sqlite3",
        MainElement(
            (),
            "/html/body",
            '//div[contains(@class, "toc")]',
            '//div[@class="nosearch"]',
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class ManualPage:
    """A page of the manual of a package."""

    package: str
    body: bytes

    def label(self, texts: Sequence[str]) -> list[int]:
        """Return MAIN, FRAME or NEITHER for each of its texts, in their order."""
        return read_labels(MANUALS[self.package][1], self.body, texts)


def read_manuals(work: Path) -> Iterator[ManualPage]:
    """Yield some pages of each manual, the same at each call; packages are kept below a folder."""
    for package, (folder, _) in MANUALS.items():
        root = unpack_package(package, work / "manuals") / "usr" / "share" / folder
        files = [
            file
            for file in sorted(root.rglob("*.html"))
            if not _NO_PAGE_RE.search(str(file.relative_to(root)))
            and not file.is_symlink()
            and file.stat().st_size >= _MIN_BYTES
        ]
        random.Random(package).shuffle(files)
        for file in files[:MAX_PAGES]:
            yield ManualPage(package, file.read_bytes())
