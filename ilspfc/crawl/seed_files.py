"""The seeds of a crawl: from the command line or a file."""

from __future__ import annotations

import re
from importlib.resources.abc import Traversable
from pathlib import Path

from ilspfc.exceptions import ArgumentError
from ilspfc.web.address import AddressError, resolve

# Does not match the fragment of a URL, which has no blank before it.
_COMMENT_RE = re.compile(r"(?:^|\s)#.*")

# A larger file is no file of seeds: a device, a dump.
_MAX_BYTES = 1 << 28

# URLs on one line: the crawl treats their sites as one.
SeedGroup = tuple[str, ...]


def parse_seeds(value: str) -> tuple[SeedGroup, ...]:
    """Return the seeds of ``-a seeds=``: URLs separated by commas, or a file.

    URLs separated by blanks are a group. ArgumentError names an invalid URL.
    """
    where = f"seeds={value}"
    if "://" not in value:
        return read_seeds(Path(value), where)
    parts = re.split(r",\s*(?=\w+://)", value)
    return tuple(_parse_group(part.strip(" ,"), where) for part in parts)


def read_seeds(source: Traversable, where: str) -> tuple[SeedGroup, ...]:
    """Return the seeds of a file: a URL or a group of URLs a line, ``#`` for comments.

    A comment may also follow URLs, with a blank before its sign.
    """
    try:
        with source.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        lines = data.decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(
            f"{where}: the file cannot be read ({error}); give a UTF-8 file with one URL"
            " a line, or URLs separated by commas"
        ) from error
    if len(data) > _MAX_BYTES:
        raise ArgumentError(
            f"{where}: more than {_MAX_BYTES >> 20} MB; give a UTF-8 file with one URL a line"
        )
    groups = tuple(
        _parse_group(urls, f"{where}, line {number}")
        for number, line in enumerate(lines, 1)
        if (urls := _COMMENT_RE.sub("", line)).strip()
    )
    if not groups:
        raise ArgumentError(f"{where}: no URL in the file; write one a line")
    return groups


def _parse_group(text: str, where: str) -> SeedGroup:
    return tuple(_check_seed(url, where) for url in text.split()) or (
        _check_seed(text, where),
    )


def _check_seed(url: str, where: str) -> str:
    try:
        resolved = resolve("", url)
    except AddressError as error:
        raise ArgumentError(
            f"{where}: {error}; write it as https://www.example.org/"
        ) from error
    return url if url.isascii() else resolved
