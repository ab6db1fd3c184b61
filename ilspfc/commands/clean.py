"""``scrapy clean FILE|URL …``: the clean text of pages."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError, name_known

if TYPE_CHECKING:
    from ilspfc.files.page_files import PageOptions
    from ilspfc.files.page_sources import PageSource
    from ilspfc.workers import WorkerPool

FORMATS = ("text", "markdown", "json", "xml")
STANDARD_INPUT = "-"
_URL_STARTS = ("http://", "https://")
# So many files are cleaned in this process before a worker would have started.
_FEW = 16
# One more worker takes .3 s of CPU to start, and a page 4 ms.
_FILES_A_WORKER = 256
_XML_START = b'<?xml version="1.0" encoding="UTF-8"?>\n<cesCorpus>\n'
_XML_END = b"</cesCorpus>\n"


class Command(ProjectCommand):
    """Cleans files and URLs, any number of them, in the order given."""

    arguments = "FILE|URL|- ..."
    options = (
        ("--langs", "CODES", "mark paragraphs in other languages: de,it"),
        (
            "--files-from",
            "LIST",
            "file with one file or URL a line, - for standard input",
        ),
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of the command."""
        super().add_options(parser)
        parser.add_argument(
            "--format", default="text", metavar="|".join(FORMATS), dest="page_format"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write each page; exit with 1 if one could not be read."""
        if opts.page_format not in FORMATS:
            raise ArgumentError(
                f"--format={opts.page_format}: no such format;"
                f" {name_known(opts.page_format, FORMATS)}"
            )
        if not args and not opts.files_from:
            raise UsageError(
                "give files or URLs, - for standard input, or --files-from"
            )
        options = self._check_options(opts)
        listed = iter_listed(opts.files_from) if opts.files_from else ()
        names = chain(args, listed)
        with tempfile.TemporaryDirectory(prefix="ilspfc-") as folder:
            self._write(names, options, Path(folder))

    def _check_options(self, opts: argparse.Namespace) -> PageOptions:
        """Return the options of cleaning; SettingError or ArgumentError if one is wrong."""
        from ilspfc.crawl.text_options import (
            check_languages,
            cleaning_options,
            language_texts,
        )
        from ilspfc.files.page_files import PageOptions
        from ilspfc.setting_table import check_settings

        check_settings(self.settings)
        langs: tuple[str, ...] = ()
        if opts.langs:
            from ilspfc.crawl.arguments import parse_langs

            langs = parse_langs("--langs", opts.langs)
        check_languages(langs, self.settings)
        return PageOptions(
            opts.page_format,
            langs,
            tuple(self.settings.getlist("CLEANING_FORMATS")),
            cleaning_options(self.settings) | {"max_links": 0},  # no format shows any
            language_texts(self.settings),
        )

    def _write(self, names: Iterable[str], options: PageOptions, folder: Path) -> None:
        """Fetch the pages at URLs, then write all pages."""
        from ilspfc.workers import WorkerPool, collect_rarely

        names = list(names)
        fetched: Mapping[str, PageSource] = {}
        if urls := [name for name in names if name.startswith(_URL_STARTS)]:
            from ilspfc.spiders.page_spider import fetch_pages

            fetched = fetch_pages(urls, folder, self.settings)
        most = len(names) // _FILES_A_WORKER or int(len(names) > _FEW)
        collect_rarely()
        pool = WorkerPool(
            min(self.settings.getint("WORKERS"), most),
            self.settings.getfloat("WORKERS_CPU_SECONDS"),
            options.identifier if options.needs_language else None,
        )
        try:
            failed = asyncio.run(_write_pages(names, fetched, options, pool))
            self.exitcode = int(failed)
        finally:
            pool.close()


async def _write_pages(
    names: list[str],
    fetched: Mapping[str, PageSource],
    options: PageOptions,
    pool: WorkerPool,
) -> bool:
    """Write the pages; return whether one could not be read."""
    from ilspfc.files.page_files import render_pages

    output: IO[bytes] = sys.stdout.buffer
    is_corpus = options.format == "xml" and len(names) > 1
    failed = False
    if is_corpus:
        output.write(_XML_START)
    sources = (_make_source(name, fetched) for name in names)
    place = 0
    async for rendered in render_pages(sources, options, pool):
        name, place = names[place], place + 1
        if isinstance(rendered, ArgumentError):
            failed = True
            warn(rendered)
            continue
        if options.format == "text" and len(names) > 1:
            output.write(f"==> {name} <==\n".encode("utf-8", "replace"))
        output.write(rendered.partition(b"?>\n")[2] if is_corpus else rendered)
        output.flush()
    if is_corpus:
        output.write(_XML_END)
    output.flush()
    return failed


def _make_source(name: str, fetched: Mapping[str, PageSource]) -> PageSource:
    from ilspfc.files.page_sources import PageSource

    if name in fetched:
        return fetched[name]
    if name.startswith(_URL_STARTS):
        return PageSource(name, failure="not fetched")
    if name == STANDARD_INPUT:
        return PageSource(name, body=sys.stdin.buffer.read())
    return PageSource(name, Path(name))


def iter_listed(name: str) -> Iterator[str]:
    """Yield the lines of a list that are not empty."""
    is_piped = name == STANDARD_INPUT
    content = sys.stdin.buffer.read() if is_piped else Path(name).read_bytes()
    for line in content.splitlines():
        if line.strip():
            yield os.fsdecode(line)
