"""The corpus index: pages, documents, links and what was dropped."""

from __future__ import annotations

import json
import math
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from ilspfc.corpus.reading import READING_VERSION
from ilspfc.corpus.records import DocumentEntry, LinkEntry, Markup
from ilspfc.database import Database, marks
from ilspfc.documents import Document, License, Page
from ilspfc.exceptions import CorpusError

# Columns that have the same values again and again.
_REPEATED = frozenset(
    "lang host site subdomains license encoding fetched_at optouts license_id"
    " license_place genre".split()
)
_ARE_REPEATED = [field.name in _REPEATED for field in fields(DocumentEntry)]

# Rows of a table of documents as entries.
_ENTRIES = "SELECT {0}.*, ifnull(reason, '') != '' FROM {0} LEFT JOIN subject ON subject.document = id"

# Version of the tables in corpus.sql; a corpus of another version is refused.
SCHEMA_VERSION = 11
KEPT = "kept"
# Remedy where index or frontier cannot be used, see Database.remedy.
REINDEX = "`scrapy reindex {folder}` rebuilds it from xml/ and warc/"
# Pages of the write-ahead log (4 kB each) after which it is copied into the file, which
# waits for the disk: the third.
_PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=4000")
# Tables with rows of documents, and the column of the document.
_DETAILS = (
    "duplicates texts readings verdicts probabilities cleaning_scores subject images"
    " licenses markup"
)
DOCUMENT_TABLES = (
    ("documents", "id"),
    ("links", "source"),
    *((table, "document") for table in _DETAILS.split()),
)


class CorpusIndex(Database):
    """Index of the pages, documents and links that a crawl found.

    Every method that writes commits, unless it is called in a :meth:`transaction`: what was
    written survives a kill.
    """

    kind = "corpus index"
    is_read_only = False
    remedy = REINDEX
    error_type = CorpusError

    def _prepare(self, connection: sqlite3.Connection) -> None:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in {0, SCHEMA_VERSION}:  # 0: a new file
            remedy = REINDEX.format(folder=self.path.parent)
            raise CorpusError(
                f"{self.path}: written by another version of ilspfc (schema {version},"
                f" this one reads {SCHEMA_VERSION}); {remedy}"
            )
        schema = files(__package__).joinpath("corpus.sql").read_text("utf-8")
        connection.executescript(schema)
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    @property
    def tables(self) -> frozenset[str]:
        """The names of all tables and views."""
        sql = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
        return frozenset(name for (name,) in self.rows(sql))

    @contextmanager
    def authorizing(self, check: Callable[..., int]) -> Iterator[None]:
        """Ask a function before each statement; see ``sqlite3.Connection.set_authorizer``."""
        self._connection.set_authorizer(check)
        try:
            yield
        finally:
            self._connection.set_authorizer(None)

    @contextmanager
    def attached(self, path: Path, name: str) -> Iterator[sqlite3.Connection]:
        """Give the tables of another index a name beside those of this one."""
        CorpusIndex(path).close()  # of this version, or an error
        self._connection.execute(f"ATTACH ? AS {name}", (str(path),))
        try:
            yield self._connection
        finally:
            self._connection.execute(f"DETACH {name}")

    def add_page(self, page: Page, host: str, *, renew: bool = True) -> None:
        """Record a fetched page and its fate.

        What was known of its URL is replaced, or left as it is without ``renew``.
        """
        document = page.document or Document(page.id, page.url, [])
        values = (
            page.url,
            page.id,
            host,
            page.drop or KEPT,
            document.lang,
            document.relevance,
            document.terms,
            page.depth,
            page.fetched_at,
            "\n".join(document.optouts),
            document.is_reserved,
            document.perplexity if document.perplexity < math.inf else None,
            document.bucket,
        )
        with self.transaction() as connection:
            connection.execute(
                f"INSERT OR {'REPLACE' if renew else 'IGNORE'} INTO pages"
                f" VALUES ({marks(len(values))})",
                values,
            )
            connection.execute("DELETE FROM failures WHERE url = ?", (page.url,))

    def add_failure(
        self, url: str, host: str, reason: str, cause: str, *, is_seed: bool
    ) -> bool:
        """Record a URL that never became a page; return False for one that once did."""
        with self.transaction() as connection:
            sql = (
                f"REPLACE INTO failures SELECT {marks(5)}"
                " WHERE NOT EXISTS (SELECT 1 FROM pages WHERE url = ?)"
            )
            values = (url, host, reason, cause, is_seed, url)
            return connection.execute(sql, values).rowcount > 0

    def add_document(
        self,
        entry: DocumentEntry,
        links: Iterable[LinkEntry],
        images: Iterable[str],
        licenses: Iterable[License] = (),
        digest: str = "",
        *,
        probability: float | None = None,
        cleaning_score: float | None = None,
        markup: Markup | None = None,
        reading: bytes = b"",
    ) -> None:
        """Record an exported document, in place of an earlier state of it.

        ``digest`` is that of its text (:func:`~ilspfc.corpus.reading.text_digest`),
        ``probability`` that of its relevance, ``cleaning_score`` the F1 that cleaning expects,
        both None where no model said; ``markup`` is None for a document that was no HTML,
        ``reading`` is of :func:`~ilspfc.corpus.reading.encode_reading`, empty where it is to be made from the XML when it is first needed.
        """
        *values, _ = astuple(entry)  # is_off_topic is decided later
        with self.transaction() as connection:
            connection.execute(
                f"REPLACE INTO documents VALUES ({marks(len(values))})", values
            )
            self.set_links(entry.id, links, images)
            rows: dict[str, Iterable[tuple[Any, ...]]] = {
                "texts": [(digest,)],
                "subject": [],
                "verdicts": [],
                "readings": [(READING_VERSION, reading)] if reading else [],
                "probabilities": [] if probability is None else [(probability,)],
                "cleaning_scores": []
                if cleaning_score is None
                else [(cleaning_score,)],
                "licenses": ((n, *astuple(one)) for n, one in enumerate(licenses)),
                "markup": [] if markup is None else [markup],
            }
            for table, found in rows.items():
                of_document = ((entry.id, *row) for row in found)
                self.set_rows(table, of_document, "document = ?", entry.id)

    def set_reading(self, identity: str, reading: bytes) -> None:
        """Record the reading of a document."""
        row = (identity, READING_VERSION, reading)
        self.change("REPLACE INTO readings VALUES (?, ?, ?)", [row])

    def reading_of(self, identity: str) -> tuple[bytes, str]:
        """Return the reading of a document and the signs of the decisions on its text.

        Both are empty where there are none, the reading where it is of another version.
        """
        sql = "SELECT data FROM readings WHERE document = ? AND version = ?"
        found = self.rows(sql, (identity, READING_VERSION))
        signs = self.rows("SELECT signs FROM verdicts WHERE document = ?", (identity,))
        return next((d for (d,) in found), b""), next((s for (s,) in signs), "")

    def set_verdicts(self, rows: Iterable[tuple[str, str]]) -> None:
        """Record the decisions on the text of documents: ids and signs."""
        self.change("REPLACE INTO verdicts VALUES (?, ?)", rows)

    def set_links(
        self, identity: str, links: Iterable[LinkEntry], images: Iterable[str]
    ) -> None:
        """Record the links and images of a document, in place of those it had."""
        rows = ((identity, position, *link) for position, link in enumerate(links))
        names = ((identity, name) for name in dict.fromkeys(images))
        with self.transaction():
            self.set_rows("links", rows, "source = ?", identity)
            self.set_rows("images", names, "document = ?", identity)

    def remove_document(self, identity: str) -> None:
        """Take a document out of the corpus; its file is the caller's to remove."""
        with self.transaction():
            for table, column in DOCUMENT_TABLES:
                self.set_rows(table, (), f"{column} = ?", identity)

    def add_versions(self, versions: Iterable[tuple[str, str, str]]) -> None:
        """Record which documents are declared versions: source, target, hreflang."""
        self.change("INSERT OR REPLACE INTO versions VALUES (?, ?, ?)", versions)

    def add_run(self, description: Mapping[str, object]) -> None:
        """Record what a run was asked to do."""
        row = (None, json.dumps(description, sort_keys=True))
        self.change("INSERT INTO runs VALUES (?, ?)", [row])

    def finish_run(self, result: Mapping[str, object]) -> None:
        """Add what came of it to the description of the last run."""
        self.change(
            "UPDATE runs SET description = json_patch(description, ?)"
            " WHERE number = (SELECT max(number) FROM runs)",
            [(json.dumps(result, sort_keys=True, default=str),)],
        )

    @property
    def is_blank(self) -> bool:
        """True where no crawl has recorded its arguments yet."""
        return next(self.rows("SELECT 1 FROM runs LIMIT 1"), None) is None

    def last_run(self) -> dict[str, Any]:
        """Return the description of the last run, empty if there was none."""
        rows = self.rows("SELECT description FROM runs ORDER BY number DESC LIMIT 1")
        return next((dict(json.loads(text)) for (text,) in rows), {})

    def signature(self, stage: str) -> str:
        """Return the signature of the last run of a stage, empty if there was none."""
        sql = "SELECT signature FROM signatures WHERE stage = ?"
        return next((str(row[0]) for row in self.rows(sql, (stage,))), "")

    def set_signature(self, stage: str, signature: str) -> None:
        """Record the inputs that a stage has run on."""
        self.change("REPLACE INTO signatures VALUES (?, ?)", [(stage, signature)])

    def documents(self, *, duplicates: bool = False) -> list[DocumentEntry]:
        """Return the documents by id; with ``duplicates``, those that are put apart too."""
        return self._documents("documents" if duplicates else "kept_documents")

    def documents_to_pair(self) -> list[DocumentEntry]:
        """Return the documents that pairing compares, contained ones too, by id."""
        return self._documents("documents_to_pair")

    def documents_by_site(self) -> Iterator[DocumentEntry]:
        """Yield the documents to pair by site, language and id, as they are read."""
        order = "ORDER BY site, lang, id"
        for row in self.rows(f"{_ENTRIES.format('documents_to_pair')} {order}"):
            yield DocumentEntry(*row)

    def documents_of_candidates(
        self, source_lang: str, target_lang: str
    ) -> list[DocumentEntry]:
        """Return the documents to pair that are in a candidate of two languages, by id."""
        of_langs = "FROM candidates WHERE source_lang = ?1 AND target_lang = ?2"
        chosen = f"id IN (SELECT source {of_langs} UNION SELECT target {of_langs})"
        langs = source_lang, target_lang
        return self._documents("documents_to_pair", f"WHERE {chosen}", langs)

    def _documents(
        self, table: str, where: str = "", values: tuple[str, ...] = ()
    ) -> list[DocumentEntry]:
        rows = self.rows(f"{_ENTRIES.format(table)} {where} ORDER BY id", values)
        return [DocumentEntry(*_share_values(row)) for row in rows]

    def document(self, identity: str) -> DocumentEntry | None:
        """Return a document, None if there is none of that id."""
        rows = self.rows(f"{_ENTRIES.format('documents')} WHERE id = ?", (identity,))
        return next((DocumentEntry(*row) for row in rows), None)

    def digest_of(self, identity: str) -> str:
        """Return the digest of a document's text, empty if there is none."""
        rows = self.rows("SELECT digest FROM texts WHERE document = ?", (identity,))
        return next((digest for (digest,) in rows), "")

    def markup_of(self, identity: str) -> Markup:
        """Return the markup of a document's page, empty if it was no HTML."""
        sql = "SELECT bytes, tags FROM markup WHERE document = ?"
        return next((Markup(*row) for row in self.rows(sql, (identity,))), Markup())

    def set_duplicates(self, duplicates: Mapping[str, tuple[str, str]]) -> None:
        """Record which document each duplicate repeats, and why it went.

        All others are unique.
        """
        with self.transaction():
            self.change("UPDATE documents SET duplicate_of = ''")
            self.change(
                "UPDATE documents SET duplicate_of = ? WHERE id = ?",
                ((survivor, one) for one, (survivor, _) in duplicates.items()),
            )
            reasons = ((one, reason) for one, (_, reason) in duplicates.items())
            self.set_rows("duplicates", reasons)

    def set_subject(
        self, probabilities: Mapping[str, float], reasons: Mapping[str, str]
    ) -> None:
        """Record how probably documents are about the domain, and why some are put apart.

        All others have neither.
        """
        known = probabilities.keys() | reasons.keys()
        rows = ((i, probabilities.get(i), reasons.get(i, "")) for i in sorted(known))
        self.set_rows("subject", rows)

    def set_text_sizes(self, sizes: Iterable[tuple[str, int, int]]) -> None:
        """Record the sizes of documents: ids, clean paragraphs and tokens of these."""
        self.change(
            "UPDATE documents SET clean_paragraphs = ?2, tokens = ?3 WHERE id = ?1",
            sizes,
        )

    def set_drops(self, stage: str, counts: Mapping[str, int]) -> None:
        """Record what a stage dropped, in place of its last run's counts."""
        rows = ((stage, *one) for one in counts.items())
        self.set_rows("drops", rows, "stage = ?", stage)


def _share_values(row: Sequence[Any]) -> list[Any]:
    """Return a row of documents whose repeated texts are held once for all rows."""
    values = zip(row, _ARE_REPEATED, strict=True)
    return [sys.intern(value) if repeated else value for value, repeated in values]
