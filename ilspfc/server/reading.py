"""Corpora as the web application reads them: without a write, also while a crawl goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import SCHEMA_VERSION, CorpusIndex
from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_BUSY_SECONDS = 5.0


class IndexReader(CorpusIndex):
    """Index of a corpus, opened for reading alone."""

    is_read_only = True

    def __init__(self, path: Path) -> None:
        self.path = path
        address = f"file:{quote(str(path.absolute()))}?mode=ro"
        try:
            self._connection = sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)
        except sqlite3.Error as error:
            raise self._unreadable(error) from error
        try:
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as error:
            self._connection.close()
            raise self._unreadable(error) from error
        if version != SCHEMA_VERSION:
            self._connection.close()
            raise CorpusError(
                f"{path}: of another version of ilspfc; `scrapy reindex {path.parent}`"
            )


@contextmanager
def read_corpus(root: Path, settings: BaseSettings) -> Iterator[Corpus]:
    """Open a corpus for reading; CorpusError where there is none."""
    files = CorpusFiles(root).require()
    with IndexReader(files.index) as index:
        yield Corpus(files, index, Bitext(index), settings, index.last_run())
