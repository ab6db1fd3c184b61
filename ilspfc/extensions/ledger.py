"""The ledger of pages: what became of each, told to its spider and to the index."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from scrapy import signals

from ilspfc.cleaning import CleaningReason
from ilspfc.documents import Page
from ilspfc.optout.policy import OptOutReason
from ilspfc.report import collect_versions
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ilspfc.crawl.job import CrawlJob


class ExportReason(StrEnum):
    """Why a page leaves the data's way in a pipeline that does not say so itself."""

    ERROR = "error"
    PIPELINE = "pipeline"  # of the user's, which dropped it


PIPELINE_ERROR = f"export/{ExportReason.ERROR}"
# The owner's wishes, by the fate of a page: its earlier text leaves the corpus too.
_WITHDRAWN = frozenset(
    {f"cleaning/{CleaningReason.NO_INDEX}", f"optout/{OptOutReason.RESERVED}"}
)


class PageLedger:
    """Ends the way of each page: writes its fate down and resolves its outcome.

    The spider waits for the outcome before it follows the page's links. The fate is in
    the index before the frontier can learn that the page is done.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the ledger, connected to the signals that end a page's way."""
        ledger = cls(crawler)
        connect = crawler.signals.connect
        connect(ledger.spider_opened, signal=signals.spider_opened)
        connect(ledger.item_scraped, signal=signals.item_scraped)
        connect(ledger.item_dropped, signal=signals.item_dropped)
        connect(ledger.item_error, signal=signals.item_error)
        connect(ledger.spider_closed, signal=signals.spider_closed)
        return ledger

    @property
    def _job(self) -> CrawlJob:
        return self._crawler.spider.job  # type: ignore[union-attr,no-any-return]

    def spider_opened(self) -> None:
        """Write down what the run was asked to do."""
        arguments, settings = self._job.arguments, self._crawler.settings
        changed = {
            name: str(settings[name])
            for name in settings
            if (settings.getpriority(name) or 0) > _PROJECT_PRIORITY
        }
        self._job.index.add_run(
            {
                "spider": self._crawler.spider.name,  # type: ignore[union-attr]
                **arguments.describe(),
                "settings": changed,
                "versions": collect_versions(),
                "started": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )

    def item_scraped(self, item: object) -> None:
        """Close the page of an exported document."""
        if isinstance(item, Page):
            self._close(item)

    def item_dropped(self, item: object) -> None:
        """Close a page that a pipeline dropped; the drop says why, if it is ours."""
        if isinstance(item, Page):
            if not item.drop and not item.is_recorded:
                self._lose(item, ExportReason.PIPELINE)
            self._close(item)

    def item_error(self, item: object) -> None:
        """Close a page that a pipeline failed on."""
        if isinstance(item, Page):
            self._lose(item, ExportReason.ERROR)
            self._close(item)

    def _lose(self, page: Page, reason: ExportReason) -> None:
        page.drop = f"export/{reason}"
        self._crawler.stats.inc_value(f"export/dropped/{reason}")

    def _close(self, page: Page) -> None:
        self._crawler.stats.inc_value("fetch/pages")
        try:
            if page.drop or not page.is_recorded:
                renew = page.is_recorded or not self._keeps_earlier(page)
                self._job.index.add_page(page, host_of(page.url), renew=renew)
        except Exception as error:
            # Nobody may take for done what is not written down, nor wait for it.
            if not page.outcome.done():
                page.outcome.set_exception(error)
            raise
        if not page.outcome.done():
            page.outcome.set_result(page)

    def _keeps_earlier(self, page: Page) -> bool:
        """Return whether an earlier text of a dropped page stays in the corpus.

        It does, unless the owner of the page has come to ask that it be not used.
        """
        index = self._job.index
        earlier = index.document(page.id) if page.drop else None
        if earlier is None:
            return False
        if page.drop not in _WITHDRAWN:
            self._crawler.stats.inc_value("export/outdated")
            return True
        index.remove_document(page.id)
        self._job.files.remove_document(earlier.file)
        self._crawler.stats.inc_value("export/withdrawn")
        return False

    def spider_closed(self) -> None:
        """Release what the crawl held."""
        job = self._job
        with ExitStack() as held:
            held.callback(job.lock.release)
            held.callback(job.index.close)
            job.workers.close()
            if job.archive is not None:
                # What was refused is told already.
                with suppress(OSError) if job.disk.refusal else job.disk:
                    job.archive.close()


# Settings of a higher priority were given by the spider or on the command line.
_PROJECT_PRIORITY = 20
