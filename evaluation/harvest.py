"""Measures how well a crawl keeps to its subject: relevant pages by pages fetched.

``python -m evaluation.harvest [portal index behind misleading] [--scorers LIST]`` crawls the
portal of real sites (in-domain pages are the chapters of a handbook on networks and
security), the same from an index page, and two made-up graphs, with each scorer, and prints
the harvest and the area under its curve. ``--check`` holds the figures to the floors of
``baseline.json``, perplexity and combined to breadth-first at every point.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from evaluation.crawls import log_crawl
from evaluation.curves import at_points, harvest_area, harvest_curve
from evaluation.data import DATA, PROJECT, SITES, skip_text
from evaluation.grounds import GRAPHS, OPEN

if TYPE_CHECKING:
    from evaluation.grounds import Ground

BASELINE = PROJECT / "evaluation" / "baseline.json"
POINTS = (25, 50, 100, 200, 400, 600, 800, 1000)
LEARNING = "+learning"
BASE = "breadth-first"
# Pages by which two runs of one crawl may differ: links come a moment after a page.
SLACK = 3
SCORERS = (
    BASE,
    *(
        f"{name}{end}"
        for name in ("terms", "perplexity", "combined")
        for end in ("", LEARNING)
    ),
)


@dataclass(frozen=True)
class Harvest:
    """How crawls with one scorer did: the curves of wanted pages, one for each order."""

    curves: list[list[int]]
    wanted: int
    budget: int

    def at(self, points: Sequence[int]) -> list[float]:
        """Return the mean of the curves after so many pages."""
        columns = zip(*(at_points(curve, points) for curve in self.curves), strict=True)
        return [round(fmean(column), 1) for column in columns]

    @property
    def area(self) -> float:
        """The mean of the areas under the curves, as shares of the best possible."""
        return fmean(
            harvest_area(curve, self.wanted, self.budget) for curve in self.curves
        )


def measure(
    ground: Ground, scorer: str, orders: int, settings: Mapping[str, str]
) -> Harvest:
    """Crawl with a scorer, once for each order of the start, and return how that did."""
    name = scorer.removesuffix(LEARNING)
    arguments = dict(ground.arguments)
    if name in {"perplexity", "combined"}:
        arguments["domain_texts"] = str(ground.texts())
    chosen = {
        "FRONTIER_SCORER": name,
        "FRONTIER_LEARNING": str(scorer.endswith(LEARNING)),
        **settings,
    }
    curves = []
    budget = ground.budget + len(ground.passed)
    for order in range(orders):
        arguments["seeds"] = ground.start(order)
        log = log_crawl(ground.served, ground.spider, arguments, chosen, budget=budget)
        counted = (key for key in log if key not in ground.passed)
        curves.append(harvest_curve(counted, ground.wanted))
    return Harvest(curves, len(ground.wanted), ground.budget)


def check(name: str, harvests: Mapping[str, Harvest]) -> list[str]:
    """Return which figures are below their floors."""
    floors = json.loads(BASELINE.read_text(encoding="utf-8"))["harvest"].get(name, {})
    failures = []
    for scorer, bounds in floors.get("pages", {}).items():
        for point, floor in bounds.items() if scorer in harvests else ():
            (figure,) = harvests[scorer].at([int(point)])
            if figure < floor:
                failures.append(
                    f"{name}, {scorer}: {figure} after {point}, the floor is {floor}"
                )
    failures += _below_base(name, harvests, floors.get("above", ()))
    for better, bounds in floors.get("ratio", {}).items():
        for base, floor in bounds.items() if better in harvests else ():
            # Without the base there is nothing to be better than.
            least = floor * harvests[base].area if base in harvests else 0.0
            area = harvests[better].area
            if area < least:
                failures.append(
                    f"{name}: {better} has the area {area:.3f}, the floor is {least:.3f}"
                )
    return failures


def _below_base(
    name: str, harvests: Mapping[str, Harvest], scorers: Sequence[str]
) -> list[str]:
    """Return where scorers have fewer wanted pages than breadth-first at a point."""
    if BASE not in harvests:
        return []
    points = [point for point in POINTS if point <= harvests[BASE].budget]
    base = harvests[BASE].at(points)
    return [
        f"{name}, {scorer}: {figure} after {point}, {BASE} has {least}"
        for scorer in scorers
        if scorer in harvests
        for point, figure, least in zip(
            points, harvests[scorer].at(points), base, strict=True
        )
        if figure < least - SLACK
    ]


def evaluate(name: str, options: argparse.Namespace) -> list[str]:
    """Measure all scorers on one ground; return which figures are below their floors."""
    settings = dict(item.split("=", 1) for item in options.set)
    harvests: dict[str, Harvest] = {}
    failed: list[str] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        OPEN[name](Path(folder), options.pages) as ground,
    ):
        points = [point for point in POINTS if point <= ground.budget]
        print(f"{name}: {len(ground.wanted)} wanted pages", *points, "area", sep="\t")
        for scorer in options.scorers:
            try:
                orders = 1 if name in GRAPHS else options.orders
                found = harvests[scorer] = measure(ground, scorer, orders, settings)
            except subprocess.CalledProcessError as error:
                failed.append(
                    f"{name}, {scorer}: the crawl failed with {error.returncode}"
                )
                continue
            print(scorer, *found.at(points), f"{found.area:.3f}", sep="\t", flush=True)
    plain = harvests.get("terms")
    learned = harvests.get(f"terms{LEARNING}")
    if plain and learned and plain.area:
        print(f"learning / terms\t{learned.area / plain.area:.2f}")
    return failed + (check(name, harvests) if options.check else [])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; return 1 if a figure is below its floor."""
    parser = argparse.ArgumentParser(description=__doc__, prog="evaluation.harvest")
    parser.add_argument("grounds", nargs="*", help="portal, index, behind, misleading")
    parser.add_argument("--scorers", type=lambda text: text.split(","), default=SCORERS)
    parser.add_argument("--pages", type=int, default=0, help="fetched by each crawl")
    parser.add_argument("--orders", type=int, default=1, help="of the portal's seeds")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--check", action="store_true", help="hold to the floors")
    options = parser.parse_args(arguments)
    failures = []
    for name in options.grounds or OPEN:
        is_real = name not in GRAPHS
        if is_real and not SITES.is_dir() and not (DATA / "sites").is_dir():
            print(skip_text())
        elif is_real and not SITES.is_dir() and shutil.which("apt-get") is None:
            print("Skipped: the sites are built from Debian packages, without apt-get.")
        else:
            failures += evaluate(name, options)
    print(*failures, sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
