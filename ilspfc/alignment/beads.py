"""Beads: the smallest groups of segments that translate each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Shape: TypeAlias = tuple[int, int]
"""Numbers of source and target segments in a bead."""

INSERTION: Shape = (0, 1)
DELETION: Shape = (1, 0)
MATCH: Shape = (1, 1)

# Gale and Church 1993, whose figures for a shape and its mirror image are halved here, with
# room for larger shapes, of which literary translations have many. The priors are fitted to
# the texts from round to round.
PRIORS: Mapping[Shape, float] = MappingProxyType(
    {
        MATCH: 0.83,
        (1, 2): 0.045,
        (2, 1): 0.045,
        DELETION: 0.02,
        INSERTION: 0.02,
        (2, 2): 0.011,
        (1, 3): 0.007,
        (3, 1): 0.007,
        (2, 3): 0.003,
        (3, 2): 0.003,
        (1, 4): 0.002,
        (4, 1): 0.002,
        (3, 3): 0.001,
        (1, 5): 0.001,
        (5, 1): 0.001,
        (2, 4): 0.001,
        (4, 2): 0.001,
    }
)


class Evidence(NamedTuple):
    """Parts of the score of a bead (:mod:`ilspfc.alignment.quality`).

    ``posterior`` is that under the model that made the bead; a model weighs the others.
    """

    posterior: float
    opinions: float
    sentences: float
    borders: float


@dataclass(frozen=True, slots=True)
class Bead:
    """Source and target segments, by their positions from 0, that translate each other.

    One side is empty where a segment has no translation. ``score`` in [0, 1] is how
    probable it is that the bead is exactly right; ``evidence`` is what the score was made
    of, None where it is the bare posterior under the model that made the bead.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    score: float
    evidence: Evidence | None = field(default=None, repr=False, compare=False)

    @property
    def posterior(self) -> float:
        """The posterior of the bead under the model that made it."""
        return self.score if self.evidence is None else self.evidence.posterior

    @property
    def shape(self) -> Shape:
        """Return the numbers of source and target segments.

        >>> Bead((3,), (4, 5), 0.9).shape
        (1, 2)
        """
        return len(self.source), len(self.target)


@dataclass(frozen=True, slots=True)
class Rating:
    """The scores of the beads of a piece, and their evidence, shape (beads, 3)."""

    scores: npt.NDArray[np.float64]
    evidence: npt.NDArray[np.float64]
