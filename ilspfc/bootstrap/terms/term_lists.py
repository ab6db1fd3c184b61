"""Lists of terms as CSV or TSV: a column for each language, or a line for each term."""

from __future__ import annotations

import csv
import math
from typing import TYPE_CHECKING

from ilspfc.bootstrap.concepts import Concept
from ilspfc.bootstrap.losses import SourceReason
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger

_DELIMITERS = "\t;,"
# Of a cell with several terms the first is the preferred one.
_VARIANTS = "|"
_COLUMNS = frozenset({"term", "lang", "weight", "subdomain"})


class TermListSource:
    """Takes concepts from a list; its header says what the columns are.

    They are languages (``en``, ``deu`` …: a line is a concept), or ``term`` with ``lang``;
    ``weight`` and ``subdomain`` may stand beside both.
    """

    def __init__(
        self, path: Path, to_code: Callable[[str], str], ledger: Ledger
    ) -> None:
        self._path = path
        self._to_code = to_code
        self._ledger = ledger

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield a concept for each line; broken ones are counted."""
        del subject  # the list is about it
        try:
            text = self._path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise BootstrapError(
                f"{self._path}: cannot be read ({error}); give a CSV or TSV file in UTF-8"
            ) from error
        header = text.partition("\n")[0]
        delimiter = max(_DELIMITERS, key=header.count)
        rows = csv.reader(text.splitlines(), delimiter=delimiter)
        names = [name.strip().casefold() for name in next(rows, [])]
        columns = self._read_header(names)
        for number, row in enumerate(rows, 2):
            if not any(map(str.strip, row)):
                continue
            concept = self._read_row(row, names, columns, number)
            if concept is None:
                self._ledger.drop(SourceReason.BROKEN_ROW, f"line {number}")
                continue
            concept.names = {k: v for k, v in concept.names.items() if k in langs}
            if concept.names:
                yield concept

    def _read_header(self, names: Sequence[str]) -> dict[int, str]:
        """Return the languages of columns; BootstrapError where there is nothing to read."""
        columns = {}
        for number, name in enumerate(names):
            if name not in _COLUMNS:
                try:
                    columns[number] = self._to_code(name)
                except ValueError:
                    continue
        if not columns and not {"term", "lang"} <= {*names}:
            raise BootstrapError(
                f"{self._path}: the first line, {' '.join(names)!r}, names no columns; it"
                " must have languages, as in en,de,it, or term and lang"
            )
        return columns

    def _read_row(
        self,
        row: Sequence[str],
        names: Sequence[str],
        columns: dict[int, str],
        number: int,
    ) -> Concept | None:
        if len(row) > len(names):
            return None
        cells = dict(zip(names, map(str.strip, row), strict=False))
        concept = Concept(f"line {number}", subdomain=cells.get("subdomain", ""))
        try:
            if cells.get("weight"):
                concept.weight = float(cells["weight"])
                if not concept.weight or not math.isfinite(concept.weight):
                    return None
            if not columns:
                columns = {names.index("term"): self._to_code(cells.get("lang", ""))}
        except ValueError:
            return None
        for place, lang in columns.items():
            terms = row[place].split(_VARIANTS) if place < len(row) else []
            first, *more = [" ".join(t.split()) for t in terms if t.strip()] or [""]
            if first:
                concept.names[lang] = first
                concept.variants[lang] = more
        return concept
