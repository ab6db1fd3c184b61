"""Single stages as functions of a line: ``from ilspfc import extract, identify, align``.

A value of a wrong type is a TypeError that names it and what to give.
"""

from __future__ import annotations

import reprlib
import textwrap
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING

from ilspfc.documents import Document, TranslationUnit, document_id
from ilspfc.exceptions import ArgumentError

# Each function imports what it needs when it is first called: the models are large.

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus


def extract(
    html: bytes | str, *, url: str = "", langs: Sequence[str] = ()
) -> Document | None:
    """Return the document of an HTML page, None for a page without content.

    Boilerplate is marked, not deleted: ``document.clean_paragraphs`` is the clean text.
    With ``langs`` (ISO 639-1 or 639-3) paragraphs in other languages are marked, too, and
    ``document.lang`` is the ISO 639-3 code of the page.

    >>> extract("<p>Bees live in colonies of several thousand animals.</p>").paragraphs[0].text
    'Bees live in colonies of several thousand animals.'
    """
    from ilspfc.cleaning.page import CleaningReason, clean_page

    _require("html", html, str | bytes | bytearray, "the page as bytes or str")
    _require("url", url, str, "its address as str")
    codes = _read_codes(langs)
    content_type = "text/html"
    if isinstance(html, str):
        html = html.encode("utf-8", "replace")
        content_type += "; charset=utf-8"
    found = clean_page(
        html, url=url, identity=document_id(url), content_type=content_type
    )
    if isinstance(found, CleaningReason):
        return None
    if codes:
        from ilspfc.language.identification import identify_page

        found.lang, found.paragraphs = identify_page(
            found.paragraphs, codes, found.metadata.declared_lang
        )
    return found


def extract_text(
    html: bytes | str,
    *,
    url: str = "",
    langs: Sequence[str] = (),
    markdown: bool = False,
) -> str:
    """Return the clean text of an HTML page, a line a paragraph; empty where it has none.

    Paragraphs in other languages than the page's are left out where ``langs`` are given. With
    ``markdown`` headings, lists, tables, code and quotations are marked.

    >>> page = "<ul><li>Bees live in large colonies.<li>They make sweet honey.</ul>"
    >>> print(extract_text(page, markdown=True), end="")
    - Bees live in large colonies.
    - They make sweet honey.
    """
    from ilspfc.documents.markdown import to_markdown

    document = extract(html, url=url, langs=langs)
    if document is None:
        return ""
    if markdown:
        return to_markdown(document)
    return "\n".join(one.line for one in document.paragraphs if one.is_content)


def identify(text: str, langs: Sequence[str]) -> tuple[str, float]:
    """Return the language of a text among ``langs``, or ``other``, and its probability.

    >>> identify("Die Bienen leben in großen Völkern.", ["de", "it"])[0]
    'de'
    """
    from ilspfc.language.identification import page_identifier

    _require("text", text, str, "str")
    codes = _read_codes(langs)
    if not codes:
        raise ArgumentError(
            "langs=[]: give the languages it may be in, as ['de', 'it']"
        )
    (verdict,) = page_identifier(codes).identify([text])
    given = dict(zip(codes, langs, strict=True))
    return given.get(verdict.lang, verdict.lang), verdict.confidence


def align(
    source: Sequence[str], target: Sequence[str], langs: Sequence[str]
) -> list[TranslationUnit]:
    """Return the translation units of two texts, given as sentences in reading order.

    Lengths and a lexicon are learned from the texts; for some language pairs a starter
    lexicon helps. Sentences without a translation are in no unit.

    >>> texts = ["Yes.", "It rains again today."], ["Ja.", "Heute regnet es wieder."]
    >>> [(unit.source, unit.target) for unit in align(*texts, ["en", "de"])]
    [('Yes.', 'Ja.'), ('It rains again today.', 'Heute regnet es wieder.')]
    """
    from ilspfc.alignment.collection import align_texts
    from ilspfc.alignment.page_units import PageText, make_alignment, pair_pages
    from ilspfc.lexicon.ibm1 import learn_tables
    from ilspfc.lexicon.starter import starter_entries

    codes = _read_codes(langs)
    if len(codes) != 2:
        raise ArgumentError(f"langs={langs}: give two languages, as ['en', 'de']")
    first, second = codes
    for name, side in (("source", source), ("target", target)):
        _require_texts(name, side, "is one text; give a list of its sentences")
    source, target = ([s for s in side if s.strip()] for side in (source, target))
    sides = PageText.of_sentences(source, first), PageText.of_sentences(target, second)
    entries = starter_entries((first, second))
    (beads,) = align_texts(
        [pair_pages(*sides, is_lesson=True)],
        (first, second),
        learn_tables,
        dictionary=[(entry.source, entry.target, entry.score) for entry in entries],
    )
    return make_alignment(*sides, beads).units


@contextmanager
def read_corpus(folder: str | PathLike[str]) -> Iterator[Corpus]:
    """Open the corpus in a folder; CorpusError where there is none.

    ``corpus.documents()`` yields its documents with their text, ``corpus.pairs("de", "it")``
    those that translate each other, ``corpus.units("de", "it")`` its translation units;
    ``corpus.index`` and ``corpus.bitext`` hold the rest.
    """
    from ilspfc.corpus.corpus import open_corpus

    _require("folder", folder, str | PathLike, "its path")
    with open_corpus(Path(folder), None) as corpus:
        yield corpus


def _read_codes(langs: Sequence[str]) -> tuple[str, ...]:
    from ilspfc.text.codes import to_iso639_3

    _require_texts("langs", langs, "give a list, as ['de', 'en']")
    try:
        return tuple(map(to_iso639_3, langs))
    except ValueError as error:
        raise ArgumentError(f"langs={langs}: {error}; give ISO 639 codes") from error


def _require_texts(name: str, texts: Sequence[str], advice: str) -> None:
    """Raise an error for what is no list of texts; a single text meets the advice."""
    if isinstance(texts, str):
        raise ArgumentError(f"{name}={textwrap.shorten(texts, 40)!r}: {advice}")
    _require(name, texts, Collection, "a list of str")
    for number, text in enumerate(texts):
        _require(f"{name}[{number}]", text, str, "str")


def _require(name: str, value: object, kind: type | UnionType, wanted: str) -> None:
    """Raise TypeError for a value of another type."""
    if not isinstance(value, kind):
        shown = reprlib.repr(value)
        raise TypeError(
            f"{name}={shown}: is of type {type(value).__name__}; give {wanted}"
        )
