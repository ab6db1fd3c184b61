"""The corpus index: pages, documents, links and what was dropped."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from ilspfc.corpus.database import Database, marks
from ilspfc.corpus.entries import DocumentEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ilspfc.corpus.entries import LinkEntry
    from ilspfc.documents import License, Page

KEPT = "kept"
_DOCUMENT_COLUMNS = tuple(DocumentEntry.__dataclass_fields__)


class CorpusIndex(Database):
    """What a crawl found.

    Every method that writes commits: what it wrote survives a kill.
    """

    def add_page(self, page: Page, host: str) -> None:
        """Record a fetched page and its fate, in place of what was known of its URL."""
        document = page.document
        values = (
            page.url,
            page.id,
            host,
            page.drop or KEPT,
            document.lang if document else "",
            document.relevance if document else 0.0,
            document.terms if document else 0,
            page.depth,
            page.fetched_at,
            "\n".join(document.optouts) if document else "",
            document.is_reserved if document else False,
        )
        with self.transaction() as connection:
            connection.execute(
                f"REPLACE INTO pages VALUES ({marks(len(values))})", values
            )
            connection.execute("DELETE FROM failures WHERE url = ?", (page.url,))

    def add_failure(
        self, url: str, host: str, reason: str, cause: str, *, is_seed: bool
    ) -> None:
        """Record a URL that never became a page."""
        with self.transaction() as connection:
            connection.execute(
                f"REPLACE INTO failures VALUES ({marks(5)})",
                (url, host, reason, cause, is_seed),
            )

    def add_document(
        self,
        entry: DocumentEntry,
        links: Iterable[LinkEntry],
        images: Iterable[str],
        licenses: Iterable[License] = (),
    ) -> None:
        """Record an exported document, in place of an earlier state of it."""
        values = tuple(getattr(entry, column) for column in _DOCUMENT_COLUMNS)
        with self.transaction() as connection:
            connection.execute(
                f"REPLACE INTO documents VALUES ({marks(len(values))})", values
            )
            connection.execute("DELETE FROM links WHERE source = ?", (entry.id,))
            connection.executemany(
                f"INSERT INTO links VALUES ({marks(5)})",
                (
                    (entry.id, position, link.target, link.kind, link.lang)
                    for position, link in enumerate(links)
                ),
            )
            connection.execute("DELETE FROM images WHERE document = ?", (entry.id,))
            connection.executemany(
                "INSERT OR IGNORE INTO images VALUES (?, ?)",
                ((entry.id, name) for name in images),
            )
            connection.execute("DELETE FROM licenses WHERE document = ?", (entry.id,))
            connection.executemany(
                f"INSERT INTO licenses VALUES ({marks(7)})",
                (
                    (entry.id, position, *astuple(license_))
                    for position, license_ in enumerate(licenses)
                ),
            )

    def add_versions(self, versions: Iterable[tuple[str, str, str]]) -> None:
        """Record which documents are declared versions: source, target, hreflang."""
        with self.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO versions VALUES (?, ?, ?)", versions
            )

    def add_run(self, description: Mapping[str, object]) -> None:
        """Record what a run was asked to do."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO runs (description) VALUES (?)",
                (json.dumps(description, sort_keys=True),),
            )

    def finish_run(self, result: Mapping[str, object]) -> None:
        """Add what came of it to the description of the last run."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE runs SET description = json_patch(description, ?)"
                " WHERE number = (SELECT max(number) FROM runs)",
                (json.dumps(result, sort_keys=True, default=str),),
            )

    def last_run(self) -> dict[str, Any]:
        """Return the description of the last run, empty if there was none."""
        sql = "SELECT description FROM runs ORDER BY number DESC LIMIT 1"
        for (description,) in self.rows(sql):
            return dict(json.loads(description))
        return {}

    def documents(self, *, duplicates: bool = False) -> list[DocumentEntry]:
        """Return the documents by id; near-duplicates only if asked for."""
        where = "" if duplicates else "WHERE duplicate_of = ''"
        return [
            DocumentEntry(*row)
            for row in self.rows(f"SELECT * FROM documents {where} ORDER BY id")
        ]

    def set_duplicates(self, survivors: Mapping[str, str]) -> None:
        """Record which document each near-duplicate repeats; all others are unique."""
        with self.transaction() as connection:
            connection.execute("UPDATE documents SET duplicate_of = ''")
            connection.executemany(
                "UPDATE documents SET duplicate_of = ? WHERE id = ?",
                ((survivor, identity) for identity, survivor in survivors.items()),
            )

    def set_drops(self, stage: str, counts: Mapping[str, int]) -> None:
        """Record what a stage dropped, in place of its last run's counts."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM drops WHERE stage = ?", (stage,))
            connection.executemany(
                "INSERT INTO drops VALUES (?, ?, ?)",
                ((stage, reason, number) for reason, number in counts.items()),
            )
