"""Path patterns of robots.txt and its relatives: one spelling, and the longest match.

RFC 9309 sections 2.2.2 and 2.2.3; TDMRep, Content-Usage and Content-Signal take them over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

_Value = TypeVar("_Value", bound="Hashable")

# Text here is octets in the guise of characters (latin-1): one character, one octet.
_HOST_RE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?]*")
_OCTET_RE = re.compile(r"%([0-9A-Fa-f]{2})|[^!-~]|[*$]")
_PATTERN_OCTET_RE = re.compile(r"%([0-9A-Fa-f]{2})|[^!-~]|\$")
# What stays escaped: the special characters of patterns and what divides a URL. "/" and "?"
# divide nothing behind the first "?", so there they are read back too.
_ESCAPED = frozenset("%#$*&+/?")
# A wildcard pattern is filed under its longest literal part; of longer ones so many
# characters count.
_KEY_SIZES = (48, 32, 24)

# More wildcard patterns are not tried for one path: only a file that is made to hold
# crawlers up has so many that share a long piece with a URL.
MAX_TRIED = 5000


class TooManyPatternsError(ValueError):
    """More than ``MAX_TRIED`` patterns would have to be tried for one path."""


def octets(text: str) -> str:
    """Return the UTF-8 octets of a text, each as one character."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def path_of(url: str) -> str:
    """Return path and query of a URL in the one spelling that patterns are compared with.

    Octets that are not printable ASCII are escaped; escapes of characters that need none
    are read back, those of reserved characters too unless they divide the URL: RFC 9309
    (2.2.2) makes ``:`` and ``%3A`` the same. A URL without a path has the path ``/``.

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
    """A pattern for paths: a prefix in which ``*`` is any text and a last ``$`` the end.

    ``text`` is what the file has, as octets; ``length`` is the rank of the pattern, in
    octets of its one spelling. Matching takes time linear in pattern and path.
    """

    __slots__ = ("_anchored", "_parts", "length", "literal")

    def __init__(self, text: str) -> None:
        self._anchored = text.endswith("$")
        spelled = _spell(text.removesuffix("$"), _PATTERN_OCTET_RE)
        self.length = len(spelled) + self._anchored
        if "**" in spelled:
            spelled = re.sub(r"\*+", "*", spelled)
        self._parts = spelled.split("*")
        # The pattern itself where it is a plain prefix, else None.
        self.literal = spelled if len(self._parts) == 1 and not self._anchored else None

    @property
    def key(self) -> str:
        """A piece of text that every matching path has, as distinctive as can be."""
        part = max(self._parts, key=len)
        if len(part) <= _KEY_SIZES[-1]:
            return part
        return part[: next(size for size in _KEY_SIZES if size <= len(part))]

    def matches(self, path: str) -> bool:
        """Return whether a path, spelled by :func:`path_of`, matches."""
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
    """Values by path pattern, found by the longest match, fast for many thousand rules.

    Plain prefixes are looked up by their lengths. A wildcard pattern is tried where its
    longest literal part stands in the path.
    """

    def __init__(self, rules: Iterable[tuple[str, _Value]] = ()) -> None:
        self._values: dict[str, list[_Value]] = {}
        for text, value in dict.fromkeys(rules):
            if text in self._values:
                self._values[text].append(value)
            else:
                self._values[text] = [value]
        # By spelled prefix or by key, the texts of patterns. Wildcard patterns are made
        # when they are first tried: most never are.
        self._literal: dict[str, list[str]] = {}
        self._wild: dict[str, list[str]] = {}
        self._patterns: dict[str, PathPattern] = {}
        for text in self._values:
            pattern = PathPattern(text)
            if pattern.literal is None:
                self._wild.setdefault(pattern.key, []).append(text)
            else:
                self._literal.setdefault(pattern.literal, []).append(text)
        self._lengths = sorted({len(prefix) for prefix in self._literal}, reverse=True)
        self._key_chars = sorted({len(key) for key in self._wild})

    def longest(self, path: str) -> list[_Value]:
        """Return the values of the patterns that match a path and are the longest.

        ``path`` is spelled by :func:`path_of`. The list is empty where none matches. Raises
        TooManyPatternsError where the patterns are made to hold crawlers up.
        """
        best, texts = self._longest_prefix(path)
        for text, pattern in self._iter_wild(path):
            if pattern.length < best or not pattern.matches(path):
                continue
            if pattern.length > best:
                best, texts = pattern.length, []
            texts.append(text)
        return [value for text in texts for value in self._values[text]]

    def _longest_prefix(self, path: str) -> tuple[int, list[str]]:
        for length in self._lengths:
            if length <= len(path) and path[:length] in self._literal:
                return length, list(self._literal[path[:length]])
        return -1, []

    def _iter_wild(self, path: str) -> Iterator[tuple[str, PathPattern]]:
        """Yield the wildcard patterns that may match a path."""
        tried = 0
        for size in self._key_chars:
            starts = range(max(len(path) - size + 1, 0))
            for key in dict.fromkeys(path[start : start + size] for start in starts):
                for text in self._wild.get(key, ()):
                    tried += 1
                    if tried > MAX_TRIED:
                        raise TooManyPatternsError(
                            f"more than {MAX_TRIED} for {path!r}"
                        )
                    if text not in self._patterns:
                        self._patterns[text] = PathPattern(text)
                    yield text, self._patterns[text]
