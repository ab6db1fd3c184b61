"""Domain definition: weighted terms of a subject (000, section 3.5), and its files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from math import isfinite
from statistics import median

from ilspfc.exceptions import DomainError, name_known
from ilspfc.text.codes import to_bcp47, to_iso639_3

LineParser = Callable[[str], "Term"]


TERM_COLUMNS = ("weight", "term", "subdomain", "lang")
"""Columns of a definition."""
# weight:term=subdomain[;subdomain2][>lang], as users of ILSP-FC have it.
_TOPIC_LINE_RE = re.compile(
    r"\s*(?P<weight>[^:]*):(?P<term>[^=>]*)(?:=(?P<subdomain>[^>]*))?(?:>(?P<lang>.*))?"
)
# Columns typed by hand: a browser takes the tab key for the next field.
_CELLS_RE = re.compile(r"\s*[-+.\d]+(?:\t|\s*;|\s{2,})")
_SEPARATOR_RE = re.compile(r"\s*;\s*|\s{2,}")
_INFO_RE = re.compile(
    r"^\ufeff?#[ \t]*Topic[ \t]+(?P<field>title|description|author|date)[ \t]*="
    r"(?P<value>.*)$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a domain in its original spelling.

    ``weight`` may be negative: it then counts against the subject. ``lang`` is an
    ISO 639-3 code, or empty where the definition names none.
    """

    weight: float
    text: str
    subdomains: tuple[str, ...] = ()
    lang: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The values of ``TERM_COLUMNS``."""
        lang = to_bcp47(self.lang) if self.lang else ""
        return f"{self.weight:.10g}", self.text, ";".join(self.subdomains), lang


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem in one line (from 1) of a definition."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class DomainInfo:
    """Metadata of a definition (PANACEA's schema for a topic); unknown fields are empty."""

    title: str = ""
    description: str = ""
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Domain:
    """A subject, described by its terms."""

    name: str
    terms: tuple[Term, ...]
    info: DomainInfo = DomainInfo()

    def terms_in(self, lang: str) -> tuple[Term, ...]:
        """Return the terms in a language, those that name no language among them."""
        return tuple(term for term in self.terms if term.lang in {lang, ""})

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages that terms name, sorted."""
        return tuple(sorted({term.lang for term in self.terms} - {""}))

    def median_weight(self) -> float:
        """Return the median of the positive weights, the unit of the threshold t1."""
        positive = [term.weight for term in self.terms if term.weight > 0]
        return float(median(positive)) if positive else 0.0


def _term_from(weight: str, text: str, subdomain: str, lang: str) -> Term:
    """Return the term of one line; ValueError for a wrong one."""
    try:
        value = float(weight)
    except ValueError:
        raise ValueError(f"weight {weight.strip()!r} is no number") from None
    if not value or not isfinite(value):
        raise ValueError(
            f"weight {weight.strip()!r} is not a finite number other than 0"
        )
    text = " ".join(text.split())
    if not any(character.isalnum() for character in text):
        raise ValueError("the term is empty")
    subdomains = tuple(name.strip() for name in subdomain.split(";") if name.strip())
    return Term(value, text, subdomains, to_iso639_3(lang) if lang.strip() else "")


def _split_cells(line: str) -> list[str]:
    """Return the cells of a line, which tabs part, else semicolons or several blanks."""
    return line.split("\t") if "\t" in line else _SEPARATOR_RE.split(line.strip())


def _parse_topic_line(line: str) -> Term:
    if _CELLS_RE.match(line):
        return _tsv_line_parser(TERM_COLUMNS)(line)
    match = _TOPIC_LINE_RE.fullmatch(line)
    if match is None:
        raise ValueError(
            f"{line.strip()!r}: separate weight, term, subdomain and language by tabs or"
            " semicolons (50; bee; insects; en), or write weight:term=subdomain>lang"
        )
    fields = match.groupdict(default="")
    return _term_from(*(fields[name] for name in TERM_COLUMNS))


def _tsv_line_parser(header: Iterable[str]) -> LineParser:
    names = [name.strip().lower() for name in header]
    missing = [name for name in TERM_COLUMNS[:2] if name not in names]
    if missing:
        raise ValueError(f"the header lacks the column {missing[0]!r}")

    def parse(line: str) -> Term:
        cells = _split_cells(line)
        if len(cells) > len(names):
            raise ValueError(f"{len(cells)} columns, but the header has {len(names)}")
        row = dict(zip(names, cells, strict=False))
        return _term_from(*(row.get(name, "") for name in TERM_COLUMNS))

    return parse


def _content_lines(text: str) -> list[tuple[int, str]]:
    lines = enumerate(text.removeprefix("\ufeff").splitlines(), 1)
    return [
        (number, line)
        for number, line in lines
        if line.strip() and not line.lstrip().startswith("#")
    ]


def parse_domain(text: str, name: str) -> tuple[Domain, list[Problem]]:
    """Return the domain that a definition describes, and its problems by line.

    The definition is a TSV whose header names at least ``weight`` and ``term``, columns of
    weight, term, subdomain and language without a header, or lines
    ``weight:term=subdomain[;subdomain2][>lang]``. Semicolons stand for tabs in lines without. Lines with ``#`` first are comments. A
    wrong line is left out; terms that are given twice in a language are a problem too.
    Comments of Combine's form ``# Topic title=…`` are the metadata: title, description,
    author, date.
    """
    lines = _content_lines(text)
    problems: list[Problem] = []
    parse: LineParser = _parse_topic_line
    header = _split_cells(lines[0][1]) if lines else []
    if len(header) > 1 and ":" not in lines[0][1] and not _CELLS_RE.match(lines[0][1]):
        number, _ = lines.pop(0)
        try:
            parse = _tsv_line_parser(header)
        except ValueError as error:
            return Domain(name, ()), [Problem(number, str(error))]
    terms: list[Term] = []
    first_lines: dict[tuple[str, str], int] = {}
    for number, line in lines:
        try:
            term = parse(line)
        except ValueError as error:
            problems.append(Problem(number, str(error)))
            continue
        first = first_lines.setdefault((term.text.casefold(), term.lang), number)
        if first != number:
            problems.append(
                Problem(number, f"term {term.text!r} is given in line {first} already")
            )
            continue
        terms.append(term)
    return Domain(name, tuple(terms), _read_info(text)), problems


def _read_info(text: str) -> DomainInfo:
    """Return the metadata in the comments of a definition; the first of a field counts."""
    found: dict[str, str] = {}
    for match in _INFO_RE.finditer(text):
        found.setdefault(match["field"].lower(), match["value"].strip())
    return DomainInfo(**found)


def check_domain(domain: Domain, problems: Iterable[Problem], source: str) -> Domain:
    """Return the domain if its definition can be used.

    Raises DomainError naming the first problem and the number of them.
    """
    problems = list(problems)
    if problems:
        more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
        raise DomainError(
            f"{source}: {problems[0]}{more}; see all with: scrapy domain check {source}"
        )
    if not domain.terms:
        raise DomainError(f"{source}: no terms; add lines as domains/README.md says")
    return domain


_SEEDS_SUFFIX = ".seeds.txt"
_DEFINITION_SUFFIXES = (".tsv", ".txt")


class DomainLibrary:
    """Finds domains by name in folders; a folder that comes earlier goes first.

    A domain ``flowers`` is ``flowers.tsv`` or ``flowers.txt``; its seeds, if it has any,
    are ``flowers.seeds.txt`` beside it.
    """

    def __init__(self, folders: Iterable[Traversable]) -> None:
        # Definitions by name, with their folders.
        self._known: dict[str, tuple[Traversable, Traversable]] = {}
        for folder in (one for one in folders if one.is_dir()):
            for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
                name, dot, suffix = file.name.rpartition(".")
                is_definition = not file.name.endswith(_SEEDS_SUFFIX)
                if is_definition and dot + suffix in _DEFINITION_SUFFIXES:
                    self._known.setdefault(name, (folder, file))

    def names(self) -> list[str]:
        """Return the names of all domains, sorted."""
        return sorted(self._known)

    def definition(self, name: str) -> Traversable:
        """Return the definition file of a domain; DomainError lists the known ones."""
        if name in self._known:
            return self._known[name][1]
        raise DomainError(
            f"domain={name}: no such domain; {name_known(name, self.names())} (or"
            " none); give one of them, a path to a definition file, or add a file to"
            " domains/"
        )

    def seeds(self, name: str) -> Traversable | None:
        """Return the seeds file of a domain, None where it has none.

        It stands beside the definition: a definition of the user's own does not get the
        seeds of the package's domain of the same name.
        """
        if name not in self._known:
            return None
        file = self._known[name][0].joinpath(f"{name}{_SEEDS_SUFFIX}")
        return file if file.is_file() else None
