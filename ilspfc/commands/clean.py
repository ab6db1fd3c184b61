"""``scrapy clean FILE|URL …``: what the cleaner makes of pages."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand
from ilspfc.exceptions import ArgumentError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping

    from ilspfc.responses.page_sources import PageSource
    from ilspfc.stages.page_files import PageOptions
    from ilspfc.workers import WorkerPool

STANDARD_INPUT = "-"
_URL_STARTS = ("http://", "https://")
_XML_START = b'<?xml version="1.0" encoding="UTF-8"?>\n<cesCorpus>\n'
_XML_END = b"</cesCorpus>\n"


class Command(ProjectCommand):
    """Cleans files and URLs, any number of them, in the order given."""

    def syntax(self) -> str:
        """Return the arguments that the command takes."""
        return "[options] FILE|URL|- ..."

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Show what the cleaner makes of pages"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of the command."""
        from ilspfc.stages.page_files import FORMATS

        super().add_options(parser)
        parser.add_argument(
            "--format", default="text", metavar="|".join(FORMATS), dest="page_format"
        )
        parser.add_argument(
            "--langs", default="", help="mark paragraphs in other languages: de,it"
        )
        parser.add_argument(
            "--files-from",
            metavar="LIST",
            help="read files and URLs from a file with one a line, - for standard input",
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write each page; exit with 1 if there were some that could not be read."""
        from ilspfc.stages.page_files import FORMATS

        if opts.page_format not in FORMATS:
            raise ArgumentError(
                f"--format={opts.page_format}: no such format; known are {', '.join(FORMATS)}"
            )
        for name in args:
            if name.startswith("-") and name != STANDARD_INPUT:
                raise UsageError(f"{name}: no such option; a file is ./{name}")
        if not args and opts.files_from is None:
            raise UsageError(
                "give files or URLs, - for standard input, or --files-from"
            )
        options = self._check_options(opts)
        listed = () if opts.files_from is None else iter_listed(opts.files_from)
        names = chain(args, listed)
        with tempfile.TemporaryDirectory(prefix="ilspfc-") as folder:
            self._write(names, options, Path(folder))

    def _check_options(self, opts: argparse.Namespace) -> PageOptions:
        """Return how pages are cleaned; raises SettingError and ArgumentError."""
        from ilspfc.crawl.language_texts import check_languages, language_options
        from ilspfc.crawl.page_rules import cleaning_options
        from ilspfc.preflight import check_settings
        from ilspfc.stages.page_files import PageOptions

        assert self.settings is not None  # noqa: S101
        check_settings(self.settings)
        langs = parse_langs(opts.langs)
        check_languages(langs, self.settings)
        return PageOptions(
            opts.page_format,
            langs,
            tuple(self.settings.getlist("CLEANING_FORMATS")),
            self.settings.getint("CLEANING_MAX_PDF_PAGES"),
            identification=language_options(self.settings),
            **cleaning_options(self.settings),
        )

    def _write(self, names: Iterable[str], options: PageOptions, folder: Path) -> None:
        """Write the pages; those at URLs are fetched before."""
        from ilspfc.spiders.page_spider import fetch_pages
        from ilspfc.workers import WorkerPool

        assert self.settings is not None  # noqa: S101
        names = list(names)
        urls = [name for name in names if name.startswith(_URL_STARTS)]
        fetched = fetch_pages(urls, folder, self.settings) if urls else {}
        pool = WorkerPool(
            min(self.settings.getint("WORKERS"), len(names)),
            self.settings.getfloat("WORKERS_CPU_SECONDS"),
            options.identifier,
        )
        try:
            failed = asyncio.run(_write_pages(names, fetched, options, pool))
        except BrokenPipeError:
            # Who reads has seen enough; nothing is to be flushed into the void at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            failed = True
        finally:
            pool.close()
        self.exitcode = int(failed)


async def _write_pages(
    names: list[str],
    fetched: Mapping[str, PageSource],
    options: PageOptions,
    pool: WorkerPool,
) -> bool:
    """Write the pages; return whether there were names without one."""
    from ilspfc.stages.page_files import render_pages

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
            print(f"ilspfc: {rendered}", file=sys.stderr)
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
    from ilspfc.responses.page_sources import PageSource

    if name in fetched:
        return fetched[name]
    if name.startswith(_URL_STARTS):
        return PageSource(name, failure="not fetched")
    if name == STANDARD_INPUT:
        return PageSource(name, body=sys.stdin.buffer.read())
    return PageSource(name, Path(name))


def iter_listed(name: str) -> Iterator[str]:
    """Yield the lines of a list; ArgumentError if it cannot be read."""
    try:
        if name == STANDARD_INPUT:
            content = sys.stdin.buffer.read()
        else:
            content = Path(name).read_bytes()
    except OSError as error:
        raise ArgumentError(
            f"--files-from={name}: cannot be read ({error.strerror or error}); give a file"
            " with one file or URL a line"
        ) from error
    for line in content.splitlines():
        if line.strip():
            yield os.fsdecode(line)


def parse_langs(value: str) -> tuple[str, ...]:
    """Return the ISO 639-3 codes; ArgumentError for what is no known language."""
    from ilspfc.text.codes import to_iso639_3

    langs = []
    for code in filter(None, map(str.strip, value.split(","))):
        try:
            lang = to_iso639_3(code)
        except ValueError as error:
            raise ArgumentError(
                f"--langs={value}: {error}; give ISO 639-1 or 639-3 codes, such as de,it"
            ) from error
        langs.append(lang)
    return tuple(dict.fromkeys(langs))
