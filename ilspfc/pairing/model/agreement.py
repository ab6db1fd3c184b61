"""Three and more languages: where A pairs with B and B with C, A should pair with C.

Each two languages are judged by themselves first. Then the pairs of both its pages
with a third language support a candidate, or contradict it by another page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.model.pair_model import raise_declared
from ilspfc.text.log_odds import to_log_odds, to_probability

if TYPE_CHECKING:
    from ilspfc.pairing.outcome import ScoredCandidates
    from ilspfc.text.arrays import FloatArray

    Languages = tuple[str, str]
    # The partner of a document, and how probable the pair is.
    Partners = Mapping[str, tuple[str, float]]

# Findings in third languages, and the weight of each in the log odds of a candidate: fitted to sites left out (evaluation/pairing_left_out.py).
OPINIONS = {"support": 2.0, "conflict": -2.5, "disagreement": -3.4}
# Least probability of a pair with a third language.
_MIN_PROBABILITY = 0.3


def agree(
    scored: Mapping[Languages, Sequence[ScoredCandidates]],
) -> dict[Languages, list[ScoredCandidates]]:
    """Return the candidates of each two languages in the light of the other languages."""
    partners = find_partners(scored)
    return {
        langs: [_reconsider(site, langs, partners) for site in sites]
        for langs, sites in scored.items()
    }


def find_partners(
    scored: Mapping[Languages, Sequence[ScoredCandidates]],
) -> dict[Languages, Partners]:
    """Return the partners of the documents of a language in another, by both languages."""
    partners: dict[Languages, Partners] = {}
    for (first, second), sites in scored.items():
        pairs = [pair for site in sites for pair in _pairs(site)]
        partners[first, second] = {a: (b, p) for a, b, p in pairs}
        partners[second, first] = {b: (a, p) for a, b, p in pairs}
    return partners


def _pairs(site: ScoredCandidates) -> Iterator[tuple[str, str, float]]:
    for place in site.chosen.tolist():
        pair_probability = float(site.probabilities[place])
        if pair_probability >= _MIN_PROBABILITY:
            source = site.left[site.candidates.rows[place]]
            target = site.right[site.candidates.columns[place]]
            yield source, target, pair_probability


def measure_opinions(
    site: ScoredCandidates, langs: Languages, partners: Mapping[Languages, Partners]
) -> FloatArray:
    """Return the findings in third languages for each candidate, in [0, 1].

    Shape (candidates, 3). *Support*: both pages have the same partner; several languages
    add up. *Conflict*: the partner of one page has another partner in the other's
    language. *Disagreement*: the partners of both pages are not the same.
    """
    count = len(site.candidates)
    doubts, conflicts, disagreements = np.ones(count), np.zeros(count), np.zeros(count)
    first, second = langs
    for third in sorted({lang for pair in partners for lang in pair} - {*langs}):
        ends = [
            _Ends(partners, *way)
            for way in ((first, third, second), (second, third, first))
        ]
        rows, columns = site.candidates.rows, site.candidates.columns
        for place in range(count):
            pages = site.left[rows[place]], site.right[columns[place]]
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
    """Partners of a language in a third one, and theirs in another."""

    def __init__(
        self, partners: Mapping[Languages, Partners], lang: str, third: str, other: str
    ) -> None:
        self.partners = partners.get((lang, third), {})
        self._onwards = partners.get((third, other), {})

    def leads_elsewhere(self, page: str, candidate: str) -> float:
        """Return the certainty of the way from a page, where it leads to no candidate."""
        middle, sure = self.partners.get(page, ("", 0.0))
        end, as_sure = self._onwards.get(middle, (candidate, 0.0))
        return sure * as_sure if end != candidate else 0.0


def _reconsider(
    site: ScoredCandidates, langs: Languages, partners: Mapping[Languages, Partners]
) -> ScoredCandidates:
    opinions = measure_opinions(site, langs, partners)
    logits = to_log_odds(site.probabilities) + opinions @ [*OPINIONS.values()]
    return replace(
        site, probabilities=raise_declared(to_probability(logits), site.values)
    )
