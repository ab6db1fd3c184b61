"""One walk over a parsed page: text blocks, anchors and image names, in reading order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.encoding import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK_TAGS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li"
    " main menu nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LIST_ITEM_TAGS = frozenset({"li", "dt", "dd"})
# Their content is no text of the page.
SKIPPED_TAGS = frozenset(
    "audio button canvas datalist embed head iframe math noframes noscript object"
    " script select style svg template textarea video".split()
)
# Elements and roles that the HTML standard gives to what frames the content.
FRAME_TAGS = frozenset({"nav", "footer", "aside", "menu", "form"})
FRAME_ROLES = frozenset({"navigation", "contentinfo", "banner", "search", "menu"})

# Words are looked for in this many characters before an anchor: links in one huge block
# must not cost its length each.
_CONTEXT_CHARS = 400


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
    ancestor is navigation, footer or the like; ``level`` is the depth in the tree.
    """

    text: str
    tag: str
    words: int
    link_words: int
    level: int
    is_list_item: bool = False
    is_frame: bool = False
    is_content: bool = False
    is_title: bool = False


@dataclass(slots=True)
class ParsedPage:
    """What one walk over the tree yields."""

    blocks: list[Block] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    images: list[str] = field(default_factory=list)


def _is_hidden(element: etree._Element) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    return style is not None and "display:none" in style.replace(" ", "").lower()


class _Walker:
    """Collects blocks while the tree is walked."""

    def __init__(self, context_words: int) -> None:
        self.page = ParsedPage()
        self._context_words = context_words
        self._parts: list[str] = []
        self._stack: list[tuple[str, bool, bool]] = [("body", False, False)]
        self._anchor: Anchor | None = None
        self._anchor_start = 0
        self._link_words = 0
        self._block_anchors: list[tuple[Anchor, int]] = []

    def add_text(self, text: str | None) -> None:
        if text:
            # Entities are resolved by now: &shy; and &nbsp; are characters of the text.
            self._parts.append(normalize(text))

    def start(self, element: etree._Element, tag: str) -> None:
        if tag in BLOCK_TAGS:
            self.flush()
            _, in_list, in_frame = self._stack[-1]
            if tag in LIST_ITEM_TAGS:
                in_list = True
            elif tag in {"td", "th", "section", "article"}:
                in_list = False
            in_frame = (
                in_frame or tag in FRAME_TAGS or element.get("role") in FRAME_ROLES
            )
            self._stack.append((tag, in_list, in_frame))
        elif tag == "br":
            self._parts.append("\n")
        elif tag in {"a", "area", "frame"}:
            self._start_anchor(element, "src" if tag == "frame" else "href")
        elif tag == "img":
            self._add_image(element)
        pre = self._stack[-1][0] == "pre"
        text = element.text
        self.add_text(text if pre or text is None else text.replace("\n", " "))

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
        pre = self._stack[-1][0] == "pre"
        self.add_text(tail if pre or tail is None else tail.replace("\n", " "))

    def _start_anchor(self, element: etree._Element, attribute: str) -> None:
        self._end_anchor()
        href = element.get(attribute)
        if href is None:
            return
        before = "".join(self._parts)[-_CONTEXT_CHARS:].split()[-self._context_words :]
        title = [element.get("title") or "", element.get("alt") or ""]
        self._anchor = Anchor(
            href=href,
            title=normalize(" ".join(filter(None, title))),
            rel=(element.get("rel") or "").lower(),
            hreflang=element.get("hreflang") or "",
            before=before,
        )
        self._anchor_start = len(self._parts)

    def _end_anchor(self) -> None:
        if self._anchor is None:
            return
        self._add_anchor_words(self._anchor)
        self._block_anchors.append((self._anchor, len(self._parts)))
        self.page.anchors.append(self._anchor)
        self._anchor = None

    def _add_anchor_words(self, anchor: Anchor) -> None:
        words = "".join(self._parts[self._anchor_start :]).split()
        self._link_words += len(words)
        anchor.text = " ".join([anchor.text, *words] if anchor.text else words)

    def _add_image(self, element: etree._Element) -> None:
        source = element.get("src") or element.get("data-src") or ""
        name = source.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1]
        if name and not source.startswith("data:"):
            self.page.images.append(name)
        if self._anchor is not None and (alt := element.get("alt")):
            self._anchor.title = f"{self._anchor.title} {normalize(alt)}".strip()

    def flush(self) -> None:
        """End the block that is being collected."""
        if self._anchor is not None:  # an anchor around blocks goes on in the next one
            self._add_anchor_words(self._anchor)
            self._anchor_start = 0
        lines = [" ".join(line.split()) for line in "".join(self._parts).split("\n")]
        text = "\n".join(line for line in lines if line)
        for anchor, end in self._block_anchors:
            following = "".join(self._parts[end : end + 20])[:_CONTEXT_CHARS]
            anchor.after = following.split()[: self._context_words]
        if text:
            tag, in_list, in_frame = self._stack[-1]
            block = Block(
                text=text,
                tag=tag,
                words=len(text.split()),
                link_words=self._link_words,
                level=len(self._stack),
                is_list_item=in_list and tag not in HEADING_TAGS,
                is_frame=in_frame,
            )
            self.page.blocks.append(block)
        self._parts.clear()
        self._block_anchors.clear()
        self._link_words = 0


def _iter_events(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Yield what happens on a walk; text after ``</html>`` stands in further roots."""
    yield from _iter_tree_events(root)
    for sibling in root.itersiblings():
        if isinstance(sibling.tag, str):
            yield from _iter_tree_events(sibling)


def _iter_tree_events(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start" and (element.tag in SKIPPED_TAGS or _is_hidden(element)):
            walker.skip_subtree()
            yield "skip", element
        else:
            yield event, element


def read_blocks(root: etree._Element, *, context_words: int = 20) -> ParsedPage:
    """Return the blocks, anchors and images below ``root``, in reading order.

    ``context_words`` is the number of words kept on each side of an anchor. Elements that
    are hidden or hold no text (scripts, controls …) are passed over with their content.
    """
    walker = _Walker(context_words)
    skipped: etree._Element | None = None
    for event, element in _iter_events(root):
        if event == "skip":
            skipped = element
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
