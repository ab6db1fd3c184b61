"""Disks: full, read-only, and a limit on the size of files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.faults.runs import Row, Run, crawl_command, run
from benchmarks.resume import documents
from benchmarks.site import GeneratedSite

PAGES = 150
HOSTS = 4
LIMIT_SECONDS = 120.0
MEGABYTE = 1024 * 1024
# Of files while they are limited: corpus.db grows beyond it, the log does not.
FILE_BYTES = MEGABYTE // 2
ROOM = "size=200m"


def can_mount() -> bool:
    """Return whether a disk of its own can be made for a corpus."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def mount(folder: Path, options: str) -> bool:
    """Mount a disk in memory, or change one that is; return whether it could be done."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    answer = subprocess.run(command, check=False, capture_output=True)
    return answer.returncode == 0


@contextmanager
def disk(folder: Path, size: int) -> Iterator[bool]:
    """Make a disk of so many bytes, while the block runs; False where it is not allowed."""
    folder.mkdir()
    is_mounted = can_mount() and mount(folder, f"size={size}")
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)


def compare(row: Row, corpus: Path, whole: dict[str, bytes]) -> None:
    """Note how many of the documents of an undisturbed crawl a corpus has, as they were."""
    found = documents(corpus) if (corpus / "xml").is_dir() else {}
    row.expected = len(whole)
    row.kept = sum(found.get(name) == data for name, data in whole.items())
    row.complain(len(found.keys() - whole) > 0, "documents that should not be there")


def size_of(folder: Path) -> int:
    """Return the bytes of the files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def full_disks(folder: Path) -> Iterator[Row]:
    """Crawl into a disk that is full, limited or read-only, and again when it is not."""
    with GeneratedSite(PAGES, HOSTS) as site:
        seeds = site.urls[:1]
        undisturbed = folder / "whole"
        row = Row("5 undisturbed")
        row.add(run(crawl_command(undisturbed, seeds), folder / "0.log", LIMIT_SECONDS))
        whole = documents(undisturbed)
        row.expected, row.kept = PAGES, len(whole)
        yield row
        for share in (0.2, 0.7):
            size = int(size_of(undisturbed) * share)
            place = folder / f"disk-{share * 100:.0f}"
            with disk(place, size) as is_mounted:
                if is_mounted:
                    yield _full(place, seeds, whole, share)
                else:
                    yield Row("5 disk full: left out, needs root")
        yield _limited(folder / "limited", seeds, whole, from_start=False)
        yield _limited(folder / "limited-from-start", seeds, whole, from_start=True)
        with disk(folder / "read-only", 100 * MEGABYTE) as is_mounted:
            if is_mounted:
                yield _read_only(folder / "read-only", seeds, whole)
            else:
                yield Row("5 read-only disk: left out, needs root")


def _full(place: Path, seeds: list[str], whole: dict[str, bytes], share: float) -> Row:
    row = Row(f"5 disk full at {share:.0%}, then room")
    corpus, log = place / "corpus", place.with_suffix(".log")
    row.add_refused(run(crawl_command(corpus, seeds), log, LIMIT_SECONDS), corpus)
    row.complain(not mount(place, f"remount,{ROOM}"), "no room could be made")
    log = place.with_suffix(".again.log")
    row.add(run(crawl_command(corpus, seeds), log, LIMIT_SECONDS))
    compare(row, corpus, whole)
    return row


def _limited(
    corpus: Path, seeds: list[str], whole: dict[str, bytes], *, from_start: bool
) -> Row:
    """Limit files from the start, those of workers too, or those of a crawl under way."""
    row = Row(
        f"5 limit of file size {'at start' if from_start else 'later'}, then none"
    )
    command = crawl_command(corpus, seeds)
    crawl = Run(command, corpus.with_suffix(".log"))
    if not from_start:
        crawl.wait_until(lambda: any(corpus.glob("xml/*")), LIMIT_SECONDS)
    crawl.limit_files(FILE_BYTES)
    row.add_refused(crawl.wait(LIMIT_SECONDS), corpus)
    row.add(run(command, corpus.with_suffix(".again.log"), LIMIT_SECONDS))
    compare(row, corpus, whole)
    return row


def _read_only(place: Path, seeds: list[str], whole: dict[str, bytes]) -> Row:
    """Make the disk read-only between two runs: one that is written to cannot be made so."""
    row = Row("5 read-only disk, then writable")
    corpus = place / "corpus"
    some = {"FRONTIER_MAX_PAGES": str(PAGES // 3)}
    command = crawl_command(corpus, seeds, settings=some)
    row.add(run(command, place.with_suffix(".1.log"), LIMIT_SECONDS))
    row.complain(not mount(place, "remount,ro"), "could not be made read-only")
    command = crawl_command(corpus, seeds)
    row.add_refused(run(command, place.with_suffix(".2.log"), LIMIT_SECONDS), corpus)
    row.complain(not mount(place, "remount,rw"), "could not be made writable")
    row.add(run(command, place.with_suffix(".3.log"), LIMIT_SECONDS))
    compare(row, corpus, whole)
    return row
