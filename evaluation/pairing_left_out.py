"""What models of pairing find on sites that they have not learned from.

Precision, recall and F1 of each language pair by itself and in the light of the other
languages; how probable pairs are against how many of them are right; the weights of what
other languages say (``ilspfc/pairing/agreement.py``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from evaluation.pairing_cases import LANGUAGE_PAIRS
from evaluation.pairing_scores import mean_f1, score_judged
from ilspfc.pairing.agreement import agree, find_ways, measure_ways
from ilspfc.pairing.combined import pair_sites
from ilspfc.pairing.model import logit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from evaluation.pairing_cases import Case
    from evaluation.pairing_scores import Scores
    from ilspfc.pairing.judged import Judged
    from ilspfc.pairing.model import PairingModel
    from ilspfc.pairing.sparse import FloatArray

    Train = Callable[[Iterable[Case]], PairingModel]

# The languages that are paired with each other, beside the pairs that are measured.
AGREEING = ("de", "en", "fr", "it")
THRESHOLDS = (0.3, 0.5, 0.95)
BINS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.95, 0.97, 0.99, 1.0)
# A language pair weighs as much as any other, a small one less.
_MIN_RIGHT = 20
_PENALTY = 0.05


def language_pairs(site: str) -> list[str]:
    """Return the language pairs of a site that are judged, those that are measured first."""
    measured = LANGUAGE_PAIRS[site]
    known = {lang for pair in measured for lang in pair.split("-")}
    seen = {frozenset(pair.split("-")) for pair in measured}
    others = combinations([lang for lang in AGREEING if lang in known], 2)
    return [*measured, *("-".join(o) for o in others if frozenset(o) not in seen)]


@dataclass
class Findings:
    """What has been found out on all sites so far."""

    said: list[tuple[FloatArray, FloatArray, FloatArray]] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    is_right: list[bool] = field(default_factory=list)
    scores: dict[str, list[Scores]] = field(default_factory=lambda: defaultdict(list))

    def add(self, cases: Sequence[Case], model: PairingModel) -> None:
        """Judge the language pairs of one form of a site, and print what that finds."""
        alone: dict[tuple[str, str], list[Judged]] = {}
        for case in cases:
            alone[case.langs] = pair_sites([case.make()], model, case.learner())
        ways, agreed = find_ways(alone), agree(alone)
        for case in cases:
            (one,), (other,) = alone[case.langs], agreed[case.langs]
            self._show(case, (one, other))
            self._note_ways(case, one, ways[case.langs])
            self._note_pairs(case, other)

    def _show(self, case: Case, judged: tuple[Judged, Judged]) -> None:
        print(f"{case.name} ({len(case.gold)})", end="")
        for name, one in zip(("alone", "agreed"), judged, strict=True):
            scores = {t: score_judged(case, one, t) for t in THRESHOLDS}
            for threshold, score in scores.items():
                self.scores[f"{case.site} {case.form} {name} {threshold}"].append(score)
            cells = [
                f"{t}: {s.precision:.3f}/{s.recall:.3f}/{s.f1:.3f}"
                for t, s in scores.items()
            ]
            print(f"  {name}", *cells, end="")
        print(flush=True)

    def _note_ways(
        self, case: Case, judged: Judged, ways: dict[tuple[str, str], float]
    ) -> None:
        support, conflict = measure_ways(judged, ways)
        label = case.label_judged(judged)
        known = (label >= 0) & ((support > 0) | (conflict > 0))
        weight = np.full(known.sum(), 1 / max((label[known] == 1).sum(), _MIN_RIGHT))
        features = np.column_stack([logit(judged.probabilities), support, conflict])
        self.said.append((features[known], label[known].astype(float), weight))

    def _note_pairs(self, case: Case, judged: Judged) -> None:
        label = case.label_judged(judged)
        for place in judged.chosen[label[judged.chosen] >= 0].tolist():
            self.probabilities.append(float(judged.probabilities[place]))
            self.is_right.append(bool(label[place] == 1))

    def print_means(self) -> None:
        """Print the mean F1 over the language pairs of each form of each site."""
        for name, scores in self.scores.items():
            precision = np.mean([score.precision for score in scores])
            recall = np.mean([score.recall for score in scores])
            print(
                f"{name:40} mean of {len(scores)}: P {precision:.3f} R {recall:.3f}"
                f" F1 {mean_f1(scores):.3f}"
            )

    def print_calibration(self) -> None:
        """Print for pairs of like probability how many there are and how many are right."""
        probabilities = np.array(self.probabilities)
        is_right = np.array(self.is_right, bool)
        print("probability    pairs  mean   right")
        for low, high in pairwise(BINS):
            inside = (probabilities >= low) & (probabilities < high + (high == 1))
            if inside.any():
                print(
                    f"{low:.2f} to {high:.2f} {inside.sum():6}"
                    f"  {probabilities[inside].mean():.3f}  {is_right[inside].mean():.3f}"
                )

    def print_weights(self) -> None:
        """Print what certain ways over other languages add and take, fitted to all sites."""
        features, labels, weights = map(np.concatenate, zip(*self.said, strict=True))
        if not len(labels):
            return

        def loss(weight: FloatArray) -> float:
            logits = features[:, 0] + features[:, 1:] @ weight
            losses = weights * (np.logaddexp(0, logits) - labels * logits)
            return float(losses.sum() + _PENALTY * weight @ weight)

        support, conflict = minimize(loss, np.zeros(2)).x
        print(f"ways: support {support:.2f}, conflict {-conflict:.2f}")


def show_left_out(cases: Sequence[Case], learned: Sequence[Case], train: Train) -> None:
    """Print what is found on each site by a model of the cases learned on other sites."""
    findings = Findings()
    for site in dict.fromkeys(case.site for case in cases):
        model = train([case for case in learned if case.site != site])
        for form in dict.fromkeys(case.form for case in cases if case.site == site):
            findings.add([c for c in cases if (c.site, c.form) == (site, form)], model)
    findings.print_means()
    findings.print_calibration()
    findings.print_weights()
