"""Share of the gold pairs that are among the candidates, by the length of their pages.

``python -m evaluation.candidates [--sites NAMES] [--forms hard,short]`` pairs the hard and the
short form of each site, and prints for pages below 30, 60 and 150 tokens, and for longer ones,
the share of the gold pairs that was ever compared, with the candidates a page and the time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import DATA, skip_text
from evaluation.pairing_cases import LANGUAGE_PAIRS, Case, read_cases
from ilspfc.pairing.combined import judge_sites
from ilspfc.pairing.model.pair_model import shipped_model

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray

BOUNDS = (30, 60, 150)
_NAMES = (*(f"< {bound}" for bound in BOUNDS), "more")


def measure(case: Case) -> tuple[Counter[int], Counter[int], float]:
    """Return the gold pairs of each length, those that were compared, and candidates a page."""
    found: set[tuple[int, int]] = set()
    seen: list[Comparison] = []
    sizes = []

    def observe(
        _: int, comparison: Comparison, candidates: Candidates, __: FloatArray
    ) -> None:
        right = candidates.take(case.label(comparison, candidates) == 1)
        found.update(zip(right.rows.tolist(), right.columns.tolist(), strict=True))
        seen.append(comparison)
        sizes.append(
            2 * len(candidates) / (len(comparison.left) + len(comparison.right))
        )

    judge_sites([case.make()], shipped_model(), case.learner(), observe=observe)
    left, right = seen[0].left, seen[0].right
    columns = {case.key_of(d.url): n for n, d in enumerate(right.documents)}
    lengths = [side.whole.stems.sum(axis=1) for side in (left, right)]
    gold: Counter[int] = Counter()
    compared: Counter[int] = Counter()
    for row, document in enumerate(left.documents):
        key = case.key_of(document.url)
        if key in case.gold and key in columns:
            tokens = min(lengths[0][row], lengths[1][columns[key]])
            group = int(np.searchsorted(BOUNDS, tokens, "right"))
            gold[group] += 1
            compared[group] += (row, columns[key]) in found
    return gold, compared, max(sizes)


def main() -> int:
    """Print a line for each case, and the shares of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", default=",".join(LANGUAGE_PAIRS))
    parser.add_argument("--forms", default="hard,short", help="hard, plain, short, …")
    arguments = parser.parse_args()
    if not (DATA / "sites").is_dir():
        print(skip_text())
        return 0
    all_gold: Counter[int] = Counter()
    all_compared: Counter[int] = Counter()
    print("gold pairs compared, by tokens of the shorter page; candidates a page")
    for site in arguments.sites.split(","):
        for form in arguments.forms.split(","):
            is_form = form in {"hard", "plain"}
            for case in read_cases(
                site, form if is_form else "hard", "" if is_form else form
            ):
                begun = time.process_time()
                gold, compared, number = measure(case)
                seconds = time.process_time() - begun
                all_gold += gold
                all_compared += compared
                print(
                    f"{case.name:36}{_shares(gold, compared)}  {number:5.1f}"
                    f"  {seconds:5.1f} s",
                    flush=True,
                )
    print(f"{'all':36}{_shares(all_gold, all_compared)}")
    return 0


def _shares(gold: Counter[int], compared: Counter[int]) -> str:
    cells = [
        f"{name} {compared[n] / gold[n]:.3f} of {gold[n]}" if gold[n] else f"{name} -"
        for n, name in enumerate(_NAMES)
    ]
    total = sum(gold.values())
    return "; ".join([*cells, f"all {sum(compared.values()) / max(total, 1):.4f}"])


if __name__ == "__main__":
    sys.exit(main())
