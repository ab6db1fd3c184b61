"""Spider that visits sites to find their languages, by the rules of a crawl."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.spidermiddlewares.httperror import HttpError

from ilspfc.bootstrap.site_pages import is_page, read_site_page
from ilspfc.crawl.page_work import cleaning_options
from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError
from ilspfc.frontier.sitemaps.feeds import SitemapKind
from ilspfc.frontier.sitemaps.reader import parse_sitemap
from ilspfc.language.identification import load_identifiers
from ilspfc.middlewares.robots_files import IS_SITE_FILE, SITE_RULES
from ilspfc.responses.failures import describe_failure
from ilspfc.spiders.page_spider import PoliteSpider
from ilspfc.web.address import Addresses
from ilspfc.web.urls import host_of, site_of
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import Settings
    from twisted.python.failure import Failure

    from ilspfc.bootstrap.sites import SiteSurvey

# Answers of a host that wants to be left alone.
_THROTTLING = frozenset({429, 503})
# Largest number of sitemaps read of a site.
_MAX_SITEMAPS = 5


class SiteSpider(PoliteSpider):
    """Visits sites side by side, each a page at a time, and reports each to ``done``."""

    name = "sites"

    def __init__(
        self,
        surveys: Iterable[SiteSurvey],
        langs: tuple[str, ...],
        workers: WorkerPool,
        done: Callable[[SiteSurvey], None],
    ) -> None:
        super().__init__()
        self._surveys = surveys
        self._langs = langs
        self._workers = workers
        self._done = done
        # Sitemaps by site: those found, and of them those still to be read.
        self._sitemaps: dict[str, set[str]] = {}
        self._waiting: dict[str, deque[str]] = defaultdict(deque)

    async def start(self) -> AsyncIterator[Any]:
        """Yield the first request of each site."""
        for survey in self._surveys:
            for request in self._iter_next(survey):
                yield request

    def _iter_next(self, survey: SiteSurvey) -> Iterator[Request]:
        """Yield the request for the next sitemap or page of a site, if there is one."""
        callback, errback = self.parse, self.failed
        meta: dict[str, Any] = {}
        url: str | None
        if waiting := self._waiting[survey.site]:
            url = waiting.popleft()
            callback, errback = self.parse_sitemap, self.sitemap_failed
            meta = {IS_SITE_FILE: True, "handle_httpstatus_all": True}
        elif (url := survey.next_url()) is None:
            self._done(survey)
            return
        yield Request(
            url,
            callback,
            errback=errback,
            dont_filter=True,
            meta={"download_slot": host_of(url), **meta},
            cb_kwargs={"survey": survey, "asked": url},
        )

    async def parse(
        self, response: Response, survey: SiteSurvey, asked: str
    ) -> AsyncIterator[Request]:
        """Add a page to its survey, then request a sitemap or the next page."""
        content_type = response.headers.get("Content-Type") or b""
        try:
            page = await self._workers.run(
                read_site_page,
                response.body,
                url=response.url,
                content_type=content_type.decode("latin-1"),
                langs=self._langs,
                options=cleaning_options(self.settings),
            )
        except (WorkerLostError, WorkerTimeoutError) as error:
            survey.fail(asked, type(error).__name__)
        else:
            survey.add_page(page)
        if survey.site not in self._sitemaps:
            rules = response.meta.get(SITE_RULES)
            read = Addresses(response.url).read
            named = map(read, rules.robots.sitemaps if rules is not None else ())
            self._add_sitemaps(
                survey, list(filter(None, named)) or [read("/sitemap.xml")]
            )
        for request in self._iter_next(survey):
            yield request

    def _add_sitemaps(self, survey: SiteSurvey, urls: Iterable[str]) -> None:
        known = self._sitemaps.setdefault(survey.site, set())
        for url in urls:
            is_new = site_of(url) == survey.site and url not in known
            if is_new and len(known) < _MAX_SITEMAPS:
                known.add(url)
                self._waiting[survey.site].append(url)

    async def parse_sitemap(
        self, response: Response, survey: SiteSurvey, asked: str
    ) -> AsyncIterator[Request]:
        """Count the pages of a sitemap, or queue the sitemaps of an index."""
        del asked
        if response.status == 200:
            # The other half of the time is for the way of the answer between processes.
            seconds = self._workers.cpu_seconds / 2
            read = partial(parse_sitemap, cpu_seconds=seconds)
            with suppress(WorkerLostError, WorkerTimeoutError):
                sitemap = await self._workers.run(read, response.body, response.url)
                urls = [entry.url for entry in sitemap.entries]
                if sitemap.kind is SitemapKind.INDEX:
                    self._add_sitemaps(survey, urls)
                elif sitemap.kind is not SitemapKind.UNKNOWN:
                    urls += [url for e in sitemap.entries for _, url in e.alternates]
                    survey.list_pages(
                        url
                        for url in filter(is_page, urls)
                        if site_of(url) == survey.site
                    )
        for request in self._iter_next(survey):
            yield request

    def sitemap_failed(self, failure: Failure) -> Iterator[Request]:
        """Pass over a sitemap that cannot be fetched."""
        yield from self._iter_next(failure.request.cb_kwargs["survey"])  # type: ignore[attr-defined]

    def failed(self, failure: Failure) -> Iterator[Request]:
        """Record the failure of a page, then request the next one."""
        survey, asked = failure.request.cb_kwargs.values()  # type: ignore[attr-defined]
        reason, cause, _ = describe_failure(failure)
        error = failure.value
        is_final = isinstance(error, HttpError) and error.response.status in _THROTTLING
        survey.fail(asked, cause or reason, is_final=is_final)
        yield from self._iter_next(survey)


def visit_sites(
    surveys: Iterable[SiteSurvey],
    langs: tuple[str, ...],
    settings: Settings,
    done: Callable[[SiteSurvey], None],
) -> None:
    """Visit sites, and call ``done`` with each as it is finished; once in a process."""
    settings = settings.copy()
    # No request is retried: a survey can do without a page.
    settings.set("RETRY_HTTP_CODES", [], priority="cmdline")
    workers = WorkerPool(
        settings.getint("WORKERS"),
        settings.getfloat("WORKERS_CPU_SECONDS"),
        partial(load_identifiers, langs),
    )
    try:
        process = AsyncCrawlerProcess(settings)
        process.crawl(
            SiteSpider, surveys=surveys, langs=langs, workers=workers, done=done
        )
        process.start()
    finally:
        workers.close()
