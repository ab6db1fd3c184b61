"""Selection of the units of a memory to export, with their remarks.

The units are seen twice: first all are added, so that duplicates are known and the
counts can stand before the first unit; then those that stay are given out. Between the
two, a unit takes less than fifty bytes.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.exports.filters import (
    ExportReason,
    Thresholds,
    describe,
    find_words,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
            # The bound was asked for.
            ExportReason.SCORER: Action.DROP,
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
    """The verdicts on the units of a memory.

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
        self._notes = _mask(actions, Action.ANNOTATE)
        self._infos: dict[int, tuple[str, ...]] = {}
        self._found = array("I")
        self._scores = array("f")
        self._words = (array("I"), array("I"))
        # Hashes differ from run to run, but which of them are equal does not.
        self._texts, self._letters = array("q"), array("q")
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
        self._found.append(mask)
        self._scores.append(math.nan if score is None else score)
        self._words[0].append(len(words))
        self._words[1].append(len(others))
        text = hash((source, target))
        self._texts.append(text)
        # Without letters there is nothing to be alike in but the text itself.
        has_letters = words or others
        letters = hash((tuple(words), tuple(others))) if has_letters else text
        self._letters.append(letters)
        if not mask & self._drops:
            self._vocabularies[0].update(words)
            self._vocabularies[1].update(others)

    def finish(self) -> SelectionCounts:
        """Find the duplicates and return the counts of the units that stay."""
        self._verdicts = self._judge(self._drops)
        counts = self._count()
        counts.presets = {name: int(self.kept_by(name).sum()) for name in PRESETS}
        self._texts, self._letters = array("q"), array("q")
        return counts

    def kept_by(self, preset: str) -> NDArray[np.bool_]:
        """Return a mask of the units so far that a preset keeps.

        Only what was looked for is found: no other language where that reason is off.
        """
        drops = _mask(PRESETS[preset], Action.DROP)
        kept: NDArray[np.bool_] = (self._judge(drops) & drops) == 0
        return kept

    def _judge(self, drops: int) -> NDArray[np.uint32]:
        """Return the reasons against each unit, where some reasons drop units."""
        verdicts = np.frombuffer(self._found, np.uint32).copy()
        alive = (verdicts & drops) == 0
        repeated = _find_repeated(self._texts, alive)
        verdicts[repeated] |= _BITS[ExportReason.DUPLICATE]
        near = _find_repeated(self._letters, alive) & ~repeated
        verdicts[near] |= _BITS[ExportReason.NEAR_DUPLICATE]
        return verdicts

    def infos(self) -> Iterator[tuple[str, ...] | None]:
        """Yield the remarks on each unit in its turn; None for one that is dropped."""
        for verdict in map(int, self._verdicts):
            yield None if verdict & self._drops else self._describe(verdict)

    def _describe(self, verdict: int) -> tuple[str, ...]:
        noted = verdict & self._notes
        if noted not in self._infos:
            reasons = (reason for reason, bit in _BITS.items() if noted & bit)
            self._infos[noted] = tuple(describe(one, self.limits) for one in reasons)
        return self._infos[noted]

    def _count(self) -> SelectionCounts:
        verdicts = self._verdicts
        kept = (verdicts & self._drops) == 0
        counts = SelectionCounts(
            units=int(kept.sum()),
            words=(_sum(self._words[0], kept), _sum(self._words[1], kept)),
            unique_words=(self._vocabularies[0].count(), self._vocabularies[1].count()),
        )
        scores = np.frombuffer(self._scores, np.float32)[kept].astype(np.float64)
        scores = scores[~np.isnan(scores)]
        if scores.size:
            counts.mean_score = float(scores.mean())
            counts.std_score = float(scores.std())
        left = ~kept
        for reason, bit in _BITS.items():
            has = (verdicts & bit) != 0
            if self._actions[reason] is Action.DROP:
                counts.dropped[reason] = int((has & left).sum())
                left &= ~has
            elif self._actions[reason] is Action.ANNOTATE:
                counts.annotated[reason] = int((has & kept).sum())
        return counts


def _mask(actions: Mapping[ExportReason, Action], action: Action) -> int:
    """Return the bits of the reasons that lead to an action."""
    return sum(bit for reason, bit in _BITS.items() if actions[reason] is action)


def _find_repeated(hashes: array[int], among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the hashes that occur before in the list, of those in ``among``."""
    numbers = np.flatnonzero(among)
    _, first = np.unique(np.frombuffer(hashes, np.int64)[numbers], return_index=True)
    repeated = among.copy()
    repeated[numbers[first]] = False
    return repeated


def _sum(numbers: array[int], kept: NDArray[np.bool_]) -> int:
    return int(np.frombuffer(numbers, np.uint32)[kept].sum(dtype=np.int64))


# Words that are collected before the different ones among them are found.
_MANY_WORDS = 500_000


class DistinctWords:
    """Counts the different words of texts by their hashes, in eight bytes a word.

    That two words of a million have the same is one chance in tens of millions.
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
        """Return the number of different words."""
        new = np.frombuffer(self._new, np.int64)
        self._known = np.unique(np.concatenate([self._known, new]))
        self._new = array("q")
        return int(self._known.size)
