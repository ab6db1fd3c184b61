"""Exclusions: hosts, pairs and units that a user does not want in any export.

They stand in ``exclusions.tsv`` of the corpus, which can be edited by hand: in each line the
kind and what it excludes, a host, two ids of documents, or the two texts of a unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.atomic import open_atomic
from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from ilspfc.corpus.records import DocumentEntry, PairEntry

EXCLUDED = "excluded"
"""Reason of what the user has excluded from the exports."""

_SIZES = {"host": 1, "pair": 2, "unit": 2}
_SPACE_RE = re.compile(r"\s+")


class Exclusion(NamedTuple):
    """Exclusion of a ``host``, a ``pair`` (two ids) or a ``unit`` (two texts)."""

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


class Exclusions:
    """The exclusions of a corpus; a file that is not there has none."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def entries(self) -> list[Exclusion]:
        """The exclusions in the order of the file; CorpusError names a wrong line."""
        if not self._path.exists():
            return []
        found = []
        text = self._path.read_text(encoding="utf-8-sig", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            kind, *values = line.split("\t")
            try:
                found.append(Exclusion.of(kind, values))
            except ValueError as error:
                raise CorpusError(
                    f"{self._path}: line {number}: {error}; mend or remove the line"
                ) from error
        return found

    @cached_property
    def _known(self) -> frozenset[Exclusion]:
        return frozenset(self.entries)

    def has_host(self, entry: DocumentEntry) -> bool:
        """Test whether the host of a document is excluded."""
        return Exclusion("host", (entry.host,)) in self._known

    def has_pair(self, entry: PairEntry) -> bool:
        """Test whether a pair is excluded, itself or by the host of a document."""
        ids = entry.pair.source, entry.pair.target
        return (
            Exclusion("pair", ids) in self._known
            or self.has_host(entry.source)
            or self.has_host(entry.target)
        )

    def has_unit(self, source: str, target: str) -> bool:
        """Test whether a unit is excluded, by its texts."""
        if not self._known:
            return False
        return Exclusion.of("unit", (source, target)) in self._known

    def add(self, entry: Exclusion) -> None:
        """Write an exclusion down, unless it is there already."""
        self._write([*self.entries, *[entry] * (entry not in self._known)])

    def remove(self, entry: Exclusion) -> None:
        """Take an exclusion back."""
        self._write([one for one in self.entries if one != entry])

    def _write(self, entries: list[Exclusion]) -> None:
        lines = ["\t".join((entry.kind, *entry.values)) for entry in entries]
        with open_atomic(self._path) as stream:
            stream.write("".join(f"{line}\n" for line in lines).encode())
        self.__dict__.pop("entries", None)
        self.__dict__.pop("_known", None)
