"""Block elements around each block: their names, contents and repeats."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ilspfc.cleaning.blocks.parsed import ParsedPage

LEVELS = 8
"""Elements around a block that are looked at, the innermost first."""

# Beginnings of the words in class names and ids, grouped by meaning. They are words of
# HTML authors, not of the language of the page.
_NAME_FAMILIES = (
    "content|main|body|text|copy|prose|rte|wysiwyg|markdown",
    "article|story|news|blog|entry|post",
    "nav|menu|bread|crumb|pagin|pager|toc|tabs|links",
    "foot|copyright|colophon|legal|bottom",
    "head|mast|topbar|logo|brand|top",
    "side|aside|rail|column|widget|second|right|left",
    "comment|disqus|respon|repl|discuss",
    "shar|social|facebook|twitter|follow|like|addthis",
    "relat|recom|popular|trend|more|also|similar|recent|latest|most|next|prev",
    "ad|ads|advert|sponsor|promo|banner|outbrain|taboola|dfp|cta",
    "form|search|login|sign|subscri|newsletter|regist|input|button|btn",
    "modal|popup|overlay|cookie|consent|gdpr|dialog|tooltip|dropdown|hidden|hide|collaps|sr",
    "meta|byline|author|date|time|tag|tags|categor|info|label|credit|caption",
    "list|item|grid|card|tile|row|result",
    "forum|thread|topic|message|msg|quote|user|member|profile|signature|avatar",
    "product|price|spec|review|rating|feature|sku|buy|cart|shop",
    "title|headline|heading|name",
    "summary|excerpt|intro|lead|abstract|snippet|desc|teaser",
    "gallery|image|img|photo|picture|video|media|slide|slider|carousel|hero",
    "code|highlight|syntax|pre|example|doc|docs|api|section",
    "accordion|tab|panel|faq|question|answer",
)
_BEGINNINGS = [tuple(family.split("|")) for family in _NAME_FAMILIES]
_WORD_RE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
# Short ones are whole words, for too many words begin with them.
_WHOLE_WORDS = frozenset(
    {"ad", "ads", "sr", "pre", "api", "doc", "docs", "tag", "tags", "tab"}
)

_TAG_FAMILIES = (
    "nav menu|header hgroup|footer|aside|form fieldset|table|ul ol menu dir|li|dl dt dd"
    "|article|main|section|figure figcaption caption|blockquote|pre|p|td th|noscript"
    "|address|details summary"
).split("|")
_BITS_OF_TAGS: dict[str, int] = {}
for _bit, _family in enumerate(_TAG_FAMILIES, len(_NAME_FAMILIES)):
    for _tag in _family.split():
        _BITS_OF_TAGS[_tag] = _BITS_OF_TAGS.get(_tag, 0) | 1 << _bit
_ITEM = _BITS_OF_TAGS["li"] | _BITS_OF_TAGS["dd"]
_LIST = _BITS_OF_TAGS["ul"] | _BITS_OF_TAGS["dl"]
FAMILIES = len(_NAME_FAMILIES) + len(_TAG_FAMILIES)


@lru_cache(maxsize=1 << 14)
def _family_of_word(word: str) -> int:
    mask = 0
    for bit, beginnings in enumerate(_BEGINNINGS):
        if word.startswith(beginnings):
            found = next(filter(word.startswith, beginnings))
            if found not in _WHOLE_WORDS or found == word:
                mask |= 1 << bit
    return mask


@lru_cache(maxsize=1 << 14)
def _read_names(tag: str, names: str) -> tuple[int, str]:
    """Return the families of an element, as bits, and its names without numbers."""
    mask = _BITS_OF_TAGS.get(tag, 0)
    words = _WORD_RE.findall(names)
    for word in words:
        mask |= _family_of_word(word.lower())
    return mask, f"{tag} {' '.join(words)}"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Elements of a page as arrays; each but the last has one place an element.

    ``ends`` is the place after the last element inside; ``families`` are bits, ``outer``
    those of all elements around it too; ``paths`` are numbers of the way from the root by
    tags and names; ``around`` has the shape (LEVELS, blocks) and holds places of elements.
    """

    parents: NDArray[np.int64]
    ends: NDArray[np.int64]
    depths: NDArray[np.int64]
    families: NDArray[np.int64]
    outer: NDArray[np.int64]
    paths: NDArray[np.int64]
    around: NDArray[np.int64]

    def items(self) -> NDArray[np.bool_]:
        """Return a mask of the blocks whose innermost element is an item of a list."""
        return np.asarray(self.families[self.around[0]] & _ITEM > 0)

    def lists(self) -> NDArray[np.int64]:
        """Return the place of the outermost list around each block that is an item."""
        lists = self.around[1].copy()
        for around in self.around[2:]:
            is_list = self.families[around] & _LIST > 0
            lists[is_list] = around[is_list]
        return np.asarray(lists)

    def sums_inside(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over the blocks inside each element.

        ``values`` has a column a block; the result has one an element.
        """
        rows, count = len(values), len(self.parents)
        sums = np.zeros((rows, count + 1))
        for row in range(rows):
            inside = np.bincount(self.around[0], values[row], count)
            np.cumsum(inside, out=sums[row, 1:])
        return np.asarray(sums[:, self.ends] - sums[:, :-1])


def read_surroundings(page: ParsedPage) -> Surroundings:
    """Return the surroundings of the blocks of a page."""
    families, outer, depths, numbers = [0], [0], [0], [0]
    known = {(0, ""): 0}
    for way, tag, names in page.distinct_paths[1:]:
        mask, name = _read_names(tag, names)
        families.append(mask)
        outer.append(outer[way] | mask)
        depths.append(depths[way] + 1)
        key = numbers[way], name
        numbers.append(known.setdefault(key, len(known)))
    up, paths = np.array(page.parents), np.array(page.paths)
    around = np.empty((LEVELS, len(page.blocks)), np.int64)
    around[0] = [block.container for block in page.blocks]
    for level in range(1, LEVELS):
        around[level] = up[around[level - 1]]
    return Surroundings(
        up,
        np.array(page.ends),
        np.array(depths)[paths],
        np.array(families)[paths],
        np.array(outer)[paths],
        np.array(numbers)[paths],
        around,
    )
