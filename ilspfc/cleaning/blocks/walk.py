"""One walk over a parsed page: text blocks, anchors and image names, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.blocks.anchors import AnchorReader
from ilspfc.cleaning.blocks.nesting import Context, is_hidden, open_block
from ilspfc.cleaning.blocks.parsed import Block, Container, ParsedPage
from ilspfc.cleaning.blocks.tags import (
    BLOCK_TAGS,
    CONTROL_TAGS,
    HEADING_TAGS,
    PREFORMATTED_TAGS,
    SKIPPED_TAGS,
)
from ilspfc.cleaning.encoding.decoding import normalize

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    Event = tuple[str, Element, str, Mapping[str, str]]

BOLD_TAGS = frozenset({"b", "strong", "big", "font", "span"})
CODE_TAGS = frozenset({"code", "samp", "kbd", "tt"})
SPAN_TAGS = BOLD_TAGS | CODE_TAGS
# The sizes of a font element that are larger than text.
_LARGE_SIZES = frozenset({"4", "5", "6", "7", "+1", "+2", "+3", "+4", "+5", "+6"})


def is_bold(attributes: Mapping[str, str], tag: str) -> bool:
    """Test whether an element of BOLD_TAGS makes its text stand out."""
    if tag == "font" and (attributes.get("size") or "").strip() in _LARGE_SIZES:
        return True
    if tag in {"font", "span"}:
        return "font-weight:bold" in (attributes.get("style") or "").replace(" ", "")
    return True


class Spans:
    """Places of the elements of one kind among the parts of a block."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._parts = parts
        self._outermost: etree._Element | None = None
        self._start = 0
        self._ranges: list[tuple[int, int]] = []

    def start(self, element: etree._Element) -> None:
        """Begin a span, unless one is open."""
        if self._outermost is None:
            self._outermost = element
            self._start = len(self._parts)

    def end(self, element: etree._Element) -> None:
        """End the span that this element began, if it did."""
        if self._outermost is element:
            self._ranges.append((self._start, len(self._parts)))
            self._outermost = None

    def flush(self) -> tuple[bool, ...]:
        """End the block; return for each of its lines with text whether it is inside.

        Empty where no line is. A span around blocks goes on in the next one.
        """
        if self._outermost is not None:
            self._ranges.append((self._start, len(self._parts)))
            self._start = 0
        elif not self._ranges:
            return ()
        flags = self._line_flags()
        self._ranges.clear()
        return tuple(flags) if any(flags) else ()

    def _line_flags(self) -> list[bool]:
        flags: list[bool] = []
        has_text, is_inside = False, True
        ranges = iter(self._ranges)
        start, end = next(ranges)
        for index, part in enumerate(self._parts):
            while index >= end:
                start, end = next(ranges, (len(self._parts), len(self._parts) + 1))
            for number, piece in enumerate(part.split("\n")):
                if number and has_text:
                    flags.append(is_inside)
                    has_text, is_inside = False, True
                if piece.strip():
                    has_text = True
                    is_inside = is_inside and index >= start
        if has_text:
            flags.append(is_inside)
        return flags


def iter_events(root: Element, *, keep_hidden: bool = False) -> Iterator[Event]:
    """Yield event, element, tag and, at its start, the attributes of the element.

    Text after ``</html>`` stands in further roots. ``keep_hidden`` keeps hidden block
    elements; other hidden elements are passed over all the same.
    """
    kept = BLOCK_TAGS if keep_hidden else frozenset()
    skipped = SKIPPED_TAGS - kept
    nothing: dict[str, str] = {}
    for tree in (root, *root.itersiblings("*")):
        walker = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            tag = element.tag
            if event != "start":
                yield event, element, tag, nothing
                continue
            # Read once: single look-ups in lxml take longer.
            attributes = dict(element.items())
            if tag in skipped or (
                attributes and tag not in kept and is_hidden(attributes)
            ):
                walker.skip_subtree()
                yield "skip", element, tag, attributes
            else:
                yield event, element, tag, attributes


class _Walker:
    """Collects blocks while the tree is walked."""

    def __init__(self, context_words: int, max_contexts: int) -> None:
        self._parts: list[str] = []
        self._has_text = False
        self._stack = [("body", Context(), 0)]
        self._anchors = AnchorReader(self._parts, context_words, max_contexts)
        self._bold, self._code = Spans(self._parts), Spans(self._parts)
        self.page = ParsedPage(anchors=self._anchors.anchors)

    def add_text(self, text: str) -> None:
        if self._stack[-1][1].is_preformatted:
            normal = normalize(text)
        elif text.isspace():
            if self._parts:  # none at the start of a block
                self._parts.append(" ")
            return
        else:
            # Entities are resolved by now: &shy; and &nbsp; are characters of the text.
            normal = normalize(text.replace("\n", " ") if "\n" in text else text)
        if normal:
            self._parts.append(normal)
            self._has_text = True

    def start(
        self, element: etree._Element, tag: str, attributes: Mapping[str, str]
    ) -> None:
        if tag in BLOCK_TAGS:
            self._open(element, tag, attributes)
        elif tag == "br":
            self._parts.append("\n")
        elif tag in {"a", "area", "frame"}:
            self._anchors.start(attributes, "src" if tag == "frame" else "href")
        elif tag in SPAN_TAGS:
            if tag in CODE_TAGS:
                self._code.start(element)
            elif is_bold(attributes, tag):
                self._bold.start(element)
        elif tag == "img":
            self._add_image(attributes)
        elif tag == "rt":  # what is above the characters stands behind them
            self._parts.append("(")
        if text := element.text:
            self.add_text(text)

    def _open(
        self, element: etree._Element, tag: str, attributes: Mapping[str, str]
    ) -> None:
        if self._parts or self._anchors.of_block:
            self.flush()
        _, outer, parent = self._stack[-1]
        names = ""
        if attributes:
            given = map(attributes.get, ("class", "id", "role"))
            names = " ".join(filter(None, given))
        inner = open_block(element, tag, attributes, outer, names)
        containers = self.page.containers
        self._stack.append((tag, inner, len(containers)))
        containers.append(Container(parent, tag, names))

    def end(self, element: etree._Element, tag: str) -> None:
        if tag in BLOCK_TAGS:
            if self._parts or self._anchors.of_block:
                self.flush()
            if len(self._stack) > 1:
                self._stack.pop()
        elif tag in {"a", "area", "frame"}:
            self._anchors.end(is_hidden=self._stack[-1][1].is_hidden)
        elif tag in SPAN_TAGS:
            (self._bold if tag in BOLD_TAGS else self._code).end(element)
        elif tag == "rt":
            self._parts.append(")")
        if tail := element.tail:
            self.add_text(tail)

    def _add_image(self, attributes: Mapping[str, str]) -> None:
        source = attributes.get("src") or attributes.get("data-src") or ""
        name = source.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1]
        is_shown = not self._stack[-1][1].is_hidden
        if name and is_shown and not source.startswith("data:"):
            self.page.images.append(name)
        if alt := attributes.get("alt"):
            self._anchors.add_title(alt)

    def flush(self) -> None:
        """End the block that is being collected."""
        if not self._parts and not self._anchors.of_block:
            return
        bold_lines, code_lines = self._bold.flush(), self._code.flush()
        link_words, link_chars = self._anchors.flush()
        joined = "".join(self._parts) if self._has_text else ""
        self._parts.clear()
        if not self._has_text:
            return
        self._has_text = False
        lines = [line.split() for line in joined.split("\n")]
        words = sum(map(len, lines))
        if not words:
            return
        tag, inner, container = self._stack[-1]
        if len(lines) == 1:  # most are
            text = " ".join(lines[0])
        elif tag in PREFORMATTED_TAGS:  # an empty line ends a paragraph of it
            text = _join_preformatted([" ".join(line) for line in lines])
        else:
            text = "\n".join(" ".join(line) for line in lines if line)
        is_item = inner.is_item and tag not in HEADING_TAGS
        self.page.blocks.append(
            Block(
                text=text,
                tag=tag,
                words=words,
                link_words=link_words,
                level=len(self._stack),
                is_list_item=is_item,
                list_number=inner.list_number if is_item else 0,
                is_frame=inner.is_frame,
                kind=inner.kind,
                table=inner.table,
                row=inner.row,
                cell=inner.cell,
                bold_lines=bold_lines,
                is_code=bool(code_lines) and all(code_lines),
                comment=inner.comment,
                container=container,
                link_chars=link_chars,
                is_hidden=inner.is_hidden,
            )
        )


def _join_preformatted(lines: list[str]) -> str:
    """Return lines as a text with at most one empty line in a row, none at the ends."""
    kept = [
        line
        for number, line in enumerate(lines)
        if line or (number and lines[number - 1])
    ]
    return "\n".join(kept).strip("\n")


def read_blocks(
    root: etree._Element,
    *,
    context_words: int = 20,
    max_contexts: int = 2000,
    keep_hidden: bool = False,
) -> ParsedPage:
    """Return the blocks, anchors and images below ``root``, in reading order.

    ``context_words`` is the number of words kept on each side of an anchor, for the first
    ``max_contexts`` anchors. Elements that are hidden or hold no text (scripts, controls …)
    are passed over with their content; with ``keep_hidden`` hidden block elements are not,
    but their anchors and images are.
    """
    walker = _Walker(context_words, max_contexts)
    skipped: etree._Element | None = None
    events = iter_events(root, keep_hidden=keep_hidden)
    for event, element, tag, attributes in events:
        if event == "start":
            walker.start(element, tag, attributes)
        elif event == "skip":
            skipped = element
            if tag in CONTROL_TAGS:  # it stands between words
                walker.add_text(" ")
        elif event == "end" and element is skipped:
            walker.add_text(element.tail or "")
            skipped = None
        elif event == "end":
            walker.end(element, tag)
        else:  # a comment or processing instruction: only the text after it counts
            walker.add_text(element.tail or "")
    walker.flush()
    return walker.page
