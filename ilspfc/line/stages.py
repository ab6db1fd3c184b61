"""Stages of the corpus line in order, as records: tables read and written, settings used."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from scrapy.settings import BaseSettings, default_settings

from ilspfc.corpus.corpus import Corpus
from ilspfc.exports.corpus_files import run_exports
from ilspfc.line.alignment import run_alignment
from ilspfc.line.content import run_content
from ilspfc.line.decisions import run_decisions
from ilspfc.line.dedup import run_dedup
from ilspfc.line.pairing import run_pairing
from ilspfc.line.units import run_units

# Tables that any stage may read: the crawl, its documents, the counts of drops.
_OPEN = frozenset(
    "runs documents kept_documents documents_to_pair duplicates subject drops".split()
)
# Tables that any stage may write: counts, sizes; and readings of imported documents.
_COMMON = frozenset({"documents", "drops", "runs", "readings", "verdicts"})
# The contact is only named in exports, and does not change results.
_CONTACT = "FETCH_CONTACT"
_WRITES = frozenset(
    {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE}
)


@dataclass(frozen=True, slots=True)
class Stage:
    """Stage of the corpus line.

    ``reads`` and ``writes`` are tables of ``corpus.db``, in addition to runs, documents and
    counts of drops, which all stages may read. ``settings`` are the names of the settings
    used, or prefixes that end with an underscore: a change to one makes the results outdated.
    ``title`` describes the stage in the progress line. A custom stage runs right after the
    stage ``after``.
    """

    name: str
    title: str
    run: Callable[[Corpus], None]
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    settings: tuple[str, ...] = ()
    after: str = ""

    def takes(self, setting: str) -> bool:
        """Test whether a setting is declared."""
        return any(
            setting == one or (one.endswith("_") and setting.startswith(one))
            for one in self.settings
        )

    def __call__(self, corpus: Corpus) -> None:
        """Run the stage; UndeclaredError if it uses an undeclared table or setting."""
        settings = _DeclaredSettings(self, corpus.settings)
        with self._guard_tables(corpus):
            self.run(replace(corpus, settings=settings))

    @contextmanager
    def _guard_tables(self, corpus: Corpus) -> Iterator[None]:
        """Refuse statements on undeclared tables of the corpus."""
        tables = corpus.index.tables
        refused: list[str] = []

        def check(action: int, first: str | None, *_: str | None) -> int:
            table = first or ""
            may_write = table in self.writes | _COMMON
            may_read = table in self.reads | self.writes | _OPEN
            is_write = action in _WRITES
            is_read = action == sqlite3.SQLITE_READ
            if table not in tables or not (is_write or is_read):
                return sqlite3.SQLITE_OK
            if may_write if is_write else may_read:
                return sqlite3.SQLITE_OK
            refused.append(f"{'writes' if is_write else 'reads'} {table}")
            return sqlite3.SQLITE_DENY

        with corpus.index.authorizing(check):
            try:
                yield
            except sqlite3.DatabaseError as error:
                if refused:
                    raise UndeclaredError(self.name, refused[0]) from error
                raise


class UndeclaredError(Exception):
    """Use of an undeclared table or setting by a stage, which is a programming error."""

    def __init__(self, stage: str, what: str) -> None:
        super().__init__(f"the stage {stage} {what} without declaring it")


class _DeclaredSettings(BaseSettings):
    """The declared settings of a stage, and Scrapy's own; access to others is an error."""

    def __init__(self, stage: Stage, settings: BaseSettings) -> None:
        super().__init__()
        self._stage = stage
        self._given = settings

    def __getitem__(self, name: Any) -> Any:
        is_open = name == _CONTACT or hasattr(default_settings, str(name))
        if not is_open and not self._stage.takes(name):
            raise UndeclaredError(self._stage.name, f"takes {name}")
        return self._given[name]

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def getpriority(self, name: str) -> int | None:
        return self._given.getpriority(name)


_TEXT = frozenset({"readings", "verdicts"})

STAGES = (
    Stage(
        "dedup",
        "removing near-duplicates",
        run_dedup,
        reads=_TEXT | {"links"},
        writes=frozenset({"duplicates"}),
        settings=("DEDUP_",),
    ),
    Stage(
        "pairing",
        "pairing documents",
        run_pairing,
        reads=_TEXT | {"images", "links", "markup", "versions"},
        writes=frozenset({"candidates", "rivals", "alone", "units"}),
        settings=("PAIRING_", "LEXICON_"),
    ),
    Stage(
        "content",
        "deciding text",
        run_content,
        reads=_TEXT | {"candidates"},
        writes=frozenset({"verdicts"}),
        # Restored text is judged like that of cleaning: by length and language.
        settings=(
            "DECISIONS_OMITTED_TYPES",
            "DECISIONS_TEXT",
            "CLEANING_BACKEND",
            "CLEANING_MIN_PARAGRAPH_TOKENS",
            "LANGUAGE_TEXTS",
            "PAIRING_THRESHOLD",
        ),
    ),
    Stage(
        "alignment",
        "aligning segments",
        run_alignment,
        reads=_TEXT | {"candidates"},
        writes=frozenset({"candidates", "explained", "losses", "units"}),
        settings=("ALIGNMENT_", "LEXICON_", "PAIRING_THRESHOLD"),
    ),
    Stage(
        "decisions",
        "deciding pairs",
        run_decisions,
        reads=_TEXT | {"alone", "explained", "links", "losses", "pages", "unpaired"},
        writes=frozenset({"candidates", "subject", "units"}),
        settings=("DECISIONS_", "CLASSIFICATION_DECIDES_BY", "PAIRING_THRESHOLD"),
    ),
    Stage(
        "units",
        "judging units",
        run_units,
        reads=frozenset({"candidates", "units"}),
        writes=frozenset({"unit_reasons"}),
        settings=(
            "EXPORTS_FILTERS",
            "EXPORTS_LENGTH_RATIO",
            "EXPORTS_MIN_",
            "EXPORTS_PERSONAL_DATA",
            "EXPORTS_PRESET",
            "EXPORTS_SCORERS",
            "EXPORTS_TEST_SETS",
            "LANGUAGE_TEXTS",
        ),
    ),
    Stage(
        "exports",
        "writing exports",
        run_exports,
        reads=_TEXT
        | {"candidates", "units", "unit_reasons", "licenses", "pages", "probabilities"},
        settings=("EXPORTS_", "DECISIONS_MIN_RELEVANCE"),
    ),
)
