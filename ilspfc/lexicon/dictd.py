"""Reader of dictd's databases, as FreeDict publishes them.

``NAME.index`` has lines of headword, offset and length (numbers in base 64 with dictd's
digits); ``NAME.dict``, or ``NAME.dict.dz`` in a gzip that allows random access, has the
articles. A FreeDict article is the headword with pronunciation and grammar, then a line of
translations for each sense.
"""

from __future__ import annotations

import gzip
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.dictionary import Dictionary
from ilspfc.lexicon.entries import Entry

_SUFFIXES = (".index", ".dict.dz", ".dict")
# Entries that describe the database itself.
_INFORMATION = "00"
_HEAD_NOTES_RE = re.compile(r"\s*(?:/[^/]*/|<[^>]*>|\([^)]*\)|\[[^\]]*\])")
_NOTES_RE = re.compile(r"\s*(?:<[^>]*>|\[[^\]]*\]|\([^)]*\)|\{[^}]*\})")
_NUMBER_RE = re.compile(r"^\d+\.\s*")
_BETWEEN_RE = re.compile(r"[,;]\s+")
_NO_TRANSLATION = ("synonym", "see:", "see also", "note", '"', "(")
_MAX_CHARS = 80
_LANGS_RE = re.compile(r"(?:^|-)([a-z]{2,3})-([a-z]{2,3})$")


def read_dictd(path: Path) -> Dictionary:
    """Read a dictd database, given by its index or its articles; both must be there.

    The languages come from a name such as ``freedict-deu-ita.index``. LexiconError where a
    file cannot be read or no article has a translation.
    """
    name = next(
        path.name.removesuffix(suffix)
        for suffix in _SUFFIXES
        if path.name.endswith(suffix)
    )
    index, data = path.with_name(f"{name}.index"), _read_articles(path, name)
    match = _LANGS_RE.search(name)
    found = Dictionary(langs=match.groups() if match else ())
    done = set()
    for number, line in enumerate(_read_index(index), 1):
        cells = line.split("\t")
        try:
            start, length = _to_int(cells[1]), _to_int(cells[2])
        except (IndexError, ValueError):
            found.refuse(number, "no headword TAB offset TAB length")
            continue
        if cells[0].startswith(_INFORMATION) or (start, length) in done:
            continue
        done.add((start, length))
        if start + length > len(data):
            found.refuse(number, "the article is beyond the end of the database")
            continue
        article = data[start : start + length].decode("utf-8", "replace")
        for head, translation in _read_article(article):
            found.add(number, Entry(head, translation))
    return found.require(path, "a dictd database with translations, such as FreeDict's")


def _to_int(digits: str) -> int:
    """Return the number of at most eight digits; ValueError for others."""
    return int.from_bytes(b64decode(digits.rjust(8, "A"), validate=True))


def _read_articles(path: Path, name: str) -> bytes:
    packed, plain = path.with_name(f"{name}.dict.dz"), path.with_name(f"{name}.dict")
    try:
        if packed.exists():
            return gzip.decompress(packed.read_bytes())
        return plain.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise LexiconError(
            f"{path}: its articles cannot be read ({error}); put {packed.name} beside"
            f" {name}.index"
        ) from error


def _read_index(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise LexiconError(
            f"{path}: cannot be read ({error.strerror}); a dictd database needs its .index"
        ) from error


def _read_article(article: str) -> Iterator[tuple[str, str]]:
    """Yield headword and translation of each translation of an article."""
    first, *lines = article.split("\n")
    head = _HEAD_NOTES_RE.sub("", first).strip()
    if not head:
        return
    for line in lines:
        text = _NUMBER_RE.sub("", line.strip())
        if not text or text.lower().startswith(_NO_TRANSLATION):
            continue
        for part in _BETWEEN_RE.split(_NOTES_RE.sub("", text)):
            translation = part.strip(" .,;")
            if translation and len(translation) < _MAX_CHARS:
                yield head, translation
