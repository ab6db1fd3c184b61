"""Sites whose main content is an element of their pages, and corpora of some of their pages.

The paragraphs of a page are labeled by the element that their text comes from: the main
content, or the frame around it. Tables of contents and lists of languages inside the main
element are left out of account: people disagree whether they are content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import numpy as np
from lxml import html
from scrapy.settings import Settings

from evaluation.data import PROJECT, SITES, build_sites, read_table
from evaluation.site_corpora import build_corpus
from ilspfc.cleaning.encoding.decoding import decode, normalize
from ilspfc.corpus.corpus import open_corpus
from ilspfc.documents import Document, ParagraphType
from ilspfc.line.pairing import run_pairing
from ilspfc.text.codes import to_iso639_3

if TYPE_CHECKING:
    import numpy.typing as npt

CORPORA = PROJECT / "build" / "main-text"
# Pages of a site in each language: those of so many keys.
MAX_KEYS = 150
MAIN, FRAME, NEITHER = 1, 0, -1
_SILENT_TAGS = frozenset({"script", "style", "template", "head", "noscript"})
_NO_NAVIGATION = '/html/body/div[not(@class="navheader" or @class="navfooter")]'
_CONTENTS = '//div[@class="toc"]'


@dataclass(frozen=True, slots=True)
class MainElement:
    """Main content of the pages of a site.

    XPath of the element, of what does not count, and of navigation inside the element.
    """

    langs: tuple[str, ...]
    main: str
    neither: str = ""
    frame: str = ""


SITES_WITH_MAIN: Mapping[str, MainElement] = {
    "glosario": MainElement(("en", "es", "uk"), '//div[@class="col"]'),
    "installation-guide": MainElement(("de", "en", "it"), _NO_NAVIGATION, _CONTENTS),
    "bitcoin": MainElement(("de", "en", "fr"), '//div[@id="content"]'),
    "debian-handbook": MainElement(
        ("de", "en", "it"), '/html/body/div[not(@id="banner")]', _CONTENTS
    ),
    "apache-manual": MainElement(
        ("de", "en", "fr"),
        '//div[@id="page-content"]',
        '//div[@class="toplang" or @class="bottomlang" or @id="quickview"'
        ' or @class="top" or @id="comments_section"]',
    ),
    "office-help": MainElement(
        ("de", "en", "fr"), '//div[@id="DisplayArea"]', '//div[@class="relatedtopics"]'
    ),
    "lilypond": MainElement(
        ("de", "en", "fr"),
        '//div[@id="main"]',
        '//table[@class="menu"] | //div[@id="tocframe"]',
        '//table[@class="nav_table"] | //div[@id="footer"]',
    ),
    "gimp-help": MainElement(("de", "en", "fr"), _NO_NAVIGATION, _CONTENTS),
}

UNSEEN = frozenset({"glosario", "gimp-help"})
"""Sites that no model is made of."""


def make_site(site: str) -> Path:
    """Return the folder of the corpus of some pages of a site, made once by each cleaner."""
    build_sites(site)
    place = CORPORA / digest_code() / site
    if not (place / "corpus.db").is_file():
        langs = tuple(sorted(map(to_iso639_3, SITES_WITH_MAIN[site].langs)))
        build_corpus(place, SITES / site / "www", _choose_pages(site), langs)
        with open_corpus(place, make_settings()) as corpus:
            run_pairing(corpus)
    return place


@cache
def digest_code() -> str:
    """Return a digest of the code that makes a corpus: one of older code has other text."""
    digest = blake2b(digest_size=6)
    for room in ("cleaning", "text", "language", "pairing"):
        for path in sorted((PROJECT / "ilspfc" / room).rglob("*.*")):
            if path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.hexdigest()


def make_settings() -> Settings:
    """Return the settings of the project."""
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    return settings


def _choose_pages(site: str) -> list[str]:
    """Return the paths of some pages with their versions, the same at each call."""
    rows = read_table(SITES / site)
    wanted = SITES_WITH_MAIN[site].langs
    rows = [row for row in rows if row["lang"] in wanted]
    keys = sorted({row["key"] for row in rows}, key=_hash)[:MAX_KEYS]
    kept = set(keys) if site != "glosario" else {row["key"] for row in rows}
    return [row["path"] for row in rows if row["key"] in kept]


def _hash(key: str) -> bytes:
    return blake2b(key.encode(), digest_size=8).digest()


def label_paragraphs(site: str, document: Document) -> list[int]:
    """Return MAIN, FRAME or NEITHER for each paragraph of a page of a site."""
    path = unquote(urlsplit(document.url).path).lstrip("/")
    texts = [
        paragraph.text.replace(" | ", " ")
        if paragraph.type is ParagraphType.ROW
        else paragraph.text
        for paragraph in document.paragraphs
    ]
    body = (SITES / site / "www" / path).read_bytes()
    return read_labels(SITES_WITH_MAIN[site], body, texts)


def read_labels(element: MainElement, body: bytes, texts: Sequence[str]) -> list[int]:
    """Return MAIN, FRAME or NEITHER for each text of a page, in their order."""
    text, labels = _read_characters(element, body)
    found, end = [], 0
    for words in texts:
        wanted = "".join(words.split())
        start = text.find(wanted, end)
        if start < 0:
            start = text.find(wanted)
        if start < 0 or not wanted:
            found.append(NEITHER)
            continue
        end = start + len(wanted)
        values, numbers = np.unique(labels[start:end], return_counts=True)
        found.append(int(values[numbers.argmax()]))
    return found


def _find(root: html.HtmlElement, path: str) -> list[html.HtmlElement]:
    """Return the elements on a path."""
    found = root.xpath(path)
    return found if isinstance(found, list) else []


def _read_characters(
    element: MainElement, body: bytes
) -> tuple[str, npt.NDArray[np.int8]]:
    """Return the text of a page without blanks, and a label for each character."""
    parser = html.HTMLParser(encoding="utf-8")
    root = html.fromstring(decode(body)[0].encode("utf-8", "replace"), parser=parser)
    marks = dict.fromkeys(_find(root, element.main), MAIN)
    for path, label in ((element.neither, NEITHER), (element.frame, FRAME)):
        if path:
            marks |= dict.fromkeys(_find(root, path), label)
    parts = [
        ("".join(normalize(text).split()), label)
        for text, label in _walk(root, marks, FRAME)
    ]
    labels = [np.full(len(text), label, np.int8) for text, label in parts]
    return "".join(text for text, _ in parts), np.concatenate(labels)


def _walk(
    element: html.HtmlElement, marks: Mapping[html.HtmlElement, int], label: int
) -> Iterator[tuple[str, int]]:
    """Yield the texts below an element, each with its label."""
    if not isinstance(element.tag, str) or element.tag in _SILENT_TAGS:
        return
    label = marks.get(element, label)
    yield element.text or "", label
    for child in element:
        yield from _walk(child, marks, label)
        yield child.tail or "", label
