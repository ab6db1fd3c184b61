"""Corpora that the web application shows, by name, with their search files."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.exceptions import IlspfcError
from ilspfc.server.reading import read_corpus
from ilspfc.server.search import SearchIndex

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.corpus.corpus import Corpus


class UnknownCorpusError(IlspfcError):
    """No corpus of this name is shown."""


class Library:
    """Corpora by name; those of jobs are added as they come."""

    def __init__(self, roots: list[Path], settings: BaseSettings) -> None:
        self.settings = settings
        self._roots: dict[str, Path] = {}
        self._renewing = threading.Lock()
        for root in roots:
            self.add(root)

    def add(self, root: Path, name: str = "") -> str:
        """Add a corpus; return its name, which is that of its folder unless that is taken."""
        name = name or root.resolve().name
        if self._roots.get(name, root).resolve() != root.resolve():
            name = f"{name}-{len(self._roots) + 1}"
        self._roots[name] = root
        return name

    @property
    def names(self) -> list[str]:
        """The names of the corpora, in the order given."""
        return list(self._roots)

    def root_of(self, name: str) -> Path:
        """Return the folder of a corpus; UnknownCorpusError for an unknown name."""
        if name not in self._roots:
            raise UnknownCorpusError(f"{name}: no such corpus here")
        return self._roots[name]

    @contextmanager
    def open(self, name: str) -> Iterator[Corpus]:
        """Open a corpus for reading."""
        with read_corpus(self.root_of(name), self.settings) as corpus:
            yield corpus

    @contextmanager
    def search(self, corpus: Corpus) -> Iterator[SearchIndex]:
        """Open the search file of a corpus."""
        with SearchIndex(corpus.files.search) as search:
            yield search

    def renew_search(self, name: str) -> None:
        """Bring the search file of a corpus up to date."""
        with self._renewing, self.open(name) as corpus, self.search(corpus) as search:
            search.renew(corpus)
