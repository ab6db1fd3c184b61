"""Scores alignment on pages of real sites, and how it tells pages that are no translations.

Pages of the sites have the same sequence of blocks in two languages, so block *n*
translates block *n*. ``python -m evaluation.alignment_pages`` aligns the sentences of such
pages by length, with a lexicon, and with lexicon and structure, all pages of a language
pair as one collection. A unit is right if its sentences are from the same blocks on both
sides. Printed for each way, with the pages as they are and with blocks deleted, shuffled,
or other pages opposite: precision of units, recall of the blocks that stand on both pages,
F1, and in brackets the AUC of the score for wrong units and the precision of the best nine
tenths by it; then how well null share and mean score tell pages that are no translations.
The curves over floors of :mod:`evaluation.alignment` come last, for all sets together.
It returns 1 if a figure with structure is below its floor in ``baseline.json``. AUC and
best nine tenths have floors over the units of all sets and of six draws of what is
deleted: a set alone has but a handful of wrong units, and of one draw, with some thirty,
the AUC goes from .92 to .97.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from random import Random

import numpy as np

from evaluation.alignment import BASELINE, rank, show_floors
from evaluation.data import DATA, build_sites, skip_text
from evaluation.lexicon import SETS
from evaluation.page_alignment import Figures, align, judge, measures
from evaluation.page_silver import Page, delete, read_pages, shuffle
from ilspfc.decisions.pairs import MIN_ALIGNED_SHARE
from ilspfc.decisions.pairs import Figures as PairFigures

_DRAWS = 6
"""Draws of deleted blocks where the AUC has a floor; without structure, the first."""


def report_parallel(pages: list[Page], langs: tuple[str, str]) -> Figures:
    """Print how pages that are no translations differ, one in five of a collection.

    A third of the translations has half of the blocks of one side left out. Returned are
    the figures of all units; those of pages that are no translations are wrong.
    """
    chance = Random(2)
    wrong = pages[::5]
    turned = [Page(page.source, wrong[n - 1].target) for n, page in enumerate(wrong)]
    good = [page for n, page in enumerate(pages) if n % 5]
    thinned = [delete(page, 0.5, chance) for page in good[::3]]
    whole = [page for n, page in enumerate(good) if n % 3]
    aligned = align("structure", [*whole, *thinned, *turned], langs)
    values = measures(aligned)
    ends = np.cumsum([len(whole), len(thinned), len(turned)]).tolist()
    for n, name in enumerate(("null share", "mean score")):
        column = [value[n] for value in values]
        parts = [column[: ends[0]], column[ends[0] : ends[1]], column[ends[1] :]]
        ranges = [f"{min(p):.2f} {np.median(p):.2f} {max(p):.2f}" for p in parts]
        area, _ = rank(column, [m < ends[1] for m in range(len(column))])
        print(
            f"  {name}: translations {ranges[0]}, half left out {ranges[1]}, others"
            f" {ranges[2]}, AUC {max(area, 1 - area):.3f}"
        )
    figures = [PairFigures(*value) for value in values]
    low = [f.is_weak and f.aligned_share < MIN_ALIGNED_SHARE for f in figures]
    caught, lost = sum(low[ends[1] :]), sum(low[: ends[1]])
    print(
        f"  aligned below {MIN_ALIGNED_SHARE}: {caught} of {len(turned)} others, {lost} of"
        f" {ends[1]} translations"
    )
    right, others = judge(aligned[: ends[1]]), judge(aligned[ends[1] :])
    return replace(
        right,
        scores=right.scores + others.scores,
        neighbors=right.neighbors + others.neighbors,
        are_right=right.are_right + [False] * len(others.scores),
    )


def report_set(name: str, pair: str, langs: tuple[str, str]) -> dict[str, Figures]:
    """Print the figures of the pages in two languages; return those with structure."""
    pages = read_pages(name, pair)
    print(name, pair, len(pages), "pages", flush=True)
    variants = {"as they are": [pages]}
    for share, count in ((0.1, _DRAWS), (0.3, _DRAWS), (0.5, 1)):
        chances = [Random(seed) for seed in range(1, count + 1)]
        variants[f"{share:.0%} deleted"] = [
            [delete(page, share, chance) for page in pages] for chance in chances
        ]
    chance = Random(1)
    variants["shuffled"] = [[shuffle(p, chance) for p in pages]]
    guided = {}
    for variant, draws in variants.items():
        cells = []
        for way in ("length", "sentences", "structure"):
            taken = draws if way == "structure" else draws[:1]
            found = judge([text for draw in taken for text in align(way, draw, langs)])
            area, best = found.ranks
            cells.append(
                f"{way} {found.precision:.3f} {found.recall:.3f} {found.f1:.3f}"
                f" ({area:.3f} {best:.3f})"
            )
        guided[variant] = found
        print(f"  {variant}: {'; '.join(cells)}", flush=True)
    guided["a fifth no translations"] = report_parallel(pages, langs)
    return guided


def main() -> int:
    """Print the figures of the sets; return 1 if one is below its floor."""
    if not (DATA / "sites").is_dir():
        print(skip_text())
        return 0
    build_sites(*dict.fromkeys(name for name, *_ in SETS))
    floors = json.loads(BASELINE.read_text(encoding="utf-8"))["alignment_pages"]
    figures = {
        f"{name} {pair}": report_set(name, pair, langs) for name, pair, langs in SETS
    }
    _show_floors(figures)
    return 0 if _meets(floors, figures) else 1


def _show_floors(figures: dict[str, dict[str, Figures]]) -> None:
    """Print, by variant of the pages, the curves over floors for all sets together."""
    for variant in next(iter(figures.values())):
        parts = [of_set[variant] for of_set in figures.values()]
        right = [is_right for part in parts for is_right in part.are_right]
        print(f"all sets, {variant}:")
        scores = [score for part in parts for score in part.scores]
        print(show_floors("the score", scores, right))
        neighbors = [mean for part in parts for mean in part.neighbors]
        print(show_floors("the neighbors", neighbors, right))


def _meets(
    floors: dict[str, dict[str, float]], figures: dict[str, dict[str, Figures]]
) -> bool:
    """Print the ranks over all sets, and each figure below its floor."""
    found: list[tuple[str, float, float]] = []
    for variant, bounds in floors.items():
        parts = [of_set[variant] for of_set in figures.values()]
        found += [
            (f"{name}, {variant}, F1", part.f1, bounds["f1"])
            for name, part in zip(figures, parts, strict=True)
        ]
        area, best = rank(
            [score for part in parts for score in part.scores],
            [is_right for part in parts for is_right in part.are_right],
        )
        wrong = sum(part.are_right.count(False) for part in parts)
        print(
            f"all sets, {variant}: {wrong} wrong units, AUC {area:.3f},"
            f" best nine tenths {best:.3f}"
        )
        found.append((f"all sets, {variant}, AUC", area, bounds.get("area", 0)))
        found.append((f"all sets, {variant}, best", best, bounds.get("best", 0)))
    low = [row for row in found if row[1] < row[2]]
    for name, value, floor in low:
        print(f"{name}: {value:.3f} is below {floor}")
    return not low


if __name__ == "__main__":
    sys.exit(main())
