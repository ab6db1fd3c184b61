"""Compares the methods of pairing on real sites with gold pairs.

``python -m evaluation.pairing [--sites LIST] [--forms LIST] [--pairs LIST] [--methods LIST]``
prints precision, recall and F1 of each method on each pair of languages, the seconds of CPU, how
much memory it needs beside the pages, and the means over the language pairs; with
``--wrong`` also the wrong pairs, to be read, and the pages that are missed. The shipped model of ``combined`` has learned from these very sites: what it is worth on others,
``evaluation.train_pairing`` shows.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation import pairing_cases
from evaluation.data import DATA, PROJECT, skip_text
from evaluation.forked import run_forked
from evaluation.pairing_cases import LANGUAGE_PAIRS, read_cases
from evaluation.pairing_scores import find_wrong, mean_f1, score
from ilspfc.line.pairing import pairing_methods
from ilspfc.pairing.methods import PairingOptions

if TYPE_CHECKING:
    from evaluation.pairing_cases import Case
    from evaluation.pairing_scores import Scores
    from ilspfc.documents import DocumentPair

# What each form is read as.
_FORMS = {
    "hard": ("hard", ""),
    "plain": ("plain", ""),
    "short": ("hard", "short"),
    "noisy": ("hard", "noisy"),
}
BASELINE = PROJECT / "evaluation" / "baseline.json"


@dataclass(frozen=True, slots=True)
class Run:
    """What a method has made of a case, in how many seconds of CPU, with how many more MB."""

    scores: Scores
    seconds: float
    megabytes: float
    pairs: Sequence[DocumentPair]


def run_method(case: Case, method: str) -> Run:
    """Run a method in a process of its own, so that its memory can be told."""
    return run_forked(partial(_run, case, method))


def _run(case: Case, method: str) -> Run:
    before = _peak_megabytes()
    started = time.process_time()
    outcome = pairing_methods()[method]([case.make()], PairingOptions(), case.learner())
    seconds = time.process_time() - started
    megabytes = _peak_megabytes() - before
    return Run(score(case, outcome.pairs), seconds, megabytes, outcome.pairs)


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; with ``--check`` return 1 for a mean below its floor."""
    parser = argparse.ArgumentParser(description="Compare the methods of pairing.")
    parser.add_argument("--sites", default=",".join(LANGUAGE_PAIRS))
    parser.add_argument("--forms", default="hard", help="hard, plain, short, noisy")
    parser.add_argument("--pairs", default="", help="of languages, like de-uk,pt-uk")
    parser.add_argument(
        "--no-starter", action="store_true", help="without the lexicons that ship"
    )
    parser.add_argument("--methods", default=",".join(pairing_methods()))
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    if options.no_starter:
        vars(pairing_cases)["starter_entries"] = lambda *_, **__: []
    pairs = [pair for pair in options.pairs.split(",") if pair]
    found: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for site in options.sites.split(","):
        for form in options.forms.split(","):
            for case in read_cases(site, *_FORMS[form], pairs):
                for method in options.methods.split(","):
                    run = run_method(case, method)
                    found[f"{site} {form}", method].append(run)
                    print(
                        f"{case.name:36} {method:9} {run.scores}"
                        f" {run.seconds:6.1f} s {run.megabytes:6.0f} MB",
                        flush=True,
                    )
                    if options.wrong:
                        _print_wrong(case, run.pairs)
    _print_means(found)
    means = {
        f"{site} {method}": mean_f1(run.scores for run in runs)
        for (site, method), runs in found.items()
    }
    return _check(means) if options.check else 0


def _print_wrong(case: Case, pairs: Sequence[DocumentPair]) -> None:
    """Print the wrong pairs, and the pages that are missed with what of them is there."""
    for pair in find_wrong(case, pairs):
        urls = f"{case.urls[pair.source]} | {case.urls[pair.target]}"
        print(f"    wrong {pair.probability:.3f}: {urls}")
    keys = case.document_keys
    found = {
        keys[pair.source] for pair in pairs if keys[pair.source] == keys[pair.target]
    }
    for key in sorted(case.gold - found):
        there = [case.urls[identity] for identity in keys if keys[identity] == key]
        print(f"    missed: {' | '.join(there) or 'lost before pairing'}")


def _print_means(found: dict[tuple[str, str], list[Run]]) -> None:
    """Print for each form of a site and each method the means over the language pairs."""
    print("\nmeans over language pairs: F1, seconds of CPU, megabytes more at the peak")
    for (site, method), runs in found.items():
        seconds = np.mean([run.seconds for run in runs])
        megabytes = np.mean([run.megabytes for run in runs])
        f1 = mean_f1(run.scores for run in runs)
        print(f"{site:26} {method:9} {f1:.3f} {seconds:6.1f} s {megabytes:6.0f} MB")


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
