"""The ledger of pages: writes the fate of each page and resolves its outcome."""

from __future__ import annotations

import asyncio
import math
import re
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from enum import StrEnum
from typing import ClassVar

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from ilspfc.cleaning.page import CleaningReason
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.index_records import add_document, iter_links
from ilspfc.crawl.job import CrawlJob
from ilspfc.documents import Document
from ilspfc.middlewares.archive import settle
from ilspfc.optout.policy import OptOutReason
from ilspfc.report.manifest import collect_versions
from ilspfc.setting_table import is_asked_for
from ilspfc.web.urls import hide_password, host_of


class ExportReason(StrEnum):
    """Reasons for dropping a page at its export, or in a pipeline that gives none itself."""

    ERROR = "error"
    PIPELINE = "pipeline"  # dropped by a pipeline of the user's
    NOT_STORED = "not_stored"  # by the patterns of the user


NOT_STORED = f"export/{ExportReason.NOT_STORED}"
PIPELINE_ERROR = f"export/{ExportReason.ERROR}"
# Fates that the owner of a page asks for: an earlier text leaves the corpus too.
_WITHDRAWN = frozenset(
    {f"cleaning/{CleaningReason.NO_INDEX}", f"optout/{OptOutReason.RESERVED}"}
)
# Names of settings that hold secrets, Scrapy's and those of services: they are not recorded.
SECRET_RE = re.compile(r"(?:^|_)(?:PASS|PASSWORD|SECRET|TOKEN|ACCESS_KEY)(?:_|$)")


class PageLedger(CrawlComponent):
    """Writes the fate of each page, then resolves its outcome.

    The spider waits for the outcome before it follows the page's links. The fate is in
    the index before the frontier can learn that the page is done.
    """

    listens: ClassVar = {
        "spider_opened": signals.spider_opened,
        "item_scraped": signals.item_scraped,
        "item_dropped": signals.item_dropped,
        "item_error": signals.item_error,
        "spider_closed": signals.spider_closed,
    }

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._outcomes: dict[Response, asyncio.Future[FetchedPage]] = {}
        self._exported: set[str] = set()  # URLs of pages under way with a written fate

    def spider_opened(self) -> None:
        """Record arguments, settings and versions of the run."""
        arguments, settings = self.job.arguments, self._crawler.settings
        changed = {
            name: str(value)
            for name, value in settings.copy_to_dict().items()
            if is_asked_for(settings, name) and not SECRET_RE.search(name)
        }
        if store := changed.get("FRONTIER_STORE"):
            changed["FRONTIER_STORE"] = hide_password(store)
        self.job.index.add_run(
            {
                "spider": self._crawler.spider.name,  # type: ignore[union-attr]
                **arguments.describe(),
                **_describe_buckets(self.job),
                "settings": changed,
                "versions": collect_versions(),
                "started": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )

    def expect(self, response: Response) -> asyncio.Future[FetchedPage]:
        """Return the outcome of the page of a response: the page when its way has ended."""
        outcome = asyncio.get_running_loop().create_future()
        self._outcomes[response] = outcome
        return outcome

    def export(
        self, page: FetchedPage, document: Document, work: PageWork, file: str
    ) -> None:
        """Write an exported document and the page's fate in one transaction.

        Without ``file`` its text is unchanged; links to translations may be new.
        """
        job = self.job
        with job.index.transaction():
            if file:
                add_document(job, document, file, work)
            else:
                links = iter_links(job, document)
                job.index.set_links(document.id, links, document.images)
            job.index.add_page(page, host_of(page.url), renew=bool(file))
        self._exported.add(page.url)

    def item_scraped(self, item: object, response: Response) -> None:
        """End the way of a page that passed all pipelines."""
        if isinstance(item, FetchedPage):
            self._end(item, response)

    def item_dropped(self, item: object, response: Response) -> None:
        """End the way of a page that a pipeline dropped, for a reason or without one."""
        if isinstance(item, FetchedPage):
            if not item.drop and item.url not in self._exported:
                self._lose(item, ExportReason.PIPELINE)
            self._end(item, response)

    def item_error(self, item: object, response: Response) -> None:
        """End the way of a page that a pipeline failed on."""
        if isinstance(item, FetchedPage):
            self._lose(item, ExportReason.ERROR)
            self._end(item, response)

    def _lose(self, page: FetchedPage, reason: ExportReason) -> None:
        page.drop = f"export/{reason}"
        self.count(f"export/dropped/{reason}")

    def _end(self, page: FetchedPage, response: Response) -> None:
        self.count("fetch/pages")
        if page.document is not None and page.document.bucket:
            self.count(f"classification/bucket/{page.document.bucket}")
        outcome = self._outcomes.pop(response, None)
        try:
            is_exported = page.url in self._exported
            self._exported.discard(page.url)
            if page.drop or not is_exported:
                renew = is_exported or not self._keeps_earlier(page)
                self.job.index.add_page(page, host_of(page.url), renew=renew)
            settle(self._crawler, response.request, page.work)
        except Exception as error:
            # The spider must neither take the page for done nor wait for it.
            if outcome is not None:
                outcome.set_exception(error)
            raise
        if outcome is not None and not outcome.done():
            outcome.set_result(page)

    def _keeps_earlier(self, page: FetchedPage) -> bool:
        """Test whether an earlier text of a dropped page stays in the corpus.

        It does, unless the owner of the page asks by now that it be not used.
        """
        index = self.job.index
        earlier = index.document(page.id) if page.drop else None
        if earlier is None:
            return False
        if page.drop not in _WITHDRAWN:
            self.count("export/outdated")
            return True
        index.remove_document(page.id)
        self.job.files.remove_document(earlier.file)
        self.count("export/withdrawn")
        return False

    def spider_closed(self) -> None:
        """Close workers, archive and index of the crawl, and release its lock."""
        job = self.job
        with ExitStack() as held:
            held.callback(job.lock.release)
            held.callback(job.index.close)
            job.workers.close()
            if job.archive is not None:
                # A refused write is reported already.
                with suppress(OSError) if job.disk.refusal else job.disk:
                    job.archive.close()


def _describe_buckets(job: CrawlJob) -> dict[str, object]:
    """Return the bounds of perplexity by language; null for a bucket without a bound."""
    if job.buckets is None:
        return {}
    bounds = {
        lang: [one if one < math.inf else None for one in job.buckets.of(lang)]
        for lang in job.arguments.domain_texts
    }
    return {"perplexity_bounds": bounds}


def ledger_of(crawler: Crawler) -> PageLedger:
    """Return the ledger of a crawl."""
    ledger = crawler.get_extension(PageLedger)
    assert ledger is not None, "EXTENSIONS lacks the PageLedger"  # noqa: S101
    return ledger
