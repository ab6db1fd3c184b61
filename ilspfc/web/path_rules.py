"""Path patterns of robots.txt: normalization and longest match.

RFC 9309, sections 2.2.2 and 2.2.3; TDMRep, Content-Usage and Content-Signal use them too.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

_Value = TypeVar("_Value", bound="Hashable")

# Texts are octets as latin-1 characters: one character, one octet.
_HOST_RE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?]*")
_OCTET_RE = re.compile(r"%([0-9A-Fa-f]{2})|[^!-~]|[*$]")
_PATTERN_OCTET_RE = re.compile(r"%([0-9A-Fa-f]{2})|[^!-~]|\$")
# Characters that stay escaped: those special in patterns, and the delimiters of a URL. "/"
# and "?" delimit nothing behind the first "?" and are unescaped there.
_ESCAPED = frozenset("%#$*&+/?")


def octets(text: str) -> str:
    """Return the UTF-8 octets of a text as latin-1 characters."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def path_of(url: str) -> str:
    """Return path and query of a URL, normalized for comparison with patterns.

    Octets that are not printable ASCII are escaped; characters that need no escape are
    unescaped, reserved ones too unless they delimit parts of the URL: by RFC 9309 (2.2.2)
    ``:`` and ``%3A`` are the same. A URL without a path has the path ``/``.

    >>> path_of("http://example.org/%7Ea/é?u=http%3A%2F%2Fb#top")
    '/~a/%C3%A9?u=http://b'
    """
    rest = octets(url).partition("#")[0]
    if (host := _HOST_RE.match(rest)) is not None:
        rest = rest[host.end() :]
    return _spell(rest if rest.startswith("/") else f"/{rest}", _OCTET_RE)


def _spell(text: str, octet_re: re.Pattern[str]) -> str:
    if octet_re.search(text) is None:
        return text
    path, mark, query = octet_re.sub(_spell_octet, text).partition("?")
    if mark:
        query = query.replace("%2F", "/").replace("%3F", "?")
    return path + mark + query


def _spell_octet(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16)) if match[1] else match[0]
    if "!" <= char <= "~" and char not in _ESCAPED:
        return char
    return f"%{ord(char):02X}"


class PathPattern:
    """Pattern for paths: a prefix in which ``*`` is any text and a final ``$`` the end.

    ``text`` is the pattern in the file, as octets; ``length`` its rank: the number of its
    normalized octets. Matching takes time linear in pattern and path.
    """

    __slots__ = ("_anchored", "_parts", "length", "longest_part", "prefix")

    def __init__(self, text: str) -> None:
        self._anchored = text.endswith("$")
        spelled = _spell(text.removesuffix("$"), _PATTERN_OCTET_RE)
        self.length = len(spelled) + self._anchored
        if "**" in spelled:
            spelled = re.sub(r"\*+", "*", spelled)
        self._parts = spelled.split("*")
        # The longest text that every matching path contains.
        self.longest_part = max(self._parts, key=len)
        # None for a pattern with a wildcard or an end.
        self.prefix = spelled if len(self._parts) == 1 and not self._anchored else None

    def matches(self, path: str) -> bool:
        """Test whether a path matches that :func:`path_of` has normalized."""
        parts = self._parts
        if not path.startswith(parts[0]):
            return False
        if len(parts) == 1:
            return not self._anchored or len(path) == len(parts[0])
        position = len(parts[0])
        for part in parts[1:-1]:
            found = path.find(part, position)
            if found < 0:
                return False
            position = found + len(part)
        if self._anchored:
            return len(path) - len(parts[-1]) >= position and path.endswith(parts[-1])
        return path.find(parts[-1], position) >= 0


class PathRules(Generic[_Value]):
    """Values by path pattern, found by the longest match.

    Plain prefixes are looked up by their lengths; of the wildcard patterns only those are
    tried whose longest literal part is in the path.
    """

    def __init__(self, rules: Iterable[tuple[str, _Value]] = ()) -> None:
        self._prefixes: dict[str, list[_Value]] = {}
        self._wildcards: list[tuple[str, PathPattern, _Value]] = []
        for text, value in dict.fromkeys(rules):
            pattern = PathPattern(text)
            if pattern.prefix is not None:
                self._prefixes.setdefault(pattern.prefix, []).append(value)
            else:
                self._wildcards.append((pattern.longest_part, pattern, value))
        self._lengths = sorted(set(map(len, self._prefixes)), reverse=True)

    def longest(self, path: str) -> list[_Value]:
        """Return the values of the longest patterns that match a path.

        ``path`` is normalized by :func:`path_of`. The list is empty where none matches.
        """
        best, values = -1, []
        for length in self._lengths:
            if length <= len(path) and path[:length] in self._prefixes:
                best, values = length, [*self._prefixes[path[:length]]]
                break
        for part, pattern, value in self._wildcards:
            if part in path and pattern.length >= best and pattern.matches(path):
                if pattern.length > best:
                    best, values = pattern.length, []
                values.append(value)
        return values
