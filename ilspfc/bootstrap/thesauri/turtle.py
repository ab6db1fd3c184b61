"""RDF in Turtle, and in N-Triples, which is a part of it (W3C, 2014)."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from ilspfc.bootstrap.thesauri.rdf import RDF_TYPE, Triple
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CHUNK_CHARS = 1 << 20
# "@en-" may become "@en-GB", and "a:b." may become "a:b.c": so much tells.
_MARGIN_CHARS = 16
_BLANKS_RE = re.compile(r"(?:\s+|#[^\n]*)+")
_TOKEN_RE = re.compile(
    r"""(?P<iri><(?:[^\x00-\x20<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>)
    |(?P<text>\"{3}(?:\"{0,2}(?:[^"\\]|\\.))*\"{3}|'{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
      |"(?!"")(?:[^"\\\n\r]|\\.)*"|'(?!'')(?:[^'\\\n\r]|\\.)*')
    |(?P<directive>@(?:prefix|base)\b|(?:PREFIX|BASE)(?=\s))
    |(?P<lang>@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*)
    |(?P<blank>_:[\w.-]*\w)
    |(?P<name>(?:[^\W\d_](?:[\w.-]*[\w-])?)?:(?:[\w:%-]|\\.|\.+(?=[\w:%\\-]))*)
    |(?P<number>[+-]?(?:\d+\.?\d*[eE][+-]?\d+|\d*\.\d+|\d+))
    |(?P<word>a\b|true\b|false\b)
    |(?P<sign>\^\^|[.;,\[\]()])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE_RE = re.compile(
    r"\\(?:u([0-9A-Fa-f]{4})|U(00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4})|(.))", re.DOTALL
)
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
# Blank nodes and collections inside each other. Thesauri have three; a thousand would be
# too many for the stack.
_MAX_NESTING = 100
_END = "end"


class _Token(NamedTuple):
    kind: str
    text: str


def iter_turtle(path: Path) -> Iterator[Triple]:
    """Yield the statements of a file, as it is read; of collections each member is one.

    BootstrapError: the file cannot be read, or is no Turtle, with the line; what stands
    before the error has been yielded.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from _Parser(path, _Scanner(path, file)).iter_triples()
    except (OSError, UnicodeDecodeError) as error:
        raise BootstrapError(
            f"{path}: cannot be read as Turtle ({error}); give a whole file in UTF-8"
        ) from error


class _Scanner:
    """Cuts a file into tokens, holding a little of it at a time."""

    def __init__(self, path: Path, file: IO[str]) -> None:
        self._path = path
        self._file = file
        self._buffer = ""
        self._place = 0
        self._is_whole = False
        self.line = 1

    def next(self) -> _Token:
        """Return the next token, of the kind ``end`` at the end."""
        self._skip_blanks()
        while True:
            match = _TOKEN_RE.match(self._buffer, self._place)
            # A token that ends near the end of what was read so far may go on.
            is_safe = match and match.end() + _MARGIN_CHARS <= len(self._buffer)
            if is_safe or not self._read_on():
                break
        if match is None:
            if self._place == len(self._buffer):
                return _Token(_END, "")
            rest = self._buffer[self._place : self._place + 20].split("\n")[0]
            raise self.error(f"{rest!r} is not expected here")
        self.line += match[0].count("\n")
        self._place = match.end()
        return _Token(str(match.lastgroup), match[0])

    def _skip_blanks(self) -> None:
        while True:
            match = _BLANKS_RE.match(self._buffer, self._place)
            end = match.end() if match else self._place
            if end == len(self._buffer) and self._read_on():
                continue
            if match:
                self.line += match[0].count("\n")
                self._place = end
            return

    def _read_on(self) -> bool:
        if self._is_whole:
            return False
        chunk = self._file.read(_CHUNK_CHARS)
        self._is_whole = not chunk
        self._buffer = self._buffer[self._place :] + chunk
        self._place = 0
        return True

    def error(self, what: str) -> BootstrapError:
        """Return the error of the line that is being read."""
        return BootstrapError(
            f"{self._path}, line {self.line}: no Turtle: {what}; give a whole file, and"
            " RDF/XML under another suffix"
        )


class _Parser:
    def __init__(self, path: Path, scanner: _Scanner) -> None:
        self._scanner = scanner
        self._base = path.absolute().as_uri()
        self._prefixes: dict[str, str] = {}
        self._blank = 0
        self._nesting = 0
        self._found: list[Triple] = []
        self._token = scanner.next()

    def iter_triples(self) -> Iterator[Triple]:
        """Yield the triples of all statements."""
        while self._token.kind != _END:
            if self._token.kind == "directive":
                self._read_directive()
            else:
                subject, is_alone = self._read_subject()
                if not (is_alone and self._token.text == "."):
                    self._read_properties(subject)
                self._expect(".")
            yield from self._found
            self._found.clear()

    def _advance(self) -> _Token:
        token, self._token = self._token, self._scanner.next()
        return token

    def _expect(self, text: str) -> None:
        if self._token.text != text:
            found = self._token.text or "the end of the file"
            raise self._scanner.error(f"{found} stands where {text} should")
        self._advance()

    def _read_directive(self) -> None:
        word = self._advance().text
        name = ""
        if word.strip("@").casefold() == "prefix":
            name = self._advance().text
        iri = self._read_iri()
        if name:
            self._prefixes[name.rstrip(":")] = iri
        else:
            self._base = iri
        if word.startswith("@"):
            self._expect(".")

    def _read_subject(self) -> tuple[str, bool]:
        """Return the subject, and whether it may stand without properties."""
        if self._token.text == "[":
            return self._read_anonymous(), True
        return self._read_iri(), False

    def _read_properties(self, subject: str) -> None:
        while True:
            if self._token == _Token("word", "a"):
                self._advance()
                predicate = RDF_TYPE
            else:
                predicate = self._read_iri()
            self._read_object(subject, predicate)
            while self._token.text == ",":
                self._advance()
                self._read_object(subject, predicate)
            if self._token.text != ";":
                return
            while self._token.text == ";":
                self._advance()
            if self._token.text in {".", "]"}:
                return

    def _read_object(self, subject: str, predicate: str) -> None:
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            raise self._scanner.error(f"more than {_MAX_NESTING} [ or ( are open")
        self._read_any_object(subject, predicate)
        self._nesting -= 1

    def _read_any_object(self, subject: str, predicate: str) -> None:
        kind, text = self._token
        if kind in {"number", "text"} or text in {"true", "false"}:
            self._advance()
            value = _unquote(text) if kind == "text" else text
            lang = ""
            if self._token.kind == "lang":
                lang = self._advance().text[1:]
            elif self._token.text == "^^":
                self._advance()
                self._read_iri()
            self._found.append(
                Triple(subject, predicate, " ".join(value.split()), lang)
            )
        elif text == "(":
            self._advance()
            while self._token.text != ")":
                self._read_object(subject, predicate)
            self._advance()
        else:
            inner = self._read_anonymous() if text == "[" else self._read_iri()
            self._found.append(Triple(subject, predicate, inner))

    def _read_anonymous(self) -> str:
        self._expect("[")
        self._blank += 1
        subject = f"_:[{self._blank}]"
        if self._token.text != "]":
            self._read_properties(subject)
        self._expect("]")
        return subject

    def _read_iri(self) -> str:
        kind, text = self._advance()
        if kind == "iri":
            try:
                return urljoin(self._base, _unescape(text[1:-1]))
            except ValueError:
                raise self._scanner.error(f"{text} is no IRI") from None
        if kind == "blank":
            return text
        if kind == "name":
            prefix, _, local = text.partition(":")
            if prefix not in self._prefixes:
                raise self._scanner.error(f"the prefix {prefix}: is not declared")
            return self._prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)
        raise self._scanner.error(f"{text or 'the end of the file'} is no resource")


def _unquote(text: str) -> str:
    quotes = 3 if text[:3] in {'"""', "'''"} else 1
    return _unescape(text[quotes:-quotes])


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE_RE.sub(
        lambda m: (
            chr(int(m[1] or m[2], 16)) if m[3] is None else _ESCAPES.get(m[3], m[3])
        ),
        text,
    )
