"""Dictionaries of structured fields (RFC 9651): the form of ``Content-Usage``."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Longer fields are refused; RFC 9651 asks for 1024 members at least (3.2).
MAX_FIELD_CHARS = 64 * 1024

_KEY_RE = re.compile(r"[a-z*][a-z0-9_.*-]*")
_TOKEN_RE = re.compile(r"[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*")
_NUMBER_RE = re.compile(r"-?[0-9]{1,16}(?:\.[0-9]{1,3})?")
_STRING_RE = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"')
_ESCAPE_RE = re.compile(r'\\(["\\])')
_BOOLEAN_RE = re.compile(r"\?([01])")
_BYTES_RE = re.compile(r":([A-Za-z0-9+/=]*):")
_DISPLAY_RE = re.compile(r'%"((?:[ !#$&-~]|%[0-9a-f]{2})*)"')
_MAX_INTEGER_DIGITS = 15
_MAX_DECIMAL_DIGITS = 12


class Token(str):
    """A bare word, told apart from a quoted string (RFC 9651, section 3.3.4)."""

    __slots__ = ()


class Date(int):
    """Seconds since 1970, told apart from a number (RFC 9651, section 3.3.7)."""

    __slots__ = ()


class DisplayString(str):
    """Text beyond ASCII (RFC 9651, section 3.3.8)."""

    __slots__ = ()


BareItem = int | float | str | bytes | bool


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a dictionary: an item, or an inner list of them, with parameters.

    ``value`` is a bare item, or a tuple of members where it is an inner list.
    """

    value: BareItem | tuple[Member, ...]
    parameters: dict[str, BareItem] = field(default_factory=dict)


def parse_dictionary(text: str) -> dict[str, Member]:
    """Return the members of a dictionary by their keys (RFC 9651, section 4.2.2).

    Several field lines are joined by a comma beforehand. Of a key that stands twice the
    last member counts, in the place of the first. Raises ValueError where the syntax is violated: by
    section 4.2 the whole field is then ignored.

    >>> parse_dictionary("train-ai=n, search")
    {'train-ai': Member(value='n', parameters={}), 'search': Member(value=True, parameters={})}
    """
    if len(text) > MAX_FIELD_CHARS:
        raise ValueError(f"a field of {len(text)} characters is too long")
    return _Parser(text.strip(" ")).dictionary()


class _Parser:
    """A reading position in a field; each method reads what it is named after."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def dictionary(self) -> dict[str, Member]:
        members: dict[str, Member] = {}
        while self._at < len(self._text):
            key = self._key()
            members[key] = (
                self._member() if self._skip("=") else Member(True, self._parameters())
            )
            self._blanks(" \t")
            if self._at == len(self._text):
                break
            self._expect(",")
            self._blanks(" \t")
            if self._at == len(self._text):
                raise self._error("a member behind the comma")
        return members

    def _member(self) -> Member:
        return self._inner_list() if self._skip("(") else self._item()

    def _inner_list(self) -> Member:
        items: list[Member] = []
        while True:
            self._blanks(" ")
            if self._skip(")"):
                return Member(tuple(items), self._parameters())
            items.append(self._item())
            if self._peek() not in {" ", ")"}:
                raise self._error("a blank or ) behind an item")

    def _item(self) -> Member:
        return Member(self._bare_item(), self._parameters())

    def _parameters(self) -> dict[str, BareItem]:
        parameters: dict[str, BareItem] = {}
        while self._skip(";"):
            self._blanks(" ")
            key = self._key()
            parameters[key] = self._bare_item() if self._skip("=") else True
        return parameters

    def _bare_item(self) -> BareItem:
        first = self._peek()
        if first in {*"-0123456789"}:
            return self._number()
        readers: dict[str, Callable[[], BareItem]] = {
            '"': self._string,
            ":": self._bytes,
            "?": self._boolean,
            "@": self._date,
            "%": self._display_string,
        }
        return readers.get(first, self._token)()

    def _string(self) -> str:
        return _ESCAPE_RE.sub(r"\1", self._match(_STRING_RE, "a string")[1])

    def _token(self) -> Token:
        return Token(self._match(_TOKEN_RE, "an item")[0])

    def _boolean(self) -> bool:
        return self._match(_BOOLEAN_RE, "a boolean")[1] == "1"

    def _date(self) -> Date:
        self._skip("@")
        number = self._number()
        if isinstance(number, float):
            raise self._error("a date without fraction")
        return Date(number)

    def _number(self) -> int | float:
        text = self._match(_NUMBER_RE, "a number")[0]
        digits = text.removeprefix("-").split(".")
        limit = _MAX_INTEGER_DIGITS if len(digits) == 1 else _MAX_DECIMAL_DIGITS
        if len(digits[0]) > limit or self._peek() in {*"0123456789."}:
            raise self._error("a number of fewer digits")
        return int(text) if len(digits) == 1 else float(text)

    def _bytes(self) -> bytes:
        content = self._match(_BYTES_RE, "bytes in Base64")[1].rstrip("=")
        try:
            return b64decode(content + "=" * (-len(content) % 4), validate=True)
        except binascii.Error as error:
            raise self._error("bytes in Base64") from error

    def _display_string(self) -> DisplayString:
        escaped = self._match(_DISPLAY_RE, "a display string")[1]
        octets = re.sub(
            rb"%(..)", lambda match: bytes.fromhex(match[1].decode()), escaped.encode()
        )
        return DisplayString(octets.decode("utf-8"))

    def _key(self) -> str:
        return self._match(_KEY_RE, "a key in lower case")[0]

    def _match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise self._error(expected)
        self._at = match.end()
        return match

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self, char: str) -> bool:
        found = self._peek() == char
        self._at += found
        return found

    def _expect(self, char: str) -> None:
        if not self._skip(char):
            raise self._error(char)

    def _blanks(self, blanks: str) -> None:
        while self._peek() in {*blanks}:
            self._at += 1

    def _error(self, expected: str) -> ValueError:
        return ValueError(f"expected {expected} at character {self._at}")
