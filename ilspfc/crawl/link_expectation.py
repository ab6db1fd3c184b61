"""Expected perplexity of the links of a page, by what led to the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.classification.perplexity.expectation import (
    NEUTRAL,
    expect_page,
    expect_target,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.classification.perplexity.buckets import Buckets
    from ilspfc.classification.perplexity.expectation import PageEntropy
    from ilspfc.frontier.scoring.link_score import FoundLink


@dataclass(frozen=True, slots=True)
class Expectation:
    """Expectation of a page before it was read: ``surprise``, None where there was none.

    It came about in the same way from the page before, and so on.
    """

    buckets: Buckets
    surprise: float | None = None

    def expect(
        self, links: Sequence[FoundLink], entropy: PageEntropy
    ) -> list[FoundLink]:
        """Return the links of a page with the perplexity that is expected of each."""
        lang, buckets = entropy.lang, self.buckets
        level = buckets.to_surprise(1.0, lang)  # of an entropy of 0 bits
        before = NEUTRAL if self.surprise is None else self.surprise
        page = expect_page(entropy.words, entropy.bits + level, before)
        perplexity = buckets.to_perplexity(page, lang) if entropy.words else None
        expected = []
        for found, words, bits in zip(
            links, entropy.link_words, entropy.link_bits, strict=True
        ):
            surprise = expect_target(words, bits + level, page)
            expected.append(
                found._replace(
                    perplexity=perplexity,
                    expected=buckets.to_perplexity(surprise, lang),
                    surprise=surprise,
                    model_lang=lang,
                )
            )
        return expected
