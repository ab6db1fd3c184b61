"""The tree of categories below a subject's, in a wiki that is asked through its API."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.bootstrap.losses import SourceReason
from ilspfc.bootstrap.nearest import nearest_names, offer_names
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ilspfc.bootstrap.concepts import Ledger
    from ilspfc.bootstrap.wikipedia.mediawiki_api import MediaWikiApi, Page

_NAMESPACE = "14"
# So much of a subject's name is enough to look for names like it.
_PREFIX_CHARS = 3


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the tree of categories a page was found first."""

    depth: int
    category: str


class CategoryTree:
    """Finds categories and the pages in them.

    ``depth`` is how many steps of subcategories are taken, ``max_pages`` how many pages are
    looked at in all.
    """

    def __init__(
        self, api: MediaWikiApi, depth: int, max_pages: int, ledger: Ledger
    ) -> None:
        self._api = api
        self._depth = depth
        self._max_pages = max_pages
        self._ledger = ledger

    def find(self, subject: str) -> str:
        """Return the title of the subject's category; BootstrapError offers others."""
        title = f"Category:{subject}"
        for page in self._api.query(titles=title, prop="categoryinfo")["pages"]:
            if page.get("categoryinfo", {}).get("size"):
                return str(page["title"])
        names = self._nearest(subject)
        offer = offer_names(
            names, "give it as that wiki calls it, or name another --api"
        )
        raise BootstrapError(f"{subject}: no category of that name{offer}")

    def _nearest(self, subject: str) -> list[str]:
        names: set[str] = set()
        for prefix in {subject, subject[:_PREFIX_CHARS]}:
            found = self._api.query(
                list="allcategories",
                acprefix=prefix[:1].upper() + prefix[1:],
                aclimit="50",
            )
            names |= {entry["category"] for entry in found.get("allcategories", ())}
        found = self._api.query(
            list="search",
            srsearch=subject,
            srnamespace=_NAMESPACE,
            srlimit="20",
        )
        names |= {e["title"].partition(":")[2] for e in found.get("search", ())}
        return nearest_names(subject, names)

    def walk(self, root: str) -> dict[str, Place]:
        """Return the pages of a category and its subcategories, the nearest first."""
        places: dict[str, Place] = {}
        depths = {root: 0}
        waiting = deque([root])
        while waiting:
            category = waiting.popleft()
            depth = depths[category]
            place = Place(depth, category.partition(":")[2])
            for member in self._iter_members(category, len(places)):
                title = member["title"]
                if member["type"] == "page":
                    if member["ns"] == 0:
                        places.setdefault(title, place)
                elif title in depths:
                    # Met before: on another way down, or it holds itself.
                    if depths[title] <= depth:
                        self._ledger.drop(SourceReason.CATEGORY_LOOP)
                elif depth < self._depth:
                    depths[title] = depth + 1
                    waiting.append(title)
            if len(places) >= self._max_pages:
                break
        self._ledger.count("categories", len(depths))
        self._ledger.count("pages", min(len(places), self._max_pages))
        return dict(list(places.items())[: self._max_pages])

    def _iter_members(self, category: str, known: int) -> Iterator[Page]:
        """Yield the members of a category until there are enough of them."""
        pages = 0
        for batch in self._api.iter_batches(
            list="categorymembers",
            cmtitle=category,
            cmtype="page|subcat",
            cmprop="ids|title|type",
            cmlimit="max",
        ):
            members = batch.get("categorymembers", ())
            yield from members
            pages += sum(member["type"] == "page" for member in members)
            if known + pages >= self._max_pages:
                self._tell_limit(category)
                return

    def _tell_limit(self, category: str) -> None:
        self._ledger.drop(SourceReason.PAGE_LIMIT)
        found = self._api.query(titles=category, prop="categoryinfo")
        info = found["pages"][0].get("categoryinfo", {})
        self._ledger.notice(
            f"{category} has {info.get('pages', 'very many')} pages; no more than"
            f" BOOTSTRAP_MAX_PAGES={self._max_pages} are looked at in all, the nearest first"
        )
