"""Removals: addresses and hosts that somebody has asked to be forgotten.

They stand in ``removals.tsv`` of the corpus, with what was removed and when: the receipt, and
what keeps the crawl from fetching them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, fields
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from ilspfc.atomic import open_atomic
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.web.urls import canonicalize, host_of


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


def make_finder(wanted: Iterable[Removal]) -> Callable[[str], Removal | None]:
    """Return a function from an address to the removal that covers it, None for none."""
    known = {(removal.kind, removal.value): removal for removal in wanted}

    def find(url: str) -> Removal | None:
        try:
            keys = [("url", canonicalize(url)), *(("host", n) for n in _names_of(url))]
        except ValueError:
            return None
        return next((known[key] for key in keys if key in known), None)

    return find


def _names_of(url: str) -> set[str]:
    """Return the host of an address, with and without its port."""
    host = host_of(url)
    return {host, urlsplit(f"//{host}").hostname or host}


_COLUMNS = tuple(field.name for field in fields(Removal))


class Removals:
    """The removals of a corpus; a file that is not there has none."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def entries(self) -> list[Removal]:
        """The removals in the order of the file; CorpusError names a wrong line."""
        if not self._path.exists():
            return []
        found = []
        lines = self._path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines[1:], 2):
            try:
                kind, value, date, documents, archived = line.split("\t")
                found.append(Removal(kind, value, date, int(documents), int(archived)))
            except ValueError as error:
                raise CorpusError(
                    f"{self._path}: line {number}: {error}; it needs {', '.join(_COLUMNS)}"
                ) from error
        return found

    @cached_property
    def _known(self) -> frozenset[tuple[str, str]]:
        return frozenset((entry.kind, entry.value) for entry in self.entries)

    def covers(self, url: str) -> bool:
        """Test whether an address was removed, itself or by its host; ValueError for none."""
        if not self._known:
            return False
        keys = {("url", canonicalize(url)), *(("host", one) for one in _names_of(url))}
        return not self._known.isdisjoint(keys)

    def add(self, entries: Iterable[Removal]) -> None:
        """Write removals down."""
        rows = [_COLUMNS, *map(astuple, [*self.entries, *entries])]
        with open_atomic(self._path) as file:
            lines = ("\t".join(map(str, row)) for row in rows)
            file.write("".join(f"{line}\n" for line in lines).encode())
        self.__dict__.pop("entries", None)
        self.__dict__.pop("_known", None)
