"""Repeats the experiments of paper 001 (section 4.2) on real sites.

``python -m evaluation.ets [--sites LIST] [--langs LIST] [--forms LIST]`` prints F1 by beta
(figure 2), by alpha and iterations (figures 3 and 4), by the use of the weights (table 2), by
the size of the lexicon (figure 5) and of the part of it that is given, a column each site: the
mean over its language pairs. All other parameters are the paper's. Then, and with ``--gain``
alone, the gain by neighbors: by the method as printed, by default, and with alpha and
``prior`` chosen by the other sites.

Forms are hard, linked (short pages with their links) and translated: the hard form without
the pages that are in one of the two languages alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from evaluation.data import DATA, skip_text
from evaluation.pairing_cases import read_cases
from evaluation.pairing_scores import make_scores
from evaluation.pwcc import find_sites
from ilspfc.lexicon.starter import starter_entries
from ilspfc.line.comparisons import CorpusLexicon, EncodedCorpus
from ilspfc.papers.ets import (
    AS_PRINTED,
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
METHODS = "Content alone, as printed, by default"
LEFT_OUT = "Paired neighbors by alpha and prior"
GIVEN = "Share of the dictionary that is given, the rest learned"
# Shares of the given dictionary.
GIVEN_SIZES = (0, 0.1, 0.5, 1)
CONTENT_ALONE = "content alone"
PRIORS = (2, 3, 5, 10)
PAIRED_ALPHAS = (0.1, 0.15, 0.2, 0.25, 0.3)
_SEED = 0


class Experiment:
    """Two languages of a site, on which the experiments are made."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._comparison: Comparison = case.make()
        self._dictionary = make_dictionary(self._comparison, case.learner())
        self._internal = self._measure(self._dictionary)

    def _measure(self, dictionary: csr_array) -> Internal:
        return measure_internal(self._comparison, dictionary, AS_PRINTED)

    def _score(self, internal: Internal, similarity: FloatArray) -> float:
        """Return the F1 of the pairs that a similarity gives."""
        chosen = choose(self._comparison, internal.candidates, similarity, AS_PRINTED)
        labels = self._case.label(self._comparison, internal.candidates.take(chosen))
        hits, errors = int((labels == 1).sum()), int((labels == 0).sum())
        return make_scores(hits, errors, len(self._case.gold)).f1

    def run_with(
        self, options: EtsOptions, internal: Internal | None = None
    ) -> list[float]:
        """Return the F1 before and after each iteration."""
        measured = internal or self._internal
        steps = iterate(self._comparison, measured, options)
        return [self._score(measured, similarity) for similarity in steps]

    def run(self) -> Iterator[Point]:
        """Yield the points of the figures and the table, and of a given dictionary."""
        yield from self.run_figures()
        yield from self._run_given()

    def run_figures(self) -> Iterator[Point]:
        """Yield the points of the figures and the table."""
        for beta in np.linspace(0, 1, 11).round(1).tolist():
            options = replace(AS_PRINTED, beta=beta, iterations=0)
            yield FIGURE_2, f"beta {beta:.1f}", self.run_with(options)[0]
        by_alpha = {
            alpha: self.run_with(
                replace(AS_PRINTED, alpha=alpha, iterations=ITERATIONS)
            )
            for alpha in sorted({0, *ALPHAS, 1})
        }
        for alpha in ALPHAS:
            for number, f1 in enumerate(by_alpha[alpha]):
                yield FIGURE_3, f"alpha {alpha:.1f}, {number} iterations", f1
        for alpha, found in by_alpha.items():
            yield FIGURE_4, f"alpha {alpha:.1f}", found[AS_PRINTED.iterations]
        for weights in ("none", "weigh", "leave-out"):
            found = self.run_with(replace(AS_PRINTED, weights=weights))
            yield TABLE_2, weights, found[-1]
        yield from self._run_sizes()

    def run_gain(self) -> Iterator[Point]:
        """Yield the points of the gain by neighbors."""
        yield METHODS, CONTENT_ALONE, self.run_with(AS_PRINTED)[0]
        yield METHODS, "as printed", self.run_with(AS_PRINTED)[-1]
        yield METHODS, "default", self.run_with(EtsOptions())[-1]
        for alpha, prior in product(PAIRED_ALPHAS, PRIORS):
            found = self.run_with(EtsOptions(alpha=alpha, prior=prior))
            yield LEFT_OUT, f"alpha {alpha}, prior {prior}", found[-1]

    def _run_given(self) -> Iterator[Point]:
        """Yield the points of a dictionary that is given, of which some entries are left."""
        langs, site = self._case.iso_langs, self._case.site
        known = starter_entries(langs, without_site=site)
        order = np.random.default_rng(_SEED).permutation(len(known))
        for share in GIVEN_SIZES:
            kept = [known[n] for n in order[: int(share * len(known))].tolist()]
            learn = CorpusLexicon(self._case.encoded.encoder, *langs, kept)
            self._comparison = self._case.make()
            dictionary = make_dictionary(self._comparison, learn)
            inner, *_, enhanced = self.run_with(EtsOptions(), self._measure(dictionary))
            yield GIVEN, f"{share:.0%}, {CONTENT_ALONE}", inner
            yield GIVEN, f"{share:.0%}, default", enhanced

    def _run_sizes(self) -> Iterator[Point]:
        """Yield the points of figure 5: the lexicon of the corpus without some entries."""
        entries = self._dictionary.tocoo()
        order = np.random.default_rng(_SEED).permutation(entries.nnz)
        for share in SIZES:
            kept = order[: int(share * entries.nnz)]
            cells = entries.data[kept], (entries.row[kept], entries.col[kept])
            dictionary = csr_array(cells, shape=entries.shape)
            inner, *_, enhanced = self.run_with(AS_PRINTED, self._measure(dictionary))
            yield FIGURE_5, f"{share:.0%}, baseline", inner
            yield FIGURE_5, f"{share:.0%}, ets", enhanced


def keep_translated(case: Case) -> Case:
    """Return the case without the pages that are in one of its languages alone."""
    pages = {lang: case.encoded.pages[lang] for lang in case.iso_langs}
    keys = [
        {case.key_of(page.document.url) for some in groups.values() for page in some}
        for groups in pages.values()
    ]
    both = set.intersection(*keys) - {""}
    kept = {
        lang: {
            group: [page for page in some if case.key_of(page.document.url) in both]
            for group, some in groups.items()
        }
        for lang, groups in pages.items()
    }
    encoded = EncodedCorpus(case.encoded.encoder, kept, case.encoded.langs)
    return replace(case, form="translated", encoded=encoded)


def leave_out(
    columns: Sequence[tuple[str, str]],
    content: Mapping[tuple[str, str], float],
    rows: Mapping[str, Mapping[tuple[str, str], float]],
) -> Iterator[tuple[str, str, str, float]]:
    """Yield for each site and form the parameters that the other sites choose, and F1.

    The greatest mean gain over the content alone, of those that lose nowhere.
    """
    for site, form in columns:
        others = [column for column in columns if column[0] != site]
        gains = {
            value: [found[column] - content[column] for column in others]
            for value, found in rows.items()
        }
        safe = {v: g for v, g in gains.items() if g and min(g) > -1e-9} or gains
        best = max(safe, key=lambda value: float(np.mean(safe[value])))
        yield site, form, best, rows[best][site, form]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each figure."""
    parser = argparse.ArgumentParser(description="Repeat the experiments of ETS.")
    parser.add_argument("--sites", help="default: the hard sites that are there")
    parser.add_argument("--langs", default="", help="like de-it,en-fr; default: all")
    parser.add_argument("--forms", default="hard", help="hard, linked, translated")
    parser.add_argument("--gain", action="store_true", help="without the figures")
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    found: dict[str, dict[str, dict[tuple[str, str], list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    sites = options.sites.split(",") if options.sites else find_sites()
    pairs = options.langs.split(",") if options.langs else ()
    columns = list(product(sites, options.forms.split(",")))
    for site, form in columns:
        for case in read_cases(site, "hard", form if form == "linked" else "", pairs):
            print(case.name, flush=True)
            chosen = keep_translated(case) if form == "translated" else case
            experiment = Experiment(chosen)
            points = () if options.gain else experiment.run()
            for figure, value, f1 in chain(points, experiment.run_gain()):
                found[figure][value][site, form].append(f1)
    means = {
        figure: {
            value: {column: float(np.mean(f1)) for column, f1 in by_column.items()}
            for value, by_column in rows.items()
        }
        for figure, rows in found.items()
    }
    for figure, rows in means.items():
        print(f"\n{figure}\n\n| F1 | {' | '.join(map(' '.join, columns))} | mean |")
        print("| --- |" + " --- |" * (len(columns) + 1))
        for value, row in rows.items():
            cells = [f"{row[c]:.3f}" if c in row else "–" for c in columns]
            mean = np.mean(list(row.values()))
            print(f"| {value} | {' | '.join(cells)} | {mean:.3f} |")
    there = [c for c in columns if c in means[METHODS][CONTENT_ALONE]]
    content = means[METHODS][CONTENT_ALONE]
    print("\nParameters chosen by the other sites\n\n| site | chosen | F1 | gain |")
    print("| --- | --- | --- | --- |")
    for site, form, best, f1 in leave_out(there, content, means[LEFT_OUT]):
        gain = f1 - content[site, form]
        print(f"| {site} {form} | {best} | {f1:.3f} | {gain:+.3f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
