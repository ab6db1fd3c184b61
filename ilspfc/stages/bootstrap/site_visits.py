"""Visiting sites to see which languages they have, by the rules of a crawl."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.spidermiddlewares.httperror import HttpError

from ilspfc.crawl.page_rules import cleaning_options
from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError
from ilspfc.frontier.scope import IGNORED_SUFFIXES
from ilspfc.frontier.sitemaps.feeds import SitemapKind
from ilspfc.frontier.sitemaps.reader import Sitemap, parse_sitemap
from ilspfc.language.identification import load_identifiers
from ilspfc.middlewares.robots_files import IS_SITE_FILE, SITE_RULES
from ilspfc.responses.failures import describe_failure
from ilspfc.responses.fetching import STANDALONE_SETTINGS, name_operator
from ilspfc.stages.bootstrap.site_pages import read_site_page
from ilspfc.web.address import Addresses
from ilspfc.web.urls import canonicalize, host_of, site_of
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

    from scrapy.http import Response
    from scrapy.settings import BaseSettings, Settings
    from twisted.python.failure import Failure

    from ilspfc.bootstrap.seeds.sites import SiteSurvey

# A host that answers so wants to be left alone.
_THROTTLING = frozenset({429, 503})
# Sitemaps that are read of a site.
_MAX_SITEMAPS = 5
# No status is tried again: a survey can do without a page.
_SETTINGS = {**STANDALONE_SETTINGS, "RETRY_HTTP_CODES": []}


class SiteSpider(Spider):
    """Visits sites side by side, each a page at a time; ``done`` gets each that is."""

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
        # The sitemaps of each site: those asked for, and how many are on their way.
        self._sitemaps: dict[str, set[str]] = {}
        self._waiting: Counter[str] = Counter()

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Name the operator in the user agent."""
        super().update_settings(settings)
        name_operator(settings)

    async def start(self) -> AsyncIterator[Any]:
        """Yield the first request of each site."""
        for survey in self._surveys:
            for request in self._next(survey):
                yield request

    def _next(self, survey: SiteSurvey) -> Iterator[Request]:
        """Yield the request for the next page of a site, if there is one."""
        url = survey.next_url()
        if url is None:
            self._done(survey)
            return
        yield self._request(url, survey, self.parse)

    def _request(self, url: str, survey: SiteSurvey, callback: Any) -> Request:
        return Request(
            url,
            callback,
            errback=self.failed,
            dont_filter=True,
            meta={"download_slot": host_of(url)},
            cb_kwargs={"survey": survey, "asked": url},
        )

    async def parse(
        self, response: Response, survey: SiteSurvey, asked: str
    ) -> AsyncIterator[Request]:
        """Take what a page shows, then ask for its sitemap or the next page."""
        content_type = response.headers.get("Content-Type") or b""
        try:
            page = await self._workers.run(
                read_site_page,
                response.body,
                url=response.url,
                content_type=content_type.decode("latin-1"),
                langs=self._langs,
                ignored_suffixes=IGNORED_SUFFIXES,
                options=cleaning_options(self.settings),
            )
        except (WorkerLostError, WorkerTimeoutError) as error:
            survey.fail(asked, type(error).__name__)
        else:
            survey.arrive(page)
        for request in self._iter_sitemaps(response, survey):
            yield request
        # With a sitemap no sample of links is needed.
        if not self._waiting[survey.site]:
            for request in self._next(survey):
                yield request

    def _iter_sitemaps(
        self, response: Response, survey: SiteSurvey
    ) -> Iterator[Request]:
        """Yield requests for the sitemaps of a site, once."""
        if survey.site in self._sitemaps:
            return
        self._sitemaps[survey.site] = set()
        rules = response.meta.get(SITE_RULES)
        named = rules.robots.sitemaps if rules is not None else ()
        read = Addresses(response.url).read
        for url in [url for url in map(read, named) if url] or [read("/sitemap.xml")]:
            yield from self._ask_sitemap(url, survey)

    def _ask_sitemap(self, url: str, survey: SiteSurvey) -> Iterator[Request]:
        asked = self._sitemaps[survey.site]
        if site_of(url) != survey.site or url in asked or len(asked) >= _MAX_SITEMAPS:
            return
        asked.add(url)
        request = self._request(url, survey, self.parse_sitemap)
        meta = {IS_SITE_FILE: True, "handle_httpstatus_all": True}
        self._waiting[survey.site] += 1
        yield request.replace(
            errback=self.sitemap_failed, meta={**request.meta, **meta}
        )

    async def parse_sitemap(
        self, response: Response, survey: SiteSurvey, asked: str
    ) -> AsyncIterator[Request]:
        """Count the pages of a sitemap, or ask for those of an index."""
        del asked
        if response.status == 200:
            try:
                # The other half of its time is for the answer's way back.
                seconds = self._workers.cpu_seconds / 2
                read = partial(parse_sitemap, cpu_seconds=seconds)
                sitemap = await self._workers.run(read, response.body, response.url)
            except (WorkerLostError, WorkerTimeoutError):
                sitemap = Sitemap(SitemapKind.UNKNOWN)
            for request in self._read_sitemap(sitemap, survey):
                yield request
        for request in self._go_on(survey):
            yield request

    def _read_sitemap(self, sitemap: Sitemap, survey: SiteSurvey) -> Iterator[Request]:
        urls = [entry.url for entry in sitemap.entries]
        if sitemap.kind is SitemapKind.INDEX:
            for url in urls:
                yield from self._ask_sitemap(url, survey)
        elif sitemap.kind is not SitemapKind.UNKNOWN:
            urls += [url for e in sitemap.entries for _, url in e.alternates]
            survey.list_pages(url for url in urls if site_of(url) == survey.site)

    def sitemap_failed(self, failure: Failure) -> Iterator[Request]:
        """Pass over a sitemap that cannot be fetched."""
        yield from self._go_on(failure.request.cb_kwargs["survey"])  # type: ignore[attr-defined]

    def _go_on(self, survey: SiteSurvey) -> Iterator[Request]:
        """Yield the request for the next page when the last sitemap is through."""
        self._waiting[survey.site] -= 1
        if not self._waiting[survey.site]:
            yield from self._next(survey)

    def failed(self, failure: Failure) -> Iterator[Request]:
        """Take why there is no page, then ask for the next one."""
        survey, asked = failure.request.cb_kwargs.values()  # type: ignore[attr-defined]
        reason, cause, _ = describe_failure(failure)
        error = failure.value
        is_final = isinstance(error, HttpError) and error.response.status in _THROTTLING
        survey.fail(asked, cause or reason, is_final=is_final)
        yield from self._next(survey)


def visit_sites(
    surveys: Sequence[SiteSurvey],
    langs: tuple[str, ...],
    settings: Settings,
    done: Callable[[SiteSurvey], None],
) -> None:
    """Visit sites; ``done`` is called with each as soon as it is. Once in a process."""
    settings = settings.copy()
    settings.setdict(_SETTINGS, priority="cmdline")
    workers = WorkerPool(
        settings.getint("WORKERS"),
        settings.getfloat("WORKERS_TIMEOUT"),
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


def group_seeds(
    urls: Iterable[str], langs: tuple[str, ...], make: Callable[..., SiteSurvey]
) -> list[SiteSurvey]:
    """Return a survey for each site that has a seed, in the order of the first ones."""
    by_site: dict[str, list[str]] = {}
    for url in urls:
        by_site.setdefault(site_of(url), []).append(canonicalize(url))
    surveys = []
    for site, seeds in by_site.items():
        home = canonicalize(urljoin(seeds[0], "/"))
        unique = list(dict.fromkeys(seeds))
        surveys.append(make(site=site, home=home, langs=langs, seeds=unique))
    return surveys
