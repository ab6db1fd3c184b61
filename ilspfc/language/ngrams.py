"""The n-gram model of languages: py3langid's, evaluated for many texts at once.

py3langid 0.4 (Lui and Baldwin 2012, "langid.py: An Off-the-shelf Language Identification
Tool"; BSD license) finds n-grams of bytes with an automaton and adds up the logarithms of
their probabilities by language. Its state is the longest n-gram that ends at a byte, so it
depends on the last six bytes alone: here all bytes of all texts take six steps together.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from py3langid.langid import MODEL_DIR, MODEL_FILE
from py3langid.modelio import load_model

from ilspfc.text.scripts import count_letters

# The longest n-gram, in bytes.
_DEPTH = 6
_PADDING = b"\0" * _DEPTH
# The output of a state that ends no n-gram.
_NONE = -1
# Log probabilities are kept as whole numbers of this part of 1: half-precision numbers,
# which the model is delivered in, take six times as long to read.
_PARTS = 2048


@dataclass(frozen=True, slots=True)
class NgramCounts:
    """The n-grams of texts.

    ``counts`` has the occurrences in each text, text by text, the texts beginning at
    ``ends``, of which there is one more; ``places`` are those of the n-grams among the
    ``ngrams`` that occur. ``lengths`` are the bytes of the texts.
    """

    counts: NDArray[np.float32]
    places: NDArray[np.int32]
    ends: NDArray[np.int32]
    ngrams: NDArray[np.intp]
    lengths: NDArray[np.int64]

    def with_total(self, selected: NDArray[np.intp]) -> NgramCounts:
        """Return the counts with those of some of the texts together as a last text."""
        chosen = np.zeros(len(self.lengths), dtype=np.float32)
        chosen[selected] = 1
        counted = self.counts * np.repeat(chosen, np.diff(self.ends))
        sums = np.bincount(self.places, counted, len(self.ngrams)).astype(np.float32)
        places = np.flatnonzero(sums).astype(np.int32)
        return NgramCounts(
            np.concatenate([self.counts, sums[places]]),
            np.concatenate([self.places, places]),
            np.append(self.ends, self.ends[-1] + np.int32(len(places))),
            self.ngrams,
            np.append(self.lengths, self.lengths[selected].sum()),
        )

    def logs(self) -> Any:
        """Return the logarithms of the counts plus 1, a sparse matrix of texts by ``ngrams``."""
        # The crawler, which has its pages read by workers, starts sooner without.
        from scipy.sparse import csr_matrix  # noqa: PLC0415

        shape = (len(self.lengths), len(self.ngrams))
        return csr_matrix((np.log1p(self.counts), self.places, self.ends), shape=shape)


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Log probabilities of n-grams by language.

    ``labels`` are one a column; ``weights`` has a row for each n-gram, in 2,048ths;
    ``added`` the columns of the languages learned since, behind those of ``weights``.
    """

    labels: tuple[str, ...]
    weights: NDArray[np.int16]
    added: NDArray[np.int16]
    bias: NDArray[np.float32]
    moves: NDArray[np.uint32]
    rows: NDArray[np.intp]
    outputs: NDArray[np.int32]

    def count(self, texts: Sequence[str]) -> NgramCounts:
        """Return the n-grams of texts."""
        encoded = [_encode(text) for text in texts]
        lengths = np.array([len(text) for text in encoded], dtype=np.int64)
        joined = b"".join(part for text in encoded for part in (_PADDING, text))
        found = self._find(np.frombuffer(joined, dtype=np.uint8))
        # Between two texts are the six bytes that separate them, which match nothing.
        padded = lengths + _DEPTH
        padded[-1:] -= _DEPTH
        owners = np.repeat(np.arange(len(texts)), padded)
        is_found = found != _NONE
        size = len(self.weights)
        keys, counts = np.unique(
            owners[is_found] * size + found[is_found], return_counts=True
        )
        owners, found = np.divmod(keys, size)
        is_used = np.zeros(size, dtype=np.bool_)
        is_used[found] = True
        ngrams = np.flatnonzero(is_used)
        places = np.zeros(size, dtype=np.int32)
        places[ngrams] = np.arange(len(ngrams))
        ends = np.searchsorted(owners, np.arange(len(texts) + 1)).astype(np.int32)
        return NgramCounts(
            counts.astype(np.float32), places[found], ends, ngrams, lengths
        )

    def _find(self, data: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Return the n-gram that ends at each byte but the first six, -1 for none."""
        size = max(len(data) - _DEPTH, 0)
        steps = data.astype(np.intp)
        states = np.zeros(size, dtype=np.uint32)
        for start in range(1, _DEPTH + 1):
            # Taking with whole words costs two thirds of indexing.
            states = self.moves.take(
                self.rows.take(states) + steps[start : start + size]
            )
        return self.outputs.take(states)

    def score(self, ngrams: NgramCounts) -> NDArray[np.float32]:
        """Return the log likelihoods of texts, a row a text and a column a label."""
        used = ngrams.ngrams
        table = self.weights.take(used, axis=0)
        if self.added.shape[1]:
            table = np.hstack([table, self.added[used]])
        sums = ngrams.logs() @ table.astype(np.float32)
        scores: NDArray[np.float32] = sums / np.float32(_PARTS) + self.bias
        return scores

    def probabilities(
        self, ngrams: NDArray[np.intp] | slice, columns: NDArray[np.intp] | slice
    ) -> NDArray[np.float64]:
        """Return the probabilities of n-grams in some of the languages."""
        parts = np.hstack([self.weights[ngrams], self.added[ngrams]])[:, columns]
        return np.exp(parts / _PARTS)

    def with_language(
        self, label: str, logs: NDArray[np.float64], bias: float
    ) -> NgramModel:
        """Return the model with one more language, of which log probabilities are given."""
        lowest = np.iinfo(np.int16).min / _PARTS
        column = np.rint(np.maximum(logs, lowest) * _PARTS).astype(np.int16)
        return replace(
            self,
            labels=(*self.labels, label),
            added=np.column_stack([self.added, column]),
            bias=np.append(self.bias, np.float32(bias)),
        )


def _encode(text: str) -> bytes:
    return unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=1)
def load_ngrams() -> NgramModel:
    """Return py3langid's model; it takes 0.7 seconds and 90 MB, once a process."""
    weights, bias, labels, moves, rows, outputs = load_model(MODEL_DIR / MODEL_FILE)
    parts = np.empty(weights.shape, dtype=np.int16)
    for start in range(0, len(weights), 10_000):  # no second copy of the whole
        block = weights[start : start + 10_000].astype(np.float32)
        parts[start : start + 10_000] = np.rint(block * _PARTS)
    return NgramModel(
        tuple(labels),
        parts,
        np.zeros((len(weights), 0), dtype=np.int16),
        np.asarray(bias, dtype=np.float32),
        np.asarray(moves, dtype=np.uint32),
        # Where the transitions of a state begin: states with the same ones share them.
        np.left_shift(rows, 8, dtype=np.intp),
        np.array(outputs, dtype=np.int32),
    )


# Text beyond this length does not change the verdict on a page.
MAX_DOCUMENT_BYTES = 5000
# Divisor of log likelihoods: a constant, and an amount for each byte. Fitted to the
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
# Below this much clean text the page's menus tell its language more safely.
MIN_DOCUMENT_CHARS = 200
_MIN_LETTERS = 0.8
# A word of ASCII letters with the punctuation around it.
_WORD_RE = re.compile(
    r"(?<!\S)[(\"'\[]{0,2}(?:[A-Z]?[a-z]+|[A-Z]+)(?:['-][A-Za-z]+)*[.,;:!?)\"'\]]{0,3}(?!\S)"
)
# Share of the characters of a text in other tokens from which on it is in no language, and
# how many of them there must be beyond it: short passages may be a name and a number.
_MIN_TOKENS_SHARE = 0.8
_MIN_TOKENS_EXCESS = 6


def is_no_language(text: str) -> bool:
    """Test whether a text is code, numbers, ids or the like: ASCII, and hardly a word.

    >>> is_no_language("self.items[key] = value_of(x_1, **options)")
    True
    >>> is_no_language("Bus No. 12 leaves at 8:30 from Gate B-4.")
    False
    """
    if not text.isascii():
        return False
    # Prose has enough words within its first tokens.
    plain = 0
    for token in text.split():
        if token.isalpha() and (token.islower() or token.istitle() or token.isupper()):
            plain += len(token)
            if plain > (1 - _MIN_TOKENS_SHARE) * len(text) - _MIN_TOKENS_EXCESS:
                return False
    rest = "".join(_WORD_RE.sub("", text).split())
    total = len("".join(text.split()))
    return len(rest) >= _MIN_TOKENS_SHARE * total + _MIN_TOKENS_EXCESS


@dataclass(frozen=True, slots=True)
class Reading:
    """Evidence on texts before the languages in question are known.

    ``evidence`` are log likelihoods, a column for each label of the model, ``scripts`` the
    numbers of the scripts; the last row is for the texts that count together, of which
    ``is_counted`` tells. ``is_blank`` tells which texts have no letters, ``is_unclear`` which
    have few among symbols or are in no language (``is_none``); ``lengths`` are in bytes;
    ``letters`` are counts, a column for each of ``SCRIPTS``.
    """

    evidence: NDArray[np.float64]
    scripts: NDArray[np.int64]
    letters: NDArray[np.int64]
    is_blank: NDArray[np.bool_]
    is_none: NDArray[np.bool_]
    is_unclear: NDArray[np.bool_]
    is_counted: NDArray[np.bool_]
    lengths: NDArray[np.int64]


def read_texts(
    model: NgramModel,
    texts: Sequence[str],
    may_be_prose: Sequence[bool] | None = None,
) -> Reading:
    """Return the evidence of a model and of the letters on texts, in their order.

    The texts are read together as well, all or, if they are enough, those that
    ``may_be_prose`` and are in a language.
    """
    is_none = np.fromiter(map(is_no_language, texts), np.bool_, len(texts))
    is_counted = np.ones(len(texts), dtype=np.bool_)
    if may_be_prose is not None:
        is_prose = ~is_none & np.array(may_be_prose, np.bool_)
        if sum(map(len, compress(texts, is_prose))) >= MIN_DOCUMENT_CHARS:
            is_counted = is_prose
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
        letters.counts,
        totals == 0,
        is_none,
        is_none | (totals == 0) | ((lengths < SHORT_BYTES) & ~is_clear),
        is_counted,
        lengths,
    )
