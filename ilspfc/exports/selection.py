"""Selection of the units of a memory to export, with their remarks.

The units are seen twice: first all are added, so that duplicates are known and a header can
have the counts; then those that stay are given out. Between the two, a unit takes 32 bytes.
"""

from __future__ import annotations

import math
import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ilspfc.exports.filters import (
    ExportReason,
    Thresholds,
    describe,
    find_words,
)


class Action(StrEnum):
    """Action on a unit with a reason against it."""

    OFF = "off"
    ANNOTATE = "annotate"
    DROP = "drop"


PRESETS: Mapping[str, Mapping[ExportReason, Action]] = MappingProxyType(
    {
        "annotate": {
            **dict.fromkeys(ExportReason, Action.ANNOTATE),
            ExportReason.QUALITY: Action.DROP,
            ExportReason.UNSURE_NUMBERS: Action.DROP,
            # No importer shows a remark to the translator who meets a line of dashes.
            ExportReason.NO_LETTERS: Action.DROP,
            # The user asks for it.
            ExportReason.SCORER: Action.DROP,
            ExportReason.TEST_SET: Action.DROP,
            ExportReason.PERSONAL_DATA: Action.OFF,
        },
        # The recipe by which ILSP-FC's authors made their published corpora (-clean).
        "clean": {
            **dict.fromkeys(ExportReason, Action.DROP),
            ExportReason.PERSONAL_DATA: Action.OFF,
        },
        "off": dict.fromkeys(ExportReason, Action.OFF),
    }
)
"""Actions by the name of a preset."""

_BITS = {reason: 1 << number for number, reason in enumerate(ExportReason)}
# A unit: bits of the reasons, score, words of both sides, hashes of the texts and of their letters.
# Hashes differ from run to run, but which of them are equal does not.
_ROW = np.dtype("u4, f4, u4, u4, i8, i8")
_pack = struct.Struct("=IfIIqq").pack
_REASONS, _SCORE, _SOURCE_WORDS, _TARGET_WORDS, _TEXTS, _LETTERS = _ROW.names or ()


@dataclass(slots=True)
class SelectionCounts:
    """Counts over the units that stay; ``presets`` are those that each preset would keep."""

    units: int = 0
    words: tuple[int, int] = (0, 0)
    unique_words: tuple[int, int] = (0, 0)
    mean_score: float | None = None
    std_score: float | None = None
    annotated: Counter[ExportReason] = field(default_factory=Counter)
    dropped: Counter[ExportReason] = field(default_factory=Counter)
    presets: dict[str, int] = field(default_factory=dict)


class Selection:
    """Selection of the units of a memory: those that stay, and the remarks on them.

    Give all units to :meth:`add` in their order, call :meth:`finish`; :meth:`infos`
    goes over them again. Of duplicates among the units that nothing else drops, the
    first stays: give the best pairs first. A unit that is dropped counts under the first
    reason that drops it.
    """

    def __init__(
        self,
        actions: Mapping[ExportReason, Action] = PRESETS["annotate"],
        limits: Thresholds | None = None,
    ) -> None:
        self.limits = limits or Thresholds()
        self._actions = actions
        self._drops = _mask(actions, Action.DROP)
        self._rows = bytearray()
        self._vocabularies = (DistinctWords(), DistinctWords())
        self._verdicts: NDArray[np.uint32] = np.zeros(0, np.uint32)

    def add(
        self,
        source: str,
        target: str,
        score: float | None,
        reasons: Iterable[ExportReason],
    ) -> None:
        """Take the next unit, with the reasons against it (:func:`~ilspfc.exports.filters.judge_unit`)."""
        mask = sum(_BITS[reason] for reason in reasons)
        words, others = find_words(source), find_words(target)
        text, letters = hash_unit(source, target, words, others)
        known = math.nan if score is None else score
        self._rows += _pack(mask, known, len(words), len(others), text, letters)
        if not mask & self._drops:
            self._vocabularies[0].update(words)
            self._vocabularies[1].update(others)

    def finish(self) -> SelectionCounts:
        """Find the duplicates and return the counts of the units that stay.

        Presets keep by the reasons that were looked for: no other language if that is off.
        """
        rows = np.frombuffer(self._rows, _ROW)
        self._verdicts = _judge(rows, self._drops)
        counts = self._count(rows)
        for name, actions in PRESETS.items():
            drops = _mask(actions, Action.DROP)
            counts.presets[name] = int(((_judge(rows, drops) & drops) == 0).sum())
        self._rows = bytearray()
        return counts

    def infos(self) -> Iterator[tuple[str, ...] | None]:
        """Yield the remarks on each unit in order; None for one that is dropped."""
        notes = _mask(self._actions, Action.ANNOTATE)
        remarks: dict[int, tuple[str, ...]] = {}
        for verdict in map(int, self._verdicts):
            noted = verdict & notes
            if noted not in remarks:
                reasons = (reason for reason, bit in _BITS.items() if noted & bit)
                remarks[noted] = tuple(describe(one, self.limits) for one in reasons)
            yield None if verdict & self._drops else remarks[noted]

    def _count(self, rows: NDArray[np.void]) -> SelectionCounts:
        kept = (self._verdicts & self._drops) == 0
        sums = (
            int(rows[name][kept].sum(dtype=np.int64))
            for name in (_SOURCE_WORDS, _TARGET_WORDS)
        )
        source, target = self._vocabularies
        counts = SelectionCounts(
            units=int(kept.sum()),
            words=(next(sums), next(sums)),
            unique_words=(source.count(), target.count()),
        )
        scores = rows[_SCORE][kept].astype(np.float64)
        scores = scores[~np.isnan(scores)]
        if scores.size:
            counts.mean_score = float(scores.mean())
            counts.std_score = float(scores.std())
        left = ~kept
        for reason, bit in _BITS.items():
            has = (self._verdicts & bit) != 0
            if self._actions[reason] is Action.DROP:
                counts.dropped[reason] = int((has & left).sum())
                left &= ~has
            elif self._actions[reason] is Action.ANNOTATE:
                counts.annotated[reason] = int((has & kept).sum())
        return counts


def _mask(actions: Mapping[ExportReason, Action], action: Action) -> int:
    """Return the bits of the reasons that lead to an action."""
    return sum(bit for reason, bit in _BITS.items() if actions[reason] is action)


def _judge(rows: NDArray[np.void], drops: int) -> NDArray[np.uint32]:
    """Return the reasons against each unit as bits, if those in ``drops`` drop it."""
    verdicts: NDArray[np.uint32] = rows[_REASONS].copy()
    alive = (verdicts & drops) == 0
    repeated = _find_repeated(rows[_TEXTS], alive)
    near = _find_repeated(rows[_LETTERS], alive) & ~repeated
    verdicts[repeated] |= _BITS[ExportReason.DUPLICATE]
    verdicts[near] |= _BITS[ExportReason.NEAR_DUPLICATE]
    return verdicts


def _find_repeated(
    hashes: NDArray[np.int64], among: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return a mask of the hashes in ``among`` that occur there before."""
    numbers = np.flatnonzero(among)
    _, first = np.unique(hashes[numbers], return_index=True)
    repeated = among.copy()
    repeated[numbers[first]] = False
    return repeated


# Words that are collected before the distinct ones among them are found.
_MANY_WORDS = 500_000


def hash_unit(
    source: str, target: str, words: Sequence[str], others: Sequence[str]
) -> tuple[int, int]:
    """Return the hashes of the texts of a unit, and of their letters: its words on both sides.

    Texts without letters are alike only if they are the same.
    """
    text = hash((source, target))
    return text, hash((tuple(words), tuple(others))) if words or others else text


class DistinctWords:
    """Counts the distinct words of texts by their hashes, in eight bytes a word.

    The probability that any two of a million words share a hash is 3 in 100 million.
    """

    def __init__(self) -> None:
        self._known: NDArray[np.int64] = np.zeros(0, np.int64)
        self._new = array("q")

    def update(self, words: list[str]) -> None:
        """Add words."""
        self._new.extend(map(hash, words))
        if len(self._new) > _MANY_WORDS:
            self.count()

    def count(self) -> int:
        """Return the number of distinct words."""
        new = np.frombuffer(self._new, np.int64)
        self._known = np.unique(np.concatenate([self._known, new]))
        self._new = array("q")
        return int(self._known.size)
