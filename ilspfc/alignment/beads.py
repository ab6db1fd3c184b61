"""Beads: the smallest groups of segments that translate each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Shape: TypeAlias = tuple[int, int]
"""Numbers of source and target segments in a bead."""

INSERTION: Shape = (0, 1)
DELETION: Shape = (1, 0)
MATCH: Shape = (1, 1)

# After Gale and Church 1993, whose figures for a shape and its mirror image are split evenly,
# with larger shapes added, which are common in literary translations. Each round fits the
# priors to the texts.
PRIORS: Mapping[Shape, float] = {
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


class Evidence(NamedTuple):
    """Parts of a bead's score: the posterior under its model, and the features.

    For the features, see :mod:`ilspfc.alignment.quality`.
    """

    posterior: float
    opinions: float
    sentences: float
    borders: float
    crossings: float
    anchors: float
    words: float


class WordCounts(NamedTuple):
    """Numbers of words of a bead that the lexicon knows, and that the other side explains.

    The explained ones are divided by their share in the sure beads of the collection.
    """

    explained_target: float
    explained_source: float
    known_target: float
    known_source: float


@dataclass(frozen=True, slots=True)
class Bead:
    """Source and target segments, by positions from 0, that translate each other.

    One side is empty if a segment has no translation. ``score`` is the probability that the
    bead is exactly right; ``evidence`` holds the parts of the score, None if the score is
    simply the posterior under the model that made the bead. ``words`` is None without a
    lexicon, or sure beads to compare with, and for lists of sentences.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    score: float
    evidence: Evidence | None = field(default=None, repr=False, compare=False)
    words: WordCounts | None = field(default=None, repr=False, compare=False)

    @property
    def posterior(self) -> float:
        """Posterior of the bead under the model that made it."""
        return self.score if self.evidence is None else self.evidence.posterior

    @property
    def shape(self) -> Shape:
        """Numbers of source and target segments.

        >>> Bead((3,), (4, 5), 0.9).shape
        (1, 2)
        """
        return len(self.source), len(self.target)


@dataclass(frozen=True, slots=True)
class Rating:
    """Scores of the beads of a piece, shape (beads,), and their evidence, (beads, features).

    ``explained`` and ``known`` are numbers of tokens of the target and the source side of
    each bead, shape (2, beads), zeros unless the piece is of pages (``is_page``). ``words``
    are the fields of :class:`WordCounts`, shape (beads, 4), where there are sure beads to
    compare with.
    """

    scores: npt.NDArray[np.float64]
    evidence: npt.NDArray[np.float64]
    explained: npt.NDArray[np.float64]
    known: npt.NDArray[np.float64]
    is_page: bool = False
    words: npt.NDArray[np.float64] | None = None
