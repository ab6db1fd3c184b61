"""The best queued URLs of a host, in memory, before a table that holds all of them."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from typing import ClassVar

# Negative score and row id: the smallest is visited first.
Entry = tuple[float, int]


@dataclass(slots=True)
class HostHead:
    """The queued URLs of a host that come before all its others.

    It holds every one up to ``floor`` (None: there are no others), and at most ``size``
    times ``growth``, however many links come in. An entry that is no longer current (its
    URL scored anew) is stale; ``scores`` tells.
    """

    size: ClassVar[int] = 64
    growth: ClassVar[int] = 4

    heap: list[Entry] = field(default_factory=list)
    scores: dict[int, float] = field(default_factory=dict)
    floor: Entry | None = (-math.inf, 0)

    def fill(self, best: list[Entry]) -> None:
        """Hold the first ``size`` entries of the table, sorted, or all where it has fewer."""
        self._hold(best, best[-1] if len(best) >= self.size else None)

    def _hold(self, entries: list[Entry], floor: Entry | None) -> None:
        self.heap = entries  # sorted, therefore a heap
        self.scores = {identity: -negative for negative, identity in entries}
        self.floor = floor

    def offer(self, identity: int, score: float) -> None:
        """Take a queued URL in, unless it is too far back."""
        entry = (-score, identity)
        if self.floor is not None and entry > self.floor:
            return
        self.scores[identity] = score
        heapq.heappush(self.heap, entry)
        if len(self.heap) > self.size * self.growth:
            current = ((-known, number) for number, known in self.scores.items())
            best = heapq.nsmallest(self.size, current)
            is_cut = len(best) < len(self.scores)
            self._hold(best, best[-1] if is_cut else self.floor)

    def is_spent(self) -> bool:
        """Return whether the table has to be asked which URLs come next."""
        self._drop_stale()
        return not self.heap and self.floor is not None

    def best_score(self) -> float | None:
        """Return the best score, None where no URL is held."""
        self._drop_stale()
        return -self.heap[0][0] if self.heap else None

    def pop(self) -> int | None:
        """Remove the URL to visit next; return its row id, None where none is held."""
        self._drop_stale()
        if not self.heap:
            return None
        _, identity = heapq.heappop(self.heap)
        del self.scores[identity]
        return identity

    def _drop_stale(self) -> None:
        while self.heap and self.scores.get(self.heap[0][1]) != -self.heap[0][0]:
            heapq.heappop(self.heap)
