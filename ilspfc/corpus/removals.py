"""Lists of what was taken out of a corpus: exclusions from the exports, removals for good.

Exclusions stand in ``exclusions.tsv``, which can be edited by hand: in each line the kind and
what it excludes, a host, the id of a document, two ids of documents, or the two texts of a
unit. Removals, which somebody has asked for, stand in ``removals.tsv`` with what was removed
and when: the receipt, and what keeps the crawl from fetching them again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from ilspfc.atomic import write_lines
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.web.urls import canonicalize, find_key, host_of

T = TypeVar("T")
EXCLUDED = "excluded"
"""Reason of what the user has excluded from the exports."""

_SIZES = {"host": 1, "document": 1, "pair": 2, "unit": 2}
_SPACE_RE = re.compile(r"\s+")


def _read_lines(path: Path, read: Callable[[str], T], advice: str) -> list[T]:
    """Return the entries of a file, none where it is missing; CorpusError names a wrong line."""
    found = []
    for number, line in enumerate(_split_lines(path), 1):
        if _is_comment(line):
            continue
        try:
            found.append(read(line))
        except ValueError as error:
            raise CorpusError(f"{path}: line {number}: {error}; {advice}") from error
    return found


def _split_lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    return path.read_text(encoding="utf-8-sig", errors="replace").splitlines()


def _is_comment(line: str) -> bool:
    return not line.strip() or line.startswith("#") or line == _HEADER


class Exclusion(NamedTuple):
    """Exclusion of a ``host``, a ``document`` (id), a ``pair`` (two ids), a ``unit`` (two texts)."""

    kind: str
    values: tuple[str, ...]

    @classmethod
    def of(cls, kind: str, values: Iterable[str]) -> Exclusion:
        """Return an exclusion with its values on one line; ValueError for a wrong one."""
        cleaned = tuple(_SPACE_RE.sub(" ", value).strip() for value in values)
        if kind not in _SIZES:
            raise ValueError(f"{kind!r} is none of {', '.join(_SIZES)}")
        if len(cleaned) != _SIZES[kind] or not all(cleaned):
            raise ValueError(f"{kind} takes {_SIZES[kind]} values, separated by tabs")
        return cls(kind, cleaned)


def _read_exclusion(line: str) -> Exclusion:
    kind, *values = line.split("\t")
    return Exclusion.of(kind, values)


class Exclusions:
    """The exclusions of a corpus, in the order of the file; CorpusError for a wrong line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read()

    def _read(self) -> None:
        self.entries = _read_lines(
            self._path, _read_exclusion, "mend or remove the line"
        )
        self._known = frozenset(self.entries)

    def has_document(self, entry: DocumentEntry) -> bool:
        """Test whether a document is excluded, itself or by its host."""
        own, host = ("document", (entry.id,)), ("host", (entry.host,))
        return not self._known.isdisjoint((own, host))

    def has_pair(self, entry: PairEntry) -> bool:
        """Test whether a pair is excluded, itself or by one of its documents."""
        ids = entry.pair.source, entry.pair.target
        return (
            Exclusion("pair", ids) in self._known
            or self.has_document(entry.source)
            or self.has_document(entry.target)
        )

    def has_unit(self, source: str, target: str) -> bool:
        """Test whether a unit is excluded, by its texts."""
        if not self._known:
            return False
        return Exclusion.of("unit", (source, target)) in self._known

    def add(self, entries: Iterable[Exclusion]) -> None:
        """Write exclusions down that are not there already."""
        new = [one for one in dict.fromkeys(entries) if one not in self._known]
        if new:
            lines = ("\t".join((one.kind, *one.values)) for one in new)
            self._rewrite([*_split_lines(self._path), *lines])

    def remove(self, gone: Iterable[Exclusion]) -> None:
        """Take exclusions back."""
        taken_back = frozenset(gone)
        self._rewrite(
            line
            for line in _split_lines(self._path)
            if _is_comment(line) or _read_exclusion(line) not in taken_back
        )

    def _rewrite(self, lines: Iterable[str]) -> None:
        """Write the file, with the comments that its owner has put there."""
        write_lines(self._path, lines)
        self._read()


@dataclass(frozen=True, slots=True)
class Removal:
    """Removal of a ``url`` (canonical) or a ``host``: when, and how much it had of each."""

    kind: str
    value: str
    date: str = ""
    documents: int = 0
    archived: int = 0

    @classmethod
    def of(cls, kind: str, value: str) -> Removal:
        """Return a removal; ArgumentError for what is no address or no host."""
        try:
            found = canonicalize(value if kind == "url" else f"http://{value}/")
            return cls(kind, found if kind == "url" else host_of(found))
        except ValueError as error:
            raise ArgumentError(
                f"{value}: {error}; give --url https://www.example.org/page or --host"
                " www.example.org"
            ) from error

    def describe(self) -> str:
        """Return the receipt in a line."""
        return (
            f"{self.date}: {self.kind} {self.value}: {self.documents} documents,"
            f" {self.archived} archived records removed"
        )


_COLUMNS = tuple(field.name for field in fields(Removal))
_HEADER = "\t".join(_COLUMNS)


def _read_removal(line: str) -> Removal:
    kind, value, date, documents, archived = line.split("\t")
    return Removal(kind, value, date, int(documents), int(archived))


def read_removals(path: Path) -> list[Removal]:
    """Return the removals of a corpus, as they were asked for; CorpusError names a wrong line."""
    return _read_lines(path, _read_removal, f"it needs {', '.join(_COLUMNS)}")


def add_removals(path: Path, added: Iterable[Removal]) -> None:
    """Write removals down below those that the file has."""
    rows = map(astuple, [*read_removals(path), *added])
    write_lines(path, ("\t".join(map(str, row)) for row in [_COLUMNS, *rows]))


class Removals:
    """Removals by the addresses that they cover."""

    def __init__(self, entries: Iterable[Removal]) -> None:
        self._known = {(entry.kind, entry.value): entry for entry in entries}

    def find(self, url: str) -> Removal | None:
        """Return the removal that covers an address, itself or by its host; None for none."""
        if not self._known:
            return None
        if not (key := find_key(url)):
            return None
        host = host_of(url)
        # A host is known with its port, or for all ports.
        bare = urlsplit(f"//{host}").hostname or host
        keys = (("url", key), ("host", host), ("host", bare))
        return next((self._known[one] for one in keys if one in self._known), None)

    def covers(self, url: str) -> bool:
        """Test whether an address was removed, itself or by its host."""
        return self.find(url) is not None
