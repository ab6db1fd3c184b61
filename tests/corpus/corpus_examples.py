"""Records of a corpus with as little said as a test needs."""

from __future__ import annotations

from typing import Any

from ilspfc.corpus.records import DocumentEntry
from ilspfc.documents import Document, Page

ENTRY: dict[str, Any] = {
    "lang": "deu",
    "host": "www.example.org",
    "site": "example.org",
    "url_depth": 1,
    "title": "Lärm am Bau",
    "paragraphs": 12,
    "clean_paragraphs": 7,
    "tokens": 140,
    "relevance": 12.5,
    "terms": 3,
    "subdomains": "noise;construction",
    "license": "",
    "encoding": "cp1252",
    "fetched_at": "2026-03-01T10:00:00+00:00",
}


def entry(name: str, **values: object) -> DocumentEntry:
    """Return the entry of a document."""
    own = {
        "id": name,
        "url": f"http://www.example.org/{name}",
        "file": f"deu-{name}.xml",
    }
    return DocumentEntry(**{**ENTRY, **own, **values})


def page(name: str, *, drop: str = "", document: Document | None = None) -> Page:
    """Return a fetched page at the end of its way."""
    return Page(
        url=f"http://www.example.org/{name}",
        id=name,
        fetched_at=f"2026-03-01T10:00:{len(name):02}+00:00",
        depth=1,
        document=document,
        drop=drop,
    )
