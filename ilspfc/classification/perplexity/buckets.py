"""Buckets of perplexity: the paper's HIGH, MEDIUM and NORMAL, with bounds by language."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

Bounds = tuple[float, float, float]

# The bounds in topicrawler's code; its manual suggests 100, 5000, 50000, the paper's
# second experiment discards above 100000.
DEFAULT_BOUNDS = (500.0, 5000.0, math.inf)

# Names of what is in none of the three: links of such a page are not followed; a page
# without a sentence to score.
DISCARDED = "discarded"
UNMEASURED = "unmeasured"
BUCKET_NAMES = ("high", "medium", "normal", DISCARDED, UNMEASURED)


@dataclass(frozen=True, slots=True)
class Buckets:
    """Upper bounds of the buckets HIGH, MEDIUM and NORMAL (004, section 3.3).

    ``by_lang`` has the bounds of languages (ISO 639-3) that have their own, ``bounds`` are
    those of all others.
    """

    bounds: Bounds = DEFAULT_BOUNDS
    by_lang: Mapping[str, Bounds] = field(default_factory=dict)

    def of(self, lang: str) -> Bounds:
        """Return the bounds of a language."""
        return self.by_lang.get(lang, self.bounds)

    def name(self, perplexity: float, lang: str) -> str:
        """Return the name of a page's bucket, one of :data:`BUCKET_NAMES`.

        It is the first whose upper bound the perplexity does not exceed.

        >>> Buckets().name(7.0, "deu"), Buckets().name(math.inf, "deu")
        ('high', 'unmeasured')
        """
        if perplexity == math.inf:
            return UNMEASURED
        within = zip(self.of(lang), BUCKET_NAMES, strict=False)
        return next((name for bound, name in within if perplexity <= bound), DISCARDED)

    def to_surprise(self, perplexity: float, lang: str) -> float:
        """Return the bits by which a perplexity exceeds the bound of MEDIUM.

        The number means the same in all languages, whose perplexities differ in size.
        """
        return math.log2(perplexity / self.of(lang)[1])

    def to_perplexity(self, surprise: float, lang: str) -> float:
        """Return the perplexity that exceeds the bound of MEDIUM by some bits."""
        return float(self.of(lang)[1] * 2.0 ** min(surprise, 512.0))
