"""Repeats the experiments of paper 001 (section 4.2) on real sites.

``python -m evaluation.ets [--sites LIST] [--langs LIST]`` prints F1 by beta (figure 2), by
alpha and iterations (figures 3 and 4), by the use of the weights (table 2) and by the size of
the lexicon (figure 5), a column each hard site: the mean over its language pairs. All other
parameters are the defaults.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from evaluation.data import DATA, skip_text
from evaluation.pairing_cases import read_cases
from evaluation.pairing_scores import make_scores
from evaluation.pwcc import find_sites
from ilspfc.papers.ets import (
    EtsOptions,
    choose,
    iterate,
    measure_internal,
)
from ilspfc.papers.page_dictionary import make_dictionary

if TYPE_CHECKING:
    from evaluation.pairing_cases import Case
    from ilspfc.pairing.comparison import Comparison
    from ilspfc.papers.ets import Internal
    from ilspfc.text.arrays import FloatArray

    # Experiment and value of the parameter, with F1.
    Point = tuple[str, str, float]

DEFAULTS = EtsOptions()
SHARES = (0, 0.2, 0.4, 0.6, 0.8, 1)
ALPHAS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
ITERATIONS = 6
# Shares of the entries of the lexicon that are left.
SIZES = (1, 0.5, 0.25, 0.1, 0.05, 0.01)
FIGURE_2 = "Figure 2: beta, the internal similarity alone"
FIGURE_3 = "Figure 3: alpha and iterations"
FIGURE_4 = "Figure 4: alpha, after the iterations of the default"
TABLE_2 = "Table 2: weights of neighbors"
FIGURE_5 = "Figure 5: share of the lexicon"
_SEED = 0


class Experiment:
    """Two languages of a site, on which the experiments are made."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._comparison: Comparison = case.make()
        self._dictionary = make_dictionary(self._comparison, case.learner())
        self._internal = self._measure(self._dictionary)

    def _measure(self, dictionary: csr_array) -> Internal:
        return measure_internal(self._comparison, dictionary, DEFAULTS)

    def _score(self, internal: Internal, similarity: FloatArray) -> float:
        """Return the F1 of the pairs that a similarity gives."""
        chosen = choose(self._comparison, internal.candidates, similarity, DEFAULTS)
        labels = self._case.label(self._comparison, internal.candidates.take(chosen))
        hits, errors = int((labels == 1).sum()), int((labels == 0).sum())
        return make_scores(hits, errors, len(self._case.gold)).f1

    def _run(
        self, options: EtsOptions, internal: Internal | None = None
    ) -> list[float]:
        """Return the F1 before and after each iteration."""
        measured = internal or self._internal
        steps = iterate(self._comparison, measured, options)
        return [self._score(measured, similarity) for similarity in steps]

    def run(self) -> Iterator[Point]:
        """Yield the points of all figures."""
        for beta in np.linspace(0, 1, 11).round(1).tolist():
            options = replace(DEFAULTS, beta=beta, iterations=0)
            yield FIGURE_2, f"beta {beta:.1f}", self._run(options)[0]
        by_alpha = {
            alpha: self._run(replace(DEFAULTS, alpha=alpha, iterations=ITERATIONS))
            for alpha in sorted({0, *ALPHAS, 1})
        }
        for alpha in ALPHAS:
            for number, f1 in enumerate(by_alpha[alpha]):
                yield FIGURE_3, f"alpha {alpha:.1f}, {number} iterations", f1
        for alpha, found in by_alpha.items():
            yield FIGURE_4, f"alpha {alpha:.1f}", found[DEFAULTS.iterations]
        for weights in ("none", "weigh", "leave-out"):
            found = self._run(replace(DEFAULTS, weights=weights))
            yield TABLE_2, weights, found[-1]
        yield from self._run_sizes()

    def _run_sizes(self) -> Iterator[Point]:
        """Yield the points of figure 5: the lexicon of the corpus without some entries."""
        entries = self._dictionary.tocoo()
        order = np.random.default_rng(_SEED).permutation(entries.nnz)
        for share in SIZES:
            kept = order[: int(share * entries.nnz)]
            cells = entries.data[kept], (entries.row[kept], entries.col[kept])
            dictionary = csr_array(cells, shape=entries.shape)
            inner, *_, enhanced = self._run(DEFAULTS, self._measure(dictionary))
            yield FIGURE_5, f"{share:.0%}, baseline", inner
            yield FIGURE_5, f"{share:.0%}, ets", enhanced


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each figure."""
    parser = argparse.ArgumentParser(description="Repeat the experiments of ETS.")
    parser.add_argument("--sites", help="default: the hard sites that are there")
    parser.add_argument("--langs", default="", help="like de-it,en-fr; default: all")
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    found: dict[str, dict[str, dict[str, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    sites = options.sites.split(",") if options.sites else find_sites()
    pairs = options.langs.split(",") if options.langs else ()
    for site in sites:
        for case in read_cases(site, "hard", pairs=pairs):
            print(case.name, flush=True)
            for figure, value, f1 in Experiment(case).run():
                found[figure][value][site].append(f1)
    for figure, rows in found.items():
        print(f"\n{figure}\n\n| F1 | {' | '.join(sites)} | mean |")
        print("| --- |" + " --- |" * (len(sites) + 1))
        for value, by_site in rows.items():
            means = [float(np.mean(by_site[s])) for s in sites if by_site[s]]
            cells = [f"{np.mean(by_site[s]):.3f}" if by_site[s] else "–" for s in sites]
            print(f"| {value} | {' | '.join(cells)} | {np.mean(means):.3f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
