"""The n-gram model of languages: py3langid's, evaluated for many texts at once.

py3langid 0.4 (Lui and Baldwin 2012, "langid.py: An Off-the-shelf Language Identification
Tool"; BSD licence) finds n-grams of bytes with an automaton and adds up the logarithms of
their probabilities by language. Its state is the longest n-gram that ends at a byte, so it
depends on the last six bytes alone: here all bytes of all texts take six steps together.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from py3langid.langid import MODEL_DIR, MODEL_FILE
from py3langid.modelio import load_model
from scipy.sparse import csr_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# The longest n-gram, in bytes.
_DEPTH = 6
_PADDING = b"\0" * _DEPTH
# The output of a state that ends no n-gram.
_NONE = -1


@dataclass(frozen=True, slots=True)
class NgramCounts:
    """The n-grams of texts: how often each is in each, and the bytes of each text."""

    counts: Any  # a sparse matrix, texts by n-grams
    lengths: NDArray[np.int64]

    def total(self, selected: NDArray[np.intp]) -> NgramCounts:
        """Return the counts of some of the texts together, as those of one text."""
        counts = (
            csr_matrix(np.ones((1, len(selected)), np.float32)) @ self.counts[selected]
        )
        return NgramCounts(counts, self.lengths[selected].sum(keepdims=True))


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Log probabilities of n-grams by language.

    ``labels`` are one a column; ``weights`` has a row for each n-gram, ``added`` the
    columns of the languages that were trained here, behind those of ``weights``.
    """

    labels: tuple[str, ...]
    weights: NDArray[np.float16]
    added: NDArray[np.float32]
    bias: NDArray[np.float32]
    moves: NDArray[np.uint32]
    rows: NDArray[np.uint32]
    outputs: NDArray[np.int32]

    def count(self, texts: Sequence[str]) -> NgramCounts:
        """Return the n-grams of texts."""
        encoded = [_encode(text) for text in texts]
        lengths = np.array([len(text) for text in encoded], dtype=np.int64)
        joined = b"".join(part for text in encoded for part in (_PADDING, text))
        data = np.frombuffer(joined, dtype=np.uint8)
        size = max(len(data) - _DEPTH, 0)
        states = np.zeros(size, dtype=np.uint32)
        for back in range(_DEPTH - 1, -1, -1):
            start = _DEPTH - back
            states = self.moves[self.rows[states] + data[start : start + size]]
        found = self.outputs[states]
        # Between two texts are the six bytes that separate them, which match nothing.
        padded = lengths + _DEPTH
        padded[-1:] -= _DEPTH
        owners = np.repeat(np.arange(len(texts)), padded)
        is_found = found != _NONE
        owners, found = owners[is_found], found[is_found]
        shape = (len(texts), len(self.weights))
        ones = np.ones(len(found), dtype=np.float32)
        return NgramCounts(csr_matrix((ones, (owners, found)), shape=shape), lengths)

    def score(self, ngrams: NgramCounts) -> NDArray[np.float32]:
        """Return the log likelihoods of texts, a row a text and a column a label."""
        counts = ngrams.counts
        used, columns = np.unique(counts.indices, return_inverse=True)
        compact = csr_matrix(
            (np.log1p(counts.data), columns.astype(np.int32), counts.indptr),
            shape=(counts.shape[0], len(used)),
        )
        table = self.weights[used].astype(np.float32)
        if self.added.shape[1]:
            table = np.hstack([table, self.added[used]])
        scores: NDArray[np.float32] = np.asarray(compact @ table) + self.bias
        return scores

    def with_language(
        self, label: str, column: NDArray[np.float32], bias: float
    ) -> NgramModel:
        """Return the model with one more language."""
        return replace(
            self,
            labels=(*self.labels, label),
            added=np.column_stack([self.added, column]).astype(np.float32),
            bias=np.append(self.bias, np.float32(bias)),
        )


def _encode(text: str) -> bytes:
    return unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=1)
def load_ngrams() -> NgramModel:
    """Return py3langid's model; it takes 0.6 seconds and 80 MB, once a process."""
    weights, bias, labels, moves, rows, outputs = load_model(MODEL_DIR / MODEL_FILE)
    return NgramModel(
        tuple(labels),
        weights,
        np.zeros((len(weights), 0), dtype=np.float32),
        np.asarray(bias, dtype=np.float32),
        np.asarray(moves, dtype=np.uint32),
        # The first transition of each state: states with the same ones share a row.
        np.left_shift(rows, 8, dtype=np.uint32),
        np.array(outputs, dtype=np.int32),
    )
