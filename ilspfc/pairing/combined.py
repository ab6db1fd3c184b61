"""All evidence in one probability, in rounds: what a round finds the next one learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ilspfc.pairing.model.site_calibration import calibrate
from ilspfc.pairing.site import Site

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy.sparse import csr_array

    from ilspfc.pairing.comparison import Comparison
    from ilspfc.pairing.model.pair_model import PairingModel
    from ilspfc.pairing.model.scored import Judged
    from ilspfc.pairing.site import Observer, SegmentPair

ROUNDS = 3
# A round that changes a smaller share of the pairs is the last.
MIN_CHANGE = 0.02


class LearnLexicon(Protocol):
    """Learns which stems translate each other."""

    def __call__(
        self, segments: Sequence[SegmentPair], documents: Sequence[int]
    ) -> tuple[csr_array, csr_array]:
        """Return scores in [0, 1], shape (stems of the left, stems of the right).

        ``documents`` tells from which pair of pages each pair of segments is. The second
        array has what two pairs of pages have taught: by it a pair is judged that has
        taught the first itself.
        """


def pair_sites(
    comparisons: Sequence[Comparison],
    model: PairingModel,
    learn: LearnLexicon,
    *,
    rounds: int = ROUNDS,
) -> list[Judged]:
    """Return the judged candidates of each site, in the order given, calibrated."""
    sites = judge_sites(comparisons, model, learn, rounds=rounds)
    return [calibrate(site, model.calibration) for site in sites]


def judge_sites(
    comparisons: Sequence[Comparison],
    model: PairingModel,
    learn: LearnLexicon,
    *,
    rounds: int = ROUNDS,
    observe: Observer | None = None,
) -> list[Judged]:
    """Return the judged candidates of each site, in the order given, not calibrated.

    The lexicon is learned from the sure pairs of all sites together.
    """
    sites = [Site(c, model) for c in comparisons if len(c.left) and len(c.right)]
    for site in sites:
        site.judge(0, observe)
    number = 0
    while number < rounds:
        number += 1
        lexicon, shared = learn(*_lessons(sites))
        changed = total = 0
        for site in sites:
            site.advance(lexicon, shared)
            changed += site.judge(number, observe)
            total += len(site.chosen)
        if changed < MIN_CHANGE * total:
            break
    return [site.result(number) for site in sites]


def _lessons(sites: Sequence[Site]) -> tuple[list[SegmentPair], list[int]]:
    """Return the segments of the sure pairs of all sites, and which pair each is from."""
    lessons = [lesson for site in sites for lesson in site.lessons()]
    documents = [pair for pair, lesson in enumerate(lessons) for _ in lesson]
    return [segment for lesson in lessons for segment in lesson], documents
