"""Repeats the experiments of paper 002, and fits the threshold of PWCC on other sites.

``python -m evaluation.pwcc [--sites LIST] [--forms LIST] [--langs LIST]`` prints for each language
pair of a site how many gold pairs are candidates, and precision and recall with the default
threshold; then for each site those with the threshold of the best mean F1 on the others. The
last line has the threshold of all sites: the default of pwcc (threshold in PAIRING_OPTIONS). Sites that
nothing may be learned from are judged alone. ``--paper`` prepares candidates as printed.

Forms are hard, addresses (folders named in the page's language) and addresses-short (such
addresses, and one to four short paragraphs a page, without links).

Last comes the paper's second protocol: of each site 320 gold pairs and 80 wrong candidates
(fewer where it has not so many, in this ratio), and how many of either are accepted, whatever
other pages there are, with the threshold of the other sites.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import DATA, SITES, skip_text
from evaluation.pairing_cases import LANGUAGE_PAIRS, OPAQUE_SITES, UNSEEN, read_cases
from evaluation.pairing_scores import make_scores
from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.ranking import assign_greedily
from ilspfc.papers.page_dictionary import make_dictionary
from ilspfc.papers.pwcc import (
    AS_PRINTED,
    PwccOptions,
    judge_candidates,
    prepare_candidates,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from evaluation.pairing_cases import Case
    from evaluation.pairing_scores import Scores
    from ilspfc.pairing.comparison import Comparison
    from ilspfc.text.arrays import FloatArray

GRID = (0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.25, 0.3, 0.4, 0.5, 0.65)
# The paper's sheet for recall: parallel and nonparallel pairs.
RIGHT, WRONG = 320, 80


@dataclass(frozen=True, slots=True)
class Judged:
    """Pairs of a case with their similarity and label.

    ``proposed`` is the share of the gold pairs among the candidates; ``similarities`` and
    ``labels`` are those of the one-to-one pairs, the most alike first; ``right`` and ``wrong``
    the similarities of all gold pairs and of drawn candidates that are none.
    """

    case: Case
    proposed: float
    similarities: FloatArray
    labels: npt.NDArray[np.int8]
    right: FloatArray
    wrong: FloatArray

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


def judge(case: Case, options: PwccOptions) -> Judged:
    """Return the pairs of a case, whatever their similarity."""
    comparison = case.make()
    dictionary = make_dictionary(comparison, case.learner())
    candidates = prepare_candidates(comparison, dictionary, options)
    scores = judge_candidates(comparison, dictionary, candidates)
    labels = case.label(comparison, candidates)
    chosen = assign_greedily(candidates, scores, 1e-9)
    gold = _find_gold(case, comparison)
    keys = {
        case.key_of(comparison.left.documents[n].url)
        for n in candidates.rows[labels == 1]
    }
    return Judged(
        case,
        len(keys & case.gold) / len(case.gold),
        scores[chosen],
        labels[chosen],
        judge_candidates(comparison, dictionary, gold),
        scores[labels == 0],
    )


def _find_gold(case: Case, comparison: Comparison) -> Candidates:
    """Return a pair of pages for each gold pair whose pages are there."""
    left, right = (
        {case.key_of(document.url): row for row, document in enumerate(side.documents)}
        for side in (comparison.left, comparison.right)
    )
    pairs = sorted(
        (left[key], right[key]) for key in case.gold & left.keys() & right.keys()
    )
    rows, columns = np.array(pairs, np.int64).reshape(-1, 2).T
    return Candidates(rows, columns)


def fit(judged: Mapping[tuple[str, str], Sequence[Judged]]) -> float:
    """Return the threshold of the best mean F1 over sites; of equal ones the highest."""
    means = [
        np.mean(
            [np.mean([one.score(t).f1 for one in some]) for some in judged.values()]
        )
        for t in GRID
    ]
    return max(zip(np.round(means, 4).tolist(), GRID, strict=True))[1]


def draw_sheet(judged: Sequence[Judged]) -> tuple[list[float], list[float]]:
    """Return the similarities of so many right and wrong pairs of a site."""
    right = np.concatenate([one.right for one in judged]).tolist()
    wrong = np.concatenate([one.wrong for one in judged]).tolist()
    share = min(1, len(right) / RIGHT, len(wrong) / WRONG)
    draw = random.Random(0)
    return (
        draw.sample(right, int(share * RIGHT)),
        draw.sample(wrong, int(share * WRONG)),
    )


def describe_sheet(sheet: tuple[list[float], list[float]], threshold: float) -> str:
    """Return how many of the right and of the wrong pairs are accepted."""
    accepted = [sum(one >= threshold for one in some) for some in sheet]
    numbers = [len(some) for some in sheet]
    return (
        f"accepts {accepted[0]} of {numbers[0]} right"
        f" ({accepted[0] / max(numbers[0], 1):.3f}), {accepted[1]} of {numbers[1]} wrong"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each language pair, and the thresholds."""
    parser = argparse.ArgumentParser(description="Repeat the experiments of PWCC.")
    parser.add_argument("--sites", help="default: the hard sites that are there")
    parser.add_argument(
        "--forms", default="hard", help="hard, addresses, addresses-short"
    )
    parser.add_argument("--langs", default="", help="like de-it,en-fr; default: all")
    parser.add_argument("--paper", action="store_true", help="candidates as printed")
    given = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    options = AS_PRINTED if given.paper else PwccOptions()
    langs = given.langs.split(",") if given.langs else ()
    judged: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for site in given.sites.split(",") if given.sites else find_sites():
        for form in given.forms.split(","):
            if form != "hard" and site in OPAQUE_SITES:
                continue  # it has no folders to be translated
            for case in read_cases(site, "hard", form.removeprefix("hard"), langs):
                one = judge(case, options)
                judged[site, form].append(one)
                scores = one.score(options.threshold)
                print(
                    f"{case.name:40} {scores}, candidates {one.proposed:.3f}",
                    flush=True,
                )
    _print_left_out(judged, options.threshold)
    return 0


def _print_left_out(
    judged: Mapping[tuple[str, str], Sequence[Judged]], default: float
) -> None:
    """Print the figures of each site with the threshold of the others."""
    learned = {key: some for key, some in judged.items() if key[0] not in UNSEEN}
    print("\nsite left out: threshold of the others, means over its language pairs")
    for (site, form), some in judged.items():
        others = {key: one for key, one in learned.items() if key[0] != site}
        threshold = fit(others) if others else default
        scores = [one.score(threshold) for one in some]
        precision, recall, f1 = (
            float(np.mean([getattr(score, name) for score in scores]))
            for name in ("precision", "recall", "f1")
        )
        proposed = np.mean([one.proposed for one in some])
        print(
            f"{site:20} {form:16} {threshold:.2f} P {precision:.3f} R {recall:.3f}"
            f" F1 {f1:.3f} candidates {proposed:.3f};"
            f" {describe_sheet(draw_sheet(some), threshold)}"
        )
    if learned:
        print(f"threshold of all sites: {fit(learned):.2f} (default {default:.2f})")


if __name__ == "__main__":
    sys.exit(main())
