"""Agreement of three or more languages: if A pairs with B and B with C, A pairs with C.

Each language pair is scored separately first. Then pairs with a third language support a
candidate, or contradict it if they lead to another page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ilspfc.pairing.model.pair_model import raise_declared
from ilspfc.pairing.outcome import ScoredCandidates
from ilspfc.text.arrays import FloatArray
from ilspfc.text.log_odds import to_log_odds, to_probability

Languages = tuple[str, str]
# The partner of each document, and the probability of the pair.
Partners = Mapping[str, tuple[str, float]]


# Weights of third-language findings in the log odds; fitted in evaluation/pairing_left_out.py.
OPINIONS = {"support": 2.0, "conflict": -2.5, "disagreement": -3.4}
# Minimum probability of a pair with a third language.
_MIN_PROBABILITY = 0.3


def agree(
    scored: Mapping[Languages, Sequence[ScoredCandidates]],
) -> dict[Languages, list[ScoredCandidates]]:
    """Return the candidates of each language pair, adjusted to the other pairs."""
    partners = find_partners(scored)
    return {
        langs: [_adjust(site, langs, partners) for site in sites]
        for langs, sites in scored.items()
    }


def find_partners(
    scored: Mapping[Languages, Sequence[ScoredCandidates]],
) -> dict[Languages, Partners]:
    """Return the partners of documents for each ordered pair of languages."""
    partners: dict[Languages, Partners] = {}
    for (first, second), sites in scored.items():
        pairs = [pair for site in sites for pair in _iter_pairs(site)]
        partners[first, second] = {a: (b, p) for a, b, p in pairs}
        partners[second, first] = {b: (a, p) for a, b, p in pairs}
    return partners


def _iter_pairs(site: ScoredCandidates) -> Iterator[tuple[str, str, float]]:
    for place in site.chosen.tolist():
        pair_probability = float(site.probabilities[place])
        if pair_probability >= _MIN_PROBABILITY:
            source = site.left[site.candidates.rows[place]]
            target = site.right[site.candidates.columns[place]]
            yield source, target, pair_probability


def measure_opinions(
    site: ScoredCandidates, langs: Languages, partners: Mapping[Languages, Partners]
) -> FloatArray:
    """Return the third-language findings, shape (candidates, 3), in [0, 1].

    *Support*: both pages have the same partner; several languages add up. *Conflict*: the
    partner of one page has a partner other than the candidate. *Disagreement*: the two
    pages have different partners.
    """
    count = len(site.candidates)
    doubts, conflicts, disagreements = np.ones(count), np.zeros(count), np.zeros(count)
    first, second = langs
    for third in sorted({lang for pair in partners for lang in pair} - {*langs}):
        paths = [
            _Path(partners, *route)
            for route in ((first, third, second), (second, third, first))
        ]
        rows, columns = site.candidates.rows, site.candidates.columns
        for place in range(count):
            pages = site.left[rows[place]], site.right[columns[place]]
            (one, p), (other, q) = (
                path.partners.get(page, ("", 0.0))
                for path, page in zip(paths, pages, strict=True)
            )
            if one and one == other:
                doubts[place] *= 1 - p * q
            elif one and other:
                disagreements[place] = max(disagreements[place], p * q)
            for path, page, candidate in zip(paths, pages, pages[::-1], strict=True):
                conflict = path.leads_elsewhere(page, candidate)
                conflicts[place] = max(conflicts[place], conflict)
    return np.column_stack([1 - doubts, conflicts, disagreements])


class _Path:
    """Partners of one language in a third, and their partners in another."""

    def __init__(
        self, partners: Mapping[Languages, Partners], lang: str, third: str, other: str
    ) -> None:
        self.partners = partners.get((lang, third), {})
        self._onwards = partners.get((third, other), {})

    def leads_elsewhere(self, page: str, candidate: str) -> float:
        """Return the probability of the path from a page, 0 if it ends at the candidate."""
        middle, p = self.partners.get(page, ("", 0.0))
        end, q = self._onwards.get(middle, (candidate, 0.0))
        return p * q if end != candidate else 0.0


def _adjust(
    site: ScoredCandidates, langs: Languages, partners: Mapping[Languages, Partners]
) -> ScoredCandidates:
    opinions = measure_opinions(site, langs, partners)
    logits = to_log_odds(site.probabilities) + opinions @ [*OPINIONS.values()]
    return replace(
        site, probabilities=raise_declared(to_probability(logits), site.values)
    )
