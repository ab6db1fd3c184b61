"""Sources of single pages outside of a crawl, and the check that they are pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ilspfc.cleaning.files.formats import sniff_format
from ilspfc.exceptions import ArgumentError

# First bytes of other kinds of files: PDF, PNG, GIF, JPEG, gzip, zip, xz, bzip2, zstd, ELF, RIFF.
_SIGNATURES = (
    *(b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"PK\x03\x04"),
    *(b"\xfd7zXZ", b"BZh", b"\x28\xb5\x2f\xfd", b"\x7fELF", b"RIFF"),
)
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Maximal share of control characters in the beginning of a text.
_LOOKED_AT = 4096
_MAX_CONTROL_SHARE = 0.05
_CONTROLS = bytes(sorted({*range(32), 127} - {*b"\t\n\x0b\f\r\x1b"}))


@dataclass(frozen=True, slots=True)
class PageSource:
    """Place of a page: a file or ``body``. ``name`` is the user's word for the page.

    ``failure`` is the reason for a missing page, empty if there is one.
    """

    name: str
    path: Path | None = None
    body: bytes = b""
    url: str = ""
    content_type: str = ""
    failure: str = ""


def read_source(source: PageSource, formats: Sequence[str]) -> tuple[bytes, str]:
    """Return the bytes of a page and its format, which is empty for HTML and text.

    ``formats`` are read beside these. ArgumentError names the reason if it is no page.
    """
    if source.failure:
        raise ArgumentError(f"{source.name}: {source.failure}")
    body = source.body
    if source.path is not None:
        if source.path.is_dir():
            raise ArgumentError(
                f"{source.name}: a folder; give its files, or list them in a file for"
                " --files-from"
            )
        try:
            body = source.path.read_bytes()
        except OSError as error:
            raise ArgumentError(
                f"{source.name}: cannot be read ({error.strerror or error})"
            ) from error
    if not body.strip():
        raise ArgumentError(f"{source.name}: empty")
    name = sniff_format(body)
    if name is not None and name in formats:
        return body, name
    if _is_binary(body):
        raise ArgumentError(f"{source.name}: a binary file, neither HTML nor text")
    return body, ""


def _is_binary(body: bytes) -> bool:
    if body.startswith(_SIGNATURES):
        return True
    beginning = body[:_LOOKED_AT]
    controls = len(beginning) - len(beginning.translate(None, _CONTROLS))
    is_text = controls <= _MAX_CONTROL_SHARE * len(beginning)
    return not is_text and not body.startswith(_UTF_16_MARKS)
