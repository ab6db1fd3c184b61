"""The bilingual part of the corpus index: pairs of documents and aligned segments."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from sys import intern
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.database import marks
from ilspfc.documents import DocumentPair, PairState, TranslationUnit

if TYPE_CHECKING:
    from ilspfc.corpus.index import CorpusIndex

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

    def set_candidates(
        self, source_lang: str, target_lang: str, candidates: Iterable[DocumentPair]
    ) -> None:
        """Record the candidates of two languages in place of those found before.

        A known candidate keeps its state, its figures and its units; a new one counts as
        taken until it is decided on.
        """
        rows = self._index.rows(
            "SELECT source, target, state FROM candidates"
            " WHERE source_lang = ? AND target_lang = ?",
            (source_lang, target_lang),
        )
        known = {(source, target): PairState(state) for source, target, state in rows}
        states = {
            pair: known.get((pair.source, pair.target), PairState.TAKEN)
            for pair in candidates
        }
        self.set_states(source_lang, target_lang, states)

    def set_states(
        self, source_lang: str, target_lang: str, states: Mapping[DocumentPair, str]
    ) -> None:
        """Record the candidates of two languages with the decisions on them.

        All others are forgotten. What stays keeps the figures of its alignment, a pair its
        units as well, also one that is put apart: another bound brings it back.
        """
        langs = (source_lang, target_lang)
        pairs = {
            (pair.source, pair.target)
            for pair, state in states.items()
            if state in {PairState.PAIR, PairState.OFF_TOPIC}
        }
        rows = self._index.rows(
            "SELECT source, target, null_share, mean_score, aligned_in FROM candidates"
            " WHERE source_lang = ? AND target_lang = ?",
            langs,
        )
        known = {(source, target): aligned for source, target, *aligned in rows}
        with self._index.transaction() as connection:
            connection.executemany(
                "DELETE FROM units WHERE source = ? AND target = ?",
                sorted(known.keys() - pairs),
            )
            connection.execute(
                "DELETE FROM candidates WHERE source_lang = ? AND target_lang = ?",
                langs,
            )
            for pair, state in states.items():
                *values, kinds, number = astuple(pair)
                values += [json.dumps(dict(kinds)), number, state]
                values += known.get((pair.source, pair.target), (None, None, None))
                connection.execute(
                    f"INSERT INTO candidates VALUES ({marks(13)})", (*langs, *values)
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
        rows = ((*langs, *rival) for rival in rivals)
        of_langs = "source_lang = ? AND target_lang = ?"
        self._index.set_rows("rivals", rows, of_langs, *langs)

    def set_alone(self, langs: Collection[str], reasons: Mapping[str, str]) -> None:
        """Record why documents in some languages are in no candidate pair."""
        where = f"lang NOT IN ({marks(len(langs))})"
        where = f"document NOT IN (SELECT id FROM documents_to_pair WHERE {where})"
        self._index.set_rows("alone", sorted(reasons.items()), where, *langs)

    def pairs(self, source_lang: str, target_lang: str) -> list[PairEntry]:
        """Return the pairs of two languages, the most probable first."""
        found = self.candidates(source_lang, target_lang)
        return [entry for entry in found if entry.state == PairState.PAIR]

    def candidates(self, source_lang: str, target_lang: str) -> list[PairEntry]:
        """Return all candidates of two languages, the most probable first.

        Those of documents that dedup has put apart since are left out.
        """
        langs = source_lang, target_lang
        found = self._index.documents_of_candidates(*langs)
        documents = {entry.id: entry for entry in found}
        return [
            _make_entry(langs, documents[row[0]], documents[row[1]], row)
            for row in self._candidates(*langs)
        ]

    def candidate_pairs(self, source_lang: str, target_lang: str) -> list[DocumentPair]:
        """Return the candidates of two languages without documents and figures."""
        return [_make_pair(row) for row in self._candidates(source_lang, target_lang)]

    def _candidates(
        self, source_lang: str, target_lang: str
    ) -> Iterator[Sequence[Any]]:
        """Yield the rows of the candidates of documents that are still to be paired."""
        # The plus: no search of the index for each document as source and each as target.
        is_there = "IN (SELECT id FROM documents_to_pair)"
        return self._index.rows(
            f"SELECT {_COLUMNS} FROM candidates WHERE source_lang = ? AND target_lang = ?"
            f" AND +source {is_there} AND +target {is_there}"
            " ORDER BY probability DESC, source, target",
            (source_lang, target_lang),
        )

    def sides(
        self, pair: DocumentPair, langs: tuple[str, str]
    ) -> Iterator[DocumentEntry]:
        """Yield both documents of a candidate; a page in both languages is one in each."""
        for identity, lang in zip((pair.source, pair.target), langs, strict=True):
            if (entry := self._index.document(identity)) is not None:
                yield replace(entry, lang=lang)

    def sites(self, source_lang: str, target_lang: str) -> list[str]:
        """Return the sites of the first documents of all candidates, sorted."""
        of_langs = "source_lang = ? AND target_lang = ?"
        rows = self._index.rows(
            "SELECT DISTINCT site FROM candidates JOIN documents ON id = source"
            f" WHERE {of_langs} ORDER BY 1",
            (source_lang, target_lang),
        )
        return [site for (site,) in rows]

    def candidate(self, source: str, target: str) -> PairEntry | None:
        """Return the candidate of two documents, None for one that is not known."""
        first, second = self._index.document(source), self._index.document(target)
        rows = self._index.rows(
            f"SELECT source_lang, target_lang, {_COLUMNS} FROM candidates"
            " WHERE source = ? AND target = ?",
            (source, target),
        )
        for source_lang, target_lang, *row in rows:
            if first and second:
                return _make_entry((source_lang, target_lang), first, second, row)
        return None

    def figures(
        self, source_lang: str, target_lang: str
    ) -> dict[tuple[str, str], tuple[float | None, float | None, float | None]]:
        """Return null share, mean score and log share of words explained of what was aligned.

        They are by the ids of both documents. Those from before the last crawl do not count,
        for a crawl may bring pages that teach more.
        """
        rows = self._index.rows(
            "SELECT source, target, null_share, mean_score, share FROM candidates"
            " LEFT JOIN explained USING (source, target)"
            f" WHERE source_lang = ? AND target_lang = ? AND aligned_in = {_RUN}",
            (source_lang, target_lang),
        )
        return {
            (source, target): (null_share, mean_score, explained)
            for source, target, null_share, mean_score, explained in rows
        }

    def language_pairs(self) -> list[tuple[str, str]]:
        """Return the language pairs that have candidates, in a stable order."""
        sql = "SELECT DISTINCT source_lang, target_lang FROM candidates ORDER BY 1, 2"
        return [(source, target) for source, target in self._index.rows(sql)]

    def set_units(
        self,
        pair: DocumentPair,
        units: Iterable[TranslationUnit],
        *,
        null_share: float | None,
        mean_score: float | None,
        explained: float | None = None,
        losses: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Record the aligned segments of a candidate in place of those it had.

        Figures are None where they cannot judge the candidate.
        """
        key, of_pair = (pair.source, pair.target), "source = ? AND target = ?"
        rows = (
            (*key, number, unit.source, unit.target, unit.kind, unit.score)
            for number, unit in enumerate(units)
        )
        lost = ((*key, *loss) for loss in losses.items())
        with self._index.transaction() as connection:
            self._index.set_rows("units", rows, of_pair, *key)
            self._index.set_rows("losses", lost, of_pair, *key)
            share = [] if explained is None else [(*key, explained)]
            self._index.set_rows("explained", share, of_pair, *key)
            connection.execute(
                f"UPDATE candidates SET null_share = ?, mean_score = ?, aligned_in = {_RUN}"
                " WHERE source = ? AND target = ?",
                (null_share, mean_score, *key),
            )

    def losses(self) -> dict[str, int]:
        """Return the counts of segments without a unit, by reason."""
        rows = self._index.rows(
            "SELECT reason, sum(number) FROM losses JOIN candidates USING (source, target)"
            " WHERE state = 'not_parallel' OR state = 'pair' AND reason != 'not_parallel'"
            " GROUP BY reason HAVING sum(number) > 0"
        )
        return dict(rows)

    def units(self, pair: DocumentPair) -> Iterator[TranslationUnit]:
        """Yield the aligned segments of a pair, in the order of its documents."""
        sql = (
            "SELECT source_text, target_text, kind, score FROM units"
            " WHERE source = ? AND target = ? ORDER BY number"
        )
        for row in self._index.rows(sql, (pair.source, pair.target)):
            yield TranslationUnit(*row)

    def set_unit_reasons(
        self, rows: Iterable[tuple[str, str, int, Sequence[str]]]
    ) -> None:
        """Record the reasons against units, in place of those of all units before.

        Each is both ids of the pair, the number of the unit in it, and the reasons.
        """
        with self._index.transaction() as connection:
            connection.execute("DELETE FROM unit_reasons")
            connection.executemany(
                "INSERT INTO unit_reasons VALUES (?, ?, ?, ?)",
                ((*key, " ".join(reasons)) for *key, reasons in rows if reasons),
            )

    def judged_units(
        self, pair: DocumentPair
    ) -> Iterator[tuple[TranslationUnit, tuple[str, ...]]]:
        """Yield the aligned segments of a pair, each with the reasons against it."""
        sql = (
            "SELECT ifnull(reasons, ''), source_text, target_text, kind, score FROM units"
            " LEFT JOIN unit_reasons USING (source, target, number)"
            " WHERE source = ? AND target = ? ORDER BY number"
        )
        for reasons, *row in self._index.rows(sql, (pair.source, pair.target)):
            yield TranslationUnit(*row), tuple(reasons.split())


def _make_entry(
    langs: tuple[str, str],
    source: DocumentEntry,
    target: DocumentEntry,
    row: Sequence[Any],
) -> PairEntry:
    """Return a row of candidates with its documents; a page in both languages is one in each."""
    *_, null, mean, state = row
    if source.id == target.id:
        source, target = replace(source, lang=langs[0]), replace(target, lang=langs[1])
    return PairEntry(_make_pair(row), source, target, null, mean, PairState(state))


def _make_pair(row: Sequence[Any]) -> DocumentPair:
    """Return a row of candidates without its figures."""
    source, target, probability, evidence, margin, values, number, *_ = row
    # Interned: thousands of candidates name the same kinds.
    kinds = tuple((intern(kind), value) for kind, value in json.loads(values).items())
    return DocumentPair(source, target, probability, evidence, margin, kinds, number)
