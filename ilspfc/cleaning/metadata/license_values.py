"""The values by which a page tells its licence: links, names, or a text with either."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ilspfc.cleaning.metadata.license_names import (
    MAX_CHARS,
    find_names,
    identify_name,
    identify_url,
    url_of,
)
from ilspfc.web.address import AddressError, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEMELESS_RE = re.compile(r"(?:www\.)?creativecommons\.org/", re.IGNORECASE)


def read_value(text: str, base: str) -> Iterator[tuple[str, str]]:
    """Yield identifier and URL for a text that is a licence's URL, or names some.

    >>> list(read_value("/terms", "https://example.org/a"))
    [('', 'https://example.org/terms')]
    >>> list(read_value("All rights reserved", "https://example.org/a"))
    []
    """
    text = text.strip()
    if not text or len(text) > MAX_CHARS:
        return
    if name := identify_name(text):
        yield name, url_of(name)
    elif " " not in text and text.startswith(("http:", "https:", "/")):
        if url := absolute_url(text, base):
            yield identify_url(url), url
    else:
        yield from find_names(text)


def absolute_url(href: str, base: str) -> str:
    """Return the absolute URL of a link to the web, empty if it leads nowhere else."""
    href = add_scheme(href)
    try:
        url = resolve(base, href) if href.strip("#") else ""
    except AddressError:
        return ""
    return url if len(url) <= MAX_CHARS else ""


def add_scheme(href: str) -> str:
    """Return a link; one to Creative Commons that lacks its scheme gets one."""
    href = href.strip()
    return f"https://{href}" if _SCHEMELESS_RE.match(href) else href
