"""Files of a folder as the archive of a crawl, at made-up addresses (offline, as ILSP-FC's)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urldefrag

from ilspfc.cleaning.files.formats import FORMATS
from ilspfc.corpus.warc.lookup import ArchivedResponse
from ilspfc.exceptions import ArgumentError
from ilspfc.web.urls import canonicalize

# Reserved for names that must not exist (RFC 6761, section 6.4): nothing can be asked for there.
FOLDER_URL = "http://folder.invalid/"

_PAGE_TYPES = {
    **dict.fromkeys(("html", "htm", "xhtml", "shtml"), "text/html"),
    "txt": "text/plain",
    **{one.suffix: one.media_types[0] for one in FORMATS.values()},
}
# A rule for crawlers, no page of its own.
_ROBOTS = Path("robots.txt")


class FolderArchive:
    """HTML, text, PDF and Word files of a folder and its subfolders, by made-up URLs.

    The URL of a file is its path in the folder below :data:`FOLDER_URL`, so that relative
    links lead from file to file, and a document has the same identity wherever the folder
    is. Only files of ``media_types`` are read; the suffix tells the type.
    """

    def __init__(self, folder: Path, media_types: Iterable[str]) -> None:
        self._folder = folder
        self._media_types = frozenset(media_types)
        self._files: dict[str, tuple[Path, str]] = {}
        self.counts: Counter[str] = Counter()

    def index(self) -> None:
        """Find the files; OSError where the folder cannot be read."""
        for path in sorted(self._folder.rglob("*")):
            kind = _PAGE_TYPES.get(path.suffix[1:].lower(), "")
            place = path.relative_to(self._folder)
            if kind in self._media_types and place != _ROBOTS and path.is_file():
                url = FOLDER_URL + quote(os.fsencode(place.as_posix()))
                self._files.setdefault(canonicalize(url), (path, kind))
        self.counts["file"] = len(self._files)

    def __contains__(self, url: str) -> bool:
        return canonicalize(url) in self._files

    def pages(self) -> Iterator[str]:
        """Yield the URLs of all files, in the order of their paths."""
        return iter(list(self._files))

    def read(self, url: str, max_bytes: int) -> ArchivedResponse | None:
        """Return a file as an answer with up to ``max_bytes``, None for an unknown URL.

        Raises OSError where the file cannot be read any more.
        """
        path, kind = self._files.get(canonicalize(urldefrag(url).url), (None, ""))
        if path is None:
            return None
        with path.open("rb") as file:
            body = file.read(max_bytes + 1)
        headers = ((b"Content-Type", kind.encode()),)
        is_cut = len(body) > max_bytes
        now = datetime.now(UTC)
        return ArchivedResponse(url, now, 200, headers, body[:max_bytes], is_cut)


def find_folder(value: str) -> Path | None:
    """Return the folder of ``-a folder=``, None if none is given.

    ArgumentError for one that is missing or has no file that could be a page.
    """
    if not value:
        return None
    folder = Path(value)
    if not folder.is_dir():
        problem = "a file" if folder.exists() else "no such folder"
        raise ArgumentError(
            f"folder={value}: {problem}; give a folder of HTML, text, PDF or Word files"
        )
    if not any(path.suffix[1:].lower() in _PAGE_TYPES for path in folder.rglob("*")):
        suffixes = ", ".join(f".{suffix}" for suffix in _PAGE_TYPES)
        raise ArgumentError(
            f"folder={value}: no pages in it; files need one of the suffixes {suffixes}"
        )
    return folder
