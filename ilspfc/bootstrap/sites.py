"""Survey of a site: its languages with the evidence, and an estimate of its pages.

The paper names sites with content in several languages, found from seeds (000, table 2).
The next page to visit is chosen page by page, from the answers of the site alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from ilspfc.text.codes import to_bcp47

# Links that are tried for a language without a page so far.
MAX_TRIES = 3
# Pages of a site that are visited, and pages whose links are counted without a sitemap.
MAX_PAGES = 12
MAX_SAMPLES = 6


class SiteReason(StrEnum):
    """Reasons for which a site is not proposed."""

    UNREACHED = "site_unreached"
    OTHER_LANGUAGE = "site_other_language"
    TOO_FEW_LANGUAGES = "site_too_few_languages"


class Announced(NamedTuple):
    """Link that announces a language, by hreflang, link text or URL (``evidence``)."""

    lang: str
    url: str
    evidence: str


class SitePage(NamedTuple):
    """Visited page with its language; ``links`` are those to pages of its site."""

    url: str
    lang: str
    announced: tuple[Announced, ...] = ()
    links: tuple[str, ...] = ()


class SiteSummary(NamedTuple):
    """Result of a survey; ``pages`` is an estimate, 0 if there is none."""

    site: str
    langs: tuple[str, ...]
    pages: int
    basis: str
    evidence: str
    starts: tuple[str, ...]
    reason: str | None


@dataclass(slots=True)
class SiteSurvey:
    """One site while it is visited, a page at a time.

    ``seeds`` are visited first, then ``home``, then pages announced in a wanted language
    that has no page yet, then a sample of links.
    """

    site: str
    home: str
    langs: Sequence[str]
    seeds: Sequence[str]
    max_pages: int = MAX_PAGES
    samples: int = MAX_SAMPLES
    pages: list[SitePage] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    listed: dict[str, None] = field(default_factory=dict)
    is_closed: bool = False
    _asked: set[str] = field(default_factory=set)

    def next_url(self) -> str | None:
        """Return the URL to visit next, None if the site is done."""
        if self.is_closed or len(self._asked) >= self.max_pages:
            return None
        url = next((u for u in self._iter_wanted() if u not in self._asked), None)
        if url is not None:
            self._asked.add(url)
        return url

    def _iter_wanted(self) -> Iterator[str]:
        yield from (*self.seeds, self.home)
        seen = {page.lang for page in self.pages}
        for lang in self.langs:
            if lang in seen:
                continue
            links = [a.url for p in self.pages for a in p.announced if a.lang == lang]
            yield from list(dict.fromkeys(links))[:MAX_TRIES]
        if not self.listed and len(self.pages) < self.samples:
            known = {link for page in self.pages for link in page.links}
            yield from sorted(known, key=_digest)

    def add_page(self, page: SitePage) -> None:
        """Add a visited page."""
        self._asked.add(page.url)
        self.pages.append(page)

    def fail(self, url: str, cause: str, *, is_final: bool = False) -> None:
        """Add the failure of a page; ``is_final``: the host wants to be left alone."""
        self.failures[url] = cause
        self.is_closed |= is_final

    def list_pages(self, urls: Iterable[str]) -> None:
        """Add the pages of a sitemap."""
        self.listed.update(dict.fromkeys(urls))

    def summarize(self, min_langs: int) -> SiteSummary:
        """Return the result; fewer than ``min_langs`` languages are too few."""
        starts: dict[str, str] = {}
        for page in self.pages:
            starts.setdefault(page.lang, page.url)
        langs = tuple(lang for lang in self.langs if lang in starts)
        reason = None
        if not self.pages:
            reason = SiteReason.UNREACHED
        elif not langs:
            reason = SiteReason.OTHER_LANGUAGE
        elif len(langs) < min_langs:
            reason = SiteReason.TOO_FEW_LANGUAGES
        evidence = "; ".join(self._iter_evidence(starts))
        first_failure = next(iter(self.failures.values()), "")
        urls = dict.fromkeys(starts[lang] for lang in langs)
        pages, basis = self._estimate()
        return SiteSummary(
            self.site, langs, pages, basis, evidence or first_failure, (*urls,), reason
        )

    def _iter_evidence(self, starts: Mapping[str, str]) -> Iterator[str]:
        """Yield for each language the first page in it, and the links that announce it."""
        for lang in self.langs:
            links = [
                link for p in self.pages for link in p.announced if link.lang == lang
            ]
            kinds = ", ".join(dict.fromkeys(link.evidence for link in links))
            if lang in starts:
                yield f"{to_bcp47(lang)}: {starts[lang]}" + (
                    f" ({kinds})" if kinds else ""
                )
            elif kinds:
                yield f"{to_bcp47(lang)}: announced by {kinds}, not found"

    def _estimate(self) -> tuple[int, str]:
        """Return an estimate of the number of pages, and its basis.

        Without a sitemap the links of the visited pages are a sample with repetitions, from
        which Chao's estimator for incidences gives a lower bound (Chao, "Estimating the
        population size for capture-recapture data with unequal catchability", 1987), by the
        numbers of links that occur on one page and on two.
        """
        if self.listed:
            return len(self.listed), "sitemap"
        times: dict[str, int] = {}
        for page in self.pages:
            for link in {page.url, *page.links}:
                times[link] = times.get(link, 0) + 1
        once = sum(number == 1 for number in times.values())
        twice = sum(number == 2 for number in times.values())
        samples = len(self.pages)
        if not samples:
            return 0, ""
        unseen = (samples - 1) / samples * once * (once - 1) / (2 * (twice + 1))
        return round(len(times) + unseen), f"links of {samples} pages"


def _digest(url: str) -> bytes:
    """Return the key by which a sample is drawn, the same for every order of links."""
    return blake2b(url.encode("utf-8", "replace"), digest_size=8).digest()
