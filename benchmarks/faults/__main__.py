"""Shows what broken links, floods, full disks, damaged files and Ctrl-C cost.

``python -m benchmarks.faults`` runs many kinds of faults with real processes of ``scrapy``
over sites of loopback that it serves itself, and prints a row for each case: the pages (or
files) that should be there, those that are, what was lost, seconds, the memory of the
largest process, exit statuses, whether a traceback was printed, and what else was wrong.
``--only 1,4`` runs some kinds. Each run has a limit of time at which it is killed. The
status is 1 where anything was lost, a traceback was printed, or there is a complaint.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.faults.addresses import base_and_refresh, broken_addresses, long_hosts
from benchmarks.faults.disks import full_disks
from benchmarks.faults.files import damaged_frontiers, lost_indexes
from benchmarks.faults.hosts import bad_hosts
from benchmarks.faults.kills import (
    killed_builds,
    killed_runs,
    power_cut_of_one,
    power_cuts,
)
from benchmarks.faults.networks import clock_jumps, names_that_change, network_away
from benchmarks.faults.runs import HEADING
from benchmarks.faults.servers import bad_servers
from benchmarks.faults.sitemaps import floods, odd_sitemaps, unusable_sitemap
from benchmarks.faults.stops import interrupted_stages

if TYPE_CHECKING:
    from benchmarks.faults.runs import Row

FAULTS: dict[int, Callable[[Path], Iterator[Row]]] = {
    1: broken_addresses,
    2: unusable_sitemap,
    3: odd_sitemaps,
    4: floods,
    5: full_disks,
    6: lost_indexes,
    7: interrupted_stages,
    8: base_and_refresh,
    9: long_hosts,
    10: damaged_frontiers,
    11: network_away,
    12: killed_runs,
    13: power_cuts,
    14: clock_jumps,
    15: names_that_change,
    16: bad_servers,
    17: killed_builds,
    18: power_cut_of_one,
    19: bad_hosts,
}


def _read_numbers(text: str) -> list[int]:
    parts = text.split(",")
    if not all(part.isdecimal() and int(part) in FAULTS for part in parts):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a list of faults; write it like 1,4 (1 to {len(FAULTS)})"
        )
    return sorted({int(part) for part in parts})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each case; return 1 if one is not as it should be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", type=_read_numbers, default=list(FAULTS), metavar="N,N"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep corpora and logs in this folder"
    )
    options = parser.parse_args(arguments)
    if options.keep and options.keep.exists():
        parser.error(f"--keep {options.keep}: is there already; name a new folder")
    # Ctrl-C is for the crawls too, though a script in the background ignores it; what ends
    # this process has it kill its crawls and unmount its disks.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    print(HEADING, flush=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as temporary:
        for number in options.only:
            folder = Path(options.keep or temporary).resolve() / str(number)
            folder.mkdir(parents=True)
            for row in FAULTS[number](folder):
                rows.append(row)
                print(*row.cells(), flush=True)
    bad = sum(not row.is_good for row in rows)
    print(f"{sum(row.lost for row in rows)} lost, {bad} of {len(rows)} cases failed")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
