"""One walk over a parsed page: text blocks, anchors and image names, in reading order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ilspfc.cleaning.anchors import AnchorReader
from ilspfc.cleaning.encoding import normalize
from ilspfc.cleaning.lines import join_lines
from ilspfc.cleaning.markup import (
    ANCHOR,
    BLOCK,
    BOLD,
    CODE,
    IMAGE,
    LINE_BREAK,
    PLAIN,
    RUBY,
    SKIPPED,
    read_tag,
    unescape,
)
from ilspfc.cleaning.nesting import Context, open_block, speaks_of_code
from ilspfc.cleaning.parsed import Block, Container, ParsedPage
from ilspfc.cleaning.spans import Spans
from ilspfc.cleaning.steps import iter_steps
from ilspfc.cleaning.tags import CONTROL_TAGS, HEADING_TAGS, PREFORMATTED_TAGS
from ilspfc.documents import ParagraphType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml import etree

    from ilspfc.cleaning.markup import Tag
    from ilspfc.cleaning.steps import Step

    #: It is given a tag, and the tag that follows if no text comes between.
    Action = Callable[[Tag, str], None]

_CODE_CHILD_RE = re.compile(r"(?:code|samp|kbd)\b")


def _nothing(_: Tag, __: str) -> None:
    """Do nothing at the end of an element that is always empty."""


class _Walker:
    """Collects blocks while the tags of a page are walked through."""

    def __init__(
        self, context_words: int, max_contexts: int, *, keep_hidden: bool
    ) -> None:
        self._keep_hidden = keep_hidden
        self._actions = self._find_actions()
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

    def walk(self, steps: Iterable[Step]) -> None:
        """Take the tags of a page, each with the text behind it and the tag behind that."""
        add_text, parts, take = self.add_text, self._parts, self._take
        depth = 0  # inside an element that is passed over, itself included
        for markup, text, after in steps:
            if depth:
                if markup[0] == "/":
                    depth -= 1
                elif markup[-1] != "/":
                    depth += 1
            elif (tag := read_tag(markup)).kind:
                depth = take(tag, "" if text else after)
            # Between blocks are line breaks and indents.
            if text and not depth and (parts or not text.isspace()):
                add_text(text)
        self.flush()

    def _take(self, tag: Tag, child: str) -> int:
        """Take a tag; return 1 where the element that it begins is passed over, else 0.

        ``child`` is the tag that follows, if no text comes between.
        """
        kind = tag.kind
        if kind == SKIPPED or (
            kind == BLOCK and tag.is_hidden and not self._keep_hidden
        ):
            if tag.name in CONTROL_TAGS:  # it stands between words
                self.add_text(" ")
            return not tag.is_empty
        self._actions[kind](tag, child)
        if tag.is_empty:
            self._actions[-kind](tag, "")
        return 0

    def _find_actions(self) -> dict[int, Action]:
        """Return what is done at tags by their kind."""
        return {
            BLOCK: self._open,
            -BLOCK: self._close,
            LINE_BREAK: self._break,
            -LINE_BREAK: _nothing,
            ANCHOR: self._begin_anchor,
            -ANCHOR: self._end_anchor,
            IMAGE: self._add_image,
            -IMAGE: _nothing,
            RUBY: self._begin_ruby,
            -RUBY: self._end_ruby,
            BOLD: self._begin_span,
            -BOLD: self._end_span,
            CODE: self._begin_span,
            -CODE: self._end_span,
            PLAIN: self._begin_span,
            -PLAIN: self._end_span,
        }

    def _open(self, start: Tag, child: str) -> None:
        """Begin a block; ``child`` is the tag that follows, if no text comes between."""
        if self._parts or self._anchors.of_block:
            self.flush()
        _, outer, parent = self._stack[-1]
        inner = open_block(start, outer)
        containers = self.page.containers
        self._stack.append((start.name, inner, len(containers)))
        containers.append(Container(parent, start))
        if start.name in PREFORMATTED_TAGS:
            around = (containers[place].tag.names for _, _, place in self._stack[-3:])
            if _CODE_CHILD_RE.match(child) or any(map(speaks_of_code, around)):
                inner.kind = ParagraphType.CODE

    def _close(self, _: Tag, __: str) -> None:
        self.flush()
        if len(self._stack) > 1:
            self._stack.pop()

    def _break(self, _: Tag, __: str) -> None:
        self._parts.append("\n")

    def _begin_anchor(self, start: Tag, _: str) -> None:
        address = "src" if start.name == "frame" else "href"
        self._anchors.start(start.attributes, address)

    def _end_anchor(self, _: Tag, __: str) -> None:
        self._anchors.end(is_hidden=self._stack[-1][1].is_hidden)

    def _begin_ruby(self, _: Tag, __: str) -> None:
        self._parts.append("(")  # what is above the characters stands behind them

    def _end_ruby(self, _: Tag, __: str) -> None:
        self._parts.append(")")

    def _begin_span(self, start: Tag, _: str) -> None:
        spans = None
        if start.kind != PLAIN:
            spans = self._bold if start.kind == BOLD else self._code
            spans.start()
        self._spans.append(spans)

    def _end_span(self, _: Tag, __: str) -> None:
        if (spans := self._spans.pop()) is not None:
            spans.end()

    def _add_image(self, start: Tag, _: str) -> None:
        attributes = start.attributes
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
        tag, inner, container = self._stack[-1]
        text, words = join_lines(joined, is_preformatted=tag in PREFORMATTED_TAGS)
        if not words:
            return
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
    walker = _Walker(context_words, max_contexts, keep_hidden=keep_hidden)
    walker.walk(iter_steps(root))
    return walker.page
