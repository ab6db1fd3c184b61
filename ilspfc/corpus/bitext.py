"""The bilingual part of the corpus index: pairs of documents and aligned segments."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from ilspfc.corpus.records import PairEntry
from ilspfc.database import marks
from ilspfc.documents import DocumentPair, TranslationUnit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ilspfc.corpus.index import CorpusIndex

PAIR, TAKEN, NOT_PARALLEL = "pair", "taken", "not_parallel"
_RUN = "(SELECT ifnull(max(number), 0) FROM runs)"
_COLUMNS = (
    "source, target, probability, evidence, margin, evidence_values, round, null_share,"
    " mean_score, state"
)


class Bitext:
    """The pairs and translation units of a corpus.

    Every method that writes commits: what it wrote survives a kill.
    """

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index

    def set_pairs(
        self,
        source_lang: str,
        target_lang: str,
        pairs: Iterable[DocumentPair],
        *,
        taken: Iterable[DocumentPair] = (),
        not_parallel: Iterable[DocumentPair] = (),
    ) -> None:
        """Record the pairs of two languages in place of those found before.

        ``taken`` are candidates that gave way to a more probable pair, ``not_parallel``
        those that alignment has found to be none. A pair that stays keeps its aligned
        segments, and all keep what alignment has measured.
        """
        langs = (source_lang, target_lang)
        states = ((PAIR, pairs), (TAKEN, taken), (NOT_PARALLEL, not_parallel))
        found = [(pair, state) for state, some in states for pair in some]
        kept = {(p.source, p.target) for p, state in found if state == PAIR}
        rows = self._index.rows(
            "SELECT source, target, null_share, mean_score, aligned_in FROM candidates"
            " WHERE source_lang = ? AND target_lang = ?",
            langs,
        )
        known = {(source, target): aligned for source, target, *aligned in rows}
        unknown = (None, None, None)
        with self._index.transaction() as connection:
            connection.executemany(
                "DELETE FROM units WHERE source = ? AND target = ?",
                sorted(known.keys() - kept),
            )
            connection.execute(
                "DELETE FROM candidates WHERE source_lang = ? AND target_lang = ?",
                langs,
            )
            connection.executemany(
                f"INSERT INTO candidates VALUES ({marks(13)})",
                (
                    (
                        *langs,
                        *_row_of(pair),
                        state,
                        *known.get((pair.source, pair.target), unknown),
                    )
                    for pair, state in found
                ),
            )

    def set_rivals(
        self,
        source_lang: str,
        target_lang: str,
        rivals: Iterable[tuple[str, str, float]],
    ) -> None:
        """Record documents without a pair with their most probable partners.

        Each is the document, the partner and the probability.
        """
        langs = (source_lang, target_lang)
        with self._index.transaction() as connection:
            connection.execute(
                "DELETE FROM rivals WHERE source_lang = ? AND target_lang = ?", langs
            )
            connection.executemany(
                f"INSERT INTO rivals VALUES ({marks(5)})",
                ((*langs, *rival) for rival in rivals),
            )

    def set_alone(self, langs: Collection[str], reasons: Mapping[str, str]) -> None:
        """Record why documents in some languages are in no candidate pair."""
        with self._index.transaction() as connection:
            connection.execute(
                "DELETE FROM alone WHERE document NOT IN (SELECT id FROM documents_to_pair"
                f" WHERE lang NOT IN ({marks(len(langs))}))",
                tuple(langs),
            )
            connection.executemany(
                "INSERT INTO alone VALUES (?, ?)", sorted(reasons.items())
            )

    def pairs(self, source_lang: str, target_lang: str) -> list[PairEntry]:
        """Return the pairs of two languages, the most probable first."""
        return [
            entry
            for entry in self.aligned_pairs(source_lang, target_lang)
            if entry.is_parallel
        ]

    def aligned_pairs(self, source_lang: str, target_lang: str) -> list[PairEntry]:
        """Return the pairs, and after them those that are not parallel."""
        documents = {entry.id: entry for entry in self._index.documents_to_pair()}
        rows = self._index.rows(
            f"SELECT {_COLUMNS} FROM candidates WHERE source_lang = ? AND target_lang = ?"
            " AND state != ? ORDER BY state DESC, probability DESC, source",
            (source_lang, target_lang, TAKEN),
        )
        return [
            PairEntry(
                _make_pair(values),
                documents[source],
                documents[target],
                null_share,
                mean_score,
                state == PAIR,
            )
            for *values, null_share, mean_score, state in rows
            if (source := values[0]) in documents and (target := values[1]) in documents
        ]

    def candidates(self, source_lang: str, target_lang: str) -> list[DocumentPair]:
        """Return all candidates of two languages, whatever has become of them.

        Those of documents that dedup has put apart since are left out.
        """
        rows = self._index.rows(
            f"SELECT {_COLUMNS} FROM candidates WHERE source_lang = ? AND target_lang = ?"
            " AND source IN (SELECT id FROM documents_to_pair)"
            " AND target IN (SELECT id FROM documents_to_pair)",
            (source_lang, target_lang),
        )
        return [_make_pair(row[:-3]) for row in rows]

    def figures(
        self, source_lang: str, target_lang: str
    ) -> dict[tuple[str, str], tuple[float, float]]:
        """Return share of null beads and mean score of what was aligned since the last crawl.

        They are by the ids of both documents. A crawl may bring pages that teach more.
        """
        rows = self._index.rows(
            "SELECT source, target, null_share, mean_score FROM candidates"
            f" WHERE source_lang = ? AND target_lang = ? AND aligned_in = {_RUN}"
            " AND mean_score IS NOT NULL",
            (source_lang, target_lang),
        )
        return {(source, target): (share, mean) for source, target, share, mean in rows}

    def language_pairs(self) -> list[tuple[str, str]]:
        """Return the language pairs that have document pairs, in a stable order."""
        sql = (
            "SELECT DISTINCT source_lang, target_lang FROM candidates WHERE state != ?"
            " ORDER BY 1, 2"
        )
        return [(source, target) for source, target in self._index.rows(sql, (TAKEN,))]

    def set_units(
        self,
        pair: DocumentPair,
        units: Iterable[TranslationUnit],
        *,
        null_share: float | None,
        mean_score: float | None,
    ) -> None:
        """Record the aligned segments of a pair in place of those it had.

        The figures are None where there is too little to judge the pair by.
        """
        key = (pair.source, pair.target)
        with self._index.transaction() as connection:
            connection.execute("DELETE FROM units WHERE source = ? AND target = ?", key)
            connection.executemany(
                f"INSERT INTO units VALUES ({marks(7)})",
                (
                    (*key, number, unit.source, unit.target, unit.kind, unit.score)
                    for number, unit in enumerate(units)
                ),
            )
            connection.execute(
                f"UPDATE candidates SET null_share = ?, mean_score = ?, aligned_in = {_RUN}"
                " WHERE source = ? AND target = ?",
                (null_share, mean_score, *key),
            )

    def units(self, pair: DocumentPair) -> Iterator[TranslationUnit]:
        """Yield the aligned segments of a pair, in the order of its documents."""
        sql = (
            "SELECT source_text, target_text, kind, score FROM units"
            " WHERE source = ? AND target = ? ORDER BY number"
        )
        for row in self._index.rows(sql, (pair.source, pair.target)):
            yield TranslationUnit(*row)


def _row_of(pair: DocumentPair) -> tuple[object, ...]:
    *head, values, number = astuple(pair)
    return (*head, json.dumps(dict(values)), number)


def _make_pair(row: Sequence[Any]) -> DocumentPair:
    source, target, probability, evidence, margin, values, number = row
    kinds = tuple(json.loads(values).items())
    return DocumentPair(source, target, probability, evidence, margin, kinds, number)
