"""``scrapy crawl``: Scrapy's own, with checked arguments and an honest exit status."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.exceptions import UsageError

from ilspfc.exceptions import IlspfcError

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from scrapy.crawler import Crawler

    from ilspfc.stages import Corpus


class Command(ScrapyCrawlCommand):
    """Checks everything that can be checked before a spider starts.

    Exits with 2 for a wrong argument and with 1 when no seed could be reached.
    """

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider, then show what came of it."""
        if len(args) != 1:
            raise UsageError("give one spider: monolingual or bilingual")
        from ilspfc.preflight import check_crawl
        from ilspfc.spiders.base import CorpusSpider

        assert self.crawler_process is not None  # noqa: S101
        try:
            spider_class = self.crawler_process.spider_loader.load(args[0])
        except KeyError:
            known = ", ".join(sorted(self.crawler_process.spider_loader.list()))
            raise UsageError(
                f"{args[0]}: no such spider; known are {known}", print_help=False
            ) from None
        if not issubclass(spider_class, CorpusSpider):
            super().run(args, opts)
            return
        try:
            arguments = spider_class.check_arguments(opts.spargs)
            crawler = self._create_crawler(args[0])
            check_crawl(spider_class.name, arguments, crawler.settings)
        except IlspfcError as error:
            self._fail(error, 2)
            return
        self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        self._conclude(crawler)

    def _conclude(self, crawler: Crawler) -> None:
        from ilspfc.report import render_summary
        from ilspfc.spiders.base import CorpusSpider
        from ilspfc.stages import open_corpus
        from ilspfc.stages.report import collect_report

        spider = crawler.spider
        if not isinstance(spider, CorpusSpider):
            self.exitcode = 1  # the error is in the log already
            return
        root: Path = spider.job.files.root
        if failure := crawler.stats.get_value("stage_failed"):
            self._fail(failure, 1)
            return
        with open_corpus(root, crawler.settings) as corpus:
            print(render_summary(collect_report(corpus)))
            failure = _describe_unreached(corpus)
        if failure:
            self._fail(failure, 1)
        elif crawler.stats.get_value("finish_reason") == "start_error":
            self.exitcode = 1

    def _fail(self, error: Any, exit_code: int) -> None:
        print(f"ilspfc: {error}", file=sys.stderr)
        self.exitcode = exit_code


def _describe_unreached(corpus: Corpus) -> str:
    """Return one line that names the seeds, if not a single page was reached."""
    from ilspfc.corpus import figures

    if figures.count_pages(corpus.index):
        return ""
    if (files := corpus.run.get("warc")) and not corpus.run.get("seeds"):
        return (
            f"no page could be read from {', '.join(files)}; see FETCH_MEDIA_TYPES for what"
            " counts as a page"
        )
    by_cause: dict[str, list[str]] = {}
    for url, (reason, cause) in figures.failed_seeds(corpus.index).items():
        by_cause.setdefault(cause or reason, []).append(url)
    causes = [f"{', '.join(urls)} ({cause})" for cause, urls in by_cause.items()]
    return (
        f"no seed could be reached: {'; '.join(causes) or 'no answer at all'};"
        " check the seeds and the network connection"
    )
