"""The lexicon that a corpus teaches while its pages are paired."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.lexicon.training import LOOKUP_OPTIONS, train
from ilspfc.lexicon.vocabulary import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from ilspfc.pairing.pages import PageEncoder

    Ints = npt.NDArray[np.int32]

MIN_SCORE = 0.05
# More translations of a word cost memory on every page that has it, and tell little.
KEPT_TRANSLATIONS = 4
# From so many pairs of pages on, a translation must have been seen in two of them.
MANY_PAIRS = 40


class CorpusLexicon:
    """Learns a lexicon of two languages from segments of pages that are paired."""

    def __init__(
        self, encoder: PageEncoder, source_lang: str, target_lang: str
    ) -> None:
        self._encoder = encoder
        self._langs = (source_lang, target_lang)

    def __call__(
        self, segments: Sequence[tuple[Ints, Ints]], documents: Sequence[int]
    ) -> csr_array:
        """Return how well stems translate each other, see ``pairing.combined``."""
        sizes = tuple(len(self._encoder.stems(lang)) for lang in self._langs)
        if not segments:
            return csr_array(sizes)
        lexicon = train(
            _join([source for source, _ in segments]),
            _join([target for _, target in segments]),
            (sizes[0], sizes[1]),
            documents=np.array(documents, np.int64),
            options=LOOKUP_OPTIONS,
        )
        # What few pages teach has mostly been seen once.
        seen = 2 if len(set(documents)) >= MANY_PAIRS else 1
        return _keep_best(lexicon.matrix(MIN_SCORE, min_segments=seen, min_pairs=seen))


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


def _join(segments: Sequence[Ints]) -> Segments:
    ends = np.cumsum([len(segment) for segment in segments], dtype=np.int64)
    return Segments(np.concatenate(segments), np.concatenate([[0], ends]))
