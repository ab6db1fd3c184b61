"""Learning of lexicon entries from the texts of segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ilspfc.lexicon.entries import Entry, number_entries
from ilspfc.lexicon.ibm1 import LOOKUP_OPTIONS, train
from ilspfc.lexicon.translation_model import MIN_SCORE
from ilspfc.text.arrays import IdArray
from ilspfc.text.tokens import tokenize
from ilspfc.text.vocabulary import Segments, Vocabulary


@dataclass(slots=True)
class SegmentTexts:
    """Pairs of segments in two languages (ISO 639-3), stored as token ids.

    Segments identical in both languages are not translations and left out, as are pairs
    with no tokens on a side; ``skipped`` counts both.
    """

    langs: tuple[str, str]
    skipped: int = 0
    weights: list[float] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    _sides: tuple[_Side, _Side] = field(
        default_factory=lambda: (_Side(), _Side()), repr=False
    )

    def __len__(self) -> int:
        return len(self.weights)

    def add(
        self, source: str, target: str, *, weight: float = 1.0, document: int = 0
    ) -> None:
        """Add a pair; ``weight`` in (0, 1] is its confidence."""
        left = tokenize(source, self.langs[0])
        right = tokenize(target, self.langs[1])
        if left == right or not left or not right or weight <= 0:
            self.skipped += 1
            return
        for side, tokens in zip(self._sides, (left, right), strict=True):
            side.add(tokens)
        self.weights.append(weight)
        self.documents.append(document)

    def learn(
        self,
        *,
        prior: Iterable[Entry] = (),
        min_score: float = MIN_SCORE,
    ) -> list[Entry]:
        """Return the entries, sorted by words, whatever the order of the pairs.

        Numbers explain each other when it learns, but are no entries.
        ``prior`` holds dictionary entries, split into tokens.
        """
        (source, left), (target, right) = (side.number() for side in self._sides)
        known = number_entries(prior, source, target)
        lexicon = train(
            left,
            right,
            (len(source), len(target)),
            weights=np.array(self.weights),
            documents=np.array(self.documents, np.int64),
            prior=(known.sources, known.targets, known.scores),
            options=LOOKUP_OPTIONS,
        )
        found = lexicon.entries(min_score).spell(source, target)
        return [entry for entry in found if not entry.is_numeric]


class _Side:
    """The segments of one language; words get their final ids once all are known."""

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._segments: list[IdArray] = []

    def add(self, tokens: Sequence[str]) -> None:
        self._segments.append(self._vocabulary.add(tokens))

    def number(self) -> tuple[Vocabulary, Segments]:
        """Return the sorted vocabulary, and the segments with its ids."""
        vocabulary = Vocabulary.sort(self._vocabulary)
        ranks = vocabulary.encode(self._vocabulary.words)
        segments = Segments.join(self._segments)
        return vocabulary, Segments(ranks[segments.ids], segments.offsets)
