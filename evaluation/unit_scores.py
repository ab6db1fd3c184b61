"""Scores of units against verdicts by eye, on crawls of real sites.

``python -m evaluation.unit_scores`` crawls the sites of ``unit_verdicts.tsv`` that are not
in ``build/units`` yet, aligns them anew and prints by site and for all: by ranges of the
score how many judged units there are, their mean score, and how many are right and wrong;
then what the default of ``EXPORTS_MIN_SCORE`` and other floors lose and keep, and how
many units between it and the floor of units with different numbers are right. Shares are of
all units of the crawl: a judged unit stands for as many as its weight. ``--stored`` takes
the scores that the crawl stored. ``--draw CORPUS`` prints units to judge instead, drawn by
ranges of the score: the columns of ``unit_verdicts.tsv`` without the verdict, and
the texts. Copies and units without letters are not drawn.

``unit_verdicts.tsv`` has digests for texts: a verdict is ``right`` if both sides say the
same and nothing else, however freely; ``partly`` if a clause or more is on one side alone.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from scrapy.settings import Settings

from evaluation.data import DATA, PROJECT, SITES, build_sites, skip_text
from evaluation.sites import crawl, serve
from ilspfc.alignment.beads import Bead
from ilspfc.corpus.corpus import open_corpus
from ilspfc.exports.filters import ExportReason, Thresholds, find_reasons
from ilspfc.line.alignment import align_candidates
from ilspfc.settings import EXPORTS_MIN_SCORE

VERDICTS = Path(__file__).with_name("unit_verdicts.tsv")
FOLDER = PROJECT / "build" / "units"
RANGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.98, 1.0)
FLOORS = (0.3, 0.4, 0.5, EXPORTS_MIN_SCORE, 0.7)
_STRATA = (0.0, 0.3, 0.6, 0.9, 1.01)
_SEED = 11


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged unit of a corpus with its score, and its bead unless that was stored."""

    verdict: str
    weight: float
    score: float
    bead: Bead | None = None
    numbers_agree: bool = True


def digest(source: str, target: str) -> str:
    """Return the name of a unit in the file of verdicts."""
    return blake2b(f"{source}\t{target}".encode(), digest_size=6).hexdigest()


def find_corpus(name: str) -> Path:
    """Return the folder of a corpus like "bitcoin-en-ru", which is crawled if missing."""
    folder = FOLDER / name
    if not folder.is_dir():
        site, *langs = name.rsplit("-", 2)
        build_sites(site)
        FOLDER.mkdir(parents=True, exist_ok=True)
        with serve(SITES / site / "www") as seed:
            crawl(seed, folder, ",".join(langs))
    return folder


def read_units(name: str, *, is_stored: bool) -> Iterator[tuple[str, str, str, Bead]]:
    """Yield both texts, kind and bead of the units of all pairs of a corpus.

    Stored units have beads with their scores alone.
    """
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    with open_corpus(find_corpus(name), settings) as corpus:
        (langs,) = corpus.bitext.language_pairs()
        if is_stored:
            for entry in corpus.bitext.pairs(*langs):
                for unit in corpus.bitext.units(entry.pair):
                    bead = Bead((), (), unit.score or 0.0)
                    yield unit.source, unit.target, unit.kind, bead
            return
        decided = {entry.pair for entry in corpus.bitext.pairs(*langs)}
        for pair, (source, target), beads in align_candidates(corpus, langs):
            for bead in beads if pair in decided else ():
                if bead.source and bead.target:
                    texts = source.join(bead.source), target.join(bead.target)
                    yield *texts, f"{bead.shape[0]}:{bead.shape[1]}", bead


def read_verdicts() -> dict[str, dict[str, tuple[float, str]]]:
    """Return weight and verdict of each judged unit, by corpus and digest."""
    found: dict[str, dict[str, tuple[float, str]]] = {}
    with VERDICTS.open(encoding="utf-8") as stream:
        for corpus, unit, weight, verdict in list(csv.reader(stream, "excel-tab"))[1:]:
            found.setdefault(corpus, {})[unit] = float(weight), verdict
    return found


def read_judged(
    name: str, verdicts: dict[str, tuple[float, str]], *, is_stored: bool = False
) -> list[Judged]:
    """Return the judged units that are among those of a corpus, in the order of the file."""
    found = {}
    for source, target, _, bead in read_units(name, is_stored=is_stored):
        key = digest(source, target)
        if key in verdicts and key not in found:
            weight, verdict = verdicts[key]
            reasons = find_reasons(source, target, Thresholds())
            agree = ExportReason.NUMBERS not in reasons
            found[key] = Judged(verdict, weight, bead.score, bead, agree)
    return [found[key] for key in verdicts if key in found]


def show(name: str, scores: Sequence[float], judged: Sequence[Judged]) -> None:
    """Print reliability and floors of scores of judged units."""
    score = np.array(scores)
    weight = np.array([one.weight for one in judged])
    right = np.array([one.verdict == "right" for one in judged])
    wrong = np.array([one.verdict == "wrong" for one in judged])
    print(f"{name}: {len(judged)} units, {right.sum()} right, {wrong.sum()} wrong")
    number = np.searchsorted(RANGES[1:-1], score, side="right")
    for n, (low, high) in enumerate(pairwise(RANGES)):
        if (part := number == n).any():
            means = [
                f"{np.average(values[part], weights=weight[part]):.2f}"
                f" ({values[part].mean():.2f})"
                for values in (score, right, wrong)
            ]
            print(
                f"  {low:g} to {high:g}: {part.sum()}, mean {means[0]},"
                f" right {means[1]}, wrong {means[2]}"
            )
    for floor in FLOORS:
        kept = score >= floor
        lost = weight[right & ~kept].sum() / weight[right].sum()
        of_kept = weight[kept].sum()
        print(
            f"  floor {floor:g}: right units lost {lost:.2%}; of those kept wrong"
            f" {weight[wrong & kept].sum() / of_kept:.2%}, not quite right"
            f" {weight[~right & kept].sum() / of_kept:.2%}"
        )
    unsure = (score >= EXPORTS_MIN_SCORE) & (score < Thresholds().min_numbers_score)
    agree = np.array([one.numbers_agree for one in judged])
    for kind, part in (("same", unsure & agree), ("different", unsure & ~agree)):
        print(
            f"  {kind} numbers, unsure: {part.sum()} units,"
            f" {right[part].sum()} right, {wrong[part].sum()} wrong"
        )


def draw(
    name: str, sizes: Sequence[int], *, is_stored: bool
) -> list[tuple[str, float, str, str, str]]:
    """Return units of a corpus to judge: digest, weight, kind and texts, in random order."""
    known: dict[tuple[str, str], tuple[str, float]] = {}
    dropped = {ExportReason.NO_LETTERS, ExportReason.IDENTICAL}
    for source, target, kind, bead in read_units(name, is_stored=is_stored):
        reasons = find_reasons(source, target, Thresholds())
        if dropped.isdisjoint(reasons):
            known.setdefault((source, target), (kind, bead.score))
    chance, rows = Random(_SEED), []
    for (low, high), size in zip(pairwise(_STRATA), sizes, strict=True):
        part = sorted(
            texts for texts, (_, score) in known.items() if low <= score < high
        )
        chosen = chance.sample(part, min(size, len(part)))
        rows += [
            (digest(*texts), len(part) / len(chosen), known[texts][0], *texts)
            for texts in chosen
        ]
    chance.shuffle(rows)
    return rows


def main() -> int:
    """Print the figures, or units to judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stored", action="store_true")
    parser.add_argument("--draw", metavar="CORPUS")
    parser.add_argument("--sizes", type=int, nargs=4, default=[25, 25, 25, 25])
    args = parser.parse_args()
    if not (DATA / "sites").is_dir():
        print(skip_text())
        return 0
    if args.draw:
        rows = draw(args.draw, args.sizes, is_stored=args.stored)
        csv.writer(sys.stdout, "excel-tab").writerows(rows)
        return 0
    every: list[Judged] = []
    for name, verdicts in read_verdicts().items():
        judged = read_judged(name, verdicts, is_stored=args.stored)
        if len(judged) < len(verdicts):
            print(f"{name}: {len(verdicts) - len(judged)} units are no longer made")
        show(name, [one.score for one in judged], judged)
        every += judged
    show("all", [one.score for one in every], every)
    return 0


if __name__ == "__main__":
    sys.exit(main())
