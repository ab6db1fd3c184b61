"""A verifier of signed messages, written from RFC 9421 and RFC 9651, that shares no code."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_TOKENS = {
    "key": re.compile(r"[a-z*][a-z0-9_.*-]*"),
    "string": re.compile(r'"((?:[^"\\]|\\["\\])*)"'),
    "integer": re.compile(r"-?[0-9]{1,15}"),
    "bytes": re.compile(r":([A-Za-z0-9+/=]*):"),
}
_DEFAULT_PORTS = {"http": 80, "https": 443}

Bare = str | int | bytes | bool
Parameters = dict[str, Bare]


@dataclass(frozen=True)
class Member:
    """A member of a dictionary: its value, an item or an inner list, and its own text."""

    value: Bare | list[tuple[Bare, Parameters, str]]
    parameters: Parameters
    text: str


class StructuredField:
    """Reader of a field of RFC 9651: dictionaries of items and inner lists."""

    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._at = 0

    def dictionary(self) -> dict[str, Member]:
        """Return the members; ValueError for what is no dictionary."""
        members: dict[str, Member] = {}
        while self._at < len(self._text):
            if members:
                self._take(re.compile(r"[ \t]*,[ \t]*"))
            key = self._take(_TOKENS["key"])[0]
            if not self._skip("="):
                raise ValueError(f"{self._text}: no value of {key}")
            start = self._at
            value = self._inner_list() if self._skip("(") else self._item()
            parameters = self._parameters()
            members[key] = Member(value, parameters, self._text[start : self._at])
        return members

    def _inner_list(self) -> list[tuple[Bare, Parameters, str]]:
        items = []
        while not self._skip(")"):
            self._take(re.compile(" *"))
            start = self._at
            item, parameters = self._item(), self._parameters()
            items.append((item, parameters, self._text[start : self._at]))
        return items

    def _item(self) -> Bare:
        readers: dict[str, Callable[[str], Bare]] = {
            "string": lambda text: re.sub(r"\\(.)", r"\1", text[1:-1]),
            "integer": int,
            "bytes": lambda text: b64decode(text[1:-1], validate=True),
        }
        for kind, read in readers.items():
            if match := _TOKENS[kind].match(self._text, self._at):
                self._at = match.end()
                return read(match[0])
        raise ValueError(f"{self._text}: no item at {self._at}")

    def _parameters(self) -> Parameters:
        found: Parameters = {}
        while self._skip(";"):
            self._take(re.compile(" *"))
            key = self._take(_TOKENS["key"])[0]
            found[key] = self._item() if self._skip("=") else True
        return found

    def _skip(self, mark: str) -> bool:
        is_there = self._text.startswith(mark, self._at)
        self._at += is_there
        return is_there

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise ValueError(f"{self._text}: something else expected at {self._at}")
        self._at = match.end()
        return match


def signature_base(label: str, method: str, url: str, headers: Message) -> str:
    """Return the signature base of a request (RFC 9421, section 2.5)."""
    member = StructuredField(headers["Signature-Input"]).dictionary()[label]
    assert isinstance(member.value, list)
    lines = [
        f"{text}: {_component(str(name), parameters, method, url, headers)}"
        for name, parameters, text in member.value
    ]
    assert len({*lines}) == len(lines)
    return "\n".join([*lines, f'"@signature-params": {member.text}'])


def _component(
    name: str, parameters: Parameters, method: str, url: str, headers: Message
) -> str:
    parts = urlsplit(url)
    if name == "@method":
        return method
    if name == "@path":
        return parts.path or "/"
    if name == "@authority":
        host = (parts.hostname or "").lower()
        is_default = parts.port in (None, _DEFAULT_PORTS[parts.scheme])
        return host if is_default else f"{host}:{parts.port}"
    field = str(headers[name]).strip()
    if "key" in parameters:
        return StructuredField(field).dictionary()[str(parameters["key"])].text
    return field


def verify(
    key: Ed25519PublicKey,
    label: str,
    method: str,
    url: str,
    headers: Message,
) -> Parameters:
    """Return the parameters of a signature; InvalidSignature where it is wrong."""
    signature = StructuredField(headers["Signature"]).dictionary()[label].value
    assert isinstance(signature, bytes)
    base = signature_base(label, method, url, headers)
    key.verify(signature, base.encode("ascii"))
    return StructuredField(headers["Signature-Input"]).dictionary()[label].parameters
