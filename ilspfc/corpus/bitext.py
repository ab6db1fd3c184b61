"""The bilingual part of the corpus index: pairs of documents and aligned segments."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ilspfc.corpus.entries import PairEntry
from ilspfc.database import marks
from ilspfc.documents import DocumentPair, TranslationUnit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ilspfc.corpus.index import CorpusIndex


class Bitext:
    """The pairs and translation units of a corpus.

    Every method that writes commits: what it wrote survives a kill.
    """

    def __init__(self, index: CorpusIndex) -> None:
        self._index = index

    def set_pairs(
        self, source_lang: str, target_lang: str, pairs: Iterable[DocumentPair]
    ) -> None:
        """Record the pairs of two languages in place of those found before.

        A pair that stays keeps its aligned segments.
        """
        langs = (source_lang, target_lang)
        rows = self._index.rows(
            "SELECT source, target, null_share, mean_score FROM pairs"
            " WHERE source_lang = ? AND target_lang = ?",
            langs,
        )
        known = {(source, target): aligned for source, target, *aligned in rows}
        found = list(pairs)
        gone = known.keys() - {(pair.source, pair.target) for pair in found}
        with self._index.transaction() as connection:
            connection.executemany(
                "DELETE FROM units WHERE source = ? AND target = ?", sorted(gone)
            )
            connection.execute(
                "DELETE FROM pairs WHERE source_lang = ? AND target_lang = ?", langs
            )
            connection.executemany(
                f"INSERT INTO pairs VALUES ({marks(11)})",
                (
                    (
                        *langs,
                        pair.source,
                        pair.target,
                        pair.probability,
                        pair.evidence,
                        pair.margin,
                        json.dumps(dict(pair.values)),
                        pair.round,
                        *known.get((pair.source, pair.target), (None, None)),
                    )
                    for pair in found
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

    def pairs(self, source_lang: str, target_lang: str) -> list[PairEntry]:
        """Return the pairs of two languages, the most probable first."""
        documents = {entry.id: entry for entry in self._index.documents()}
        rows = self._index.rows(
            "SELECT source, target, probability, evidence, margin, evidence_values,"
            " round, null_share, mean_score FROM pairs WHERE source_lang = ? AND target_lang = ?"
            " ORDER BY probability DESC, source",
            (source_lang, target_lang),
        )
        return [
            PairEntry(
                DocumentPair(
                    source,
                    target,
                    probability,
                    evidence,
                    margin,
                    tuple(json.loads(values).items()),
                    number,
                ),
                documents[source],
                documents[target],
                *aligned,
            )
            for source, target, probability, evidence, margin, values, number, *aligned in rows
            if source in documents and target in documents
        ]

    def language_pairs(self) -> list[tuple[str, str]]:
        """Return the language pairs that have document pairs, in a stable order."""
        sql = "SELECT DISTINCT source_lang, target_lang FROM pairs ORDER BY 1, 2"
        return [(source, target) for source, target in self._index.rows(sql)]

    def set_units(
        self,
        pair: DocumentPair,
        units: Iterable[TranslationUnit],
        *,
        null_share: float,
        mean_score: float,
    ) -> None:
        """Record the aligned segments of a pair in place of those it had."""
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
                "UPDATE pairs SET null_share = ?, mean_score = ?"
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
