"""Articles of a subject in wikis that refer to each other, as Wikipedia's do.

The method is the paper's (000, section 4): the category of the subject, its subcategories
to a depth, their articles; the titles of these and of the articles in other languages that
they are linked to; the external links of all of them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urljoin, urlsplit

from ilspfc.bootstrap.api_client import ApiClient, RetryError
from ilspfc.bootstrap.concepts import (
    BootstrapLog,
    Concept,
    SourceReason,
    Subject,
    TitleReason,
    offer_names,
)
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import find_iso639_3

# Page as the API describes it; its depth and its category in the tree of categories.
Page = Mapping[str, Any]
Place = tuple[int, str]


# "Requests should be made with maxlag=5" (Manual:Maxlag parameter).
MAXLAG_SECONDS = 5
# Titles that one request may name (API:Query).
MAX_TITLES = 50
# Errors that pass: the database lags, or this client sends too many requests.
_PASSING_ERRORS = frozenset({"maxlag", "ratelimited", "readonly"})
_ARTICLES = "0"
_CATEGORIES = "14"
_PROPERTIES = {
    "prop": "extlinks|redirects|pageprops",
    "ppprop": "disambiguation",
    "ellimit": "max",
    "elexpandurl": "1",
    "rdlimit": "max",
    "rdnamespace": _ARTICLES,
}
_FIRST_PROPERTIES = {
    **_PROPERTIES,
    "prop": "info|langlinks|extlinks|redirects|links|pageprops",
    "lllimit": "max",
    "pllimit": "max",
    "plnamespace": _ARTICLES,
}
# Length of the beginning of a name by which similar names are searched.
_PREFIX_CHARS = 3


def iter_mediawiki(
    client: ApiClient, url: str, subject: Subject, log: BootstrapLog
) -> Iterator[Concept]:
    """Yield a concept for each article in the category named after the subject.

    ``url`` is that of ``api.php``; the wikis of other languages, which language links lead
    to, have the same path. They complete concepts after these were yielded: a concept is
    complete when the iterator has ended.
    """
    first = _Wiki(client, url)
    info = first.query(meta="siteinfo", siprop="general|interwikimap")
    if not info.get("general"):
        raise _describe_foreign(url)
    own = find_iso639_3(info["general"]["lang"]) or "und"
    others: dict[str, _Wiki] = {}
    for entry in info.get("interwikimap", ()):
        lang = find_iso639_3(entry["prefix"]) if "language" in entry else ""
        if lang in subject.langs and lang != own:
            api = entry.get("api") or urljoin(entry["url"], urlsplit(url).path)
            others.setdefault(lang, _Wiki(client, api))
    places = first.find_articles(subject, log)
    log.count("pages", len(places))
    concepts: dict[str, Concept] = {}
    links: Counter[str] = Counter()
    aliases: dict[str, str] = {}
    for title, page in first.iter_pages(list(places), _FIRST_PROPERTIES):
        if page.get("redirect"):
            log.drop(TitleReason.REDIRECT, title, own)
            continue
        concept = _make_concept(title, page, own, subject.langs, log)
        concept.depth, concept.subdomain = places[title]
        concepts[title] = concept
        links.update(link["title"] for link in page.get("links", ()))
        aliases |= dict.fromkeys(_redirects(page), title)
        yield concept
    for target, number in links.items():
        if linked := concepts.get(aliases.get(target, target)):
            linked.links = (linked.links or 0) + number
    for lang, wiki in others.items():
        _complete(concepts.values(), lang, wiki, log)


def _make_concept(
    title: str, page: Page, own: str, langs: Sequence[str], log: BootstrapLog
) -> Concept:
    """Return the concept of an article, named by it and by its language links."""
    concept = Concept(title, links=0, urls={own: _urls(page)}, is_title=True)
    concept.is_disambiguation = "disambiguation" in page.get("pageprops", {})
    if own in langs:
        concept.names[own] = title
        concept.variants[own] = _redirects(page)
    for link in page.get("langlinks", ()):
        lang, name = find_iso639_3(link["lang"]), link["title"]
        if lang not in langs or lang in concept.names:
            continue
        if "#" in name:
            log.drop(TitleReason.SECTION, name, lang)
        elif name:
            concept.names[lang] = name
    return concept


def _redirects(page: Page) -> list[str]:
    """Return the titles of the redirects to an article."""
    return [redirect["title"] for redirect in page.get("redirects", ())]


def _urls(page: Page) -> list[str]:
    """Return the external links of an article, with the scheme that some lack."""
    urls = (str(link["url"]) for link in page.get("extlinks", ()))
    return [f"https:{url}" if url.startswith("//") else url for url in urls]


def _complete(
    concepts: Iterable[Concept], lang: str, wiki: _Wiki, log: BootstrapLog
) -> None:
    """Add redirects and external links of the articles in another language."""
    by_title = {c.names[lang]: c for c in concepts if lang in c.names}
    try:
        for title, page in wiki.iter_pages(list(by_title), _PROPERTIES):
            by_title[title].variants[lang] = _redirects(page)
            by_title[title].urls[lang] = _urls(page)
    except BootstrapError as error:
        log.drop(SourceReason.WIKI_UNREACHED, wiki.url, lang)
        log.notice(f"variants and links in {lang} are missing: {error}")


class _Wiki:
    """Wiki behind MediaWiki's action API."""

    def __init__(self, client: ApiClient, url: str) -> None:
        self._client, self.url = client, url

    def query(self, **params: str) -> dict[str, Any]:
        """Return the first part of the answer to a query."""
        return next(self._iter_batches(**params))

    def _iter_batches(self, **params: str) -> Iterator[dict[str, Any]]:
        """Yield all parts of the answer to ``action=query``."""
        always = {"action": "query", "format": "json", "formatversion": "2"}
        going_on: dict[str, str] = {}
        while True:
            data = self._client.json(
                self.url,
                {**always, **params, **going_on},
                check=_check_busy,
                unkeyed={"maxlag": str(MAXLAG_SECONDS)},
            )
            if not isinstance(data, dict):
                raise _describe_foreign(self.url)
            if error := data.get("error"):
                text = f"{self.url}: {error.get('code')}: {error.get('info')}"
                raise BootstrapError(text)
            yield data.get("query") or {}
            if not data.get("continue"):
                return
            going_on = {name: str(value) for name, value in data["continue"].items()}

    def find_articles(self, subject: Subject, log: BootstrapLog) -> dict[str, Place]:
        """Return the articles in the category of a subject and below, nearest first."""
        root = self._find_category(subject.name)
        places: dict[str, Place] = {}
        depths, waiting = {root: 0}, deque([root])
        while waiting:
            category = waiting.popleft()
            depth, missing = depths[category], subject.max_concepts - len(places)
            for member in self._iter_members(category, missing, subject, log):
                title = member["title"]
                if member["type"] == "page":
                    if member["ns"] == 0:
                        places.setdefault(title, (depth, category.partition(":")[2]))
                elif title in depths:
                    if depths[title] <= depth:
                        log.drop(SourceReason.CATEGORY_LOOP)
                elif depth < subject.depth:
                    depths[title] = depth + 1
                    waiting.append(title)
        log.count("categories", len(depths))
        return dict(islice(places.items(), subject.max_concepts))

    def _find_category(self, subject: str) -> str:
        """Return the title of the subject's category; BootstrapError offers others."""
        title = f"Category:{subject}"
        for page in self.query(titles=title, prop="categoryinfo").get("pages", ()):
            if page.get("categoryinfo", {}).get("size"):
                return str(page["title"])
        names: set[str] = set()
        for prefix in {subject, subject[:_PREFIX_CHARS]}:
            start = prefix[:1].upper() + prefix[1:]
            found = self.query(list="allcategories", acprefix=start, aclimit="50")
            names |= {entry["category"] for entry in found.get("allcategories", ())}
        found = self.query(
            list="search", srsearch=subject, srnamespace=_CATEGORIES, srlimit="20"
        )
        names |= {e["title"].partition(":")[2] for e in found.get("search", ())}
        remedy = "give it as that wiki calls it, or name another --api"
        offer = offer_names(subject, names, remedy)
        raise BootstrapError(f"{subject}: no category of that name{offer}")

    def _iter_members(
        self, category: str, missing: int, subject: Subject, log: BootstrapLog
    ) -> Iterator[dict[str, Any]]:
        """Yield the members of a category until no more pages are missing."""
        if missing <= 0:
            return
        for batch in self._iter_batches(
            list="categorymembers",
            cmtitle=category,
            cmtype="page|subcat",
            cmprop="ids|title|type",
            cmlimit="max",
        ):
            members = batch.get("categorymembers", ())
            yield from members
            missing -= sum(member["type"] == "page" for member in members)
            if missing <= 0:
                log.drop(SourceReason.PAGE_LIMIT)
                log.notice(
                    f"{category} has more pages;"
                    f" --max-pages={subject.max_concepts} are read in all, the"
                    " nearest first"
                )
                return

    def iter_pages(
        self, titles: Sequence[str], properties: Mapping[str, str]
    ) -> Iterator[tuple[str, Page]]:
        """Yield the articles that exist under the titles asked for, by batches of these."""
        for start in range(0, len(titles), MAX_TITLES):
            batch = titles[start : start + MAX_TITLES]
            pages: dict[str, dict[str, Any]] = {}
            asked: dict[str, str] = {}
            for part in self._iter_batches(titles="|".join(batch), **properties):
                for change in part.get("normalized", ()):
                    asked[change["to"]] = change["from"]
                for page in part.get("pages", ()):
                    if page.get("missing") or page.get("invalid"):
                        continue
                    title = page["title"]
                    known = pages.setdefault(asked.get(title, title), {})
                    for name, value in page.items():
                        if isinstance(value, list):
                            known.setdefault(name, []).extend(value)
                        else:
                            known[name] = value
            yield from ((title, pages[title]) for title in batch if title in pages)


def _check_busy(data: Any) -> None:
    """Raise RetryError for an answer that says that the server is busy."""
    error = data.get("error") if isinstance(data, dict) else None
    if error and error.get("code") in _PASSING_ERRORS:
        seconds = max(float(error.get("lag") or 0), MAXLAG_SECONDS)
        raise RetryError("the server is busy", seconds)


def _describe_foreign(url: str) -> BootstrapError:
    return BootstrapError(
        f"{url}: the answer is no MediaWiki's; give the address of an api.php"
    )
