"""Corpora that the web application shows, by name, with their search files.

They are read without a write, also while a crawl goes on.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import (
    AbstractContextManager,
    contextmanager,
    suppress,
)
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import quote

from scrapy.settings import BaseSettings

from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import SCHEMA_VERSION, CorpusIndex
from ilspfc.exceptions import CorpusError, IlspfcError
from ilspfc.report.manifest import read_json
from ilspfc.server.search import SearchIndex

T = TypeVar("T")
_BUSY_SECONDS = 5.0
_SEARCH_SECONDS = 5.0


class UnknownCorpusError(IlspfcError):
    """No corpus of this name is shown."""


class Library:
    """Corpora by name; those of jobs are added as they come.

    Pages that need longer than ``patience`` (seconds) for what has changed show the state before.
    """

    patience = 0.05

    def __init__(self, roots: list[Path], settings: BaseSettings) -> None:
        self.settings = settings
        self._roots: dict[str, Path] = {}
        self._renewing = threading.Lock()
        self._running: dict[Hashable, Future[None]] = {}
        # Time of the last change that the search file of a corpus has.
        self._renewed: dict[str, float] = {}
        self._kept: dict[tuple[str, str], tuple[float, object]] = {}
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

    def open(self, name: str) -> AbstractContextManager[Corpus]:
        """Open a corpus for reading."""
        return read_corpus(self.root_of(name), self.settings)

    @contextmanager
    def search(self, name: str, *, waits: bool = True) -> Iterator[SearchIndex]:
        """Open the search file of a corpus; it is renewed if the corpus has changed.

        A page that searches waits for that a moment; in a large corpus it shows the state before.
        """
        renewal = self._start((name, "search"), partial(self.renew_search, name))
        if waits:
            wait_for([renewal], self.patience)
        path = CorpusFiles(self.root_of(name)).search
        with SearchIndex(path) as search, search.limited(_SEARCH_SECONDS):
            yield search

    def keep(
        self,
        name: str,
        what: str,
        count: Callable[[Corpus], T],
        meanwhile: T | None = None,
    ) -> T:
        """Return the result of a function on a corpus, kept until the corpus changes.

        Where that takes long, the result before the change is returned meanwhile; at first
        it is waited for, unless ``meanwhile`` is given to be returned.
        """
        changed = _time_of_change(CorpusFiles(self.root_of(name)).index)
        known = self._kept.get((name, what))
        if known is None or known[0] != changed:

            def run() -> None:
                with self.open(name) as corpus:
                    self._kept[name, what] = changed, count(corpus)

            counted = self._start((name, what), run)
            is_waited_for = known is None and meanwhile is None
            if is_waited_for or counted in wait_for([counted], self.patience).done:
                counted.result()
        return cast("T", self._kept.get((name, what), (changed, meanwhile))[1])

    def _start(self, what: Hashable, work: Callable[[], None]) -> Future[None]:
        """Start work in a thread, unless it is running already; the thread ends with the server."""
        known = self._running.get(what)
        if known is not None and not known.done():
            return known
        future: Future[None] = Future()

        def run() -> None:
            try:
                work()
                future.set_result(None)
            except Exception as error:  # noqa: BLE001 - raised where it is waited for
                future.set_exception(error)

        self._running[what] = future
        threading.Thread(target=run, daemon=True).start()
        return future

    def renew_search(self, name: str) -> None:
        """Bring the search file of a corpus up to date, if the corpus has changed.

        A corpus that cannot be read stays as it is: its pages say why.
        """
        files = CorpusFiles(self.root_of(name))
        with self._renewing, suppress(IlspfcError):
            changed = _time_of_change(files.index)
            if self._renewed.get(name) == changed:
                return
            with self.open(name) as corpus, SearchIndex(files.search) as search:
                search.renew(corpus)
            self._renewed[name] = changed


def _time_of_change(path: Path) -> float:
    """Return when a database was written last, itself or its journal."""
    paths = (path, path.with_name(f"{path.name}-wal"))
    return max((one.stat().st_mtime for one in paths if one.exists()), default=0.0)


class IndexReader(CorpusIndex):
    """Index of a corpus, opened for reading alone."""

    is_read_only = True

    def _connect(self) -> sqlite3.Connection:
        address = f"file:{quote(str(self.path.absolute()))}?mode=ro"
        return sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != SCHEMA_VERSION:
            raise CorpusError(
                f"{self.path}: of another version of ilspfc; `scrapy reindex"
                f" {self.path.parent}`"
            )


@contextmanager
def read_corpus(root: Path, settings: BaseSettings) -> Iterator[Corpus]:
    """Open a corpus for reading; CorpusError where there is none."""
    files = CorpusFiles(root).require()
    with IndexReader(files.index) as index:
        yield Corpus(files, index, Bitext(index), settings, index.last_run())


def read_states(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the states of the crawlers of a corpus, as these write them from time to time.

    Each with the name of its crawler, which is empty for a single one.
    """
    files = CorpusFiles(root)
    for path in (files.status, *sorted(files.parts.glob(f"*/{files.status.name}"))):
        if state := read_json(path):
            yield ("" if path == files.status else path.parent.name), state
