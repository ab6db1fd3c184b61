"""A domain definition as a table: a page of its rows, and the changes that a form makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import urlencode

from starlette.exceptions import HTTPException

from ilspfc.atomic import write_bytes
from ilspfc.classification.definition import (
    TERM_COLUMNS,
    Domain,
    Term,
    parse_domain,
)
from ilspfc.server.bodies import Form, read_number

_HEADER = "\t".join(TERM_COLUMNS)
# Rows of a page, which has 60 kB at most, and empty ones below them.
_PAGE_ROWS = 80
_NEW_ROWS = 3


class Row(NamedTuple):
    """Row of the table; ``lang`` is ISO 639-3, ``hits`` are the documents with the term, None where none are counted."""

    number: int
    cells: tuple[str, ...]
    lang: str
    hits: int | None = None


class TermTable:
    """Definition whose rows are changed; its comments stay, lines with problems are left out."""

    def __init__(self, text: str) -> None:
        self._comments = [line for line in text.splitlines() if line.startswith("#")]
        self.domain, self.problems = parse_domain(text, "edited")
        self._terms = {str(n): term for n, term in enumerate(self.domain.terms)}

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the definition of a file."""
        return cls(path.read_text("utf-8-sig"))

    def write(self, path: Path) -> None:
        """Write the definition to a file."""
        write_bytes(path, self.text.encode())

    @property
    def text(self) -> str:
        """The definition as TSV."""
        rows = ("\t".join(term.cells) for term in self._terms.values())
        return "\n".join([*self._comments, _HEADER, *rows, ""])

    @property
    def digest(self) -> str:
        """The digest by which a form for another state of the definition is recognized."""
        return blake2b(self.text.encode(), digest_size=8).hexdigest()

    def change(self, form: Form) -> list[str]:
        """Make the changes of a form; return the problems for which some were not made.

        Rows whose ``keep`` is missing go. HTTPException if the definition is not the one of
        which the form has rows.
        """
        if form.get("digest") != self.digest:
            text = "The definition has changed meanwhile; look at its table again."
            raise HTTPException(409, text)
        kept, problems = set(form.getlist("keep")), []
        for row in form.getlist("row"):
            cells = [
                " ".join(form.get(f"{name}-{row}", "").split()) for name in TERM_COLUMNS
            ]
            if row in self._terms and row not in kept:
                del self._terms[row]
            elif row in self._terms or cells[1]:
                line = "\t".join(cells)
                domain, found = parse_domain(f"{_HEADER}\n{line}", "")
                if domain.terms:
                    self._terms[row] = domain.terms[0]
                problems += [f"{cells[1] or '–'}: {one.message}" for one in found]
        number = len(self._terms)
        terms, self._terms = self._terms.values(), {}
        if number > self.add(terms):
            problems.append("A term that was given twice in a language stands once.")
        return problems

    def add(self, terms: Iterable[Term]) -> int:
        """Add the terms that are not in the definition yet; return their number."""
        known = {(one.text.casefold(), one.lang) for one in self._terms.values()}
        before = len(known)
        for term in terms:
            if (key := (term.text.casefold(), term.lang)) not in known:
                known.add(key)
                self._terms[str(len(self._terms))] = term
        self.domain = Domain(self.domain.name, tuple(self._terms.values()))
        return len(known) - before

    def show(
        self,
        query: Mapping[str, str],
        count_hits: Callable[[Sequence[Term]], Sequence[int]] | None = None,
    ) -> dict[str, Any]:
        """Return a page of the rows, as ``sort``, ``only`` (a language) and ``page`` ask for it."""
        sort, only = query.get("sort", ""), query.get("only", "")
        rows = [
            Row(n, term.cells, term.lang) for n, term in enumerate(self.domain.terms)
        ]
        langs = sorted({row.cells[3] for row in rows})
        rows = [row for row in rows if only in {"", row.cells[3]}]

        def count(rows: list[Row]) -> list[Row]:
            if count_hits is None:
                return rows
            hits = count_hits([self.domain.terms[row.number] for row in rows])
            return [row._replace(hits=n) for row, n in zip(rows, hits, strict=True)]

        if sort == "hits":
            rows = sorted(count(rows), key=lambda row: -(row.hits or 0))
        elif sort == "weight":
            rows.sort(key=lambda row: -float(row.cells[0]))
        elif sort in TERM_COLUMNS:
            rows.sort(key=lambda row: row.cells[TERM_COLUMNS.index(sort)].casefold())
        pages = max(-(-len(rows) // _PAGE_ROWS), 1)
        page = min(max(read_number(query.get("page", "")) or 1, 1), pages)
        shown = rows[(page - 1) * _PAGE_ROWS : page * _PAGE_ROWS]
        return {
            "rows": shown if sort == "hits" else count(shown),
            "new": range(len(self._terms), len(self._terms) + _NEW_ROWS),
            "number": len(rows),
            "pages": pages,
            "page": page,
            "sort": sort,
            "only": only,
            "langs": langs,
            "digest": self.digest,
        }


def find_place(form: Form) -> str:
    """Return the query of the page of a table that a button asks for."""
    names = ("sort", "only", "page")
    return urlencode({name: form[name] for name in names if form.get(name)})
