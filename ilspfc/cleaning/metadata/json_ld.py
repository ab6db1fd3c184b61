"""Structured data of a page: JSON-LD in the vocabulary of schema.org."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from ilspfc.cleaning.metadata.dates import iso_date
from ilspfc.documents import Metadata

# Of all scripts of a page; the rest of a larger page is not read.
MAX_CHARS = 1_000_000
MAX_SCRIPTS = 100
MAX_DEPTH = 32
MAX_NODES = 20_000

_PAGE_TYPE_ENDINGS = ("page", "article", "posting")
_PAGE_TYPES = frozenset(
    "blog book chapter course creativework digitaldocument guide howto learningresource"
    " legislation manuscript publicationissue recipe report textdigitaldocument thesis"
    " webpageelement website wpfooter wpheader".split()
)
# Properties whose value is the page itself, or its parent.
_SAME_PAGE = frozenset({"@graph", "mainentity", "mainentityofpage", "ispartof"})
_WRAPPING_RE = re.compile(r"\A(?://\s*)?(?:<!--|<!\[CDATA\[)|(?://\s*)?(?:-->|\]\]>)\Z")
_LICENSE_RE = re.compile(r'"[^"]*icense')
_TRAILING_COMMA_RE = re.compile(r",(?=\s*[}\]])")


def iter_licenses(scripts: Iterable[str]) -> Iterator[str]:
    """Yield the values of ``license`` of the page in JSON-LD scripts.

    A thing that another one only mentions (a picture, a work that is cited) is not the
    page, nor is one of another type. A script that is no JSON is passed over.
    """
    for node, is_page in _read_scripts(scripts, _LICENSE_RE):
        for key, value in node.items():
            if is_page and _local_name(key) == "license":
                yield from _iter_texts(value)


def _read_scripts(
    scripts: Iterable[str], wanted: re.Pattern[str]
) -> Iterator[tuple[dict[str, object], bool]]:
    """Yield objects of the scripts with a wanted name, each with whether it is the page."""
    nodes = 0
    chars = MAX_CHARS
    for script in islice(scripts, MAX_SCRIPTS):
        chars -= len(script)
        if chars < 0:
            return
        for node in _iter_nodes(_load(script) if wanted.search(script) else None):
            nodes += 1
            if nodes > MAX_NODES:
                return
            yield node


def _load(script: str) -> object:
    script = _WRAPPING_RE.sub("", script.strip()).rstrip("; \n")
    for text in (script, _TRAILING_COMMA_RE.sub("", script)):
        try:
            return json.loads(text, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _iter_nodes(content: object) -> Iterator[tuple[dict[str, object], bool]]:
    """Yield the objects of a JSON document in its order, and whether each is the page."""
    stack: list[tuple[object, bool, int]] = [(content, True, 0)]
    while stack:
        value, is_page, depth = stack.pop()
        parts: list[tuple[object, bool]] = []
        if isinstance(value, dict):
            is_page = is_page and _is_page(value)
            yield value, is_page
            parts = [
                (part, is_page and _local_name(key) in _SAME_PAGE)
                for key, part in value.items()
            ]
        elif isinstance(value, list):
            parts = [(part, is_page) for part in value]
        if depth < MAX_DEPTH:
            stack += [(part, same, depth + 1) for part, same in reversed(parts)]


def _is_page(node: dict[str, object]) -> bool:
    """Test whether an object may be a page or its text: of no type, or of one that means it."""
    names = [name.lower() for name in _type_names(node)]
    is_named = (n in _PAGE_TYPES or n.endswith(_PAGE_TYPE_ENDINGS) for n in names)
    return not names or any(is_named)


def _local_name(key: str) -> str:
    """Return a property without the name of its vocabulary, in lower case."""
    return re.split(r"[/#:]", key)[-1].lower()


def _iter_texts(value: object) -> Iterator[str]:
    """Yield URL or name of the licenses that are the value of a property."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            texts = (one.get(key) for key in ("url", "@id", "@value", "name"))
            yield from (text for text in texts if isinstance(text, str))


# Properties of schema.org by field; the first that is given counts.
_FACTS = {
    "title": ("headline",),
    "description": ("description",),
    "keywords": ("keywords",),
    "author": ("author", "creator"),
    "date": ("datepublished", "datecreated", "uploaddate"),
    "modified": ("datemodified",),
    "publisher": ("publisher",),
    "declared_lang": ("inlanguage",),
}
_FACTS_RE = re.compile(
    r'"(?:[\w./:#-]*[/:#])?(?:headline|author|creator|datePublished|inLanguage)"'
)


# URLs with a scheme or without, paths, and addresses of mail.
_ADDRESS_RE = re.compile(
    r".*://.*|(?:www\.|mailto:|/)\S*|\S+@\S+|[\w-]+(?:\.[\w-]+)+/\S*", re.IGNORECASE
)


def without_addresses(text: str) -> str:
    """Return the names of authors among names and addresses parted by commas.

    >>> without_addresses("https://example.org/anna, Anna Berger")
    'Anna Berger'
    """
    parts = text.split(", ")
    return ", ".join(part for part in parts if not _ADDRESS_RE.fullmatch(part.strip()))


# What of a value counts, by field.
_READERS = {"author": without_addresses, "date": iso_date, "modified": iso_date}


def read_page_facts(scripts: Iterable[str]) -> Metadata:
    """Return the metadata of the page in JSON-LD: of an article rather than of its site.

    A person or organization that is given by its ``@id`` alone is looked up.
    """
    pages: list[dict[str, object]] = []
    names: dict[str, str] = {}
    for node, is_page in _read_scripts(scripts, _FACTS_RE):
        identity, name = node.get("@id"), node.get("name")
        if isinstance(identity, str) and isinstance(name, str):
            names.setdefault(identity, name)
        if is_page and _type_names(node):
            pages.append(node)
    pages.sort(key=lambda node: _generality(_type_names(node)[0]))
    found: dict[str, str] = {}
    for node in pages:
        found.setdefault("type", _type_names(node)[0])
        values = {_local_name(key): value for key, value in reversed(node.items())}
        for field, properties in _FACTS.items():
            texts = (_text_of(values.get(name), names) for name in properties)
            if text := next(filter(None, map(_READERS.get(field, str), texts)), ""):
                found.setdefault(field, text)
    return Metadata(**found)


def _generality(name: str) -> int:
    """Return 0 for the type of an article, 1 of a page, 2 of a whole site."""
    name = name.lower()
    if name.endswith(("article", "posting", "recipe", "report")):
        return 0
    return 2 if name in {"website", "blog"} else 1


def _type_names(node: dict[str, object]) -> list[str]:
    given = node.get("@type", [])
    types = given if isinstance(given, list) else [given]
    return [re.split(r"[/#:]", name)[-1] for name in types if isinstance(name, str)]


def _text_of(value: object, names: Mapping[str, str]) -> str:
    """Return the text of a value: a string, a name, or several of them."""
    texts: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        text = one
        if isinstance(one, dict):
            text = (
                one.get("name") or one.get("@value") or names.get(str(one.get("@id")))
            )
            if isinstance(text, list):
                text = text[0] if text else ""
        if isinstance(text, str) and (text := " ".join(text.split())):
            texts.append(text)
    return ", ".join(dict.fromkeys(texts))
