"""Revisits: comparison of a page with its earlier visit, and records for the next one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from scrapy.spidermiddlewares.httperror import HttpError

from ilspfc import __version__
from ilspfc.cleaning.page import CleaningReason
from ilspfc.corpus import counts
from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.crawl.job import CrawlJob
from ilspfc.crawl.requests import LAST_VISIT, VISIT
from ilspfc.extensions.ledger import PIPELINE_ERROR
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import UrlState, Visit
from ilspfc.middlewares.recrawl import NOT_MODIFIED
from ilspfc.middlewares.robots_files import SITE_RULES, SiteRules
from ilspfc.responses.response_page import header_of
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

# Settings that decide on the text of a page and on its links.
_RULE_PREFIXES = (
    "FETCH_BROWSER",
    "FRONTIER_MAX_",
    "FRONTIER_TRAPS",
    "FRONTIER_PERPLEXITY_",
    "FRONTIER_SCORER",
    "CLEANING_",
    "DECISIONS_TEXT",
    "OPTOUT_",
    "LANGUAGE_",
    "CLASSIFICATION_",
)
# Upper bound of the time between the states of index and frontier that reached the disk.
_LOST_SECONDS = 300.0
_GONE = frozenset({404, 410})


def reopen_frontier(job: CrawlJob, settings: BaseSettings) -> None:
    """Queue the URLs due for another visit, before the scheduler starts.

    Sites that seeds have moved to come into the scope, as in the earlier crawl.
    """
    _requeue_lost(job)
    _requeue_scripted(job, settings)
    seeds = job.arguments.seeds
    for url in job.store.moved_to(seeds):
        job.scope.add(url)
    seconds = settings.getfloat("FRONTIER_REVISIT_AFTER")
    before = time.time() - seconds
    if job.arguments.deltafetch_reset:
        job.store.requeue_older(time.time())
    elif job.arguments.delta:
        asked = set(map(canonicalize, seeds))
        job.store.requeue_without_document(before, job.has_document, asked)
    elif seconds > 0:
        job.store.requeue_older(before)


def _requeue_lost(job: CrawlJob) -> None:
    """Queue pages again that a power cut has taken from the index, or their files.

    The frontier may then know more than the index: it is written later.
    """
    last = counts.last_visit(job.index)

    def is_known(*urls: str) -> bool:
        file = counts.find_page_file(job.index, urls)
        return file is not None and (not file or job.files.has_document(file))

    job.store.requeue_unknown(last - _LOST_SECONDS, is_known)


def _requeue_scripted(job: CrawlJob, settings: BaseSettings) -> None:
    """Queue the pages without a text of their own again, in the first run with a browser."""
    earlier = job.index.last_run().get("settings", {})
    if settings.get("FETCH_BROWSER", "never") == "never" or "FETCH_BROWSER" in earlier:
        return
    fate = f"cleaning/{CleaningReason.NEEDS_JAVASCRIPT}"
    lost = {
        url
        for (url,) in job.index.rows("SELECT url FROM pages WHERE fate = ?", (fate,))
    }
    job.store.requeue_unknown(0.0, lambda *urls: lost.isdisjoint(urls))


class Revisits:
    """Distinguishes changed pages from unchanged ones.

    ``count`` counts an event in the stats.
    """

    def __init__(
        self,
        arguments: CrawlArguments,
        settings: BaseSettings,
        count: Callable[[str], None],
    ) -> None:
        self._rules = _describe_rules(arguments, settings)
        self._count = count

    def rules_for(self, request: Request) -> str:
        """Return a digest of the rules by which a page is read in this run.

        The rules are arguments and settings of the crawl and the opt-out signals of the
        site's files.
        """
        site: SiteRules | None = request.meta.get(SITE_RULES)
        signals = site.signals(request.url) if site is not None else ()
        return _digest(self._rules, repr(signals).encode())

    def arrive(self, request: Request, response: Response, page: FetchedPage) -> bool:
        """Record a response as a visit; return whether it is the same as at the last visit."""
        last: Visit | None = request.meta.get(LAST_VISIT)
        visit = Visit(
            time.time(),
            etag=header_of(response, "ETag"),
            last_modified=header_of(response, "Last-Modified"),
            content=_digest(
                page.body,
                page.link_header.encode(),
                page.robots_header.encode(),
                repr(page.signals).encode(),
            ),
            rules=self.rules_for(request),
        )
        is_same = False
        if last is not None:
            self._count("fetch/revisits")
            if response.status == NOT_MODIFIED:
                # It may come with new validators (RFC 9111, section 4.3.4).
                visit = replace(
                    last,
                    visited_at=visit.visited_at,
                    etag=visit.etag or last.etag,
                    last_modified=visit.last_modified or last.last_modified,
                )
                self._count("fetch/not_modified")
                is_same = True
            elif (visit.content, visit.rules) == (last.content, last.rules):
                self._count("fetch/identical")
                is_same = True
        request.meta[VISIT] = visit
        return is_same

    def leave(self, request: Request, page: FetchedPage) -> None:
        """Remove the validators of a page that was not processed to the end."""
        if page.document is None or page.drop == PIPELINE_ERROR:
            request.meta[VISIT] = Visit(request.meta[VISIT].visited_at)

    def fail(self, request: Request, failure: Failure, state: UrlState) -> UrlState:
        """Return the state of a URL that failed and was a page at an earlier visit."""
        if LAST_VISIT in request.meta:
            self._count("fetch/revisits")
        error = failure.value
        if isinstance(error, HttpError) and error.response.status in _GONE:
            self._count("fetch/gone")
            request.meta[VISIT] = Visit(time.time())
            return UrlState.GONE
        self._count("fetch/revisits_failed")
        return state


def _describe_rules(arguments: CrawlArguments, settings: BaseSettings) -> bytes:
    values = [(n, str(settings[n])) for n in settings if n.startswith(_RULE_PREFIXES)]
    seeds = () if arguments.scope is Scope.ANY else sorted(arguments.seeds)
    texts = [
        (lang, str(file), file.stat().st_mtime_ns)
        for lang, path in sorted(arguments.domain_texts.items())
        for file in (sorted(path.glob("*")) if path.is_dir() else [path])
    ]
    scope = arguments.scope.value, arguments.allow, arguments.deny
    asked = (arguments.langs, arguments.domain, scope, seeds, texts)
    text = repr((__version__, asked, sorted(values)))
    # It goes into the digest of every page, and a domain has thousands of terms.
    return _digest(text.encode("utf-8", "surrogatepass")).encode()


def _digest(*parts: bytes) -> str:
    """Return 32 hex digits of BLAKE2b over parts and their lengths."""
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()
