"""``scrapy run JOB.toml``: a crawl with everything it needs, from a job file or a manifest."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import warn
from ilspfc.commands.crawl import Command as CrawlCommand
from ilspfc.exceptions import ArgumentError

# Above the settings of the spiders, below those of the command line.
_PRIORITY = 35


class Command(CrawlCommand):
    """Crawls as a job file says; arguments and settings of the command line go before it."""

    arguments = "JOB.toml | MANIFEST.json"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the job file and the options."""
        from ilspfc.crawl.job_file import read_job

        if len(args) != 1:
            raise UsageError("give one job file, as `ilspfc init` writes it")
        try:
            job = read_job(Path(args[0]))
        except ArgumentError as error:
            warn(error)
            sys.exit(2)
        args[0] = job.spider
        opts.spargs = [*(f"{n}={v}" for n, v in job.arguments.items()), *opts.spargs]
        self.settings.setdict(job.settings, priority=_PRIORITY)
        super().process_options(args, opts)
