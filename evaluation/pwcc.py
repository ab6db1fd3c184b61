"""Fits the threshold of PWCC (paper 002) on sites that are not those it is judged on.

``python -m evaluation.pwcc [--sites LIST]`` judges the candidates of each hard site, takes for
each site the threshold of the best mean F1 on the others, and prints what it finds there. The
last line has the threshold of all sites: the default of pwcc (threshold in PAIRING_OPTIONS). The sites
that nothing may be learned from are judged alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import DATA, SITES, skip_text
from evaluation.pairing_cases import LANGUAGE_PAIRS, OPAQUE_SITES, UNSEEN, read_cases
from evaluation.pairing_scores import make_scores
from ilspfc.pairing.ranking import assign_greedily
from ilspfc.papers.pwcc import THRESHOLD, judge_candidates

if TYPE_CHECKING:
    import numpy.typing as npt

    from evaluation.pairing_cases import Case
    from evaluation.pairing_scores import Scores
    from ilspfc.text.arrays import FloatArray

GRID = (0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3, 0.4, 0.5, 0.65)


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs of a case with their similarity and label, one-to-one, the most alike first."""

    case: Case
    similarities: FloatArray
    labels: npt.NDArray[np.int8]

    def score(self, threshold: float) -> Scores:
        """Return the scores of the pairs that are at least so similar."""
        found = self.labels[self.similarities >= threshold]
        hits, errors = int((found == 1).sum()), int((found == 0).sum())
        return make_scores(hits, errors, len(self.case.gold))


def find_sites() -> list[str]:
    """Return the sites whose hard form is there."""
    forms = {
        site: site if site in OPAQUE_SITES else f"{site}-hard"
        for site in LANGUAGE_PAIRS
    }
    return [site for site, form in forms.items() if (SITES / form).is_dir()]


def judge(case: Case) -> Judged:
    """Return the pairs of a case, whatever their similarity."""
    comparison = case.make()
    candidates, scores = judge_candidates(comparison, case.learner())
    chosen = assign_greedily(candidates, scores, 1e-9)
    labels = case.label(comparison, candidates.take(chosen))
    return Judged(case, scores[chosen], labels)


def fit(judged: Mapping[str, Sequence[Judged]]) -> float:
    """Return the threshold of the best mean F1 over sites; of equal ones the highest."""
    means = [
        np.mean(
            [np.mean([one.score(t).f1 for one in some]) for some in judged.values()]
        )
        for t in GRID
    ]
    return max(zip(np.round(means, 4).tolist(), GRID, strict=True))[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each language pair, and the thresholds."""
    parser = argparse.ArgumentParser(description="Fit the threshold of PWCC.")
    parser.add_argument("--sites", help="default: the hard sites that are there")
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    sites = options.sites.split(",") if options.sites else find_sites()
    judged: dict[str, list[Judged]] = defaultdict(list)
    for site in sites:
        for case in read_cases(site, "hard"):
            judged[site].append(judge(case))
            print(f"{case.name:36} {judged[site][-1].score(THRESHOLD)}", flush=True)
    learned = {site: some for site, some in judged.items() if site not in UNSEEN}
    print("\nsite left out: threshold of the others, means over its language pairs")
    for site, some in judged.items():
        others = {name: one for name, one in learned.items() if name != site}
        threshold = fit(others or learned) if learned else THRESHOLD
        scores = [one.score(threshold) for one in some]
        precision, recall, f1 = (
            float(np.mean([getattr(score, name) for score in scores]))
            for name in ("precision", "recall", "f1")
        )
        print(f"{site:20} {threshold:.2f} P {precision:.3f} R {recall:.3f} F1 {f1:.3f}")
    if learned:
        print(f"threshold of all sites: {fit(learned):.2f} (default {THRESHOLD:.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
