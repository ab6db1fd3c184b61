"""Compares whole commands: a plain Scrapy spider, trafilatura, and the bilingual spider.

``python -m benchmarks.peers [--sites debian-handbook,lilypond]`` serves each site of
``build/sites`` on loopback and gives it to one command after the other, without any delay: a
plain spider that only follows links; the same with ``trafilatura.extract`` for each page;
trafilatura's program, on the links that its crawl finds and on a list of all addresses; and
``scrapy crawl bilingual`` with all stages up to the TMX, with and without workers. A row
each: pages; seconds, pages a second and their ratio to the plain spider, for the crawl alone
and for the whole command; CPU milliseconds a page and their ratio, MB at the most, both of
all processes; of ours the seconds after the crawl. Where other programs run, the ratio of CPU
says more than that of seconds. The status is 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from benchmarks.plain import PLAIN_SETTINGS
from benchmarks.site import FolderSite
from benchmarks.usage import Usage, measure
from evaluation.data import PROJECT, SITES, build_sites
from ilspfc.program import main as run_program

PLAIN, OURS = "plain spider", "bilingual, 2 workers"
# The targets: pages a second of the whole command over the plain spider's, and seconds after
# the crawl over those of the crawl.
MIN_RATIO = 3.0
MAX_STAGES_SHARE = 0.5
# Without delay, and for addresses that are not public; the other values are its own.
_TRAFILATURA_SETTINGS = "SLEEP_TIME = 0\nSSRF_PROTECTION = off\n"


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of a command; ``stages`` are the seconds after the crawl, of ours alone."""

    usage: Usage
    pages: int
    crawl: float
    stages: float = 0.0

    @property
    def speeds(self) -> tuple[float, float]:
        """Pages a second of the crawl alone and of the whole command."""
        return self.pages / self.crawl, self.pages / self.usage.seconds


@dataclass(frozen=True, slots=True)
class Run:
    """What a command is given: ``folder`` is new, ``pages`` is 0 for all."""

    folder: Path
    seed: str
    paths: Sequence[str]
    langs: str
    pages: int
    seconds: float

    def measure(self, *command: str, cwd: Path | None = None) -> Usage:
        """Run a module of Python; it may take twice as long as the crawl alone."""
        out = self.folder / "out"
        return measure(command, cwd or self.folder, out, 2 * self.seconds)


def run_plain(run: Run, *, extract: str = "") -> Figures:
    """Crawl with the plain spider, outside the project, and so without its settings."""
    command = ["scrapy", "runspider", str(PROJECT / "benchmarks" / "plain.py")]
    command += ["-a", f"seeds={run.seed}", "-a", f"extract={extract}"]
    limits = {"CLOSESPIDER_ITEMCOUNT": run.pages, "CLOSESPIDER_TIMEOUT": run.seconds}
    for name, value in {**PLAIN_SETTINGS, **limits, "LOG_LEVEL": "INFO"}.items():
        command += ["-s", f"{name}={value}"]
    usage = run.measure(*command)
    log = (run.folder / "out.err").read_text("utf-8")
    pages = re.findall(r"'item_scraped_count': (\d+)", log)[-1]
    crawl = re.findall(r"'elapsed_time_seconds': ([\d.]+)", log)[-1]
    return Figures(usage, int(pages), float(crawl))


def run_ours(run: Run, *, workers: int) -> Figures:
    """Crawl with the bilingual spider, and make pairs and TMX."""
    corpus = run.folder / "corpus"
    command = ["scrapy", "crawl", "bilingual"]
    command += ["-a", f"langs={run.langs}", "-a", f"seeds={run.seed}"]
    settings = {
        "CORPUS_DIR": corpus,
        "GUARD_ALLOW": "127.0.0.0/8",
        "DOWNLOAD_DELAY": 0,
        "WORKERS": workers,
        "FRONTIER_MAX_PAGES": run.pages,
        "FRONTIER_MAX_SECONDS": run.seconds,
    }
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    usage, ended = run.measure(*command, cwd=PROJECT), time.time()
    stats = json.loads((corpus / "stats.json").read_text("utf-8"))
    manifest = json.loads((corpus / "manifest.json").read_text("utf-8"))
    begun = datetime.fromisoformat(stats["start_time"]).timestamp()
    # The end of the crawl is written down to the second.
    finished = datetime.fromisoformat(manifest["finished"]).timestamp()
    return Figures(usage, stats["fetch/pages"], finished - begun, ended - finished)


def run_trafilatura(run: Run, *, is_crawl: bool) -> Figures:
    """Run trafilatura's program on what its crawl finds, or on the site's addresses."""
    found = find_spec("trafilatura")
    assert found is not None
    settings = Path(str(found.origin)).with_name("settings.cfg").read_text("utf-8")
    settings = re.sub(r"(?m)^(SLEEP_TIME|SSRF_PROTECTION).*\n", "", settings)
    (run.folder / "settings.cfg").write_text(settings + _TRAFILATURA_SETTINGS, "utf-8")
    program = ["trafilatura.cli", "--config-file", "settings.cfg"]
    crawl = run.measure(*program, "--crawl", run.seed) if is_crawl else None
    urls = (run.folder / "out").read_text("utf-8").split() if crawl else []
    if not crawl:
        step = max(len(run.paths) // (run.pages or len(run.paths)), 1)
        urls = [run.seed + path for path in run.paths[::step]][: run.pages or None]
    (run.folder / "list").write_text("\n".join(urls), "utf-8")
    usage = run.measure(*program, "--input-file", "list", "--output-dir", "texts")
    whole = crawl + usage if crawl else usage
    return Figures(whole, len(urls), (crawl or usage).seconds)


PEERS: dict[str, Callable[[Run], Figures]] = {
    PLAIN: run_plain,
    "+ trafilatura.extract": partial(run_plain, extract="trafilatura.extract"),
    "trafilatura --crawl": partial(run_trafilatura, is_crawl=True),
    "trafilatura --input-file": partial(run_trafilatura, is_crawl=False),
    OURS: partial(run_ours, workers=2),
    "bilingual, no worker": partial(run_ours, workers=0),
}


def print_row(name: str, one: Figures, plain: Figures) -> None:
    """Print a row of the table, with ratios to the plain spider."""
    row = f"{name:<24}{one.pages:6}"
    for place, seconds in enumerate((one.crawl, one.usage.seconds)):
        speed = one.speeds[place]
        row += f"{seconds:9.1f}{speed:9.2f}{speed / plain.speeds[place]:7.2f}"
    cpu, plain_cpu = (1000 * o.usage.cpu / o.pages for o in (one, plain))
    stages = f"  {one.stages:.1f} s, {one.stages / one.crawl:.2f} of the crawl"
    print(
        f"{row}{cpu:9.1f}{cpu / plain_cpu:7.2f}{one.usage.megabytes:7.0f}{stages * bool(one.stages)}"
    )
    sys.stdout.flush()


def compare(site: str, options: argparse.Namespace) -> dict[str, Figures]:
    """Run all commands on a site and print a row for each; return the figures."""
    folder = SITES / site / "www"
    files = sorted(folder.rglob("*.html"))
    paths = [quote(path.relative_to(folder).as_posix()) for path in files]
    given = options.langs, options.pages, options.seconds
    results: dict[str, Figures] = {}
    print(f"\n{site:<34}{'crawl alone':<25}whole command")
    print(
        f"{'':25}pages{'  seconds  pages/s  ratio' * 2}  CPU, ms  ratio     MB  stages"
    )
    for name, peer in PEERS.items():
        if "trafilatura" in name and not find_spec("trafilatura"):
            print(f"{name:<24}skipped: pip install trafilatura")
            continue
        with FolderSite(folder) as served, tempfile.TemporaryDirectory() as new:
            try:
                one = peer(Run(Path(new), served.urls[0], paths, *given))
            except TimeoutError:
                print(f"{name:<24}ended after {2 * options.seconds:.0f} seconds")
                continue
        results[name] = one
        print_row(name, one, results.get(PLAIN, one))
    return results


def find_missed(results: dict[str, Figures]) -> list[str]:
    """Return the targets that ours misses."""
    if not {PLAIN, OURS} <= results.keys():
        return []
    plain, ours = results[PLAIN], results[OURS]
    ratio, share = ours.speeds[1] / plain.speeds[1], ours.stages / ours.crawl
    missed = []
    if ratio < MIN_RATIO:
        missed.append(f"ratio of the whole command {ratio:.2f}, at least {MIN_RATIO}")
    if share > MAX_STAGES_SHARE:
        missed.append(f"stages {share:.2f} of the crawl, at most {MAX_STAGES_SHARE}")
    return missed


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the versions and a table for each site; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--sites", default="debian-handbook,lilypond", help="names, by commas")
    add("--langs", default="de,it", help="of the bilingual spider")
    add("--pages", type=int, default=0, help="end each crawl after so many")
    add("--seconds", type=float, default=600.0, help="end each crawl after so many")
    add("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args(arguments)
    sites = options.sites.split(",")
    build_sites(*sites)
    run_program(["--version"])
    peer = version("trafilatura") if find_spec("trafilatura") else "not installed"
    print(
        f"trafilatura {peer}, Python {platform.python_version()}, {os.cpu_count()} cores"
    )
    results = {site: compare(site, options) for site in sites}
    if options.json:
        data = {s: {p: asdict(f) for p, f in one.items()} for s, one in results.items()}
        options.json.write_text(json.dumps(data, indent=1), "utf-8")
    missed = [f"{s}: {line}" for s, one in results.items() for line in find_missed(one)]
    print("", *(missed or ["No target is missed."]), sep="\n")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
