"""Post-crawl pairing: start of the corpus line when the spider closes."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from scrapy.crawler import Crawler

from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.counts import count_pages
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.job import CrawlJob
from ilspfc.crawl.job_file import apply_recipe
from ilspfc.disk import describe_refusal
from ilspfc.exceptions import IlspfcError
from ilspfc.extensions.progress import STAGE_SHARE, Progress
from ilspfc.extensions.stops import INTERRUPTED_STAT
from ilspfc.interrupts import Interrupts, interrupt_thread, tell
from ilspfc.workers import LocalTasks

logger = logging.getLogger(__name__)


class PairingPipeline(CrawlComponent):
    """Runs dedup, pairing, alignment, exports and report when the spider closes.

    The stages run in a thread with a connection of its own, so that progress and signals are
    handled meanwhile. A signal interrupts the running stage, and no further one is started.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._begun = 0.0  # time at which the running stage began
        self._thread = 0  # id of the thread of the stages, 0 while none runs

    def process_item(self, item: object) -> object:
        """Pass the item on."""
        return item

    async def close_spider(self) -> None:
        """Run the stages over the corpus, unless the disk takes no more."""
        job = self.job
        job.workers.close()  # all pages are done, and each worker holds 200 MB
        if job.disk.refusal:
            return
        if self._crawler.settings["FRONTIER_STORE"]:
            # A part of a corpus: `scrapy build` joins the parts and runs the stages.
            await asyncio.to_thread(self._finish_run, job)
            return
        # Loaded when they are run: a crawl begins a fifth of a second earlier.
        from ilspfc.line.stages import STAGES  # noqa: PLC0415

        self._crawler.stats.set_value("stage", STAGES[0].name)
        if progress := self._crawler.get_extension(Progress):
            progress.show()  # else the crawl would last until its next line
        with Interrupts(self._interrupt, job.lock.release) as interrupts:
            await asyncio.to_thread(self._run_stages, job, interrupts)

    def _interrupt(self, *_: object) -> None:
        stage = self._crawler.stats.get_value("stage") or "the crawl"
        tell(f"ilspfc: stopping {stage}; interrupt again to leave at once")
        if self._thread:
            interrupt_thread(self._thread)

    def _run_stages(self, job: CrawlJob, interrupts: Interrupts) -> None:
        try:
            try:
                self._thread = threading.get_ident()
                if not interrupts.is_interrupted:
                    self._run_guarded(job)
            finally:
                self._thread = 0
        except KeyboardInterrupt:
            pass
        if interrupts.is_interrupted:
            self._crawler.stats.set_value(INTERRUPTED_STAT, value=True)

    def _run_guarded(self, job: CrawlJob) -> None:
        root = job.files.root
        try:
            self._run_each(job, root)
        except IlspfcError as error:
            self._crawler.stats.set_value("stage_failed", str(error))
        except Exception as error:
            if refusal := describe_refusal(root, error):
                self._crawler.stats.set_value("stage_failed", refusal)
                return
            # The crawl's result is safe; the stage can be run again by its command.
            stage = self._crawler.stats.get_value("stage")
            logger.exception("The %s stage failed", stage)
            self._crawler.stats.set_value(
                "stage_failed",
                f"{root}: the {stage} stage failed ({error}); the documents are safe: mend"
                " the cause and run the stage again by its command",
            )

    def _share(self, done: int, total: int) -> None:
        """Tell the progress of the running stage."""
        self._crawler.stats.set_value(STAGE_SHARE, (done, total, self._begun))

    def _finish_run(self, job: CrawlJob) -> None:
        with open_corpus(job.files.root, self._crawler.settings) as corpus:
            finished = datetime.now(UTC).isoformat(timespec="seconds")
            stats = self._crawler.stats.get_stats()
            corpus.index.finish_run({"finished": finished, "stats": stats})

    def _run_each(self, job: CrawlJob, root: Path) -> None:
        from ilspfc.line import find_stages, run_one  # noqa: PLC0415
        from ilspfc.line.report import run_report  # noqa: PLC0415

        stats = self._crawler.stats
        self._finish_run(job)
        settings = self._crawler.settings.copy()
        settings.frozen = False
        apply_recipe(settings, job.files)
        with (
            open_corpus(root, settings) as opened,
            LocalTasks(settings.getint("WORKERS")) as run,
        ):
            corpus = replace(opened, progress=self._share, run_tasks=run)
            # Without a page there is nothing to pair, and no file shall look like a result.
            stages = find_stages(corpus) if count_pages(corpus.index) else []
            for stage in stages:
                stats.set_value("stage", stage.name)
                stats.set_value(STAGE_SHARE, None)
                self._begun = time.monotonic()
                run_one(stage, corpus)
            stats.set_value(STAGE_SHARE, None)
            stats.set_value("stage", "report")
            job.report = run_report(corpus)
        stats.set_value("stage", "")
