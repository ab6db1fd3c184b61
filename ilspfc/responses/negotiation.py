"""Language negotiation: servers that choose a language by the request (RFC 9110, section 12.5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from scrapy import Request

from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.requests import CANDIDATE, IS_SEED, make_probe
from ilspfc.middlewares.redirect import REDIRECTS
from ilspfc.responses.response_page import header_of
from ilspfc.text.codes import to_bcp47
from ilspfc.web.address import AddressError, resolve
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

_LEAST_QUALITY = 0.1


def ask_for_languages(settings: BaseSettings, langs: Sequence[str]) -> None:
    """Have each request ask for the languages of a crawl (ISO 639-3), unless headers are set.

    Scrapy asks for English.
    """
    if not settings.getpriority("DEFAULT_REQUEST_HEADERS"):
        headers = settings.getdict("DEFAULT_REQUEST_HEADERS")
        headers["Accept-Language"] = accept_languages(langs)
        settings.set("DEFAULT_REQUEST_HEADERS", headers, priority="project")


def accept_languages(langs: Sequence[str]) -> str:
    """Return the header field that asks for languages, the first one most, else for any.

    >>> accept_languages(["deu", "ita"])
    'de, it;q=0.9, *;q=0.1'
    """
    asked = [to_bcp47(langs[0])]
    for number, lang in enumerate(langs[1:], 1):
        quality = max(1 - number / 10, 2 * _LEAST_QUALITY)
        asked.append(f"{to_bcp47(lang)};q={quality:.1f}")
    return ", ".join([*asked, f"*;q={_LEAST_QUALITY}"])


class LanguageRequests(CrawlComponent):
    """Requests for seeds in each further language of the crawl, where a host redirects them.

    The switch of such a site may be a form, so that no link leads to its other languages.
    """

    @cached_property
    def _seeds(self) -> dict[str, list[str]]:
        """Seeds by host; those of a host go when they are asked for."""
        found: dict[str, list[str]] = {}
        for seed in self.job.arguments.seeds:
            found.setdefault(host_of(seed), []).append(seed)
        return found

    def iter_requests(self, response: Response) -> Iterator[Request]:
        """Yield the requests for the seeds of a host that has redirected one to this page."""
        arguments = self.job.arguments
        candidate = response.meta.get(CANDIDATE)
        if arguments.is_offline or candidate is None:
            return
        if candidate.depth or not candidate.referrer:
            return
        for seed in self._seeds.pop(host_of(candidate.referrer), ()):
            for lang in arguments.langs[1:]:
                headers = {"Accept-Language": accept_languages([lang])}
                yield make_probe(seed, self.parse, headers)

    def parse(self, response: Response) -> Iterator[Request]:
        """Yield the page in a language that a seed redirects to, as a seed."""
        location = header_of(response, "Location")
        if response.status in REDIRECTS and location:
            with suppress(AddressError):
                url = resolve(response.url, location)
                self.job.scope.add(url)
                yield Request(url, meta={IS_SEED: True})
