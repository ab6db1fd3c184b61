"""The SQL dumps of one wiki: which files there are, and what a pass over each gives."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ilspfc.bootstrap.wikipedia.category_graph import CategoryGraph, KeyTable, title_key
from ilspfc.bootstrap.wikipedia.sql_dump import iter_rows, read_columns
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger
    from ilspfc.bootstrap.wikipedia.sql_dump import Row

ARTICLES = b"0"
CATEGORIES = b"14"
_NAME_RE = re.compile(r"(\w+?)wiki-[\w.]+-(\w+)\.sql(?:\.gz)?")
_IP_RE = re.compile(r"V([46])\.(.*)\.")


def find_dumps(folder: Path) -> dict[str, dict[str, Path]]:
    """Return the files in a folder by the wiki's prefix (``en``) and table."""
    found: dict[str, dict[str, Path]] = {}
    if not folder.is_dir():
        raise BootstrapError(f"{folder}: no such folder; give that of the SQL dumps")
    for path in sorted(folder.iterdir()):
        if (match := _NAME_RE.fullmatch(path.name)) is not None:
            found.setdefault(match[1], {})[match[2]] = path
    if not found:
        raise BootstrapError(
            f"{folder}: no dumps there; their names are like enwiki-latest-page.sql.gz"
        )
    return found


class WikiDump:
    """The dumps of a wiki by table."""

    def __init__(self, paths: Mapping[str, Path], ledger: Ledger) -> None:
        self._paths = paths
        self._ledger = ledger

    def has(self, table: str) -> bool:
        """Return whether there is a dump of a table."""
        return table in self._paths

    def rows(self, table: str, *columns: str) -> Iterator[Row]:
        """Yield columns of a table; BootstrapError where there is no dump of it."""
        if table not in self._paths:
            known = next(iter(self._paths.values()))
            raise BootstrapError(
                f"{known.parent}: no dump of the table {table}; fetch"
                f" {known.name.replace(_table_of(known), table)} too"
            )
        yield from iter_rows(self._paths[table], columns, self._ledger)

    def columns(self, table: str) -> frozenset[str]:
        """Return the columns of a table."""
        return read_columns(self._paths[table]) if self.has(table) else frozenset()

    # -- categories ----------------------------------------------------------------------

    @property
    def has_targets(self) -> bool:
        """Whether memberships name their category by its number in ``linktarget``."""
        return "cl_to" not in self.columns("categorylinks")

    def category_pages(self) -> KeyTable:
        """Return the keys of all categories by the numbers of their pages."""
        table = KeyTable()
        for number, namespace, title in self.rows(
            "page", "page_id", "page_namespace", "page_title"
        ):
            if namespace == CATEGORIES:
                table.add(int(number), title_key(title))
        return table

    def category_targets(self) -> KeyTable | None:
        """Return the keys of categories by their numbers as targets, if they have any."""
        if not self.has_targets:
            return None
        table = KeyTable()
        for number, namespace, title in self.rows(
            "linktarget", "lt_id", "lt_namespace", "lt_title"
        ):
            if namespace == CATEGORIES:
                table.add(int(number), title_key(title))
        return table

    def subcategories(self) -> CategoryGraph:
        """Return which category is in which, parents by target or by key."""
        graph = CategoryGraph()
        has_targets = self.has_targets
        column = "cl_target_id" if has_targets else "cl_to"
        for number, target, kind in self.rows(
            "categorylinks", "cl_from", column, "cl_type"
        ):
            if kind == b"subcat":
                parent = int(target) if has_targets else title_key(target)
                graph.add(int(number), parent)
        return graph

    def members(
        self, depths: Mapping[int, int], targets: KeyTable | None
    ) -> dict[int, tuple[int, int]]:
        """Return the pages in some categories: depth and key of the nearest."""
        places: dict[int, tuple[int, int]] = {}
        numbers = targets.numbers_of({*depths}) if targets is not None else None
        column = "cl_to" if numbers is None else "cl_target_id"
        for number, target, kind in self.rows(
            "categorylinks", "cl_from", column, "cl_type"
        ):
            if kind != b"page":
                continue
            key = title_key(target) if numbers is None else numbers.get(int(target), 0)
            if key in depths:
                place = depths[key], key
                page = int(number)
                places[page] = min(places.get(page, place), place)
        return places

    # -- pages ---------------------------------------------------------------------------

    def redirects(self, titles: Mapping[bytes, int]) -> dict[int, int]:
        """Return the pages that lead to articles: number of the article by theirs."""
        if not self.has("redirect"):
            return {}
        rows = self.rows("redirect", "rd_from", "rd_namespace", "rd_title")
        return {
            int(number): titles[title]
            for number, namespace, title in rows
            if namespace == ARTICLES and title in titles
        }

    def external_links(self, pages: Collection[int]) -> Iterator[tuple[int, str]]:
        """Yield the links out of the wiki from some pages."""
        if not self.has("externallinks"):
            return
        columns: Sequence[str] = ("el_to",)
        if "el_to" not in self.columns("externallinks"):
            columns = ("el_to_domain_index", "el_to_path")
        for number, *parts in self.rows("externallinks", "el_from", *columns):
            if int(number) in pages:
                url = join_link(*parts) if len(parts) == 2 else _text(parts[0])
                yield int(number), f"https:{url}" if url.startswith("//") else url

    def language_links(self, pages: Collection[int]) -> Iterator[tuple[int, str, str]]:
        """Yield page, prefix and title of the links to other wikis."""
        for number, prefix, title in self.rows(
            "langlinks", "ll_from", "ll_lang", "ll_title"
        ):
            if int(number) in pages:
                yield int(number), _text(prefix), _text(title)

    def count_links(
        self, pages: Collection[int], titles: Mapping[bytes, int]
    ) -> Counter[int]:
        """Return how many of some pages link to each of the articles with ``titles``."""
        links: Counter[int] = Counter()
        if "pl_title" in self.columns("pagelinks"):
            rows = self.rows("pagelinks", "pl_from", "pl_namespace", "pl_title")
            for source, namespace, title in rows:
                if namespace == ARTICLES and int(source) in pages and title in titles:
                    links[titles[title]] += 1
            return links
        targets = {
            int(number): titles[title]
            for number, namespace, title in self.rows(
                "linktarget", "lt_id", "lt_namespace", "lt_title"
            )
            if namespace == ARTICLES and title in titles
        }
        for source, target in self.rows("pagelinks", "pl_from", "pl_target_id"):
            if int(source) in pages and int(target) in targets:
                links[targets[int(target)]] += 1
        return links


def join_link(index: bytes, path: bytes) -> str:
    """Return the URL of a host in reverse order and a path (MediaWiki 1.41 and later).

    >>> join_link(b"https://org.example.www.", b"/bees?a=1")
    'https://www.example.org/bees?a=1'
    """
    scheme, _, rest = _text(index).partition("://")
    host, colon, port = rest.partition(":")
    if (match := _IP_RE.fullmatch(host)) is not None:
        host = match[2] if match[1] == "4" else f"[{match[2].replace('.', ':')}]"
    else:
        host = ".".join(reversed(host.rstrip(".").split(".")))
    return f"{scheme}://{host}{colon}{port}{_text(path)}"


def _table_of(path: Path) -> str:
    match = _NAME_RE.fullmatch(path.name)
    return match[2] if match else ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
