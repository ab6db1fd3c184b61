"""Articles of a subject in wikis that refer to each other, as Wikipedia's do.

The method is the paper's (000, section 4): the category of the subject, its subcategories
to a depth, their articles; the titles of these and of the articles in other languages that
they are linked to; the external links of all of them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urljoin, urlsplit

from ilspfc.bootstrap.api_client import RetryError
from ilspfc.bootstrap.concepts import Concept, SourceReason, TitleReason, offer_names
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import find_iso639_3

if TYPE_CHECKING:
    from ilspfc.bootstrap.api_client import ApiClient
    from ilspfc.bootstrap.concepts import BootstrapLog, Subject

Title = TypeVar("Title", str, bytes)

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


class Place(NamedTuple):
    """Place of an article in the tree of categories."""

    depth: int
    category: str


@dataclass(slots=True)
class Article:
    """Article of a wiki; ``links`` are titles of articles, None where they are unknown.

    ``translations`` are language links as prefix and title, ``redirects`` the titles of
    redirects to the article.
    """

    title: str
    is_redirect: bool = False
    is_disambiguation: bool = False
    urls: list[str] = field(default_factory=list)
    redirects: list[str] = field(default_factory=list)
    translations: list[tuple[str, str]] = field(default_factory=list)
    links: list[str] | None = None


def iter_wiki_concepts(
    first: Wiki, others: Mapping[str, Wiki], subject: Subject, log: BootstrapLog
) -> Iterator[Concept]:
    """Yield a concept for each article in the category named after the subject.

    ``others`` are the wikis of other languages, which complete concepts after they were
    yielded: a concept is complete when the iterator has ended.
    """
    places = first.find_articles(subject, log)
    log.count("pages", len(places))
    concepts: dict[str, Concept] = {}
    links: Counter[str] = Counter()
    aliases: dict[str, str] = {}
    has_links = False
    for article in first.iter_articles(list(places), is_first=True):
        if article.is_redirect:
            log.drop(TitleReason.REDIRECT, article.title, first.lang)
            continue
        concept = _make_concept(
            article, places[article.title], first.lang, subject.langs, log
        )
        concepts[article.title] = concept
        has_links |= article.links is not None
        links.update(article.links or ())
        aliases |= dict.fromkeys(article.redirects, article.title)
        yield concept
    if has_links:
        for concept in concepts.values():
            concept.links = 0
        for target, number in links.items():
            if (linked := concepts.get(aliases.get(target, target))) is not None:
                linked.links = (linked.links or 0) + number
    for lang, wiki in others.items():
        _complete(list(concepts.values()), lang, wiki, log)


def _make_concept(
    article: Article, place: Place, own: str, langs: Sequence[str], log: BootstrapLog
) -> Concept:
    concept = Concept(
        identity=article.title,
        depth=place.depth,
        subdomain=place.category,
        urls={own: article.urls},
        is_title=True,
        is_disambiguation=article.is_disambiguation,
    )
    if own in langs:
        concept.names[own] = article.title
        concept.variants[own] = article.redirects
    for prefix, title in article.translations:
        lang = find_iso639_3(prefix)
        if lang not in langs or lang in concept.names:
            continue
        if "#" in title:
            log.drop(TitleReason.SECTION, title, lang)
        elif title:
            concept.names[lang] = title
    return concept


def _complete(
    concepts: Sequence[Concept], lang: str, wiki: Wiki, log: BootstrapLog
) -> None:
    """Add redirects and external links of the articles in another language."""
    by_title = {c.names[lang]: c for c in concepts if lang in c.names}
    try:
        for article in wiki.iter_articles(list(by_title), is_first=False):
            if (concept := by_title.get(article.title)) is not None:
                concept.variants[lang] = article.redirects
                concept.urls[lang] = article.urls
    except BootstrapError as error:
        log.drop(SourceReason.WIKI_UNREACHED, str(wiki), lang)
        log.notice(f"variants and links in {lang} are missing: {error}")


def walk_categories(
    root: Title,
    subject: Subject,
    log: BootstrapLog,
    visit: Callable[[Title, int], Iterable[Title]],
) -> None:
    """Visit a category and those below, nearest first, to the depth of the subject.

    ``visit`` gets a category with its depth and returns its subcategories.
    """
    depths = {root: 0}
    waiting = deque([root])
    while waiting:
        category = waiting.popleft()
        depth = depths[category]
        for child in visit(category, depth):
            if child in depths:
                if depths[child] <= depth:
                    log.drop(SourceReason.CATEGORY_LOOP)
            elif depth < subject.depth:
                depths[child] = depth + 1
                waiting.append(child)
    log.count("categories", len(depths))


def iter_mediawiki(
    client: ApiClient, url: str, subject: Subject, log: BootstrapLog
) -> Iterator[Concept]:
    """Yield the concepts of a wiki and those that its language links lead to.

    ``url`` is that of ``api.php``; the wikis of other languages have the same path.
    """
    first = Wiki(client, url)
    info = first.query(meta="siteinfo", siprop="general|interwikimap")
    if not info.get("general"):
        raise _describe_foreign(url)
    first.lang = find_iso639_3(info["general"]["lang"]) or "und"
    others: dict[str, Wiki] = {}
    for entry in info.get("interwikimap", ()):
        lang = find_iso639_3(entry["prefix"]) if "language" in entry else ""
        if lang in subject.langs and lang != first.lang and lang not in others:
            api = entry.get("api") or urljoin(entry["url"], urlsplit(url).path)
            others[lang] = Wiki(client, api)
    yield from iter_wiki_concepts(first, others, subject, log)


class Wiki:
    """Wiki behind MediaWiki's action API."""

    def __init__(self, client: ApiClient, url: str) -> None:
        self.lang = "und"
        self._client = client
        self._url = url

    def __str__(self) -> str:
        return self._url

    def query(self, **params: str) -> dict[str, Any]:
        """Return the first part of the answer to a query."""
        return next(self._iter_batches(**params))

    def _iter_batches(self, **params: str) -> Iterator[dict[str, Any]]:
        """Yield all parts of the answer to ``action=query``."""
        always = {"action": "query", "format": "json", "formatversion": "2"}
        going_on: dict[str, str] = {}
        while True:
            data = self._client.json(
                self._url,
                {**always, **params, **going_on},
                check=_check_busy,
                unkeyed={"maxlag": str(MAXLAG_SECONDS)},
            )
            if not isinstance(data, dict):
                raise _describe_foreign(self._url)
            if error := data.get("error"):
                text = f"{self._url}: {error.get('code')}: {error.get('info')}"
                raise BootstrapError(text)
            yield data.get("query") or {}
            if not data.get("continue"):
                return
            going_on = {name: str(value) for name, value in data["continue"].items()}

    def find_articles(self, subject: Subject, log: BootstrapLog) -> dict[str, Place]:
        """Return the articles in the category of a subject and below, nearest first."""
        places: dict[str, Place] = {}

        def visit(category: str, depth: int) -> Iterator[str]:
            """Yield the subcategories, after noting the place of the pages."""
            missing = subject.max_concepts - len(places)
            if missing <= 0:
                return
            place = Place(depth, category.partition(":")[2])
            for member in self._iter_members(category, missing, subject, log):
                if member["type"] != "page":
                    yield member["title"]
                elif member["ns"] == 0:
                    places.setdefault(member["title"], place)

        walk_categories(self._find_category(subject.name), subject, log, visit)
        return dict(list(places.items())[: subject.max_concepts])

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
                log.notice(_describe_limit(category, subject))
                return

    def iter_articles(
        self, titles: Sequence[str], *, is_first: bool
    ) -> Iterator[Article]:
        """Yield the articles that exist, by batches of titles."""
        properties = _FIRST_PROPERTIES if is_first else _PROPERTIES
        for start in range(0, len(titles), MAX_TITLES):
            batch = titles[start : start + MAX_TITLES]
            pages: dict[str, dict[str, Any]] = {}
            asked: dict[str, str] = {}
            for part in self._iter_batches(titles="|".join(batch), **properties):
                for change in part.get("normalized", ()):
                    asked[change["to"]] = change["from"]
                for page in part.get("pages", ()):
                    if not page.get("missing") and not page.get("invalid"):
                        _merge(pages.setdefault(page["title"], {}), page)
            found = {asked.get(title, title): page for title, page in pages.items()}
            yield from (_read_article(t, found[t]) for t in batch if t in found)


def _describe_limit(category: str, subject: Subject) -> str:
    """Return the notice on a category with more pages than the limit."""
    return (
        f"{category} has more pages; BOOTSTRAP_MAX_PAGES={subject.max_concepts} are read in"
        " all, the nearest first"
    )


def _merge(page: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Add a further part of an answer to a page."""
    for name, value in part.items():
        if isinstance(value, list):
            page.setdefault(name, []).extend(value)
        else:
            page[name] = value


def _read_article(title: str, page: Mapping[str, Any]) -> Article:
    urls = [str(link["url"]) for link in page.get("extlinks", ())]
    return Article(
        title,
        is_redirect=bool(page.get("redirect")),
        is_disambiguation="disambiguation" in page.get("pageprops", {}),
        urls=[_complete_url(url) for url in urls],
        redirects=[redirect["title"] for redirect in page.get("redirects", ())],
        translations=[(e["lang"], e["title"]) for e in page.get("langlinks", ())],
        links=[link["title"] for link in page.get("links", ())],
    )


def _complete_url(url: str) -> str:
    """Return a URL with its scheme, which external links may lack."""
    return f"https:{url}" if url.startswith("//") else url


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
