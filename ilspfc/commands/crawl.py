"""``scrapy crawl``: Scrapy's command with checked arguments, a summary and exit statuses."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.commands import ScrapyHelpFormatter
from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.exceptions import UsageError

from ilspfc.command import InheritedCommand, say, summary_columns
from ilspfc.disk import describe_refusal
from ilspfc.exceptions import DiskError, IlspfcError, name_known
from ilspfc.interrupts import INTERRUPTED, leave_at_once
from ilspfc.setting_table import check_values

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from ilspfc.report.data import ReportData


logger = logging.getLogger(__name__)

_EXAMPLES = """\
Examples
  crawl bilingual -a langs=de,it -a domain=health-safety
  crawl bilingual -a langs=de,it,en -a seeds=https://www.example.org/ -a domain=none
  crawl monolingual -a lang=it -a domain=bees.tsv -a seeds=seeds.txt
  crawl bilingual -a langs=de,it -a warc='old/warc/*.warc.gz' -s CORPUS_DIR=new"""


class _LinesFormatter(ScrapyHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Help whose last part keeps its lines."""


class Command(InheritedCommand, ScrapyCrawlCommand):
    """Checks arguments and settings before a spider starts.

    Exits with 2 for a wrong argument, with 1 when no seed could be reached or the disk takes
    no more, and with 130 when it was interrupted.
    """

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of Scrapy's command; list the arguments of the spiders."""
        super().add_options(parser)
        from ilspfc.crawl.arguments import ARGUMENTS

        lines = [f"  -a {e:<22} {meaning}" for meaning, e in ARGUMENTS.values()]
        parser.formatter_class = _LinesFormatter
        parser.epilog = "\n".join(
            ["Arguments of the spiders", "", *lines, "", _EXAMPLES]
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the options; exit where Scrapy could not even begin to log."""
        super().process_options(args, opts)
        try:
            check_values(self.settings)
        except IlspfcError as error:
            self.fail(error, 2)
            sys.exit(self.exitcode)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider, then show the summary."""
        if len(args) != 1:
            raise UsageError("give one spider: monolingual or bilingual")
        try:
            spider_class = self.crawler_process.spider_loader.load(args[0])
        except KeyError:
            known = sorted(self.crawler_process.spider_loader.list())
            raise UsageError(
                f"{args[0]}: no such spider; {name_known(args[0], known)}",
                print_help=False,
            ) from None
        self.run_spider(spider_class, opts)

    def run_spider(self, spider_class: type[Spider], opts: argparse.Namespace) -> None:
        """Run a spider; for one that fills a corpus, show the summary."""
        from ilspfc.preflight import check_crawl
        from ilspfc.spiders.corpus_spider import CorpusSpider
        from ilspfc.spiders.page_spider import name_operator

        if not issubclass(spider_class, CorpusSpider):
            name_operator(self.settings)
            crawler = self._create_crawler(spider_class)
            self.crawler_process.crawl(crawler, **opts.spargs)
            self.crawler_process.start()
            self.exitcode = int(self.crawler_process.bootstrap_failed)
            return
        try:
            arguments = spider_class.check_arguments(opts.spargs)
            crawler = self._create_crawler(spider_class)
            check_crawl(spider_class.name, arguments, crawler.settings)
        except IlspfcError as error:
            self.fail(error, 1 if isinstance(error, DiskError) else 2)
            return
        task = self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        leave_at_once()
        self._conclude(crawler, _early_end(task))

    def _conclude(self, crawler: Crawler, early: BaseException | None) -> None:
        """Show the summary of the crawl; fail if a stage failed or no page was reached."""
        from ilspfc.extensions.progress import tell_log
        from ilspfc.extensions.stops import INTERRUPTED_STAT
        from ilspfc.report.summary import render_summary
        from ilspfc.spiders.corpus_spider import CorpusSpider

        spider = crawler.spider
        if isinstance(early, IlspfcError):
            self.fail(early, 1)
            return
        if not isinstance(spider, CorpusSpider):
            self.exitcode = 1  # the error is in the log already
            return
        stats = crawler.stats
        if failure := spider.job.disk.refusal or stats.get_value("stage_failed"):
            self.fail(failure, 1)
            return
        if crawler.settings["FRONTIER_STORE"]:
            say(_describe_part(crawler, spider.job.files.root))
            if stats.get_value(INTERRUPTED_STAT):
                self.exitcode = INTERRUPTED
            return
        stage, root = str(stats.get_value("stage", "")), spider.job.files.root
        report = spider.job.report or _report(root, crawler.settings, stage)
        summary = render_summary(report, stopped=stage, columns=summary_columns())
        say(summary)
        tell_log(crawler.settings, render_summary(report, stopped=stage, columns=0))
        if stats.get_value(INTERRUPTED_STAT):
            self.exitcode = INTERRUPTED
        elif failure := describe_unreached(report):
            self.fail(failure, 1)
        elif crawler.stats.get_value("finish_reason") == "start_error":
            self.exitcode = 1

    def fail(self, error: object, exit_code: int) -> None:
        """Show an error as one line, and tell it to the log."""
        from ilspfc.extensions.progress import tell_log

        super().fail(error, exit_code)
        tell_log(self.settings, f"ilspfc: {error}")


def _early_end(task: object) -> BaseException | None:
    """Return the error that kept a crawl from starting; once read, nobody else logs it."""
    if not isinstance(task, asyncio.Task) or not task.done() or task.cancelled():
        return None
    error = task.exception()
    if line := describe_refusal(Path(tempfile.gettempdir()), error):
        return DiskError(line)
    if error is not None and not isinstance(error, IlspfcError):
        logger.error("The crawl could not be started", exc_info=error)
    return error


def _describe_part(crawler: Crawler, root: Path) -> str:
    """Return the summary of one of several crawlers."""
    from ilspfc.extensions.status import count_crawl

    pages, documents, _ = count_crawl(crawler)
    return (
        f"{root}: {pages} pages fetched, {documents} documents\n"
        f"When all crawlers are done: scrapy build {root.parents[1]}"
    )


def _report(root: Path, settings: BaseSettings, stopped: str) -> ReportData:
    """Return the report of a crawl that was stopped in a stage, or has no pairing pipeline.

    In the second case it is written as well.
    """
    from ilspfc.corpus.corpus import open_corpus
    from ilspfc.line.report import collect_report, run_report

    with open_corpus(root, settings) as corpus:
        return collect_report(corpus) if stopped else run_report(corpus)


def describe_unreached(report: ReportData) -> str:
    """Return one line that names the unreached seeds, empty if a page was reached."""
    from ilspfc.report.reason_texts import explain

    if report.pages_fetched:
        return ""
    arguments = report.arguments
    files = arguments.get("warc") or arguments.get("folder")
    if files and not report.seeds:
        return (
            f"no page could be read from {files}; see FETCH_MEDIA_TYPES for the media types"
            " of pages"
        )
    by_cause: dict[str, list[str]] = {}
    for seed in report.unreached_seeds:
        by_cause.setdefault(explain(seed.cause), []).append(seed.url)
    causes = [f"{', '.join(urls)} ({cause})" for cause, urls in by_cause.items()]
    return (
        f"no seed could be reached: {'; '.join(causes)};"
        " check the seeds and the network connection"
    )
