"""HTTP ``Link`` header: versions and licenses of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag

from ilspfc.web.address import Addresses, is_other_scheme

RSL_TYPE = "application/rsl+xml"
# More than servers and clients let pass.
MAX_HEADER_CHARS = 65_536

_GAP_RE = re.compile(r"[\s,]*")
_TARGET_RE = re.compile(r"<([^<>]*)>")
# A parameter (RFC 8288, appendix B.3): tokens end at a separator; quoted strings may hold
# separators and lack their end.
_PARAMETER_RE = re.compile(
    r"[\s;]*([^\s=;,\"]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*+)(?:\"|\\?\Z)|([^\s;,\"]*)))?",
    re.DOTALL,
)
_END_RE = re.compile(r"[\s;]*(?:,|\Z)")
# A malformed link up to its final comma.
_REST_RE = re.compile(r"(?:\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)|[^\",])*+,?", re.DOTALL)
_HOSTLESS_RE = re.compile(r"https?:(?!//[^/?#])", re.IGNORECASE)
_ESCAPE_RE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HeaderLink:
    """Link of a Link header (RFC 8288, section 3).

    ``url`` is absolute; ``rel`` holds the relation types in lower case, ``hreflang`` the
    languages of the target as written. ``anchor`` is the absolute URL of the source page,
    by default that of the response.
    """

    url: str
    rel: tuple[str, ...]
    hreflang: tuple[str, ...]
    anchor: str
    media_type: str = ""


def alternates(value: str, addresses: Addresses) -> tuple[tuple[str, str], ...]:
    """Return the declared versions of a page: hreflang as written and http(s) URL.

    A link with several languages (RFC 8288, section 3.4.1) gives one version each; links
    of another page (``anchor``) give none. ``addresses`` resolves URLs and counts unusable
    ones.

    >>> alternates('</it/>; rel=alternate; hreflang=it', Addresses("http://example.org/de/"))
    (('it', 'http://example.org/it/'),)
    """
    versions = (
        (lang, link.url)
        for link in _iter_own_links(value, addresses, "alternate")
        for lang in link.hreflang
    )
    return tuple(dict.fromkeys(versions))


def licenses(value: str, addresses: Addresses) -> tuple[str, ...]:
    """Return the URLs of the licenses of a page (RFC 4946).

    Licenses of RSL are left out: they are read with the opt-outs.

    >>> licenses('<https://a.org/by>; rel="license"', Addresses("http://example.org/"))
    ('https://a.org/by',)
    """
    links = _iter_own_links(value, addresses, "license")
    urls = (link.url for link in links if link.media_type != RSL_TYPE)
    return tuple(dict.fromkeys(urls))


def _iter_own_links(
    value: str, addresses: Addresses, relation: str
) -> Iterator[HeaderLink]:
    """Yield the http(s) links of a relation type that start from the page itself."""
    own = urldefrag(addresses.base)[0]
    for link in iter_links(value, addresses):
        is_web = link.url.lower().startswith(("http://", "https://"))
        if is_web and relation in link.rel and urldefrag(link.anchor)[0] == own:
            yield link


def iter_links(value: str, addresses: Addresses) -> Iterator[HeaderLink]:
    """Yield the links of a Link header, by RFC 8288, section 3 and appendix B.2.

    ``value`` is the field value; those of several headers are joined by commas. Links that
    are malformed or without a relation are left out. Relative URLs refer to the base of
    ``addresses``, the URL of the response.

    >>> header = '</de,a>; rel="alternate"; hreflang=de, <bad, </b>'
    >>> links = iter_links(header, Addresses("http://x.org/"))
    >>> [(link.url, link.rel) for link in links]
    [('http://x.org/de,a', ('alternate',))]
    """
    value, position = value[:MAX_HEADER_CHARS], 0
    while (position := _end_of(_GAP_RE, value, position)) < len(value):
        target = _TARGET_RE.match(value, position)
        if target is not None:
            parameters, position = _read_parameters(value, target.end())
            end = _END_RE.match(value, position)
            if end is not None and (
                link := _make_link(target[1], parameters, addresses)
            ):
                yield link
        position = _end_of(_REST_RE, value, position)


def _end_of(pattern: re.Pattern[str], value: str, position: int) -> int:
    """Return the end of the match at a position."""
    match = pattern.match(value, position)
    return match.end() if match else len(value)


def _read_parameters(value: str, position: int) -> tuple[list[tuple[str, str]], int]:
    """Return the parameters at a position, and their end."""
    parameters = []
    while (match := _PARAMETER_RE.match(value, position)) is not None:
        name, quoted, token = match.groups()
        text = _ESCAPE_RE.sub(r"\1", quoted) if quoted is not None else token
        parameters.append((name.lower(), text or ""))
        position = match.end()
    return parameters, position


def _make_link(
    target: str, parameters: list[tuple[str, str]], addresses: Addresses
) -> HeaderLink | None:
    """Return a link, None without a relation or a usable URL."""
    # Only hreflang may be repeated: of the others the first counts (section 3.3, 3.2).
    first = dict(reversed(parameters))
    rel = tuple(dict.fromkeys(first.get("rel", "").lower().split()))
    langs = (text.strip() for name, text in parameters if name == "hreflang")
    url, anchor = _resolve(addresses, target), addresses.base
    if "anchor" in first:
        anchor = _resolve(addresses, first["anchor"])
    if not rel or not url or not anchor:
        return None
    media_type = first.get("type", "").partition(";")[0].strip().lower()
    hreflang = tuple(dict.fromkeys(filter(None, langs)))
    return HeaderLink(url, rel, hreflang, anchor, media_type)


def _resolve(addresses: Addresses, reference: str) -> str:
    """Return the absolute URL of a reference without fragment, empty if it is none."""
    reference = reference.strip()
    # A scheme without a host would be taken for a relative URL.
    if _HOSTLESS_RE.match(reference):
        return addresses.read(f"{reference.partition(':')[0]}://")
    return reference if is_other_scheme(reference) else addresses.read(reference)
