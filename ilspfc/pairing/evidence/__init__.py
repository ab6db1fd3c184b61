"""Kinds of evidence that two pages translate each other, one module each.

Each gives every candidate a score in [0, 1], and may propose candidates from an index:
none compares all pages with all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ilspfc.pairing.evidence.aligned_sentences import SENTENCES
from ilspfc.pairing.evidence.claims import URLS, VERSIONS
from ilspfc.pairing.evidence.cognate_words import COGNATES
from ilspfc.pairing.evidence.identical_tokens import IDENTICAL, NUMBERS, TITLES
from ilspfc.pairing.evidence.link_votes import LINK_VOTES
from ilspfc.pairing.evidence.neighbors import NEIGHBORS
from ilspfc.pairing.evidence.rare_images import RareImages
from ilspfc.pairing.evidence.shape import Fingerprint, Frame, Length
from ilspfc.pairing.evidence.translations import (
    LEXICON,
    LEXICON_ANCHORS,
    LEXICON_TITLES,
)
from ilspfc.pairing.evidence.url_correspondences import URL_PATTERNS

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray, IntArray


class Evidence(Protocol):
    """A kind of evidence. Kinds of one ``group`` fail together."""

    @property
    def name(self) -> str:
        """What the evidence is called in tables and files."""

    @property
    def group(self) -> str:
        """What it depends on: links, tokens, structure …."""

    @property
    def learns(self) -> bool:
        """Whether later rounds may give a candidate another score than the first."""

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return pairs that may be translations, as rows of the left and the right.

        None for none. Kinds that do not learn are asked once.
        """

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the score of each candidate, in [0, 1]."""


EVIDENCE: tuple[Evidence, ...] = (
    VERSIONS,
    URLS,
    URL_PATTERNS,
    IDENTICAL,
    NUMBERS,
    TITLES,
    COGNATES,
    RareImages(),
    Fingerprint(),
    Frame(),
    Length(),
    LEXICON,
    LEXICON_TITLES,
    LEXICON_ANCHORS,
    SENTENCES,
    LINK_VOTES,
    NEIGHBORS,
)

__all__ = ["EVIDENCE", "Evidence"]
