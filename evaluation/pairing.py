"""Compares the methods of pairing on real sites with gold pairs.

``python -m evaluation.pairing [--sites LIST] [--forms LIST] [--methods LIST]`` prints
precision, recall and F1 of each method on each pair of languages, the seconds of CPU, and
the mean over the pairs of each site. The shipped model of ``combined`` has learned from
these very sites: what it is worth on others, ``evaluation.train_pairing`` shows.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from evaluation.data import DATA, PROJECT, skip_text
from evaluation.pairing_cases import LANGUAGE_PAIRS, read_cases
from evaluation.pairing_scores import mean_f1, score
from ilspfc.pairing.methods import METHODS, PairingOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluation.pairing_scores import Scores

BASELINE = PROJECT / "evaluation" / "baseline.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; with ``--check`` return 1 for a mean below its floor."""
    parser = argparse.ArgumentParser(description="Compare the methods of pairing.")
    parser.add_argument("--sites", default=",".join(LANGUAGE_PAIRS))
    parser.add_argument("--forms", default="hard", help="hard, plain")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    found: dict[str, list[Scores]] = defaultdict(list)
    for site in options.sites.split(","):
        for form in options.forms.split(","):
            for case in read_cases(site, form):
                for method in options.methods.split(","):
                    started = time.process_time()
                    outcome = METHODS[method](
                        [case.make()], PairingOptions(), case.learner()
                    )
                    seconds = time.process_time() - started
                    scores = score(case, outcome.pairs)
                    found[f"{site} {form} {method}"].append(scores)
                    print(
                        f"{case.name:36} {method:9} {scores} {seconds:6.1f} s",
                        flush=True,
                    )
    means = {name: mean_f1(scores) for name, scores in found.items()}
    print(*(f"{name:44} mean F1 {mean:.3f}" for name, mean in means.items()), sep="\n")
    return _check(means) if options.check else 0


def _check(means: dict[str, float]) -> int:
    floors: dict[str, float] = json.loads(BASELINE.read_text())["pairing"]
    missed = [
        f"{name}: {means[name]:.3f}, the floor is {floor}"
        for name, floor in floors.items()
        if name in means and means[name] < floor
    ]
    print(*missed or ["All means are at or above their floors."], sep="\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
