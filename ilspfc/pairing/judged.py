"""What the combined method has come to for a site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.pairing.sparse import FloatArray


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates of a site after the last round, and which of them are the pairs.

    ``values`` holds the evidence, shape (candidates, kinds of evidence); ``chosen`` are
    the places of the pairs, one-to-one.
    """

    comparison: Comparison
    candidates: Candidates
    values: FloatArray
    probabilities: FloatArray
    chosen: npt.NDArray[np.int64]
    round: int
