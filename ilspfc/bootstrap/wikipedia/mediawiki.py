"""A subject's articles in wikis that refer to each other, as Wikipedia's do.

The way is the paper's (000, section 4): the category of the subject, its subcategories to
a depth, their pages; the titles of these and of the articles in other languages that they
are linked to; the links out of the encyclopedia.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from ilspfc.bootstrap.concepts import Concept
from ilspfc.bootstrap.losses import SourceReason, TitleReason
from ilspfc.bootstrap.wikipedia.category_tree import CategoryTree
from ilspfc.bootstrap.wikipedia.mediawiki_api import MAX_TITLES, MediaWikiApi
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ilspfc.bootstrap.api.asking import Asker
    from ilspfc.bootstrap.concepts import Ledger
    from ilspfc.bootstrap.wikipedia.category_tree import Place
    from ilspfc.bootstrap.wikipedia.mediawiki_api import Page

_ARTICLES = "0"
_PROPERTIES = {
    "prop": "info|langlinks|extlinks|redirects|links|pageprops",
    "ppprop": "disambiguation",
    "lllimit": "max",
    "ellimit": "max",
    "elexpandurl": "1",
    "rdlimit": "max",
    "rdnamespace": _ARTICLES,
    "pllimit": "max",
    "plnamespace": _ARTICLES,
}
_OTHER_PROPERTIES = {
    name: value
    for name, value in _PROPERTIES.items()
    if name[:2] not in {"ll", "pl", "pr"}
} | {"prop": "extlinks|redirects|pageprops"}


@dataclass(slots=True)
class _Wikis:
    """The wiki that is begun with, and those of other languages by language."""

    lang: str
    others: dict[str, MediaWikiApi] = field(default_factory=dict)
    # The prefix of language links by which each language is known.
    langs: dict[str, str] = field(default_factory=dict)


class MediaWikiSource:
    """Takes concepts from a wiki and from those that its language links lead to.

    ``depth`` is how many steps of subcategories are taken, ``max_pages`` how many pages of
    the subject's category are looked at; ``to_code`` turns the prefix of a language link
    into ISO 639-3 (ValueError for an unknown one).
    """

    def __init__(
        self,
        asker: Asker,
        url: str,
        *,
        depth: int,
        max_pages: int,
        ledger: Ledger,
        to_code: Callable[[str], str],
    ) -> None:
        self._asker = asker
        self._api = MediaWikiApi(asker, url)
        self._tree = CategoryTree(self._api, depth, max_pages, ledger)
        self._ledger = ledger
        self._to_code = to_code

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield a concept for each article in the category named after the subject."""
        wikis = self._read_wikis(langs)
        places = self._tree.walk(self._tree.find(subject))
        concepts: dict[str, Concept] = {}
        links: Counter[str] = Counter()
        aliases: dict[str, str] = {}
        titles = list(places)
        for start in range(0, len(titles), MAX_TITLES):
            batch = self._api.pages(titles[start : start + MAX_TITLES], **_PROPERTIES)
            for title in titles[start : start + MAX_TITLES]:
                if (page := batch.get(title)) is None:
                    continue
                if page.get("redirect"):
                    self._ledger.drop(TitleReason.REDIRECT, title, wikis.lang)
                    continue
                concept = self._make_concept(title, page, places[title], wikis, langs)
                concepts[title] = concept
                links.update(link["title"] for link in page.get("links", ()))
                aliases |= {r["title"]: title for r in page.get("redirects", ())}
                yield concept
        _count_links(concepts, links, aliases)
        for lang, api in wikis.others.items():
            self._complete(lang, api, list(concepts.values()))

    def _read_wikis(self, langs: Sequence[str]) -> _Wikis:
        """Return which wikis there are; the others have the path of the first."""
        info = self._api.query(meta="siteinfo", siprop="general|interwikimap")
        general = info.get("general")
        if not general:
            raise BootstrapError(
                f"{self._api.url}: the answer is no MediaWiki's; give the address of an"
                " api.php"
            )
        wikis = _Wikis(self._code_of(general["lang"]))
        path = urlsplit(self._api.url).path
        for entry in info.get("interwikimap", ()):
            if "language" not in entry:
                continue
            lang = self._code_of(entry["prefix"])
            if lang in langs and lang != wikis.lang and lang not in wikis.others:
                url = entry.get("api") or urljoin(entry["url"], path)
                wikis.others[lang] = MediaWikiApi(self._asker, url)
                wikis.langs[entry["prefix"]] = lang
        return wikis

    def _code_of(self, prefix: str) -> str:
        try:
            return self._to_code(prefix)
        except ValueError:
            return ""

    def _make_concept(
        self, title: str, page: Page, place: Place, wikis: _Wikis, langs: Sequence[str]
    ) -> Concept:
        concept = Concept(
            identity=title,
            depth=place.depth,
            subdomain=place.category,
            is_title=True,
            is_disambiguation="disambiguation" in page.get("pageprops", {}),
        )
        own = wikis.lang or "und"
        concept.urls[own] = _links_of(page)
        if wikis.lang in langs:
            concept.names[own] = title
            concept.variants[own] = [r["title"] for r in page.get("redirects", ())]
        for link in page.get("langlinks", ()):
            lang = wikis.langs.get(link["lang"], "")
            if not lang or lang in concept.names:
                continue
            if "#" in link["title"]:
                self._ledger.drop(TitleReason.SECTION, link["title"], lang)
                continue
            concept.names[lang] = link["title"]
        return concept

    def _complete(self, lang: str, api: MediaWikiApi, concepts: list[Concept]) -> None:
        """Add what the articles in another language have: redirects and links."""
        by_title = {c.names[lang]: c for c in concepts if lang in c.names}
        try:
            pages = api.pages(list(by_title), **_OTHER_PROPERTIES) if by_title else {}
        except BootstrapError as error:
            self._ledger.drop(SourceReason.WIKI_UNREACHED, api.url, lang)
            self._ledger.notice(f"variants and links in {lang} are missing: {error}")
            return
        for title, page in pages.items():
            if (concept := by_title.get(title)) is not None:
                concept.variants[lang] = [r["title"] for r in page.get("redirects", ())]
                concept.urls[lang] = _links_of(page)


def _links_of(page: Page) -> list[str]:
    """Return the links out of the wiki; some are written without a scheme."""
    urls = [str(link["url"]) for link in page.get("extlinks", ())]
    return [f"https:{url}" if url.startswith("//") else url for url in urls]


def _count_links(
    concepts: dict[str, Concept], links: Counter[str], aliases: dict[str, str]
) -> None:
    """Set how many of the subject's articles link to each; redirects lead on."""
    for target, number in links.items():
        concept = concepts.get(aliases.get(target, target))
        if concept is not None:
            concept.links = (concept.links or 0) + number
    for concept in concepts.values():
        concept.links = concept.links or 0
