"""Wikis in SQL dumps, as mysqldump writes and Wikimedia publishes them.

Each file is streamed line by line, in a few passes; categories are kept in a temporary
SQLite database, in memory are the articles of the subject alone. Columns are found by name
in the CREATE TABLE statement, as their order and number have changed over the years.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from ilspfc.bootstrap.concepts import SourceReason, offer_names
from ilspfc.bootstrap.mediawiki import (
    PREFIX_CHARS,
    Article,
    Place,
    complete_url,
    describe_limit,
    iter_wiki_concepts,
    walk_categories,
)
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import find_iso639_3
from ilspfc.text.packed import iter_lines

if TYPE_CHECKING:
    from ilspfc.bootstrap.concepts import BootstrapLog, Concept, Subject

Row = tuple[bytes, ...]

_ARTICLES = b"0"
_CATEGORIES = b"14"
_NAME_RE = re.compile(r"(\w+?)wiki-[\w.]+-(\w+)\.sql(?:\.gz)?")
# mysqldump says in its first line that there will be a last one.
_FIRST_LINE_RE = re.compile(rb"(?:/\*.*\*/;?\s*)?-- (?:MySQL|MariaDB) dump")
_LAST_LINE = b"-- Dump completed"
_COLUMN_RE = re.compile(rb"\s+`(\w+)`")
_INSERT_RE = re.compile(rb"INSERT INTO `\w+`(?: \([^)]*\))? VALUES\s*")
# A value of a row; quotes are escaped by a backslash or doubled.
_VALUE = rb"(?:'(?:[^'\\]++|\\.|'')*+'|[^,'()]*+)"
_ESCAPE_RE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0", b"Z": b"\x1a"}


def iter_dumps(folder: Path, subject: Subject, log: BootstrapLog) -> Iterator[Concept]:
    """Yield the concepts of dumps in a folder, such as ``enwiki-latest-page.sql.gz``.

    Needed are ``page``, ``categorylinks`` (with ``linktarget`` where that has the titles)
    and ``langlinks`` of the first wiki: that of the first language with dumps. Used if
    present: its ``externallinks``, ``redirect``, ``page_props`` and ``pagelinks``, and
    ``page``, ``redirect`` and ``externallinks`` of other languages.
    """
    if not folder.is_dir():
        raise BootstrapError(f"{folder}: no such folder; give that of the SQL dumps")
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        if (match := _NAME_RE.fullmatch(path.name)) is not None:
            lang = find_iso639_3(match[1]) or match[1]
            found.setdefault(lang, {})[match[2]] = path
    if not found:
        raise BootstrapError(
            f"{folder}: no dumps there; their names are like enwiki-latest-page.sql.gz"
        )
    wikis = {lang: DumpWiki(lang, paths, log) for lang, paths in found.items()}
    for own in (*subject.langs, *wikis):
        if {"page", "categorylinks"} <= found.get(own, {}).keys():
            others = {
                lang: wikis[lang]
                for lang in subject.langs
                if lang in wikis and lang != own
            }
            yield from iter_wiki_concepts(wikis[own], others, subject, log)
            return
    raise BootstrapError(
        f"{folder}: no wiki has dumps of both page and categorylinks; fetch them from"
        " https://dumps.wikimedia.org"
    )


class DumpWiki:
    """Wiki in the dumps of its tables; numbers of pages and targets stay bytes."""

    def __init__(self, lang: str, paths: Mapping[str, Path], log: BootstrapLog) -> None:
        self.lang = lang
        self._paths = paths
        self._log = log

    def __str__(self) -> str:
        return str(next(iter(self._paths.values())).parent)

    def _rows(self, table: str, *columns: str) -> Iterator[Row]:
        """Yield columns of a table, nothing if there is no dump of it."""
        if table in self._paths:
            yield from iter_rows(self._paths[table], columns, self._log)

    def _iter_targets(self, namespace: bytes) -> Iterator[Row]:
        """Yield key and title of the link targets in a namespace."""
        rows = self._rows("linktarget", "lt_id", "lt_namespace", "lt_title")
        return ((b"#" + row[0], row[2]) for row in rows if row[1] == namespace)

    def _iter_members(self, wanted: bytes) -> Iterator[Row]:
        """Yield page and key of the category for memberships of a kind."""
        for page, kind, title, number in self._rows(
            "categorylinks", "cl_from", "cl_type", "cl_to?", "cl_target_id?"
        ):
            if number and "linktarget" not in self._paths:
                raise BootstrapError(
                    f"{self}: no dump of the table linktarget; fetch it too"
                )
            if kind == wanted:
                yield page, title or b"#" + number

    def find_articles(self, subject: Subject, log: BootstrapLog) -> dict[str, Place]:
        """Return the articles in the category of a subject and below, nearest first."""
        name = subject.name.strip().replace(" ", "_")
        root = (name[:1].upper() + name[1:]).encode()
        with closing(sqlite3.connect("")) as database:
            self._load_categories(database)
            places = self._find_categories(database, root, subject, log)
            found: dict[bytes, Place] = {}
            for page, parent in self._iter_members(b"page"):
                if parent in places:
                    found[page] = min(found.get(page, places[parent]), places[parent])
            if not found:
                titles = database.execute("SELECT title FROM category")
                names = [
                    _text(t) for (t,) in titles if t.startswith(root[:PREFIX_CHARS])
                ]
                offer = offer_names(
                    subject.name, names, "give it as that wiki calls it"
                )
                raise BootstrapError(
                    f"{subject.name}: no category of that name has pages{offer}"
                )
        articles = {
            page: _text(title)
            for page, namespace, title in self._rows(
                "page", "page_id", "page_namespace", "page_title"
            )
            if namespace == _ARTICLES and page in found
        }
        if len(articles) > subject.max_concepts:
            log.drop(SourceReason.PAGE_LIMIT)
            log.notice(describe_limit(f"Category:{subject.name}", subject))
        nearest = sorted(articles, key=lambda page: (found[page].depth, int(page)))
        return {articles[page]: found[page] for page in nearest[: subject.max_concepts]}

    def _load_categories(self, database: sqlite3.Connection) -> None:
        """Store the categories, their keys as link targets, and which is in which."""
        database.execute("CREATE TABLE category (page PRIMARY KEY, title)")
        database.execute("CREATE TABLE target (key, title PRIMARY KEY)")
        database.execute("CREATE TABLE subcategory (page, parent)")
        pages = self._rows("page", "page_id", "page_namespace", "page_title")
        database.executemany(
            "INSERT OR REPLACE INTO category VALUES (?, ?)",
            (row[::2] for row in pages if row[1] == _CATEGORIES),
        )
        targets = self._iter_targets(_CATEGORIES)
        database.executemany("INSERT OR REPLACE INTO target VALUES (?, ?)", targets)
        members = self._iter_members(b"subcat")
        database.executemany("INSERT INTO subcategory VALUES (?, ?)", members)
        database.execute("CREATE INDEX by_parent ON subcategory (parent)")

    def _find_categories(
        self,
        database: sqlite3.Connection,
        root: bytes,
        subject: Subject,
        log: BootstrapLog,
    ) -> dict[bytes, Place]:
        """Return the category of a subject and those below, by key."""
        places: dict[bytes, Place] = {}

        def visit(title: bytes, depth: int) -> Iterator[bytes]:
            """Yield the subcategories, after noting the place of the category."""
            query = "SELECT key FROM target WHERE title = ?"
            (key,) = database.execute(query, (title,)).fetchone() or (title,)
            places[key] = Place(depth, _text(title))
            query = (
                "SELECT title FROM subcategory JOIN category USING (page)"
                " WHERE parent = ? ORDER BY title"
            )
            yield from (child for (child,) in database.execute(query, (key,)))

        walk_categories(root, subject, log, visit)
        return places

    def iter_articles(
        self, titles: Sequence[str], *, is_first: bool
    ) -> Iterator[Article]:
        """Yield the articles that exist, after a pass over each table."""
        by_title = {t.replace(" ", "_").encode(): Article(t) for t in titles}
        redirects = {
            page: by_title[title]
            for page, namespace, title in self._rows(
                "redirect", "rd_from", "rd_namespace", "rd_title"
            )
            if namespace == _ARTICLES and title in by_title
        }
        by_page: dict[bytes, Article] = {}
        linked = {*by_title}
        for page, namespace, title, is_redirect in self._rows(
            "page", "page_id", "page_namespace", "page_title", "page_is_redirect"
        ):
            if namespace == _ARTICLES and title in by_title:
                by_page[page] = by_title[title]
                by_page[page].is_redirect = is_redirect == b"1"
            if namespace == _ARTICLES and page in redirects:
                redirects[page].redirects.append(_text(title))
                linked.add(title)
        self._add_urls(by_page)
        if is_first:
            self._add_translations(by_page)
            self._add_links(by_page, linked)
        present = {article.title for article in by_page.values()}
        yield from (a for a in by_title.values() if a.title in present)

    def _add_urls(self, by_page: Mapping[bytes, Article]) -> None:
        for page, url, index, path in self._rows(
            "externallinks", "el_from", "el_to?", "el_to_domain_index?", "el_to_path?"
        ):
            if page in by_page:
                text = _decode(url) or join_link(index, path)
                by_page[page].urls.append(complete_url(text))

    def _add_translations(self, by_page: Mapping[bytes, Article]) -> None:
        """Add language links, and the mark of disambiguations."""
        for page, prefix, title in self._rows(
            "langlinks", "ll_from", "ll_lang", "ll_title"
        ):
            if page in by_page:
                by_page[page].translations.append((_decode(prefix), _text(title)))
        for page, name in self._rows("page_props", "pp_page", "pp_propname"):
            if page in by_page and name == b"disambiguation":
                by_page[page].is_disambiguation = True

    def _add_links(self, by_page: Mapping[bytes, Article], titles: set[bytes]) -> None:
        """Add the links between the articles, and to redirects to them."""
        if "pagelinks" not in self._paths:
            return
        targets = {title: _text(title) for title in titles}
        for key, title in self._iter_targets(_ARTICLES):
            if title in titles:
                targets[key] = _text(title)
        links: dict[bytes, list[str]] = {page: [] for page in by_page}
        for page, namespace, title, number in self._rows(
            "pagelinks", "pl_from", "pl_namespace?", "pl_title?", "pl_target_id?"
        ):
            key = title or b"#" + number
            if namespace in {_ARTICLES, b""} and page in links and key in targets:
                links[page].append(targets[key])
        for page, article in by_page.items():
            article.links = links[page]


def iter_rows(path: Path, columns: Sequence[str], log: BootstrapLog) -> Iterator[Row]:
    """Yield some columns of each row: numbers as written, text unescaped, NULL as empty.

    A column with a question mark is empty where the table has none. A dump that is cut off
    or damaged is read to that point, with a notice. BootstrapError: the file cannot be
    opened, or has no table with these columns.
    """
    names: list[str] = []
    pattern: re.Pattern[bytes] | None = None
    is_whole, number = True, 0
    try:
        for line in _iter_lines(path):
            start = _INSERT_RE.match(line)
            if start is None:
                _read_column(line, names)
                is_whole &= _FIRST_LINE_RE.match(line) is None
                is_whole |= line.startswith(_LAST_LINE)
                continue
            if pattern is None:
                _check_columns(path, names, columns)
                pattern, groups = _compile_row(names, columns)
            end, sign = start.end(), b""
            while (match := pattern.match(line, end)) is not None:
                end, sign, number = match.end(), match["sign"], number + 1
                yield tuple(
                    _unquote(match[group]) if group else b"" for group in groups
                )
            if sign != b";":
                is_whole = False
                break
    except (EOFError, zlib.error):
        is_whole = False
    if is_whole:
        _check_columns(path, names, columns)
    else:
        log.drop(SourceReason.TRUNCATED_DUMP, str(path))
        log.notice(
            f"{path}: the dump is cut off or damaged; {number} rows of it were read,"
            " fetch it again for the others"
        )


def _iter_lines(path: Path) -> Iterator[bytes]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield from iter_lines(cast("IO[bytes]", file))
    except OSError as error:
        cause = error.strerror or error
        raise BootstrapError(f"{path}: cannot be read ({cause})") from error


def _read_column(line: bytes, names: list[str]) -> None:
    """Add the column that a line of CREATE TABLE declares; a new table begins anew."""
    if line.startswith(b"CREATE TABLE"):
        names.clear()
    elif (match := _COLUMN_RE.match(line)) is not None:
        names.append(match[1].decode())


def _check_columns(path: Path, names: Sequence[str], columns: Sequence[str]) -> None:
    needed = [name for name in columns if not name.endswith("?")]
    if not names:
        raise BootstrapError(
            f"{path}: no SQL dump of a table with {', '.join(needed)}; give a file such as"
            " enwiki-latest-page.sql.gz"
        )
    if missing := [name for name in needed if name not in names]:
        raise BootstrapError(
            f"{path}: the table has no column {missing[0]}, only {', '.join(names)}"
        )


def _compile_row(
    names: Sequence[str], columns: Sequence[str]
) -> tuple[re.Pattern[bytes], list[int]]:
    """Return a pattern for a row, and the group of each column, 0 for one that is absent."""
    wanted = [column.rstrip("?") for column in columns]
    captured = [name for name in names if name in wanted]
    values = [rb"(%b)" % _VALUE if name in wanted else _VALUE for name in names]
    pattern = rb"\s*\(%b\)(?P<sign>[,;])" % b",".join(values)
    groups = [captured.index(name) + 1 if name in captured else 0 for name in wanted]
    return re.compile(pattern, re.DOTALL), groups


def _unquote(value: bytes) -> bytes:
    if value[:1] != b"'":
        return b"" if value == b"NULL" else value
    return _ESCAPE_RE.sub(
        lambda m: b"'" if m[1] is None else _ESCAPES.get(m[1], m[1]), value[1:-1]
    )


def join_link(index: bytes, path: bytes) -> str:
    """Return the URL of a host in reverse order and a path (MediaWiki 1.41 and later).

    >>> join_link(b"https://org.example.www.", b"/bees?a=1")
    'https://www.example.org/bees?a=1'
    """
    scheme, _, rest = _decode(index).partition("://")
    host, colon, port = rest.partition(":")
    host = ".".join(reversed(host.rstrip(".").split(".")))
    return f"{scheme}://{host}{colon}{port}{_decode(path)}"


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _text(title: bytes) -> str:
    return _decode(title).replace("_", " ")
