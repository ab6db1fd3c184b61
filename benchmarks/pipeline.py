"""What the way of a page costs, by stage and in whole crawls.

``python -m benchmarks.pipeline [FOLDER]`` takes a sample of the HTML files of a folder, or
generated pages, through the stages and prints milliseconds of CPU a page by stage
(:mod:`benchmarks.stages`), then the pages a second that workers take through theirs. Then
the folder, or a generated site, is served on loopback and crawled in processes of their own:
by a plain Scrapy spider that only follows links, with two workers and with none
(:mod:`benchmarks.crawl`). The status is 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.crawl import add_arguments, compare_crawls, read_langs
from benchmarks.site import render
from benchmarks.stages import SourcePage, make_rules, make_task, measure_stages
from ilspfc.classification.definition import parse_domain
from ilspfc.crawl.page_work import PageWorker
from ilspfc.workers import WorkerPool


def read_pages(folder: Path | None, limit: int) -> list[SourcePage]:
    """Return pages of a folder, spread over it, or generated ones."""
    if folder is None:
        return [
            SourcePage(f"http://127.0.0.1:8000/{n}.html", render(n, limit, 1, 8000))
            for n in range(limit)
        ]
    paths = sorted(folder.rglob("*.html"))
    step = max(len(paths) // limit, 1)
    return [
        SourcePage(
            f"http://127.0.0.1:8000/{path.relative_to(folder).as_posix()}",
            path.read_bytes(),
        )
        for path in paths[::step][:limit]
    ]


async def measure_workers(
    pages: Sequence[SourcePage], langs: tuple[str, ...], size: int
) -> float:
    """Return the pages a second that so many workers take through the stages."""
    pool = WorkerPool(size, 60.0, partial(PageWorker, make_rules(langs)))
    for _ in range(size):  # started and prepared
        await pool.run(int)
    queue = list(pages)

    async def work() -> None:
        while queue:
            await pool.measure_prepared(PageWorker.work, make_task(queue.pop()))

    start = time.monotonic()
    await asyncio.gather(*(work() for _ in range(2 * max(size, 1))))
    seconds = time.monotonic() - start
    pool.close()
    return len(pages) / seconds


def main() -> int:
    """Print the figures; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument(
        "--sample", type=int, default=100, help="pages to be taken through the stages"
    )
    parser.add_argument(
        "--domain", type=Path, default=Path("domains/health-safety.tsv"), metavar="FILE"
    )
    parser.add_argument(
        "--workers", default="0,1,2", help="numbers of processes for the sample"
    )
    options = parser.parse_args()
    langs = read_langs(options)
    text = options.domain.read_text(encoding="utf-8")
    domain, _ = parse_domain(text, options.domain.stem)
    pages = read_pages(options.folder, options.sample)
    measure_stages(pages, langs, domain)
    for number in map(int, filter(None, options.workers.split(","))):
        speed = asyncio.run(measure_workers(pages, langs, number))
        print(f"{number} workers: {speed:.1f} pages/s through the workers")
    print(flush=True)
    return int(compare_crawls(options))


if __name__ == "__main__":
    sys.exit(main())
