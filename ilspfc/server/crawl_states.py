"""States of the crawlers of a corpus, as these write them from time to time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ilspfc.corpus.files import CorpusFiles
from ilspfc.report.manifest import read_json


def read_states(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names of the crawlers of a corpus, empty for a single one, and their states."""
    files = CorpusFiles(root)
    for path in (files.status, *sorted(files.parts.glob(f"*/{files.status.name}"))):
        if state := read_json(path):
            yield ("" if path == files.status else path.parent.name), state
