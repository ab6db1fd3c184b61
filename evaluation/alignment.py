"""Scores sentence alignment against gold links.

``python -m evaluation.alignment`` aligns the sets of the evaluation data by length and with
a lexicon, each set as one collection, without a dictionary, and prints: strict and lax F1;
how well the score tells wrong links from right ones (AUC), strict and lax; the share of
right links among the best nine tenths by score; the mean score; how many links the default
of ``EXPORTS_MIN_SCORE`` keeps, and how many of these and of the others are right; seconds
of CPU; by ranges of the score how many links there are, their mean score, and how many
are right; and by tenths of the score and of the mean score of the neighbors how many links
there are, how many of them are right, and what a floor there keeps. It returns 1 if a
figure is below its floor in ``baseline.json``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.data import DATA, skip_text
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.sides import TextPair
from ilspfc.exports.filters import neighbor_scores
from ilspfc.lexicon.ibm1 import learn_tables
from ilspfc.settings import EXPORTS_MIN_SCORE

if TYPE_CHECKING:
    from ilspfc.alignment.beads import Bead

SETS = {
    "text-berg-dev": (("de", "deu"), ("fr", "fra")),
    "parice": (("en", "eng"), ("is", "isl")),
}
METHODS = ("length", "lexical")
COVERAGE = 0.9
RANGES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 1.0)
"""The ends of the ranges of scores in which calibration is shown."""
BASELINE = Path(__file__).with_name("baseline.json")

Link = tuple[frozenset[int], frozenset[int]]


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _format(bead: Bead) -> str:
    sides = (",".join(map(str, side)) for side in (bead.source, bead.target))
    return "\t".join(sides)


def read_links(path: Path) -> list[Link]:
    """Return the gold links that have both sides, each by its sentences' numbers."""
    cells = (line.split("\t")[:2] for line in _read(path))
    return [
        (frozenset(map(int, source.split(","))), frozenset(map(int, target.split(","))))
        for source, target in cells
        if source and target
    ]


def align_set(texts: list[TextPair], method: str, langs: tuple[str, str]) -> Any:
    """Return the beads of all texts of a set."""
    train = None if method == "length" else learn_tables
    return list(align_texts(texts, langs, train))


def rank(scores: list[float], are_right: list[bool]) -> tuple[float, float]:
    """Return the AUC of scores, and the precision of the best of them (``COVERAGE``).

    The AUC is NaN where all are right, or none.
    """
    score, right = np.array(scores), np.array(are_right)
    order = np.argsort(score, kind="stable")
    # Equal scores share their ranks.
    _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    hits, misses = int(right.sum()), int((~right).sum())
    area = np.nan
    if hits and misses:
        area = (ranks[right].sum() - hits * (hits + 1) / 2) / (hits * misses)
    best = order[::-1][: int(COVERAGE * len(order))]
    return float(area), float(right[best].mean())


def calibrate(scores: list[float], are_right: list[bool]) -> list[str]:
    """Return number of links, mean score and share of right ones by ranges of the score."""
    score, right = np.array(scores), np.array(are_right)
    number = np.searchsorted(RANGES[1:-1], score, side="right")
    return [
        f"{low:g} to {high:g}: {part.sum()}, {score[part].mean():.2f},"
        f" {right[part].mean():.2f}"
        for n, (low, high) in enumerate(pairwise(RANGES))
        if (part := number == n).any()
    ]


def show_floors(name: str, values: list[float], are_right: list[bool]) -> str:
    """Return the curve over floors of a score, a cell for each tenth that has links.

    A cell is the lower end of the tenth, its links, their right share, and of the links
    from there up the share of all and the right share.
    """
    value, right = np.array(values), np.array(are_right)
    tenth = np.minimum((value * 10).astype(int), 9)
    cells = [
        f"{low / 10:.1f} {part.sum()} {right[part].mean():.2f}"
        f" {above.mean():.3f} {right[above].mean():.3f}"
        for low in range(10)
        if (part := tenth == low).any() and (above := tenth >= low).any()
    ]
    return f"  floors of {name}: {'; '.join(cells)}"


def neighbors_of(beads: list[Bead]) -> list[float]:
    """Return the mean score of the neighbors of each link of a text."""
    links = [bead.score for bead in beads if bead.source and bead.target]
    return [float(mean) for mean in neighbor_scores(links)]


def judge(
    gold: list[list[Link]], found: list[list[Bead]]
) -> tuple[dict[str, float], list[str]]:
    """Return how well scores tell right links from wrong ones, strict and lax.

    The second are the calibration of the score and the curves over floors, strict.
    """
    neighbors = [mean for beads in found for mean in neighbors_of(beads)]
    scores: list[float] = []
    strict: list[bool] = []
    lax: list[bool] = []
    for links, beads in zip(gold, found, strict=True):
        exact = set(links)
        for bead in beads:
            if bead.source and bead.target:
                link = frozenset(bead.source), frozenset(bead.target)
                scores.append(bead.score)
                strict.append(link in exact)
                lax.append(any(s & link[0] and t & link[1] for s, t in links))
    strict_area, strict_best = rank(scores, strict)
    lax_area, lax_best = rank(scores, lax)
    kept = np.array(scores) >= EXPORTS_MIN_SCORE
    figures = {
        "AUC strict": round(strict_area, 3),
        "AUC lax": round(lax_area, 3),
        "precision strict, 90 %": round(strict_best, 3),
        "precision lax, 90 %": round(lax_best, 3),
        "mean score": round(float(np.mean(scores)), 3),
        "right strict": round(float(np.mean(strict)), 3),
        "kept": round(float(kept.mean()), 3),
        "right strict of these": round(float(np.mean(np.array(strict)[kept])), 3),
        "right strict of others": round(float(np.mean(np.array(strict)[~kept])), 3),
    }
    lines = [
        f"  links, score, right: {'; '.join(calibrate(scores, strict))}",
        show_floors("the score", scores, strict),
        show_floors("the neighbors", neighbors, strict),
    ]
    return figures, lines


def read_set(name: str) -> tuple[list[Path], list[TextPair], list[list[Link]]]:
    """Return the gold files, texts and links of a set."""
    (source, _), (target, _) = SETS[name]
    golds = sorted((DATA / "data" / "alignment" / name).glob("*.gold"))
    texts = [
        TextPair(
            _read(gold.with_suffix(f".{source}")), _read(gold.with_suffix(f".{target}"))
        )
        for gold in golds
    ]
    return golds, texts, [read_links(gold) for gold in golds]


def score_set(
    name: str, method: str, folder: Path
) -> tuple[dict[str, float], list[str]]:
    """Align the texts of a set and return their scores together, and lines on the score."""
    root = DATA / "data" / "alignment"
    golds, texts, links = read_set(name)
    (_, source_lang), (_, target_lang) = SETS[name]
    started = time.process_time()
    found = align_set(texts, method, (source_lang, target_lang))
    seconds = time.process_time() - started
    arguments: list[str] = []
    for gold, beads in zip(golds, found, strict=True):
        predicted = folder / f"{name}-{gold.stem}.tsv"
        predicted.write_text("\n".join(map(_format, beads)), encoding="utf-8")
        arguments += [str(gold), str(predicted)]
    command = [sys.executable, str(root / "score_alignment.py"), *arguments]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    figures, lines = judge(links, found)
    figures = {
        "strict": answer["strict"]["f1"],
        "lax": answer["lax"]["f1"],
        **figures,
        "seconds": round(seconds, 1),
    }
    return figures, lines


def main() -> int:
    """Print the scores of all sets; return 1 if one is below its floor."""
    if not (DATA / "data" / "alignment").is_dir():
        print(skip_text())
        return 0
    floors = json.loads(BASELINE.read_text(encoding="utf-8"))["alignment"]
    is_met = True
    with tempfile.TemporaryDirectory() as folder:
        for name in SETS:
            for method in METHODS:
                scores, lines = score_set(name, method, Path(folder))
                print(name, method, json.dumps(scores), flush=True)
                print(*lines, sep="\n", flush=True)
                for figure, floor in floors[name].get(method, {}).items():
                    if scores[figure] < floor:
                        print(f"  {figure}: {scores[figure]} is below {floor}")
                        is_met = False
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
