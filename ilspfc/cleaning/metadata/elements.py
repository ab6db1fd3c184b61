"""Rare elements of a page (head, scripts, noframes), found once by their tags."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_TAGS = frozenset({"base", "html", "link", "meta", "noframes", "script", "title"})


class Elements(Protocol):
    """Source of elements: the root of a page, or its KnownElements."""

    def iter(self, *tags: str) -> Iterator[Element]:
        """Return the elements with one of the tags, in the order of the page."""


class KnownElements:
    """Elements by tag, so that a page is not searched again for the same tags."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._by_tag: dict[str, list[Element]] = defaultdict(list)
        for element in root.iter(*_TAGS):
            self._by_tag[str(element.tag)].append(element)

    def iter(self, *tags: str) -> Iterator[Element]:
        """Return the elements with one of the tags, in the order of the page."""
        if len(tags) == 1 and tags[0] in _TAGS:
            return iter(self._by_tag[tags[0]])
        return chain(self._root.iter(*tags))
