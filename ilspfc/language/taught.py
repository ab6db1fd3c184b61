"""Training of the model for a language that it does not know, from a text.

The text alone is too short to tell how probable rare n-grams are. What it lacks comes from
the mixture of known languages that resembles it most, as a Dirichlet prior; how much of
that helps is tried on parts of the text left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilspfc.exceptions import SettingError
from ilspfc.text.text_files import read_text

if TYPE_CHECKING:
    from ilspfc.language.ngrams import NgramModel

#: A shorter text teaches too little.
MIN_CHARS = 1000
# More text makes the model no better, only the start slower.
MAX_CHARS = 1_000_000
# Training texts are counted by stretches of this length, as they are told apart later.
_STRETCH_CHARS = 200
_FOLDS = 4
# What is tried: the weight of the prior, in n-grams.
_PRIOR_WEIGHTS = (300, 1000, 3000, 10_000, 30_000)
_EM_ROUNDS = 20
# Languages below this share of the mixture are left out of it.
_MIN_SHARE = 0.02


def read_language_text(path: Path) -> str:
    """Return the text in a file; SettingError for one that cannot teach a language."""
    where = f"LANGUAGE_TEXTS: {path}"
    text = read_text(path, where, "a UTF-8 text file", SettingError)
    if sum(map(str.isalpha, text)) < MIN_CHARS:
        raise SettingError(
            f"LANGUAGE_TEXTS: {path} has fewer than {MIN_CHARS} letters; give more text,"
            " best 20,000 or more"
        )
    return text[:MAX_CHARS]


def train_language(model: NgramModel, lang: str, text: str) -> NgramModel:
    """Return the model with a language (its code as label) learned from a text."""
    plain = " ".join(text.split())
    starts = range(0, len(plain), _STRETCH_CHARS)
    ngrams = model.count([plain[start : start + _STRETCH_CHARS] for start in starts])
    # As in the model's own training, n-grams count by the logarithm, stretch by stretch.
    counts = ngrams.logs()
    folds = []
    for first in range(_FOLDS):
        fold = np.zeros(len(model.weights))
        fold[ngrams.ngrams] = np.asarray(counts[first::_FOLDS].sum(axis=0)).ravel()
        folds.append(fold)
    total: NDArray[np.float64] = np.sum(folds, axis=0)
    prior = _mixture(model, total)

    def score(weight: float) -> float:
        """Return the log likelihood of each part under what the others teach."""
        return sum(float(fold @ _logs(total - fold, prior, weight)) for fold in folds)

    logs = _logs(total, prior, max(_PRIOR_WEIGHTS, key=score))
    return model.with_language(lang, logs, float(model.bias.mean()))


def _logs(
    counts: NDArray[np.float64], prior: NDArray[np.float64], weight: float
) -> NDArray[np.float64]:
    """Return log probabilities: of the counts, and ``weight`` n-grams as in the prior."""
    shares = (counts + weight * prior) / (counts.sum() + weight)
    logs: NDArray[np.float64] = np.log(shares)
    return logs


def _mixture(model: NgramModel, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mixture of known languages that makes the counts most probable.

    By expectation maximization over the shares of the languages.
    """
    used = np.flatnonzero(counts)
    observed = counts[used] / counts[used].sum()
    known = model.probabilities(used, slice(None))
    shares = np.full(known.shape[1], 1 / known.shape[1])
    for _ in range(_EM_ROUNDS):
        shares *= known.T @ (observed / (known @ shares))
    columns = np.flatnonzero(shares >= _MIN_SHARE)
    shares = shares[columns] / shares[columns].sum()
    mixture: NDArray[np.float64] = model.probabilities(slice(None), columns) @ shares
    return mixture
