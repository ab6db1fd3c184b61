"""What the pipelines share: the crawl's job, and dropping a page with a reason."""

from __future__ import annotations

from enum import StrEnum
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    ParamSpec,
    Self,
    TypeVar,
    cast,
)

from scrapy.exceptions import DropItem

from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from ilspfc.crawl.job import CrawlJob
    from ilspfc.crawl.page_work import PageWork
    from ilspfc.documents import Page

P = ParamSpec("P")
T = TypeVar("T")


class WorkerReason(StrEnum):
    """Why a page leaves the data's way in a worker, whatever the stage."""

    TIMEOUT = "timeout"
    WORKER_LOST = "worker_lost"


class StagePipeline:
    """Base of the pipelines that pages go through; ``stage`` is the stage's word."""

    stage: ClassVar[str]

    def __init__(self, crawler: Crawler) -> None:
        self.settings = crawler.settings
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline of a crawl."""
        return cls(crawler)

    @property
    def job(self) -> CrawlJob:
        """What the components of the crawl share."""
        return self._crawler.spider.job  # type: ignore[union-attr,no-any-return]

    def drop(self, page: Page, reason: StrEnum) -> DropItem:
        """Return the exception that ends the way of a page, and count the loss."""
        page.drop = f"{self.stage}/{reason}"
        self._crawler.stats.inc_value(f"{self.stage}/dropped/{reason}")
        return DropItem(page.drop)

    def count(self, name: str, number: int = 1) -> None:
        """Count something in the stats of the stage."""
        self._crawler.stats.inc_value(f"{self.stage}/{name}", number)

    def drop_if_ended(self, page: Page, work: PageWork) -> None:
        """Drop a page whose way ends in this stage, as the worker has found."""
        if work.reason is not None and work.stage == self.stage:
            raise self.drop(page, work.reason)

    async def work(
        self,
        page: Page,
        function: Callable[Concatenate[Any, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return what a function returns in a worker; drop a page that it is lost over.

        It is given what the workers have prepared, before the other arguments.

        All calls for one page share the seconds of CPU that a page may take.
        """
        workers = self.job.workers
        left = workers.cpu_seconds - page.cpu_seconds
        try:
            with self.job.disk:
                value, seconds = await workers.measure_prepared(
                    left, function, *args, **kwargs
                )
        except WorkerTimeoutError:
            raise self.drop(page, WorkerReason.TIMEOUT) from None
        except WorkerLostError:
            raise self.drop(page, WorkerReason.WORKER_LOST) from None
        page.cpu_seconds += seconds
        return value


def work_of(page: Page) -> PageWork:
    """Return what the worker made of a page that has a document."""
    return cast("PageWork", page.work)
