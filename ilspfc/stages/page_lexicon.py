"""The lexicon that a corpus teaches while its pages are paired."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.ibm1 import LOOKUP_OPTIONS, train
from ilspfc.lexicon.vocabulary import Segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ilspfc.lexicon.translation_model import Lexicon
    from ilspfc.pairing.page_arrays import PageEncoder
    from ilspfc.text.arrays import IdArray


MIN_SCORE = 0.05
# A translation learned elsewhere counts for so much of one of the corpus's own.
KNOWN_WEIGHT = 0.8
# More translations of a word cost memory on every page that has it, and tell little.
KEPT_TRANSLATIONS = 4
# What was seen once would bear out the very pair of pages that taught it.
MIN_SEGMENTS = 2
# Of more segments an even share is learned from: the rest costs more than it tells.
MAX_SEGMENTS = 40_000
# A score is the mean of two probabilities: with a smaller one it cannot be high enough.
_OPTIONS = replace(LOOKUP_OPTIONS, min_probability=MIN_SCORE**2 / 2)
# From so many pairs of pages on, a translation must have been seen in two of them.
MANY_PAIRS = 40


class CorpusLexicon:
    """Learns a lexicon of two languages from segments of pages that are paired.

    ``known`` are translations from elsewhere, which hold as well, if a little less.
    """

    def __init__(
        self,
        encoder: PageEncoder,
        source_lang: str,
        target_lang: str,
        known: Iterable[Entry] = (),
    ) -> None:
        self._encoder = encoder
        self._langs = (source_lang, target_lang)
        self._known = list(known)
        self._learned: Lexicon | None = None

    def __call__(
        self, segments: Sequence[tuple[IdArray, IdArray]], documents: Sequence[int]
    ) -> tuple[csr_array, csr_array]:
        """Return how well stems translate each other, see ``pairing.combined``."""
        sizes = tuple(len(self._encoder.stems(lang)) for lang in self._langs)
        known = self._number_known((sizes[0], sizes[1]))
        if not segments:
            return known, known
        if (total := len(segments)) > MAX_SEGMENTS:
            chosen = [n * total // MAX_SEGMENTS for n in range(MAX_SEGMENTS)]
            segments = [segments[n] for n in chosen]
            documents = [documents[n] for n in chosen]
        self._learned = train(
            _join([source for source, _ in segments]),
            _join([target for _, target in segments]),
            (sizes[0], sizes[1]),
            documents=np.array(documents, np.int64),
            options=_OPTIONS,
        )
        pairs = 2 if len(set(documents)) >= MANY_PAIRS else 1
        own, shared = (
            _keep_best(
                csr_array(
                    self._learned.matrix(MIN_SCORE, MIN_SEGMENTS, n).maximum(known)
                )
            )
            for n in (pairs, 2)
        )
        return own, shared

    def _number_known(self, sizes: tuple[int, int]) -> csr_array:
        source, target = (self._encoder.stems(lang).numbers for lang in self._langs)
        found = [
            (source[e.source], target[e.target], e.score * KNOWN_WEIGHT)
            for e in self._known
            if e.source in source and e.target in target
        ]
        if not found:
            return csr_array(sizes)
        rows, columns, scores = zip(*found, strict=True)
        return csr_array((scores, (rows, columns)), shape=sizes)

    def entries(self) -> list[Entry]:
        """Return what was learned last, without what was known before."""
        if self._learned is None:
            return []
        source, target = (
            list(self._encoder.stems(lang).numbers) for lang in self._langs
        )
        found = self._learned.entries()
        return [
            Entry(source[a], target[b], float(score), int(segments), int(documents), 1)
            for a, b, score, segments, documents in zip(
                found.sources,
                found.targets,
                found.scores,
                found.segments,
                found.documents,
                strict=True,
            )
        ]


def _keep_best(scores: csr_array) -> csr_array:
    """Return the scores with the best translations of each word of either language."""
    coordinates = scores.tocoo()
    rows, columns, values = coordinates.row, coordinates.col, coordinates.data
    kept = np.zeros(len(values), bool)
    for owners, others in ((rows, columns), (columns, rows)):
        order = np.lexsort((others, -values, owners))
        first = np.r_[True, owners[order][1:] != owners[order][:-1]]
        starts = np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
        kept[order[np.arange(len(order)) - starts < KEPT_TRANSLATIONS]] = True
    return csr_array((values[kept], (rows[kept], columns[kept])), shape=scores.shape)


def _join(segments: Sequence[IdArray]) -> Segments:
    ends = np.cumsum([len(segment) for segment in segments], dtype=np.int64)
    return Segments(np.concatenate(segments), np.concatenate([[0], ends]))
