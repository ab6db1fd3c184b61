"""Pairing: at the end of the crawl, the stages that look at the corpus as a whole."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from ilspfc.exceptions import IlspfcError
from ilspfc.stages import CORPUS_STAGES, open_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class PairingPipeline:
    """Runs dedup, pairing, alignment, exports and report when the spider closes.

    They run in a thread with a connection of their own, so that progress and signals go
    on meanwhile.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline of a crawl."""
        return cls(crawler)

    def process_item(self, item: object) -> object:
        """Pass the item on."""
        return item

    async def close_spider(self) -> None:
        """Run the stages over the corpus."""
        root = self._crawler.spider.job.files.root  # type: ignore[union-attr]
        await asyncio.to_thread(self._run_stages, root)

    def _run_stages(self, root: Path) -> None:
        try:
            self._run_each(root)
        except IlspfcError as error:
            self._crawler.stats.set_value("stage_failed", str(error))
        except Exception as error:
            # The crawl's result is safe; the stage can be run again by its command.
            stage = self._crawler.stats.get_value("stage")
            logger.exception("The %s stage failed", stage)
            self._crawler.stats.set_value(
                "stage_failed",
                f"{root}: the {stage} stage failed ({error}); the documents are safe: mend"
                " the cause and run the stage again by its command",
            )

    def _run_each(self, root: Path) -> None:
        stats = self._crawler.stats
        with open_corpus(root, self._crawler.settings) as corpus:
            finished = datetime.now(UTC).isoformat(timespec="seconds")
            corpus.index.finish_run({"finished": finished, "stats": stats.get_stats()})
        with open_corpus(root, self._crawler.settings) as corpus:
            for name, run in CORPUS_STAGES.items():
                stats.set_value("stage", name)
                run(corpus)
        stats.set_value("stage", "")
