"""Reader of WARC files by any writer."""

from __future__ import annotations

import mmap
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

Data = mmap.mmap | bytes


MAGIC = b"\x1f\x8b\x08"
# So that a member that inflates a thousandfold takes 16 MB at a time, no more.
_CHUNK_BYTES = 16 * 1024
_PIECE_BYTES = 256 * 1024
_GZIP_WINDOW_BITS = 16 + zlib.MAX_WBITS


class DamagedError(Exception):
    """A member or a record is damaged: it has no valid head, or no end."""


@dataclass(frozen=True, slots=True)
class Member:
    """A gzip member: its first bytes inflated, its inflated size, where it ends."""

    head: bytes
    size: int
    end: int


@contextmanager
def map_file(path: Path) -> Iterator[Data]:
    """Map a file for reading at any place; OSError if that fails."""
    with path.open("rb") as file:
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            yield b""
            return
        with data:
            yield data


def read_member(data: Data, offset: int, keep_bytes: int) -> Member:
    """Return the member at ``offset``, with its first ``keep_bytes`` inflated.

    The member is read to its end and its checksum verified. Raises DamagedError.
    """
    inflater = zlib.decompressobj(_GZIP_WINDOW_BITS)
    head, size, position = bytearray(), 0, offset
    piece = b""
    while not inflater.eof:
        chunk = inflater.unconsumed_tail
        if not chunk and len(piece) < _PIECE_BYTES:
            chunk = data[position : position + _CHUNK_BYTES]
            position += len(chunk)
            if not chunk:
                raise DamagedError(f"the member at {offset} has no end")
        try:
            piece = inflater.decompress(chunk, _PIECE_BYTES)
        except zlib.error as error:
            raise DamagedError(f"the member at {offset}: {error}") from error
        size += len(piece)
        head += piece[: max(0, keep_bytes - len(head))]
    return Member(bytes(head), size, position - len(inflater.unused_data))


def whole_bytes(path: Path) -> int:
    """Return the size of the whole members that a file begins with."""
    end = 0
    with map_file(path) as data:
        while end < len(data):
            try:
                end = read_member(data, end, 0).end
            except DamagedError:
                break
    return end


# The heads of a record, its own and that of the HTTP message in it, end within.
HEAD_BYTES = 64 * 1024
# Two line ends follow a block; some writers add more.
_MAX_BLANK_BYTES = 16
_VERSION_RE = re.compile(rb"WARC/(?:1\.[01]|0\.1[78])[ \t]*\r?\n")
_STATUS_RE = re.compile(rb"HTTP/\d(?:\.\d)? +(\d{3})(?!\d)")
_HEAD_END_RE = re.compile(rb"\r?\n\r?\n")
_CHUNK_RE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """A record at ``offset`` of its file.

    ``fields`` are its named fields with names in lower case, ``block`` the beginning of
    its block, ``length`` the size of the whole block in bytes.
    """

    offset: int
    fields: dict[str, str]
    block: bytes
    length: int

    @property
    def url(self) -> str:
        """The target's URI; wget 1.19 sets it in angle brackets."""
        return self.fields.get("warc-target-uri", "").strip("<>")

    @property
    def payload_digest(self) -> str:
        """Digest of the payload as the record names it, empty where it does not."""
        own = self.fields.get("warc-payload-digest", "")
        return own or self.fields.get("warc-block-digest", "") * self.is_resource

    @property
    def is_resource(self) -> bool:
        """True if the block is the payload alone, without an HTTP header (section 6.4)."""
        return self.fields.get("warc-type") == "resource"

    def read_message(self) -> HttpMessage:
        """Return the response that the block begins with; DamagedError if there is none.

        A resource is a good answer of its media type.
        """
        if not self.is_resource:
            return parse_http(self.block)
        named = self.fields.get("content-type", "").encode("latin-1", "replace")
        return HttpMessage(200, ((b"Content-Type", named),) if named else (), 0)

    @property
    def date(self) -> datetime:
        """Return the date of the answer; DamagedError if the record has none."""
        try:
            date = datetime.fromisoformat(self.fields.get("warc-date", ""))
        except ValueError as error:
            raise DamagedError(f"{self.url}: {error}") from error
        return date if date.tzinfo else date.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class HttpMessage:
    """A response in a block: status, header fields, and where its body begins."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body_start: int

    def header(self, name: bytes) -> bytes:
        """Return the value of a field by its lower-case name, empty where it is missing."""
        return next((v for n, v in self.headers if n.lower() == name), b"")


def iter_records(path: Path) -> Iterator[WarcRecord | None]:
    """Yield the records of a file, with the beginning of each block.

    None stands for a stretch in which no record can be read; the next readable one
    follows. Raises OSError where the file cannot be read.
    """
    with map_file(path) as data:
        is_compressed = data[: len(MAGIC)] == MAGIC
        read = _read_compressed if is_compressed else _read_plain
        offset, is_damaged = 0, False
        while 0 <= offset < len(data):
            try:
                record, offset = read(data, offset, HEAD_BYTES)
            except DamagedError:
                if not is_damaged:
                    yield None
                is_damaged = True
                offset = _next_start(data, offset, is_compressed=is_compressed)
            else:
                is_damaged = False
                yield record


def read_record(path: Path, offset: int, max_bytes: int) -> WarcRecord:
    """Return the record at ``offset`` with up to ``max_bytes`` of its block.

    Raises DamagedError where there is none, OSError where the file cannot be read.
    """
    with map_file(path) as data:
        return parse_record(data, offset, max_bytes)


def parse_record(data: Data, offset: int, max_bytes: int) -> WarcRecord:
    """Return the record at ``offset`` with up to ``max_bytes`` of its block; DamagedError."""
    is_compressed = data[: len(MAGIC)] == MAGIC
    read = _read_compressed if is_compressed else _read_plain
    return read(data, offset, max_bytes + HEAD_BYTES)[0]


def find_problem(path: Path) -> str:
    """Return the problem of a file whose records cannot be read, empty without one."""
    try:
        with map_file(path) as data:
            if data[: len(MAGIC)] != MAGIC:
                _read_plain(data, 0, HEAD_BYTES)
                return ""
            inflater = zlib.decompressobj(_GZIP_WINDOW_BITS)
            head = inflater.decompress(data[:_CHUNK_BYTES], HEAD_BYTES)
            _, start, length = _parse_head(head)
            rest = head[start + length :].lstrip(b"\r\n")
            if rest.startswith(b"WARC/"):
                return (
                    "it is compressed as a whole, not record by record; `warcio recompress`"
                    " makes a file that can be read at any place"
                )
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except (DamagedError, zlib.error):
        return "it does not begin with a WARC record"
    return ""


def _read_compressed(data: Data, offset: int, keep: int) -> tuple[WarcRecord, int]:
    member = read_member(data, offset, keep)
    fields, start, length = _parse_head(member.head)
    if not 0 <= member.size - start - length <= _MAX_BLANK_BYTES:
        raise DamagedError(f"the record at {offset} is not as long as it says")
    block = member.head[start : start + length]
    return WarcRecord(offset, fields, block, length), member.end


def _read_plain(data: Data, offset: int, keep: int) -> tuple[WarcRecord, int]:
    # No head goes on past the beginning of another: a damaged stretch full of such lines
    # is read once, not once for each of them.
    limit = min(offset + HEAD_BYTES, len(data))
    next_start = data.find(b"\nWARC/", offset, limit)
    fields, start, length = _parse_head(
        data[offset : limit if next_start < 0 else next_start + 1]
    )
    start += offset
    end = start + length
    if end > len(data):
        raise DamagedError(f"the record at {offset} ends too soon")
    block = data[start : min(end, start + keep)]
    while data[end : end + 1] in {b"\r", b"\n"}:
        end += 1
    if end < len(data) and data[end : end + 5] != b"WARC/":
        raise DamagedError(f"no record follows the one at {offset}")
    return WarcRecord(offset, fields, block, length), end


def _parse_head(head: bytes) -> tuple[dict[str, str], int, int]:
    """Return the fields of a record, where its block begins, and the block's length."""
    version, end = _VERSION_RE.match(head), _HEAD_END_RE.search(head)
    if version is None or end is None:
        raise DamagedError("no head of a record")
    lines = head[version.end() : end.start()].splitlines()
    named = _split_fields(lines)
    fields = {
        n.decode("latin-1").lower(): v.decode("utf-8", "replace") for n, v in named
    }
    length = fields.get("content-length", "")
    if not (length.isascii() and length.isdigit()):
        raise DamagedError("no length")
    return fields, end.end(), int(length)


def _split_fields(lines: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
    """Return names and values of header fields; a folded line goes on with the one above."""
    fields: list[tuple[bytes, bytes]] = []
    for line in lines:
        name, colon, value = line.partition(b":")
        if line[:1] in {b" ", b"\t"} and fields:
            fields[-1] = fields[-1][0], fields[-1][1] + b" " + line.strip()
        elif colon and name.strip():
            fields.append((name.strip(), value.strip()))
    return fields


def _next_start(data: Data, offset: int, *, is_compressed: bool) -> int:
    """Return the offset at which the next record may begin, -1 without one."""
    if is_compressed:
        return data.find(MAGIC, offset + 1)
    place = data.find(b"\nWARC/", offset)
    return place + 1 if place >= 0 else -1


def parse_http(block: bytes) -> HttpMessage:
    """Return the response that a block begins with; DamagedError if there is none."""
    status = _STATUS_RE.match(block)
    if status is None:
        raise DamagedError("no HTTP response")
    end = _HEAD_END_RE.search(block)
    head = block[: end.start()] if end else block
    headers = _split_fields(head.split(b"\n")[1:])
    body_start = end.end() if end else len(block)
    return HttpMessage(int(status[1]), tuple(headers), body_start)


def join_chunks(body: bytes) -> bytes:
    r"""Return a chunked body without its chunks (RFC 9112, section 7.1).

    A body whose writer took the chunks out but left the header is returned as it is; one
    that was cut off is returned as far as it goes.

    >>> join_chunks(b"3;x=1\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    b'abcde'
    """
    pieces: list[bytes] = []
    position = 0
    while match := _CHUNK_RE.match(body, position):
        size, start = int(match[1], 16), match.end()
        position = start + size
        if not size:
            return b"".join(pieces)
        is_followed = body[position : position + 1] in {b"\r", b"\n", b""}
        if not is_followed or (not pieces and position > len(body)):
            break
        pieces.append(body[start:position])
        position += 2 if body[position : position + 2] == b"\r\n" else 1
    return b"".join(pieces) if pieces else body
