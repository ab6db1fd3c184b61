"""All kinds of evidence, in the order of the model's features."""

from __future__ import annotations

from ilspfc.pairing.evidence.claims import URLS, VERSIONS
from ilspfc.pairing.evidence.identical import (
    COGNATE_TITLES,
    COGNATES,
    COGNATES_WHOLE,
    IDENTICAL,
    IDENTICAL_WHOLE,
    NUMBERS,
    TITLES,
)
from ilspfc.pairing.evidence.images import IMAGES
from ilspfc.pairing.evidence.kind import EvidenceKind
from ilspfc.pairing.evidence.lexicon import (
    LEXICON,
    LEXICON_ANCHORS,
    LEXICON_TITLES,
    LEXICON_WHOLE,
    SENTENCES,
)
from ilspfc.pairing.evidence.links import LINK_VOTES, NEIGHBORS
from ilspfc.pairing.evidence.shape import FINGERPRINT, FINGERPRINT_WHOLE, FRAME, LENGTH
from ilspfc.pairing.evidence.url_patterns import URL_PATTERNS

# fmt: off
EVIDENCE: tuple[EvidenceKind, ...] = (
    VERSIONS, URLS, URL_PATTERNS, IDENTICAL, NUMBERS, TITLES, COGNATES, IMAGES,
    FINGERPRINT, FRAME, LENGTH, LEXICON, LEXICON_TITLES, LEXICON_ANCHORS, SENTENCES,
    LINK_VOTES, NEIGHBORS, IDENTICAL_WHOLE, COGNATES_WHOLE, COGNATE_TITLES,
    FINGERPRINT_WHOLE, LEXICON_WHOLE,
)
"""All kinds, in the order of the model's features and of the columns of tables."""
# fmt: on
