"""Probabilities and their log odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray


# Beyond it the exponential leaves the range of a double.
_LARGEST = 500.0


def to_probability(odds: Any) -> Any:
    """Return the probability of log odds, of a number or of each element of an array.

    >>> float(to_probability(0.0))
    0.5
    """
    return 1 / (1 + np.exp(-np.clip(odds, -_LARGEST, _LARGEST)))


def to_log_odds(probabilities: Any, least: float = 1e-6) -> FloatArray:
    """Return the log odds of probabilities, none nearer to 0 or 1 than ``least``.

    >>> to_log_odds([0.5, 1.0]).round(1).tolist()
    [0.0, 13.8]
    """
    bounded = np.clip(probabilities, least, 1 - least)
    odds: FloatArray = np.log(bounded / (1 - bounded))
    return odds
