"""What crawls in each order have found after so many requests, without a network.

``python -m evaluation.simulated_harvest [GROUND …] [--scorers LIST]`` prints, for each ground
and scorer: wanted pages and wanted pairs after 100, 500 and 2,000 requests, the requests
until nine in ten are found, the area under the curve as a share of the best possible, and
how many a crawl that came to its end has lost; where there are several hosts, of how many there
were wanted pages. Grounds are the shapes of
``graph_shapes.py`` (``forum-2`` is the one with the seed 2), ``hosts-2`` two hosts of each
shape in one crawl, sites in two languages
(``lilypond``, ``lilypond-hard`` …), and those of ``evaluation.harvest``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.curves import at_points, harvest_area, harvest_curve, requests_until
from evaluation.data import SITES, build_sites, read_table
from evaluation.graph_shapes import LANGS, SHAPES, ShapedSite, answer_of
from evaluation.grounds import OPEN
from evaluation.served import folder_pages
from evaluation.simulated_crawls import BEST_FIRST, Simulator

if TYPE_CHECKING:
    from evaluation.served import PageKey

POINTS = (100, 500, 2000)
SHARE = 0.9
HOST = "127.0.0.1"
LEARNING = "+learning"
SCORERS = ("breadth-first", BEST_FIRST, "terms", f"terms{LEARNING}")
# Languages of the sites, and those whose languages are not linked: a seed for each.
SITE_LANGS = {
    "lilypond": ("de", "it"),
    "bitcoin": ("de", "it"),
    "glosario": ("en", "es"),
    "apache-manual": ("en", "fr"),
    "debian-handbook": ("de", "it"),
    "installation-guide": ("de", "it"),
    "gimp-help": ("de", "it"),
}
SEPARATE = ("debian-handbook", "installation-guide", "gimp-help")
GROUNDS = (
    *(f"{shape}-{seed}" for shape in (*SHAPES, "hosts") for seed in (1, 2)),
    *SITE_LANGS,
    *(f"{site}-hard" for site in SITE_LANGS if site != "glosario"),
    *OPEN,
)


@dataclass
class Wanted:
    """A ground to crawl without a network, with the pages and pairs that are wanted."""

    simulator: Simulator
    arguments: dict[str, str]
    pages: Collection[PageKey]
    pairs: Collection[tuple[PageKey, PageKey]] = ()


@contextmanager
def open_ground(name: str) -> Iterator[Wanted]:
    """Open a ground by its name; it is built where it is missing."""
    shape, _, seed = name.partition("-")
    if name in OPEN:
        with (
            tempfile.TemporaryDirectory() as folder,
            OPEN[name](Path(folder), 0) as ground,
        ):
            served = ground.served
            simulator = Simulator(served.pages, served.port, ground.spider)
            arguments = {**ground.arguments, "seeds": ground.start(0)}
            yield Wanted(simulator, arguments, ground.wanted)
    elif shape in SHAPES:
        yield _open_shapes([SHAPES[shape](HOST, int(seed))])
    elif shape == "hosts":
        shapes = enumerate([*SHAPES.values()] * 2)
        sites = [make(f"127.0.0.{n + 1}", int(seed) + n // 4) for n, make in shapes]
        yield _open_shapes(sites)
    else:
        yield _open_site(name)


def _open_shapes(sites: Sequence[ShapedSite]) -> Wanted:
    seeds = ",".join(f"http://{site.host}/" for site in sites)
    return Wanted(
        Simulator(answer_of(sites), 80, "bilingual"),
        {"langs": ",".join(LANGS), "seeds": seeds},
        {(site.host, path) for site in sites for path in site.wanted},
        {
            ((site.host, one), (site.host, other))
            for site in sites
            for one, other in site.pairs
        },
    )


def _open_site(name: str) -> Wanted:
    """Return a site: wanted are its pages in two languages, and its gold pairs."""
    build_sites(name)
    base, root = name.removesuffix("-hard"), SITES / name
    langs = SITE_LANGS[base]
    rows = read_table(root)
    gold = root / "gold" / f"{'-'.join(sorted(langs))}.tsv"
    pairs = [row.split("\t")[:2] for row in gold.read_text("utf-8").splitlines()]
    entries = json.loads((root / "site.json").read_text("utf-8")).get("entries", {})
    seeds = []
    for lang in langs if base in SEPARATE else langs[:1]:
        starts = sorted(path for key, path in entries.items() if key.split()[0] == lang)
        seeds.append(f"http://{HOST}/{starts[0] if starts else 'index.html'}")
    return Wanted(
        Simulator(folder_pages(root / "www"), 80, "bilingual"),
        {"langs": ",".join(langs), "seeds": ",".join(seeds)},
        {
            (HOST, f"/{row['path']}")
            for row in rows
            if row["lang"] in langs and row.get("langid", row["lang"]) == row["lang"]
        },
        {((HOST, f"/{one}"), (HOST, f"/{other}")) for one, other in pairs},
    )


def pair_curve(
    log: Sequence[PageKey], pairs: Collection[tuple[PageKey, PageKey]]
) -> list[int]:
    """Return how many pairs were whole after the first 1, 2, … pages of a log."""
    partners: defaultdict[PageKey, list[PageKey]] = defaultdict(list)
    for one, other in pairs:
        partners[one].append(other)
        partners[other].append(one)
    seen: set[PageKey] = set()
    curve, whole = [], 0
    for key in log:
        if key not in seen:
            seen.add(key)
            whole += sum(other in seen for other in partners[key])
        curve.append(whole)
    return curve


def site_curve(log: Sequence[PageKey], wanted: Collection[PageKey]) -> list[int]:
    """Return of how many hosts wanted pages were among the first 1, 2, … pages of a log."""
    seen: set[str] = set()
    curve = []
    for key in log:
        if key in wanted:
            seen.add(key[0])
        curve.append(len(seen))
    return curve


def _columns(curve: Sequence[int], wanted: int, budget: int) -> list[object]:
    lost = wanted - curve[-1] if curve and len(curve) < budget else 0
    return [
        *at_points(curve, POINTS),
        requests_until(curve, SHARE * wanted) or "-",
        f"{harvest_area(curve, wanted, budget):.3f}",
        lost,
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each ground."""
    parser = argparse.ArgumentParser(
        description=__doc__, prog="evaluation.simulated_harvest"
    )
    parser.add_argument("grounds", nargs="*", default=GROUNDS, metavar="GROUND")
    parser.add_argument("--scorers", type=lambda text: text.split(","), default=SCORERS)
    parser.add_argument("--requests", type=int, default=POINTS[-1])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args(arguments)
    settings = dict(item.split("=", 1) for item in options.set)
    for name in options.grounds:
        with open_ground(name) as ground:
            heads = [*POINTS, f"to {SHARE:.0%}", "area", "lost"]
            wanted = f"{len(ground.pages)} pages", f"{len(ground.pairs)} pairs"
            hosts = {host for host, _ in ground.pages}
            last = [f"{len(hosts)} sites", *POINTS] if len(hosts) > 1 else []
            print(name, wanted[0], *heads, wanted[1], *heads, *last, sep="\t")
            for scorer in options.scorers:
                chosen = {
                    "FRONTIER_SCORER": scorer.removesuffix(LEARNING),
                    "FRONTIER_LEARNING": str(scorer.endswith(LEARNING)),
                    **settings,
                }
                budget = options.requests
                log = ground.simulator.crawl(ground.arguments, chosen, budget=budget)
                pages = harvest_curve(_first_times(log), set(ground.pages))
                row = _columns(pages, len(ground.pages), budget)
                pairs = pair_curve(log, ground.pairs)
                more = _columns(pairs, len(ground.pairs), budget)
                sites = at_points(site_curve(log, ground.pages), POINTS)
                more += ["", *sites] if last else []
                print(scorer, "", *row, "", *more, sep="\t", flush=True)
    return 0


def _first_times(log: Sequence[PageKey]) -> Iterator[PageKey | None]:
    """Yield the requests of a log; None for a page that was there before."""
    seen: set[PageKey] = set()
    for key in log:
        yield None if key in seen else key
        seen.add(key)


if __name__ == "__main__":
    sys.exit(main())
