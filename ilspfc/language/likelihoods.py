"""What the texts of a page say of their language: letters by script, likelihoods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.text.scripts import count_letters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ilspfc.language.ngrams import NgramModel

# Text beyond this length does not change the verdict on a page.
MAX_DOCUMENT_BYTES = 5000
# What log likelihoods are divided by: a constant, and so much for each byte. Fitted to the
# calibration part of the data of evaluation/language.py, for stretches of 12 to 250
# characters in 75 languages.
_SCALE = 1.1
_SCALE_BYTE = 0.041
# Shorter texts are names and labels rather than running text: each byte that they lack
# makes them tell less.
_LABEL_BYTES = 20
_SCALE_LACKING = 0.1
#: A text of fewer bytes is short: with a smaller share of letters among its letters and symbols it is
# code or an address and tells little.
SHORT_BYTES = 80
_MIN_LETTERS = 0.8


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known of texts before they are judged.

    ``evidence`` are log likelihoods, a column for each label of the model, ``scripts`` the
    numbers of the scripts; the last row is for the texts that count together, of which
    ``is_counted`` tells. ``is_blank`` tells which texts have no letters, ``is_unclear`` which
    have few among symbols; ``lengths`` are in bytes.
    """

    evidence: NDArray[np.float64]
    scripts: NDArray[np.int64]
    is_blank: NDArray[np.bool_]
    is_unclear: NDArray[np.bool_]
    is_counted: NDArray[np.bool_]
    lengths: NDArray[np.int64]


def read_texts(
    model: NgramModel,
    texts: Sequence[str],
    is_counted: NDArray[np.bool_] | None = None,
) -> Reading:
    """Return what a model and the letters say of texts, in their order.

    The texts in ``is_counted``, all without it, are read together as well.
    """
    if is_counted is None:
        is_counted = np.ones(len(texts), dtype=np.bool_)
    letters = count_letters(texts)
    # No model was trained on capitals.
    plain = [
        text.lower() if is_upper else text
        for text, is_upper in zip(texts, letters.is_upper.tolist(), strict=True)
    ]
    ngrams = model.count(plain)
    lengths = ngrams.lengths
    counted = lengths * is_counted
    is_first = np.cumsum(counted) - counted < MAX_DOCUMENT_BYTES
    first = np.flatnonzero(is_counted & is_first)
    ngrams = ngrams.with_total(first)
    lacking = np.maximum(_LABEL_BYTES - ngrams.lengths, 0)
    scale = _SCALE + _SCALE_BYTE * ngrams.lengths + _SCALE_LACKING * lacking
    totals = letters.totals
    is_clear = totals >= _MIN_LETTERS * (totals + letters.symbols)
    return Reading(
        model.score(ngrams) / scale[:, None],
        letters.find_scripts(first),
        totals == 0,
        (totals == 0) | ((lengths < SHORT_BYTES) & ~is_clear),
        is_counted,
        lengths,
    )
