"""Where things are in a corpus folder, and writing them so that none is ever half there."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator


class CorpusFiles:
    """The paths of a corpus folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.documents = root / "xml"
        self.duplicates = root / "duplicates"
        self.pairs = root / "pairs"
        self.alignments = root / "cesalign"
        self.index = root / "corpus.db"
        self.frontier = root / "frontier.db"
        self.report = root / "report.html"
        self.stats = root / "stats.json"
        self.manifest = root / "manifest.json"

    def document_name(self, lang: str, identity: str) -> str:
        """Return the name of a document's file: ISO 639-3 code, hyphen, id."""
        return f"{lang}-{identity}.xml"

    def pairs_file(self, source_lang: str, target_lang: str) -> Path:
        """Return the list of pairs of two languages, given as short codes."""
        return self.pairs / f"{source_lang}-{target_lang}.tsv"

    def tmx_file(self, source_lang: str, target_lang: str) -> Path:
        """Return the merged TMX of two languages, given as short codes."""
        return self.root / f"{source_lang}-{target_lang}.tmx"

    def require(self) -> CorpusFiles:
        """Return the paths if there is a corpus; CorpusError otherwise."""
        if not self.index.is_file():
            raise CorpusError(
                f"{self.root}: no corpus there (corpus.db is missing); give the folder"
                " that a crawl wrote, its CORPUS_DIR"
            )
        return self


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes its name only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
