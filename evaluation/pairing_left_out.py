"""What models of pairing find on sites that they have not learned from.

Precision, recall and F1 of each language pair by itself and in the light of the other
languages; how probable pairs are against how many of them are right; the weights of what
other languages say (``ilspfc/pairing/model/agreement.py``). How probable the pairs of a site are
is calibrated by those of the other sites, when these were left out.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from evaluation.forked import run_forked
from evaluation.pairing_cases import LANGUAGE_PAIRS
from evaluation.pairing_scores import mean_f1, score_judged
from ilspfc.pairing.combined import judge_sites
from ilspfc.pairing.model.agreement import (
    OPINIONS,
    agree,
    find_partners,
    measure_opinions,
)
from ilspfc.pairing.model.pair_model import Calibration, calibrate, measure_odds
from ilspfc.text.log_odds import to_log_odds

if TYPE_CHECKING:
    import numpy.typing as npt

    from evaluation.pairing_cases import Case
    from evaluation.pairing_scores import Scores
    from ilspfc.pairing.model.pair_model import PairingModel
    from ilspfc.pairing.outcome import ScoredCandidates
    from ilspfc.text.arrays import FloatArray

    Train = Callable[[Iterable[Case]], PairingModel]
    # Cases of a site with what a model of the other sites makes of their candidates.
    LeftOut = Sequence[tuple[Case, ScoredCandidates]]

# The languages that are paired with each other, beside the pairs that are measured.
AGREEING = ("de", "en", "fr", "it")
# PAIRING_THRESHOLD and PAIRING_MIN_MARGIN of the modes that the docs name.
MODES = {"recall": (0.3, 0.0), "default": (0.5, 0.0), "strict": (0.95, 0.5)}
BINS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.95, 0.97, 0.99, 1.0)
# Those of the table by amount of text, and its bounds in characters of the smaller page.
WIDE_BINS = (0.5, 0.7, 0.9, 0.95, 1.0)
TEXTS = (0, 100, 300, 1000, 3000, float("inf"))
# A language pair weighs as much as any other, a small one less.
_MIN_RIGHT = 20
_PENALTY = 0.05
_CALIBRATION_PENALTY = 100.0
# Candidates of each page that are judged on.
_KEPT = 8


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
    texts: list[float] = field(default_factory=list)
    scores: dict[str, list[Scores]] = field(default_factory=lambda: defaultdict(list))

    def add(self, found: LeftOut) -> None:
        """Score the language pairs of one form of a site, and print what was found."""
        alone = {case.langs: [judged] for case, judged in found}
        partners, agreed = find_partners(alone), agree(alone)
        for case, one in found:
            (other,) = agreed[case.langs]
            self._show(case, (one, other))
            opinions = measure_opinions(one, case.langs, partners)
            self._note_opinions(case, one, opinions)
            self._note_pairs(case, other)

    def _show(
        self, case: Case, judged: tuple[ScoredCandidates, ScoredCandidates]
    ) -> None:
        print(f"{case.name} ({len(case.gold)})", end="")
        for name, one in zip(("alone", "agreed"), judged, strict=True):
            scores = {
                m: score_judged(case, one, *bounds) for m, bounds in MODES.items()
            }
            for mode, score in scores.items():
                self.scores[f"{case.site} {case.form} {name} {mode}"].append(score)
            cells = [
                f"{mode}: {s.precision:.3f}/{s.recall:.3f}/{s.f1:.3f}"
                for mode, s in scores.items()
            ]
            print(f"  {name}", *cells, end="")
        print(flush=True)

    def _note_opinions(
        self, case: Case, judged: ScoredCandidates, opinions: FloatArray
    ) -> None:
        label = case.label_judged(judged)
        known = (label >= 0) & opinions.any(axis=1)
        weight = np.full(known.sum(), 1 / max((label[known] == 1).sum(), _MIN_RIGHT))
        features = np.column_stack([to_log_odds(judged.probabilities), opinions])
        self.said.append((features[known], label[known].astype(float), weight))

    def _note_pairs(self, case: Case, judged: ScoredCandidates) -> None:
        label = case.label_judged(judged)
        for place in judged.chosen[label[judged.chosen] >= 0].tolist():
            self.probabilities.append(float(judged.probabilities[place]))
            self.is_right.append(bool(label[place] == 1))
            self.texts.append(float(judged.texts[place]))

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
        print("probability    pairs  mean   right")
        self._print_bins(BINS, np.ones(len(self.probabilities), bool))

    def print_calibration_by_text(self) -> None:
        """Print the same by how much text the smaller page has, in characters."""
        texts = np.array(self.texts)
        for least, below in pairwise(TEXTS):
            print(f"{least:.0f} to {below:.0f} characters")
            self._print_bins(WIDE_BINS, (texts >= least) & (texts < below))

    def _print_bins(
        self, bins: Sequence[float], counted: npt.NDArray[np.bool_]
    ) -> None:
        probabilities = np.array(self.probabilities)
        is_right = np.array(self.is_right, bool)
        for low, high in pairwise(bins):
            inside = (probabilities >= low) & (probabilities < high + (high == 1))
            inside &= counted
            if inside.any():
                print(
                    f"{low:.2f} to {high:.2f} {inside.sum():6}"
                    f"  {probabilities[inside].mean():.3f}  {is_right[inside].mean():.3f}"
                )

    def print_weights(self) -> None:
        """Print what certain opinions of other languages add, fitted to all sites."""
        features, labels, weights = map(np.concatenate, zip(*self.said, strict=True))
        if not len(labels):
            return

        def loss(weight: FloatArray) -> float:
            logits = features[:, 0] + features[:, 1:] @ weight
            losses = weights * (np.logaddexp(0, logits) - labels * logits)
            return float(losses.sum() + _PENALTY * weight @ weight)

        weights = minimize(loss, np.zeros(len(OPINIONS))).x
        said = (f"{name} {w:.2f}" for name, w in zip(OPINIONS, weights, strict=True))
        print("opinions:", ", ".join(said))


def judge_left_out(
    cases: Iterable[Case],
    learned: Iterable[Case],
    train: Train,
    folds: int | None = None,
) -> dict[str, LeftOut]:
    """Return what is found on each site by a model of the cases learned on other sites.

    Sites are left out one by one, or in so many ``folds`` of several sites.
    """
    by_site: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_site[case.site].append(case)
    lessons = list(learned)

    def judge(sites: Sequence[str]) -> list[list[ScoredCandidates]]:
        model = train([case for case in lessons if case.site not in sites])
        return [[_judge(case, model) for case in by_site[site]] for site in sites]

    names = list(by_site)
    groups = [names[n::folds] for n in range(folds)] if folds else [[s] for s in names]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda group: run_forked(partial(judge, group)), groups))
    return {
        site: list(zip(by_site[site], judged, strict=True))
        for group, sites in zip(groups, found, strict=True)
        for site, judged in zip(group, sites, strict=True)
    }


def _judge(case: Case, model: PairingModel) -> ScoredCandidates:
    (judged,) = judge_sites([case.make()], model, case.learner())
    return judged.keep_best(_KEPT)


def fit_calibration(found: LeftOut) -> Calibration:
    """Return how probable pairs are that were found on sites left out.

    A language pair weighs as much as any other; pairs that do not count are passed over.
    """
    odds, labels, weights = [], [], []
    for case, judged in found:
        label = case.label_judged(judged)[judged.chosen]
        known = label >= 0
        odds.append(measure_odds(judged)[judged.chosen][known])
        labels.append(label[known])
        weights.append(np.full(known.sum(), 1 / max(known.sum(), _MIN_RIGHT)))
    weight = np.concatenate(weights)
    model = LogisticRegression(C=_CALIBRATION_PENALTY)
    model.fit(
        np.concatenate(odds),
        np.concatenate(labels),
        sample_weight=weight / weight.mean(),
    )
    per_odds, per_margin, text, odds_by_text = map(float, model.coef_[0])
    bias = float(model.intercept_[0])
    return Calibration(per_odds, per_margin, text, odds_by_text, bias)


def show_left_out(left_out: Mapping[str, LeftOut]) -> Calibration:
    """Print the figures of all sites, and return the calibration that all of them give.

    What is printed of a site is calibrated by the others.
    """
    findings = Findings()
    for site, found in left_out.items():
        others = [
            one for other, some in left_out.items() if other != site for one in some
        ]
        calibration = fit_calibration(others or found)
        calibrated = [(case, calibrate(judged, calibration)) for case, judged in found]
        for form in dict.fromkeys(case.form for case, _ in found):
            findings.add([one for one in calibrated if one[0].form == form])
    findings.print_means()
    findings.print_calibration()
    findings.print_calibration_by_text()
    findings.print_weights()
    return fit_calibration([one for some in left_out.values() for one in some])
