"""Look-up of the answers in WARC files by URL."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

import numpy as np

from ilspfc.corpus.warc.reader import (
    DamagedError,
    WarcRecord,
    iter_records,
    join_chunks,
    parse_http,
    read_record,
    read_url,
)

if TYPE_CHECKING:
    from ilspfc.corpus.warc.reader import HttpMessage

# A position: file, offset, whether the answer is a page.
_FILE_SHIFT = 48
_OFFSET_MASK = (1 << _FILE_SHIFT) - 1
# The rank of an answer among those for the same key, above its date in seconds.
_EXACT = 1 << 62
_GOOD = 1 << 61
# Files of a site that are asked for beside its pages.
_SITE_PATHS = frozenset({"/robots.txt", "/sitemap.xml"})
_SITE_FOLDER = "/.well-known/"


@dataclass(frozen=True, slots=True)
class ArchivedResponse:
    """An answer from the archive.

    ``headers`` fit ``body``: chunks and the field that names them are removed.
    ``is_cut`` is whether the body is larger than was asked for.
    """

    url: str
    date: datetime
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    is_cut: bool = False


class WarcArchive:
    """The answers in WARC files, plain or compressed record by record.

    :meth:`index` reads the files once; it keeps 16 bytes for each URL. Of several answers
    for a URL the newest counts, but one that asks to come back (429, 5xx) only where there
    is no other. A URL that is not there is looked for by ``canonicalize``, which raises
    ValueError for what is no URL.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        canonicalize: Callable[[str], str],
        media_types: Iterable[str] = (),
    ) -> None:
        self._paths = tuple(paths)
        self._canonicalize = canonicalize
        self._media_types = frozenset(media_types)
        self._keys = np.empty(0, np.uint64)
        self._positions = np.empty(0, np.uint64)
        # response, revisit and damaged: so many records were read, or passed over.
        self.counts: Counter[str] = Counter()

    def index(self) -> None:
        """Find the answers in the files; OSError where one cannot be read."""
        keys, ranks, positions = array("Q"), array("q"), array("Q")
        for number, path in enumerate(self._paths):
            for record in iter_records(path):
                try:
                    if record is None:
                        raise DamagedError  # noqa: TRY301 - counted in one place
                    for key, rank, is_page in self._entries(record):
                        keys.append(key)
                        ranks.append(rank)
                        place = number << _FILE_SHIFT | record.offset << 1 | is_page
                        positions.append(place)
                except (DamagedError, ValueError):
                    self.counts["damaged"] += 1
        found, order = np.array(keys), np.lexsort((ranks, keys))
        found = found[order]
        is_last = np.append(found[1:] != found[:-1], True)[: len(found)]
        self._keys = found[is_last]
        self._positions = np.array(positions)[order][is_last]

    def _entries(self, record: WarcRecord) -> Iterator[tuple[int, int, int]]:
        """Yield key, rank and whether it is a page, for each spelling of a URL."""
        kind = record.fields.get("warc-type", "")
        if kind == "revisit":
            self.counts["revisit"] += 1
        if kind != "response" or not record.url.startswith(("http://", "https://")):
            return
        message = parse_http(record.block)
        if message.status == 304:  # as good as a revisit record: no content
            self.counts["revisit"] += 1
            return
        url = urldefrag(record.url).url
        canonical = self._canonicalize(url)
        rank = int(record.date.timestamp())
        if message.status != 429 and message.status < 500:
            rank |= _GOOD
        self.counts["response"] += 1
        is_page = self._is_page(url, message)
        yield _hash(url), rank | _EXACT, is_page
        if canonical != url:
            yield _hash(canonical), rank, is_page

    def _is_page(self, url: str, message: HttpMessage) -> bool:
        if not 200 <= message.status < 300:
            return False
        path = urlsplit(url).path
        if path in _SITE_PATHS or path.startswith(_SITE_FOLDER):
            return False
        value = message.header(b"content-type").decode("latin-1")
        media_type = value.split(";", 1)[0].strip().lower()
        return not media_type or media_type in self._media_types

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, url: str) -> bool:
        return self._find(url) is not None

    def _find(self, url: str) -> int | None:
        """Return the position of the answer for a URL."""
        url = urldefrag(url).url
        for spelling in dict.fromkeys((url, self._canonicalize(url))):
            key = np.uint64(_hash(spelling))
            place = int(np.searchsorted(self._keys, key))
            if place < len(self._keys) and self._keys[place] == key:
                return int(self._positions[place])
        return None

    def pages(self) -> Iterator[str]:
        """Yield the URLs of the pages of the media types, in the order of the files."""
        for position in np.unique(self._positions[self._positions & np.uint64(1) == 1]):
            path, offset = self._locate(int(position))
            yield read_url(path, offset)

    def answers(self) -> Iterator[tuple[str, bool]]:
        """Yield URL and whether it is a page of each answer, in the order of the files."""
        for position in np.unique(self._positions):
            path, offset = self._locate(int(position))
            yield read_url(path, offset), bool(position & np.uint64(1))

    def _locate(self, position: int) -> tuple[Path, int]:
        path = self._paths[position >> _FILE_SHIFT]
        return path, (position & _OFFSET_MASK) >> 1

    def read(self, url: str, max_bytes: int) -> ArchivedResponse | None:
        """Return the answer for a URL, None if it is not archived.

        At most ``max_bytes`` of the body as it was transferred are read. Raises OSError
        where the file cannot be read any more.
        """
        position = self._find(url)
        if position is None:
            return None
        path, offset = self._locate(position)
        record = read_record(path, offset, max_bytes)
        if self._canonicalize(record.url) != self._canonicalize(url):
            return None  # two URLs with one hash
        message = parse_http(record.block)
        headers, body = _decode_transfer(message, record.block[message.body_start :])
        is_cut = record.length > len(record.block) or len(body) > max_bytes
        return ArchivedResponse(
            record.url, record.date, message.status, headers, body[:max_bytes], is_cut
        )


def _decode_transfer(
    message: HttpMessage, body: bytes
) -> tuple[tuple[tuple[bytes, bytes], ...], bytes]:
    """Return the header fields and the body of a message without its transfer coding.

    A Content-Encoding goes too where the writer undid it and left the field.
    """
    gone = {b"transfer-encoding"}
    if b"chunked" in message.header(b"transfer-encoding").lower():
        body = join_chunks(body)
    encoding = message.header(b"content-encoding").strip().lower()
    if encoding in {b"gzip", b"x-gzip"} and not body.startswith(b"\x1f\x8b"):
        gone.add(b"content-encoding")
    kept = (
        (name, value) for name, value in message.headers if name.lower() not in gone
    )
    return tuple(kept), body


def _hash(url: str) -> int:
    """Return a 64-bit hash that is the same in every process."""
    data = url.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest())
