"""Addresses: parsing and validation of URLs where they are found.

Addresses of pages, headers, sitemaps and users may be broken in many ways. They are parsed
here, once; an address that cannot be requested is refused with a reason, so that no other
code needs to expect it.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple
from unicodedata import bidirectional
from urllib.parse import SplitResult, quote, unquote, urlsplit

from idna import check_bidi, check_initial_combiner, uts46_remap, valid_contextj

# "This value must be less than 2,048 characters" (sitemaps.org, XML tag definitions).
MAX_URL_CHARS = 2_048
# RFC 1035, section 2.3.4, without the length octets.
MAX_HOST_CHARS = 253
_MAX_LABEL_CHARS = 63
_CACHED_HOSTS = 1 << 14

_WEB_SCHEMES = frozenset({"http", "https"})
_OTHER_SCHEME_RE = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
# What stands before and behind an address or breaks it, and is left out (URL Standard, 4.4).
_MARGIN = "".join(map(chr, range(33)))
_BREAKS_RE = re.compile(r"[\t\n\r]")
_SCHEME_RE = re.compile(r"https?(?=:)", re.IGNORECASE)
_JOINERS = "\u200c\u200d"
_PARTS_RE = re.compile(r"([^/?#]*//[^/?#]*)([^?#]*)((?:\?[^#]*)?)")
_USER_RE = re.compile(r"(?:[^/?]*@)?")
_DOTTED_RE = re.compile(r"/(?:\.|%2e){1,2}(?:/|\Z)", re.IGNORECASE)
_DOT_RE = re.compile(r"%2e", re.IGNORECASE)
_IPV6_RE = re.compile(r"\[[^\[\]%]*\](?::\d*)?")
# Forbidden domain code points (URL Standard, section 3.2).
_FORBIDDEN_RE = re.compile(r"[\x00-\x20#%/:<>?@\[\\\]^|\x7f]")
# A number of an IPv4 address, in whatever base; a host whose last label is one is an address.
_NUMBER_RE = re.compile(r"[0-9]+|0x[0-9a-f]*")
# What w3lib, and so Scrapy, does not quote: a URL has the length with which it is asked for.
_UNQUOTED = "%:/?#[]@!$&'()*+,;=|"

# What templates print in the place of an address that they do not have.
_NO_VALUES = ("None", "undefined", "null", "NaN", "[object Object]")

_NAME = (
    r"(?=[A-Za-z0-9.-]{1,253}(?:[/?]|\Z))(?:[A-Za-z0-9-]{1,63}\.)*"
    r"(?![0-9])[A-Za-z0-9-]{1,63}"
)
# What stays as it is: an address with neither parameters nor fragment, and a path from the
# root, or from the folder of the page, without "." and "..".
_PLAIN = r"[\w/~%=&+,.-]*(?:\?[\w/~%=&+,.-]+)?"
_DOTS = r"[^?]*/(?:\.|%2[eE])"
_PLAIN_URL_RE = re.compile(rf"https?://{_NAME}(?:(?!{_DOTS})/{_PLAIN})?", re.ASCII)
_PLAIN_PATH_RE = re.compile(rf"(?!//|{_DOTS})/{_PLAIN}", re.ASCII)
_PLAIN_NAME_RE = re.compile(
    rf"(?!(?:{'|'.join(map(re.escape, _NO_VALUES))})\Z|\Z|[/.?]|%2[eE]|{_DOTS}){_PLAIN}",
    re.ASCII,
)
_ORIGIN_RE = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?=[/?#]|\Z)")


class AddressReason(StrEnum):
    """Reasons for which an address is unusable; ``OTHER_SCHEME`` is not counted as a loss."""

    OTHER_SCHEME = "other_scheme"
    LENGTH = "address_length"
    HOST = "address_host"
    PORT = "address_port"
    CHARACTERS = "address_characters"
    NO_VALUE = "address_no_value"


_WORDS = {
    AddressReason.OTHER_SCHEME: "it does not begin with http:// or https:// and a host",
    AddressReason.LENGTH: f"it has {MAX_URL_CHARS:,} characters or more",
    AddressReason.HOST: "it has no host, or one that no name or address is written like",
    AddressReason.PORT: "its port is none",
    AddressReason.CHARACTERS: "it has half a character (a lone surrogate)",
    AddressReason.NO_VALUE: "a program printed it for no value",
}


class AddressError(ValueError):
    """Unusable address."""

    def __init__(self, url: str, reason: AddressReason) -> None:
        super().__init__(f"{url[:200]!r} is no http(s) URL: {_WORDS[reason]}")
        self.reason = reason


class Address(NamedTuple):
    """The parts of a usable URL: ``host`` in ASCII, IPv6 without brackets."""

    parts: SplitResult
    host: str
    port: int | None


def split_address(url: str) -> Address:
    """Return the parts of an absolute URL; AddressError for an unusable one.

    >>> split_address("http://straße.de/a").host
    'xn--strae-oqa.de'
    """
    try:
        parts = urlsplit(_turn_slashes(url))
    except ValueError:  # brackets, or characters that stand for those between the parts
        raise AddressError(url, AddressReason.HOST) from None
    if parts.scheme not in _WEB_SCHEMES:
        raise AddressError(url, AddressReason.OTHER_SCHEME)
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise AddressError(url, AddressReason.PORT)
    try:
        place = parts.netloc.rpartition("@")[2]
        # Not parts.hostname: Python's lower() makes a final sigma of a capital one.
        host = (
            _check_ipv6(place) if "[" in place else ascii_host(place.partition(":")[0])
        )
    except ValueError:
        raise AddressError(url, AddressReason.HOST) from None
    try:
        url.encode()
    except UnicodeEncodeError:
        raise AddressError(url, AddressReason.CHARACTERS) from None
    return Address(parts, host, port)


def _turn_slashes(url: str) -> str:
    r"""Return a URL with slashes for backslashes, as browsers and Scrapy read it.

    Python would read ``http://a.org\\@b.org/`` as a URL of the host that is asked last.
    """
    if "\\" not in url:
        return url
    path, mark, query = url.partition("?")
    return path.replace("\\", "/") + mark + query


def _check_ipv6(place: str) -> str:
    if not _IPV6_RE.fullmatch(place):
        raise ValueError(place)
    return str(IPv6Address(place[1 : place.index("]")]))


@lru_cache(_CACHED_HOSTS)
def _map_host(host: str) -> str:
    """Return a host as UTS 46 maps it, without transition, each label in Punycode.

    As in browsers: no letter is left out that IDNA 2008 knows (``ß``), and symbols pass;
    ValueError for what no name may contain (UTS 46, section 4.1, criteria 4 and 6 to 9).
    """
    name = uts46_remap(unquote(host), std3_rules=False)
    labels = name.split(".")
    is_bidi = any(bidirectional(char) in {"R", "AL", "AN"} for char in name)
    for label in labels:
        if is_bidi and label:
            check_bidi(label, check_ltr=True)
        if not label.isascii():
            check_initial_combiner(label)
            joiners = [place for place, char in enumerate(label) if char in _JOINERS]
            is_joined = all(valid_contextj(label, place) for place in joiners)
            if label.startswith("xn--") or not is_joined:
                raise ValueError(label)
    return ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}"
        for label in labels
    )


def ascii_host(host: str) -> str:
    """Return the normalized host name: ASCII, lower case, without a final dot.

    Raises ValueError for what is none (URL Standard, section 3.5; RFC 1035, 2.3.4).

    >>> ascii_host("STRASSE.de."), ascii_host("straße.de"), ascii_host("0x7f.1")
    ('strasse.de', 'xn--strae-oqa.de', '127.0.0.1')
    """
    # Bounded before the work: Punycode takes the square of the length.
    if len(host) > MAX_HOST_CHARS + 1:
        raise ValueError(f"a host of {len(host)} characters")
    name = host.lower() if host.isascii() and "%" not in host else _map_host(host)
    name = name.removesuffix(".")
    is_short = all(0 < len(label) <= _MAX_LABEL_CHARS for label in name.split("."))
    if not is_short or len(name) > MAX_HOST_CHARS or _FORBIDDEN_RE.search(name):
        raise ValueError(f"{host!r} is no host")
    return _read_ipv4(name) if _NUMBER_RE.fullmatch(name.rpartition(".")[2]) else name


def _read_ipv4(name: str) -> str:
    """Return an IPv4 address of one to four numbers, decimal, octal or hexadecimal, in decimal.

    Raises ValueError for what is none (URL Standard, section 3.5, "IPv4 parser").
    """
    numbers = [_read_number(label) for label in name.split(".")]
    *head, last = numbers
    if len(head) > 3 or max(head, default=0) > 255 or last >= 256 ** (4 - len(head)):
        raise ValueError(f"{name!r} is no IPv4 address")
    value = sum(number << 8 * (3 - place) for place, number in enumerate(head))
    return str(IPv4Address(value + last))


def _read_number(label: str) -> int:
    if not _NUMBER_RE.fullmatch(label):  # Python reads more, such as "1_0"
        raise ValueError(f"{label!r} is no number")
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8 if label.startswith("0") else 10)


def is_other_scheme(reference: str) -> bool:
    """Test whether a reference has a scheme, but neither http nor https."""
    return _OTHER_SCHEME_RE.match(reference) is not None


def resolve(base: str, reference: str) -> str:
    """Return the absolute http(s) URL of a reference, without fragment, its host in ASCII.

    ``base`` is a URL that has passed, empty for a seed. Raises AddressError for what cannot be asked for.

    >>> resolve("http://example.org/de/", "../it/#a")
    'http://example.org/it/'
    >>> resolve("http://example.org/", "http://tel:+39061234567")
    Traceback (most recent call last):
    ilspfc.web.address.AddressError: 'http://tel:+39061234567' is no http(s) URL: its port is none
    """
    text = _BREAKS_RE.sub("", reference.strip(_MARGIN))
    if is_other_scheme(text):
        raise AddressError(text, AddressReason.OTHER_SCHEME)
    text = _turn_slashes(text.partition("#")[0])
    if text in _NO_VALUES:
        raise AddressError(text, AddressReason.NO_VALUE)
    if len(text) >= MAX_URL_CHARS:
        raise AddressError(text, AddressReason.LENGTH)
    if _PLAIN_URL_RE.fullmatch(text):
        return text
    url = _join(base, text)
    stem = url.rstrip()
    url = stem + quote(url[len(stem) :])  # a blank at the end is part of the address
    parts, host, port = split_address(url)
    user, at, place = parts.netloc.rpartition("@")
    if not place.isascii() or "%" in place or host.replace(".", "").isdigit():
        place = host if port is None else f"{host}:{port}"
        url = parts._replace(netloc=f"{user}{at}{place}").geturl()
    if len(quote(url, safe=_UNQUOTED)) >= MAX_URL_CHARS:
        raise AddressError(url, AddressReason.LENGTH)
    return url


def _join(base: str, text: str) -> str:
    """Return the URL of a reference (URL Standard, section 4.4, for http and https)."""
    origin, path, query = _split(base)
    scheme = origin.partition(":")[0]
    if named := _SCHEME_RE.match(text):
        text = text[named.end() + 1 :]
        if named[0].lower() != scheme.lower():
            scheme, text = named[0].lower(), f"//{text}"
    if text.startswith("//"):
        text = text.lstrip("/")
        user = text[: _USER_RE.match(text).end()]  # type: ignore[union-attr]
        rest = text.removeprefix(user)
        user = user.replace("[", "%5B").replace("]", "%5D")
        origin, path, query = _split(f"{scheme}://{user}{rest}")
    elif text:
        own, mark, rest = text.partition("?")
        query = mark + rest
        if own:
            folder = "" if own.startswith("/") else path[: path.rfind("/") + 1]
            path = folder + own
            if origin and not path.startswith("/"):
                path = f"/{path}"
    return f"{origin}{resolve_dots(path)}{query if query != '?' else ''}"


def _split(url: str) -> tuple[str, str, str]:
    """Return a URL up to its host, its path and its query with the mark."""
    match = _PARTS_RE.match(url)
    return (match[1], match[2], match[3]) if match else (url, "", "")


def resolve_dots(path: str) -> str:
    """Return a path without ``.`` and ``..`` segments (URL Standard, section 4.4).

    >>> resolve_dots("/a/./b/%2E%2e/../c"), resolve_dots("/a/..")
    ('/c', '/')
    """
    if not _DOTTED_RE.search(path):
        return path
    kept: list[str] = []
    segments = _DOT_RE.sub(".", path).split("/")
    for segment in segments:
        if segment == "..":
            if len(kept) > 1:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/".join(kept) or "/"


class Addresses:
    """Resolver of the addresses of one page, with a cache; unusable ones are counted.

    ``base`` is the URL that relative addresses refer to.
    """

    def __init__(self, base: str) -> None:
        self._set_base(base)
        self._known: dict[str, str] = {}
        self._unusable: dict[str, AddressReason] = {}

    @property
    def unusable(self) -> Counter[str]:
        """Numbers of unusable addresses by reason."""
        return Counter(map(str, self._unusable.values()))

    def rebase(self, reference: str) -> None:
        """Set the base of relative addresses, if it is usable.

        A host without a scheme is none: browsers take it for a folder, in which there is
        nothing but a trap.
        """
        host = urlsplit(self.base).netloc.lower()
        if reference.strip().lower().startswith(("www.", f"{host}/")):
            return
        if url := self.read(reference):
            self._set_base(url)
            self._known.clear()

    def _set_base(self, url: str) -> None:
        self.base = url
        origin = _ORIGIN_RE.match(url)
        self._origin = origin[0] if origin else ""
        path = url[len(self._origin) :].partition("?")[0] or "/"
        folder = path[: path.rfind("/") + 1]
        is_plain = len(folder) < MAX_URL_CHARS // 4 and _PLAIN_PATH_RE.fullmatch(folder)
        # That of plain names; empty where it has to be looked into.
        self._folder = self._origin + folder if self._origin and is_plain else ""

    def read(self, reference: str) -> str:
        """Return the result of :func:`resolve`, an empty string for an unusable address."""
        if len(reference) < MAX_URL_CHARS // 2:
            plain = reference.partition("#")[0]
            if self._origin and plain.startswith("//"):
                plain = self._origin.partition("//")[0] + plain
            if plain.startswith("http"):
                pattern, start = _PLAIN_URL_RE, ""
            elif plain.startswith("/"):
                pattern, start = _PLAIN_PATH_RE, self._origin
            else:
                pattern, start = _PLAIN_NAME_RE, self._folder
            if (start or pattern is _PLAIN_URL_RE) and pattern.fullmatch(plain):
                return start + plain
            if self._origin and not plain:
                reference = plain  # whatever the fragment
        url = self._known.get(reference)
        if url is None:
            url = self._known[reference] = self._resolve(reference)
        return url

    def _resolve(self, reference: str) -> str:
        try:
            return resolve(self.base, reference)
        except AddressError as error:
            if error.reason is not AddressReason.OTHER_SCHEME:
                self._unusable[reference] = error.reason
            return ""
