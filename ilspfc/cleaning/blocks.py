"""One walk over a parsed page: text blocks, anchors and image names, in reading order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ilspfc.cleaning.anchors import AnchorReader
from ilspfc.cleaning.encoding import normalize
from ilspfc.cleaning.nesting import Context, open_block, speaks_of_code
from ilspfc.cleaning.parsed import Block, Container, ParsedPage
from ilspfc.cleaning.spans import Spans
from ilspfc.cleaning.starts import END_KINDS, Kind, read_start, unescape
from ilspfc.cleaning.steps import iter_steps
from ilspfc.cleaning.tags import CONTROL_TAGS, HEADING_TAGS, PREFORMATTED_TAGS
from ilspfc.documents import ParagraphType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml import etree

    from ilspfc.cleaning.starts import Start
    from ilspfc.cleaning.steps import Step

_CODE_CHILD_RE = re.compile(r"(?:code|samp|kbd)\b")
_SPAN_KINDS = frozenset({Kind.BOLD, Kind.CODE, Kind.PLAIN})


class _Walker:
    """Collects blocks while the tags of a page are walked through."""

    def __init__(self, context_words: int, max_contexts: int) -> None:
        self._parts: list[str] = []
        self._has_text = False
        self._stack = [("body", Context(), 0)]
        self._anchors = AnchorReader(self._parts, context_words, max_contexts)
        self._bold, self._code = Spans(self._parts), Spans(self._parts)
        # The spans that the open elements are, None for one that does not stand out.
        self._spans: list[Spans | None] = []
        self.page = ParsedPage(anchors=self._anchors.anchors)

    def add_text(self, text: str) -> None:
        """Add serialized text, or a blank."""
        if "&" in text:
            text = unescape(text)
        if self._stack[-1][1].is_preformatted:
            text = normalize(text)
        elif text.isspace():
            if self._parts:  # none at the start of a block
                self._parts.append(" ")
            return
        elif not (text.isascii() and text.isprintable()):
            # Entities are resolved by now: &shy; and &nbsp; are characters of the text.
            text = normalize(text.replace("\n", " "))
        if text:
            self._parts.append(text)
            self._has_text = True

    def walk(self, steps: Iterable[Step], *, keep_hidden: bool) -> None:
        """Take the tags of a page, each with the text behind it and the tag behind that."""
        add_text = self.add_text
        depth = 0  # inside an element that is passed over, itself included
        for tag, text, after in steps:
            if depth:
                if tag[0] == "/":
                    depth -= 1
                elif tag[-1] != "/":
                    depth += 1
                if not depth and text:
                    add_text(text)
                continue
            if tag[0] == "/":
                kind = END_KINDS.get(tag)
                if kind is not None:
                    self._end(kind)
            else:
                start = read_start(tag)
                kind = start.kind
                if kind is Kind.SKIPPED or (start.is_hidden and not keep_hidden):
                    if start.tag in CONTROL_TAGS:  # it stands between words
                        add_text(" ")
                    if not start.is_empty:
                        depth = 1
                        continue
                elif kind is not Kind.NOTHING:
                    self._start(start, "" if text else after)
                    if start.is_empty:
                        self._end(kind)
            if text:
                add_text(text)
        self.flush()

    def _start(self, start: Start, child: str) -> None:
        """Begin an element; ``child`` is the tag that follows, if no text comes between."""
        kind = start.kind
        if kind is Kind.BLOCK:
            self._open(start, child)
        elif kind is Kind.ANCHOR:
            address = "src" if start.tag == "frame" else "href"
            self._anchors.start(start.attributes, address)
        elif kind is Kind.LINE_BREAK:
            self._parts.append("\n")
        elif kind is Kind.IMAGE:
            self._add_image(start.attributes)
        elif kind is Kind.RUBY:  # what is above the characters stands behind them
            self._parts.append("(")
        else:
            spans = {Kind.BOLD: self._bold, Kind.CODE: self._code}.get(kind)
            self._spans.append(spans)
            if spans is not None:
                spans.start()

    def _end(self, kind: Kind) -> None:
        if kind is Kind.BLOCK:
            if self._parts or self._anchors.of_block:
                self.flush()
            if len(self._stack) > 1:
                self._stack.pop()
        elif kind is Kind.ANCHOR:
            self._anchors.end(is_hidden=self._stack[-1][1].is_hidden)
        elif kind is Kind.RUBY:
            self._parts.append(")")
        elif kind in _SPAN_KINDS and (spans := self._spans.pop()) is not None:
            spans.end()

    def _open(self, start: Start, child: str) -> None:
        if self._parts or self._anchors.of_block:
            self.flush()
        _, outer, parent = self._stack[-1]
        inner = open_block(start, outer)
        containers = self.page.containers
        self._stack.append((start.tag, inner, len(containers)))
        containers.append(Container(parent, start.tag, start.names))
        if start.tag in PREFORMATTED_TAGS:
            around = (containers[place].names for _, _, place in self._stack[-3:])
            if _CODE_CHILD_RE.match(child) or any(map(speaks_of_code, around)):
                inner.kind = ParagraphType.CODE

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
    walker.walk(iter_steps(root), keep_hidden=keep_hidden)
    return walker.page
