"""Bilingual dictionary of the methods of papers 001 and 002, which were given one.

It is what is known beforehand (a dictionary that a user gives, the store, the lexicons that
ship), with what the corpus teaches itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.combined import LearnLexicon
from ilspfc.pairing.comparison import Candidates, Comparison, Matches
from ilspfc.pairing.evidence.identical import IDENTICAL
from ilspfc.pairing.evidence.kind import EvidenceKind
from ilspfc.pairing.evidence.lexicon import LEXICON
from ilspfc.pairing.ranking import assign_greedily, find_sure
from ilspfc.text.arrays import FloatArray

MIN_LIKENESS = 0.1
"""Mean cosine of the identical and of the translated words from which two pages may teach."""


def make_dictionary(comparison: Comparison, learn: LearnLexicon) -> csr_array:
    """Return the scores of translations, shape (stems of the left, stems of the right).

    Two rounds: the pages that share the most identical words, and no other page nearly as
    many, teach the first dictionary; the pages that are the most alike by these words and the
    dictionary teach the second, and how much longer text is in the right language.
    """
    pages = min(len(comparison.left), len(comparison.right))
    candidates, likeness = _measure(comparison, (IDENTICAL,))
    best = assign_greedily(candidates, likeness)
    sure = find_sure(candidates, likeness, best, pages)
    comparison.set_lexicon(_teach(comparison, sure, learn))
    candidates, likeness = _measure(comparison, (IDENTICAL, LEXICON))
    best = assign_greedily(candidates, likeness, MIN_LIKENESS)
    pairs = candidates.take(best)
    matches = Matches(pairs.rows, pairs.columns, likeness[best])
    dictionary = _teach(comparison, matches, learn)
    comparison.set_lexicon(dictionary)
    return dictionary


def propose(comparison: Comparison, kinds: Sequence[EvidenceKind]) -> Candidates:
    """Return the candidates of some kinds of evidence."""
    proposed = filter(None, (kind.propose(comparison) for kind in kinds))
    return Candidates.union(proposed, len(comparison.right))


def _measure(
    comparison: Comparison, kinds: Sequence[EvidenceKind]
) -> tuple[Candidates, FloatArray]:
    """Return the candidates of some kinds of evidence, with the mean of their scores."""
    candidates = propose(comparison, kinds)
    scores = np.zeros(len(candidates))
    for kind in kinds:
        scores += kind.score(comparison, candidates) / len(kinds)
    return candidates, scores


def _teach(comparison: Comparison, pairs: Matches, learn: LearnLexicon) -> csr_array:
    """Return the dictionary that some pairs of pages teach, beside what is known."""
    comparison.learn_from(pairs)
    lexicon, _ = learn(*comparison.lessons(pairs.rows, pairs.columns))
    return lexicon
