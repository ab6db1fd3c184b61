"""Formats beside HTML and plain text: their files and their readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from urllib.parse import urlsplit

# Media type of files whose format the server does not know.
UNKNOWN_TYPE = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of documents; ``package`` is its reader, empty for our own."""

    suffix: str
    media_types: tuple[str, ...]
    package: str = ""

    @property
    def is_readable(self) -> bool:
        """Test whether its reader is installed."""
        return not self.package or find_spec(self.package) is not None


FORMATS = {
    "pdf": FileFormat("pdf", ("application/pdf", "application/x-pdf"), "pypdfium2"),
    "docx": FileFormat(
        "docx",
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    ),
}


class UnreadableFileError(Exception):
    """A file is broken, encrypted, or not of the format that it claims."""


class NoReaderError(Exception):
    """The reader of a format is not installed."""


def format_of(media_type: str, url: str, wanted: Iterable[str] = FORMATS) -> str | None:
    """Return the name of a file's format if it is among the wanted, else None.

    >>> format_of("application/pdf", ""), format_of(UNKNOWN_TYPE, "http://a.org/B.PDF?c")
    ('pdf', 'pdf')
    """
    suffix = ""
    if media_type == UNKNOWN_TYPE:
        suffix = urlsplit(url).path.rpartition(".")[2].lower()
    for name in wanted:
        if media_type in FORMATS[name].media_types or suffix == FORMATS[name].suffix:
            return name
    return None


def sniff_format(body: bytes) -> str | None:
    """Return the name of a file's format by its first bytes, None for other formats.

    A Word file is a zip archive with a part of that name, which stands in it as it is.

    >>> sniff_format(b"%PDF-1.7 ..."), sniff_format(b"<html>")
    ('pdf', None)
    """
    if body.startswith(b"%PDF-"):
        return "pdf"
    is_word = body.startswith(b"PK\x03\x04") and b"word/document.xml" in body
    return "docx" if is_word else None


def readable(wanted: Iterable[str]) -> list[str]:
    """Return the wanted formats whose reader is installed."""
    return [name for name in wanted if FORMATS[name].is_readable]


def add_media_types(media_types: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Return media types and those of the wanted formats that can be read."""
    added = (kind for name in readable(wanted) for kind in FORMATS[name].media_types)
    return [*dict.fromkeys((*media_types, *added))]


def remove_suffixes(ignored: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Return suffixes without those of the wanted formats that can be read."""
    suffixes = {FORMATS[name].suffix for name in readable(wanted)}
    return [suffix for suffix in ignored if suffix not in suffixes]
