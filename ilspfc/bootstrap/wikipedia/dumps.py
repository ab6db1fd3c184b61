"""A subject's articles from Wikipedia's SQL dumps: the way of the API, without it.

Each file is read in passes, as a stream; what is held in memory are numbers for the
categories of the wiki, and names for the articles of the subject alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.bootstrap.concepts import Concept
from ilspfc.bootstrap.losses import SourceReason, TitleReason
from ilspfc.bootstrap.nearest import nearest_names, offer_names
from ilspfc.bootstrap.wikipedia.category_graph import title_key
from ilspfc.bootstrap.wikipedia.wiki_dump import (
    ARTICLES,
    CATEGORIES,
    WikiDump,
    find_dumps,
)
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger

_PREFIX_CHARS = 3


class DumpSource:
    """Takes concepts from the dumps in a folder, such as ``enwiki-latest-page.sql.gz``.

    Needed are ``page``, ``categorylinks`` (with ``linktarget`` where that has the titles)
    and ``langlinks`` of the wiki that is begun with: that of the first language that has
    dumps. Used where they are there: ``externallinks``, ``redirect``, ``page_props`` and
    ``pagelinks`` of it, the first two and ``page`` of other languages.
    """

    def __init__(
        self,
        folder: Path,
        *,
        depth: int,
        max_concepts: int,
        ledger: Ledger,
        to_code: Callable[[str], str],
    ) -> None:
        self._folder = folder
        self._depth = depth
        self._max_pages = max_concepts
        self._ledger = ledger
        self._to_code = to_code

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield a concept for each article in the category named after the subject."""
        dumps = {
            self._code_of(prefix): WikiDump(paths, self._ledger)
            for prefix, paths in find_dumps(self._folder).items()
        }
        own = next(
            (lang for lang in (*langs, *dumps) if self._is_whole(dumps, lang)), ""
        )
        if not own:
            raise BootstrapError(
                f"{self._folder}: no wiki has dumps of both page and categorylinks; fetch"
                " them from https://dumps.wikimedia.org"
            )
        concepts = self._read(dumps[own], own, subject, langs)
        yield from concepts.values()
        for lang in langs:
            if lang != own and lang in dumps:
                named = {c.names[lang]: c for c in concepts.values() if lang in c.names}
                self._complete(dumps[lang], lang, named)

    def _code_of(self, prefix: str) -> str:
        try:
            return self._to_code(prefix.replace("_", "-"))
        except ValueError:
            return prefix

    def _is_whole(self, dumps: dict[str, WikiDump], lang: str) -> bool:
        dump = dumps.get(lang)
        return dump is not None and dump.has("page") and dump.has("categorylinks")

    def _read(
        self, dump: WikiDump, own: str, subject: str, langs: Sequence[str]
    ) -> dict[int, Concept]:
        depths, places = self._walk(dump, subject)
        concepts = self._name(dump, places, depths, own, keeps=own in langs)
        if dump.has("langlinks"):
            for page, prefix, title in dump.language_links(concepts):
                lang = self._code_of(prefix)
                if lang in langs and lang != own:
                    self._add_name(concepts[page], lang, title)
        titles = {c.identity.replace(" ", "_").encode(): n for n, c in concepts.items()}
        self._add_variants(dump, concepts, titles, own if own in langs else "")
        for page, url in dump.external_links(concepts):
            concepts[page].urls.setdefault(own, []).append(url)
        if dump.has("page_props"):
            for number, name in dump.rows("page_props", "pp_page", "pp_propname"):
                if name == b"disambiguation" and int(number) in concepts:
                    concepts[int(number)].is_disambiguation = True
        if dump.has("pagelinks"):
            links = dump.count_links(concepts, titles)
            for page, concept in concepts.items():
                concept.links = links[page]
        return concepts

    def _add_name(self, concept: Concept, lang: str, title: str) -> None:
        if "#" in title:
            self._ledger.drop(TitleReason.SECTION, title, lang)
        elif title:
            concept.names.setdefault(lang, title.replace("_", " "))

    # -- passes --------------------------------------------------------------------------

    def _walk(
        self, dump: WikiDump, subject: str
    ) -> tuple[dict[int, int], dict[int, tuple[int, int]]]:
        """Return the categories below the subject's, and the pages in them."""
        root = title_key(_as_title(subject))
        categories = dump.category_pages()
        targets = dump.category_targets()
        graph = dump.subcategories()
        depths, loops = graph.tree(root, self._depth, categories, targets)
        for _ in range(loops):
            self._ledger.drop(SourceReason.CATEGORY_LOOP)
        found = dump.members(depths, targets)
        if not found:
            raise BootstrapError(self._describe_unknown(dump, subject))
        if len(found) > self._max_pages:
            self._ledger.drop(SourceReason.PAGE_LIMIT)
            self._ledger.notice(
                f"Category:{subject} has {len(found)} pages to this depth; no more than"
                f" BOOTSTRAP_MAX_PAGES={self._max_pages} are looked at, the nearest first"
            )
        nearest = sorted(found, key=lambda page: (found[page][0], page))
        places = {page: found[page] for page in nearest[: self._max_pages]}
        self._ledger.count("categories", len(depths))
        self._ledger.count("pages", len(places))
        return depths, places

    def _describe_unknown(self, dump: WikiDump, subject: str) -> str:
        prefix = _as_title(subject)[:_PREFIX_CHARS]
        names = [
            title.decode("utf-8", "replace").replace("_", " ")
            for namespace, title in dump.rows("page", "page_namespace", "page_title")
            if namespace == CATEGORIES and title.startswith(prefix)
        ]
        offer = offer_names(
            nearest_names(subject, names), "give it as that wiki calls it"
        )
        return f"{subject}: no category of that name has pages{offer}"

    def _name(
        self,
        dump: WikiDump,
        places: dict[int, tuple[int, int]],
        depths: dict[int, int],
        own: str,
        *,
        keeps: bool,
    ) -> dict[int, Concept]:
        """Return the articles among some pages, the nearest first."""
        titles: dict[int, str] = {}
        categories: dict[int, str] = {}
        for number, namespace, title, redirect in dump.rows(
            "page", "page_id", "page_namespace", "page_title", "page_is_redirect"
        ):
            text = title.decode("utf-8", "replace").replace("_", " ")
            if namespace == CATEGORIES and (key := title_key(title)) in depths:
                categories[key] = text
            elif namespace == ARTICLES and int(number) in places:
                if redirect == b"1":
                    self._ledger.drop(TitleReason.REDIRECT, text, own)
                else:
                    titles[int(number)] = text
        return {
            page: Concept(
                titles[page],
                depth,
                names={own: titles[page]} if keeps else {},
                subdomain=categories.get(key, ""),
                is_title=True,
            )
            for page, (depth, key) in places.items()
            if page in titles
        }

    def _add_variants(
        self,
        dump: WikiDump,
        concepts: dict[int, Concept],
        titles: dict[bytes, int],
        lang: str,
    ) -> None:
        """Add the titles that lead to articles; their own pages have these."""
        sources = dump.redirects(titles) if lang else {}
        if not sources:
            return
        for number, namespace, title in dump.rows(
            "page", "page_id", "page_namespace", "page_title"
        ):
            if namespace == ARTICLES and int(number) in sources:
                text = title.decode("utf-8", "replace").replace("_", " ")
                concept = concepts[sources[int(number)]]
                concept.variants.setdefault(lang, []).append(text)

    def _complete(self, dump: WikiDump, lang: str, named: dict[str, Concept]) -> None:
        """Add redirects and links of the articles in another language."""
        if not dump.has("page"):
            return
        concepts: dict[int, Concept] = {}
        titles: dict[bytes, int] = {}
        for number, namespace, title in dump.rows(
            "page", "page_id", "page_namespace", "page_title"
        ):
            if namespace == ARTICLES:
                text = title.decode("utf-8", "replace").replace("_", " ")
                if text in named:
                    concepts[int(number)] = named[text]
                    titles[title] = int(number)
        self._add_variants(dump, concepts, titles, lang)
        for page, url in dump.external_links(concepts):
            concepts[page].urls.setdefault(lang, []).append(url)


def _as_title(subject: str) -> bytes:
    text = subject.strip().replace(" ", "_")
    return (text[:1].upper() + text[1:]).encode()
