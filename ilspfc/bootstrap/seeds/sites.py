"""Which languages a site has, how that shows, and about how many pages there are.

The paper names sites with content in several languages, found from seeds (000, table 2).
What is seen of a site is put together here; what is visited next is decided here too, page
by page, so that it depends on nothing but what the site answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

# Links that are tried for a language that the site has not shown yet.
MAX_TRIES = 3


class SiteReason(StrEnum):
    """Why a site is not proposed."""

    UNREACHED = "site_unreached"
    OTHER_LANGUAGE = "site_other_language"
    TOO_FEW_LANGUAGES = "site_too_few_languages"


class Announced(NamedTuple):
    """A link that announces a language: by hreflang, its words, or its URL."""

    lang: str
    url: str
    how: str


class SitePage(NamedTuple):
    """What a visited page shows; ``links`` are those to pages of its site."""

    url: str
    lang: str
    announced: tuple[Announced, ...] = ()
    links: tuple[str, ...] = ()


class SiteSummary(NamedTuple):
    """What is known of a site at the end; ``pages`` is an estimate, 0 if there is none."""

    site: str
    langs: tuple[str, ...]
    pages: int
    basis: str
    evidence: str
    starts: tuple[str, ...]
    reason: SiteReason | None


@dataclass(slots=True)
class SiteSurvey:
    """One site while it is visited, a page at a time.

    ``seeds`` are visited first, then ``home``, then pages that are announced to be in a
    wanted language that was not seen yet, then a sample of its links. ``max_pages`` bounds
    them all.
    """

    site: str
    home: str
    langs: Sequence[str]
    seeds: Sequence[str]
    max_pages: int
    samples: int
    pages: list[SitePage] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    listed: dict[str, None] = field(default_factory=dict)
    is_closed: bool = False
    _asked: set[str] = field(default_factory=set)

    def next_url(self) -> str | None:
        """Return what is to be visited next, None if the site is done."""
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

    def arrive(self, page: SitePage) -> None:
        """Take what a page shows."""
        self._asked.add(page.url)
        self.pages.append(page)

    def fail(self, url: str, cause: str, *, is_final: bool = False) -> None:
        """Take why a page could not be visited; ``is_final``: the host wants no more."""
        self.failures[url] = cause
        self.is_closed |= is_final

    def list_pages(self, urls: Iterable[str]) -> None:
        """Take the pages that a sitemap names."""
        self.listed.update(dict.fromkeys(urls))

    # -- what comes of it ----------------------------------------------------------------

    def summarize(self, min_langs: int, to_tag: Callable[[str], str]) -> SiteSummary:
        """Return what is known; fewer than ``min_langs`` languages are too few.

        ``to_tag`` gives the code of a language as users write it.
        """
        langs = tuple(lang for lang in self.langs if self._first_page(lang))
        reason = None
        if not self.pages:
            reason = SiteReason.UNREACHED
        elif not langs:
            reason = SiteReason.OTHER_LANGUAGE
        elif len(langs) < min_langs:
            reason = SiteReason.TOO_FEW_LANGUAGES
        pages, basis = self._estimate()
        evidence = "; ".join(self._iter_evidence(to_tag)) or self._cause()
        starts = dict.fromkeys(filter(None, (self._start_in(lang) for lang in langs)))
        return SiteSummary(
            self.site, langs, pages, basis, evidence, tuple(starts), reason
        )

    def _first_page(self, lang: str) -> SitePage | None:
        return next((page for page in self.pages if page.lang == lang), None)

    def _start_in(self, lang: str) -> str:
        page = self._first_page(lang)
        return page.url if page is not None else ""

    def _cause(self) -> str:
        return next(iter(self.failures.values()), "")

    def _iter_evidence(self, to_tag: Callable[[str], str]) -> Iterator[str]:
        """Yield for each language the page that is in it, and what announces it."""
        for lang in self.langs:
            page = self._first_page(lang)
            announced = {
                a.how: None for p in self.pages for a in p.announced if a.lang == lang
            }
            if page is not None:
                how = f" ({', '.join(announced)})" if announced else ""
                yield f"{to_tag(lang)}: {page.url}{how}"
            elif announced:
                yield f"{to_tag(lang)}: announced by {', '.join(announced)}, not found"

    def _estimate(self) -> tuple[int, str]:
        """Return about how many pages there are, and by what.

        A sitemap counts. Without one the links that the visited pages show are a sample
        with repetitions, from which Chao's estimator for incidences gives a lower bound of
        all there are (Chao, "Estimating the population size for capture-recapture data
        with unequal catchability", 1987): by those that one page alone has, and those that
        two have.
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
    """Return what a sample is drawn by: the same from every machine and order."""
    return blake2b(url.encode("utf-8", "replace"), digest_size=8).digest()
