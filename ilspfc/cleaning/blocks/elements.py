"""Elements of a page by their tags, found in one pass for all who look for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# Few on a page but for links; each pass over all elements costs a tenth of a millisecond.
_TAGS = frozenset(
    "a area base body h1 h2 h3 html link meta noframes script title".split()
)


class Elements:
    """Elements of a page, which are asked for like those of its root."""

    def __init__(self, root: Element) -> None:
        self._root = root
        self._found = [(element.tag, element) for element in root.iter(*_TAGS)]
        self._by_tag: defaultdict[str, list[Element]] = defaultdict(list)
        for tag, element in self._found:
            self._by_tag[tag].append(element)

    def iter(self, *tags: str) -> Iterable[Element]:
        """Return the elements with one of some tags, in their order."""
        if not _TAGS.issuperset(tags):
            return self._root.iter(*tags)
        if len(tags) == 1:
            return self._by_tag[tags[0]]
        return [element for tag, element in self._found if tag in tags]


if TYPE_CHECKING:
    Tree = Element | Elements
