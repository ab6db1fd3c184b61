"""One walk over a parsed page: text blocks, anchors and image names, in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ilspfc.cleaning.context import text_after, text_before
from ilspfc.cleaning.encoding import normalize
from ilspfc.cleaning.events import iter_events
from ilspfc.cleaning.tags import (
    BLOCK_TAGS,
    CONTROL_TAGS,
    FRAME_ROLES,
    FRAME_TAGS,
    HEADING_TAGS,
    LIST_ITEM_TAGS,
    LIST_TAGS,
)

if TYPE_CHECKING:
    from lxml import etree


@dataclass(slots=True)
class Anchor:
    """An ``a``, ``area`` or ``frame`` element.

    ``before`` and ``after`` are the words of its block around it.
    """

    href: str
    text: str = ""
    title: str = ""
    rel: str = ""
    hreflang: str = ""
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """Text between two block boundaries.

    ``text`` has a line feed where the page has a br element; ``tag`` is the innermost
    block element; ``link_words`` are the words inside anchors; ``is_frame`` tells that an
    ancestor is navigation, footer or the like; ``level`` is the depth in the tree. The
    items of a list have its number, from 1; an item outside a list has -1.
    """

    text: str
    tag: str
    words: int
    link_words: int
    level: int
    is_list_item: bool = False
    list_number: int = 0
    is_frame: bool = False
    is_content: bool = False
    is_title: bool = False


@dataclass(slots=True)
class ParsedPage:
    """What one walk over the tree yields."""

    blocks: list[Block] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    images: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Open:
    """A block element that is open, and what holds inside it."""

    tag: str
    list_number: int = -1
    is_item: bool = False
    is_frame: bool = False


class _Walker:
    """Collects blocks while the tree is walked."""

    def __init__(self, context_words: int, max_contexts: int) -> None:
        self.page = ParsedPage()
        self._context_words = context_words
        self._max_contexts = max_contexts
        self._parts: list[str] = []
        self._stack = [_Open("body")]
        self._lists = 0
        self._anchor: Anchor | None = None
        self._anchor_start = 0
        self._anchor_words: list[str] = []
        self._anchor_titles: list[str] = []
        self._link_words = 0
        self._block_anchors: list[tuple[Anchor, int]] = []

    def add_text(self, text: str | None) -> None:
        # Entities are resolved by now: &shy; and &nbsp; are characters of the text.
        if text and (normal := normalize(text)):
            self._parts.append(normal)

    def start(self, element: etree._Element, tag: str) -> None:
        if tag in BLOCK_TAGS:
            self.flush()
            self._stack.append(self._open(element, tag))
        elif tag == "br":
            self._parts.append("\n")
        elif tag in {"a", "area", "frame"}:
            self._start_anchor(element, "src" if tag == "frame" else "href")
        elif tag == "img":
            self._add_image(element)
        pre = self._stack[-1].tag == "pre"
        text = element.text
        self.add_text(text if pre or text is None else text.replace("\n", " "))

    def _open(self, element: etree._Element, tag: str) -> _Open:
        """Return what holds inside a block element that begins."""
        outer = self._stack[-1]
        is_item, list_number = outer.is_item, outer.list_number
        if tag in LIST_TAGS:
            self._lists += 1
            list_number = self._lists
        elif tag in LIST_ITEM_TAGS:
            is_item = True
        elif tag in {"td", "th", "section", "article"}:
            is_item = False
        is_frame = tag in FRAME_TAGS or element.get("role") in FRAME_ROLES
        return _Open(tag, list_number, is_item, outer.is_frame or is_frame)

    def end(self, element: etree._Element, tag: str) -> None:
        if tag in BLOCK_TAGS:
            self.flush()
            if len(self._stack) > 1:
                self._stack.pop()
        elif tag in {"a", "area", "frame"}:
            self._end_anchor()
        self.add_tail(element)

    def add_tail(self, element: etree._Element) -> None:
        tail = element.tail
        pre = self._stack[-1].tag == "pre"
        self.add_text(tail if pre or tail is None else tail.replace("\n", " "))

    def _start_anchor(self, element: etree._Element, attribute: str) -> None:
        self._end_anchor()
        href = element.get(attribute)
        if href is None:
            return
        has_context = len(self.page.anchors) < self._max_contexts
        recent = text_before(self._parts).split() if has_context else []
        titles = [element.get("title") or "", element.get("alt") or ""]
        self._anchor_titles = [normalize(" ".join(filter(None, titles))).strip()]
        self._anchor_words = []
        self._anchor = Anchor(
            href=href,
            rel=(element.get("rel") or "").lower(),
            hreflang=element.get("hreflang") or "",
            before=recent[-self._context_words :],
        )
        self._anchor_start = len(self._parts)

    def _end_anchor(self) -> None:
        if self._anchor is None:
            return
        self._add_anchor_words()
        self._anchor.text = " ".join(self._anchor_words)
        self._anchor.title = " ".join(filter(None, self._anchor_titles))
        if len(self.page.anchors) < self._max_contexts:
            self._block_anchors.append((self._anchor, len(self._parts)))
        self.page.anchors.append(self._anchor)
        self._anchor = None

    def _add_anchor_words(self) -> None:
        words = "".join(self._parts[self._anchor_start :]).split()
        self._link_words += len(words)
        self._anchor_words += words

    def _add_image(self, element: etree._Element) -> None:
        source = element.get("src") or element.get("data-src") or ""
        name = source.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1]
        if name and not source.startswith("data:"):
            self.page.images.append(name)
        if self._anchor is not None and (alt := element.get("alt")):
            self._anchor_titles.append(normalize(alt).strip())

    def flush(self) -> None:
        """End the block that is being collected."""
        if self._anchor is not None:  # an anchor around blocks goes on in the next one
            self._add_anchor_words()
            self._anchor_start = 0
        lines = [" ".join(line.split()) for line in "".join(self._parts).split("\n")]
        text = "\n".join(line for line in lines if line)
        for anchor, end in self._block_anchors:
            following = text_after(self._parts, end).split()
            anchor.after = following[: self._context_words]
        if text:
            inner = self._stack[-1]
            is_item = inner.is_item and inner.tag not in HEADING_TAGS
            block = Block(
                text=text,
                tag=inner.tag,
                words=len(text.split()),
                link_words=self._link_words,
                level=len(self._stack),
                is_list_item=is_item,
                list_number=inner.list_number if is_item else 0,
                is_frame=inner.is_frame,
            )
            self.page.blocks.append(block)
        self._parts.clear()
        self._block_anchors.clear()
        self._link_words = 0


def read_blocks(
    root: etree._Element, *, context_words: int = 20, max_contexts: int = 2000
) -> ParsedPage:
    """Return the blocks, anchors and images below ``root``, in reading order.

    ``context_words`` is the number of words kept on each side of an anchor, for the first
    ``max_contexts`` anchors. Elements that are hidden or hold no text (scripts, controls …)
    are passed over with their content.
    """
    walker = _Walker(context_words, max_contexts)
    skipped: etree._Element | None = None
    for event, element in iter_events(root):
        if event == "skip":
            skipped = element
            if element.tag in CONTROL_TAGS:  # it stands between words
                walker.add_text(" ")
        elif event == "start":
            walker.start(element, str(element.tag))
        elif event == "end" and element is skipped:
            walker.add_tail(element)
            skipped = None
        elif event == "end":
            walker.end(element, str(element.tag))
        else:  # a comment or processing instruction: only the text after it counts
            walker.add_tail(element)
    walker.flush()
    return walker.page
