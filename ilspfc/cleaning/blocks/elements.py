"""The elements by which a page speaks of itself, found in one pass over its tree."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

_TAGS = frozenset({"base", "html", "link", "meta", "script", "title"})


class Elements(Protocol):
    """What has elements: the root of a page, or what is known of it."""

    def iter(self, *tags: str) -> Iterator[Element]:
        """Return the elements with one of the tags, in the order of the page."""


class KnownElements:
    """Stands for the root of a page, which is not searched again for the same tags."""

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
