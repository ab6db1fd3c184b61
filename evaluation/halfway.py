"""Measures how soon a bilingual crawl completes pairs of pages.

``python -m evaluation.halfway [SITE ...] [--pages N]`` crawls a site breadth-first and with
the bilingual spider's default scorer, and counts the gold pairs of which both pages were
fetched after half of the pages: half of those in the two languages, and half of all.
"""

from __future__ import annotations

import argparse
import csv
import sys
from typing import TYPE_CHECKING

from evaluation.crawls import log_crawl
from evaluation.curves import completed_pairs
from evaluation.data import DATA, SITES, build_sites, skip_text
from evaluation.served import folder_pages, serve_pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from evaluation.served import PageKey

LANGS = {"lilypond": ("de", "it"), "apache-manual": ("en", "fr")}
HOST = "127.0.0.1"
STRATEGIES = {
    "breadth-first": {"FRONTIER_SCORER": "breadth-first"},
    "bilingual": {},
}


def read_pairs(site: Path, langs: tuple[str, str]) -> list[tuple[PageKey, PageKey]]:
    """Return the gold pairs of a site."""
    gold = site / "gold" / f"{'-'.join(langs)}.tsv"
    lines = (line.split("\t") for line in gold.read_text("utf-8").splitlines())
    return [((HOST, f"/{one}"), (HOST, f"/{other}")) for one, other, *_ in lines]


def halves(site: Path, langs: tuple[str, str]) -> tuple[int, int]:
    """Return half of the pages in the two languages, and half of all pages."""
    with (site / "pages.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        found = [row["lang"] for row in rows]
    return sum(lang in langs for lang in found) // 2, len(found) // 2


def measure(name: str, pages: int, settings: dict[str, str]) -> dict[str, list[int]]:
    """Return how many pairs each strategy completed, by points of the crawl; print them."""
    build_sites(name)
    site, langs = SITES / name, LANGS[name]
    pairs = read_pairs(site, langs)
    points = [pages] if pages else sorted(halves(site, langs))
    print(f"{name} {'-'.join(langs)}: {len(pairs)} pairs", *points, sep="\t")
    completed: dict[str, list[int]] = {}
    with serve_pages(folder_pages(site / "www")) as served:
        seed = served.url((HOST, "/"))
        for strategy, chosen in STRATEGIES.items():
            log = log_crawl(
                served,
                "bilingual",
                {"langs": ",".join(langs), "seeds": seed},
                {**chosen, **settings},
                budget=points[-1],
            )
            row = [completed_pairs(log[:point], pairs) for point in points]
            completed[strategy] = row
            print(strategy, *row, sep="\t", flush=True)
    base, own = (completed[strategy] for strategy in STRATEGIES)
    ratios = [round(b / a, 2) if a else "-" for a, b in zip(base, own, strict=True)]
    print("ratio", *ratios, sep="\t")
    return completed


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the sites that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, prog="evaluation.halfway")
    parser.add_argument("sites", nargs="*", help=", ".join(LANGS))
    parser.add_argument("--pages", type=int, default=0, help="instead of half of them")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args(arguments)
    if not SITES.is_dir() and not (DATA / "sites").is_dir():
        print(skip_text())
        return 0
    settings = dict(item.split("=", 1) for item in options.set)
    for name in options.sites or LANGS:
        measure(name, options.pages, settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
