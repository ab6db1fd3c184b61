"""Three and more languages: where A pairs with B and B with C, A should pair with C.

Each two languages are judged by themselves first. Then a candidate gains by what the pairs
of both its pages with a third language say, and loses where they name another page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.model.pair_model import logit, probability
from ilspfc.pairing.model.probabilities import raise_declared

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ilspfc.pairing.model.scored import Judged
    from ilspfc.text.arrays import FloatArray

    Languages = tuple[str, str]
    # The partner of a document, and how probable the pair is.
    Partners = Mapping[str, tuple[str, float]]

# What other languages say of a candidate, and what each adds to its log odds when it is
# certain: fitted to sites left out (evaluation/pairing_left_out.py).
OPINIONS = {"support": 2.0, "conflict": -2.5, "disagreement": -3.4}
# Less probable pairs tell nothing of a third language.
_MIN_PROBABILITY = 0.3


def agree(
    judged: Mapping[Languages, Sequence[Judged]],
) -> dict[Languages, list[Judged]]:
    """Return what was judged of each two languages in the light of the other languages."""
    partners = find_partners(judged)
    return {
        langs: [_reconsider(site, langs, partners) for site in sites]
        for langs, sites in judged.items()
    }


def find_partners(
    judged: Mapping[Languages, Sequence[Judged]],
) -> dict[Languages, Partners]:
    """Return the partners of the documents of a language in another, by both languages."""
    partners: dict[Languages, Partners] = {}
    for (first, second), sites in judged.items():
        pairs = [pair for site in sites for pair in _pairs(site)]
        partners[first, second] = {a: (b, p) for a, b, p in pairs}
        partners[second, first] = {b: (a, p) for a, b, p in pairs}
    return partners


def _pairs(judged: Judged) -> Iterator[tuple[str, str, float]]:
    for place in judged.chosen.tolist():
        pair_probability = float(judged.probabilities[place])
        if pair_probability >= _MIN_PROBABILITY:
            source = judged.left[judged.candidates.rows[place]]
            target = judged.right[judged.candidates.columns[place]]
            yield source, target, pair_probability


def measure_opinions(
    judged: Judged, langs: Languages, partners: Mapping[Languages, Partners]
) -> FloatArray:
    """Return what third languages say of each candidate, in [0, 1].

    Shape (candidates, 3). *Support*: both pages have the same partner; several languages
    add up. *Conflict*: the partner of one page has another partner in the other's
    language. *Disagreement*: the partners of both pages are not the same.
    """
    count = len(judged.candidates)
    doubts, conflicts, disagreements = np.ones(count), np.zeros(count), np.zeros(count)
    first, second = langs
    for third in sorted({lang for pair in partners for lang in pair} - {*langs}):
        ends = [
            _Ends(partners, *way)
            for way in ((first, third, second), (second, third, first))
        ]
        places = zip(
            judged.candidates.rows.tolist(),
            judged.candidates.columns.tolist(),
            strict=True,
        )
        for place, (row, column) in enumerate(places):
            pages = judged.left[row], judged.right[column]
            (one, sure), (other, as_sure) = (
                end.partners.get(page, ("", 0.0))
                for end, page in zip(ends, pages, strict=True)
            )
            if one and one == other:
                doubts[place] *= 1 - sure * as_sure
            elif one and other:
                disagreements[place] = max(disagreements[place], sure * as_sure)
            for end, page, candidate in zip(ends, pages, pages[::-1], strict=True):
                conflict = end.leads_elsewhere(page, candidate)
                conflicts[place] = max(conflicts[place], conflict)
    return np.column_stack([1 - doubts, conflicts, disagreements])


class _Ends:
    """Where the way from a language over a third one to another leads."""

    def __init__(
        self, partners: Mapping[Languages, Partners], lang: str, third: str, other: str
    ) -> None:
        self.partners = partners.get((lang, third), {})
        self._onwards = partners.get((third, other), {})

    def leads_elsewhere(self, page: str, candidate: str) -> float:
        """Return how certain the way from a page is, where it leads to no candidate."""
        middle, sure = self.partners.get(page, ("", 0.0))
        end, as_sure = self._onwards.get(middle, (candidate, 0.0))
        return sure * as_sure if end != candidate else 0.0


def _reconsider(
    judged: Judged, langs: Languages, partners: Mapping[Languages, Partners]
) -> Judged:
    opinions = measure_opinions(judged, langs, partners)
    logits = logit(judged.probabilities) + opinions @ [*OPINIONS.values()]
    return judged.with_probabilities(raise_declared(probability(logits), judged.values))
