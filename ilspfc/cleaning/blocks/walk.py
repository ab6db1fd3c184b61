"""One walk over a parsed page: text blocks, anchors and image names, in reading order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.links import AnchorReader
from ilspfc.cleaning.blocks.nesting import (
    CHANGING_ATTRIBUTES,
    Context,
    is_changing,
    is_hidden,
    open_block,
)
from ilspfc.cleaning.blocks.parsed import Block, ParsedPage, Path
from ilspfc.cleaning.blocks.tags import (
    BLOCK_TAGS,
    CONTROL_TAGS,
    HEADING_TAGS,
    PREFORMATTED_TAGS,
    SKIPPED_TAGS,
    TAG_SIGNS,
)
from ilspfc.cleaning.blocks.visibility import (
    begins_line,
    has_line_elements,
    is_line_number,
    is_text_button,
    is_unseen,
    is_visible_word,
)
from ilspfc.cleaning.encoding.decoding import normalize
from ilspfc.documents import ParagraphType

BOLD_TAGS = frozenset({"b", "strong", "big", "font", "span"})
CODE_TAGS = frozenset({"code", "samp", "kbd", "tt"})
ANCHOR_TAGS = frozenset({"a", "area", "frame"})
INLINE_TAGS = ANCHOR_TAGS | BOLD_TAGS | CODE_TAGS | {"br", "button", "img", "rt"}
# The sizes of a font element that are larger than text.
_LARGE_SIZES = frozenset({"4", "5", "6", "7", "+1", "+2", "+3", "+4", "+5", "+6"})


def is_bold(attributes: Mapping[str, str], tag: str) -> bool:
    """Test whether an element of BOLD_TAGS makes its text stand out."""
    if tag == "font" and (attributes.get("size") or "").strip() in _LARGE_SIZES:
        return True
    if tag in {"font", "span"}:
        return "font-weight:bold" in attributes.get("style", "").replace(" ", "")
    return True


class Spans:
    """Places of the elements of one kind among the parts of a block."""

    def __init__(self, parts: Sequence[str]) -> None:
        self.is_used = False
        """Test whether the block has a span, or one goes on in it."""
        self._parts = parts
        self._outermost: etree._Element | None = None
        self._start = 0
        self._ranges: list[tuple[int, int]] = []

    def start(self, element: etree._Element) -> None:
        """Begin a span, unless one is open."""
        if self._outermost is None:
            self._outermost = element
            self._start = len(self._parts)
            self.is_used = True

    def end(self, element: etree._Element) -> None:
        """End the span that this element began, if it did."""
        if self._outermost is element:
            self._ranges.append((self._start, len(self._parts)))
            self._outermost = None

    def flush(self) -> tuple[bool, ...]:
        """End the block; return for each of its lines with text whether it is inside.

        Empty where no line is. A span around blocks goes on in the next one.
        """
        self.is_used = self._outermost is not None
        if self.is_used:
            self._ranges.append((self._start, len(self._parts)))
            self._start = 0
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


class _Walker:
    """Collects blocks while the tree is walked.

    ``keep_hidden`` keeps hidden block elements; other hidden elements are passed over.
    """

    def __init__(
        self, context_words: int, max_contexts: int, *, keep_hidden: bool
    ) -> None:
        self._parts: list[str] = []
        self._kept = BLOCK_TAGS if keep_hidden else frozenset()
        self._skipped = SKIPPED_TAGS - self._kept
        # Of each open block element: its tag, the context inside, its place and its path.
        self._stack = [("body", Context(), 0, 0)]
        self._known_paths: dict[tuple[int, str, str], tuple[int, bool]] = {}
        self._anchors = AnchorReader(self._parts, context_words, max_contexts)
        self._bold, self._code = Spans(self._parts), Spans(self._parts)
        # The outermost open element whose text is none of the page.
        self._muted: Element | None = None
        # Code whose block elements are its lines; of each open one, the parts before it.
        self._listing: Element | None = None
        self._lines: list[int] = []
        self.page = ParsedPage(
            anchors=self._anchors.anchors, hidden_anchors=self._anchors.hidden
        )

    def walk(self, tree: Element) -> None:
        """Collect the blocks of a tree."""
        skipped = None
        walker = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                tag = element.tag
                # Read once: single look-ups in lxml take longer.
                attributes = dict(element.items())
                if self._is_skipped(element, tag, attributes):
                    walker.skip_subtree()
                    skipped = element
                    # Controls stand between words.
                    text = " " if tag in CONTROL_TAGS else None
                else:
                    self._start(element, tag, attributes)
                    text = element.text
            elif event == "end" and element is not skipped:
                self._end(element, element.tag)
                text = element.tail
            else:  # behind what is skipped, a comment or an instruction
                text = element.tail
            if text is not None:
                self._add_text(text)

    def _is_skipped(
        self, element: Element, tag: str, attributes: Mapping[str, str]
    ) -> bool:
        context = self._stack[-1][1]
        if tag in self._skipped:
            return tag != "button" or not (
                is_text_button(element, is_frame=context.is_frame)
                and not (is_hidden(attributes) or context.is_preformatted)
            )
        if not attributes or not is_hidden(attributes):
            return False
        if tag in self._kept and self._listing is None:
            return False
        return tag in BLOCK_TAGS or not is_visible_word(element, attributes)

    def _start(self, element: Element, tag: str, attributes: Mapping[str, str]) -> None:
        if self._muted is None and (
            is_line_number(element, tag, attributes)
            or is_unseen(element, tag, attributes, self._stack[-1][0])
        ):
            self._muted = element
        if tag in BLOCK_TAGS:
            if self._listing is None:
                self._open_block(element, tag, attributes)
            else:
                self._start_line(tag)
            return
        if (attributes or tag == "code") and begins_line(element, attributes):
            self._parts.append("\n")
        if tag in INLINE_TAGS:
            self._start_inline(element, tag, attributes)

    def _end(self, element: Element, tag: str) -> None:
        if tag in BLOCK_TAGS:
            if self._listing is None or element is self._listing:
                self._close_block()
                self._listing = None
            else:
                self._end_line()
        elif tag in INLINE_TAGS:
            self._end_inline(element, tag)
        if element is self._muted:
            self._muted = None

    def _start_line(self, tag: str) -> None:
        self.page.tags.append(TAG_SIGNS[tag])
        if self._muted is None and self._parts and not self._parts[-1].endswith("\n"):
            self._parts.append("\n")
        self._lines.append(len(self._parts))

    def _end_line(self) -> None:
        """End a line of code, unless a br did; one without text is empty, but for a part of one."""
        start = self._lines.pop()
        if self._muted is not None:
            return
        if len(self._parts) > start:
            is_open = not self._parts[-1].endswith("\n")
        else:
            is_open = not self._lines
        if is_open:
            self._parts.append("\n")

    def _add_text(self, text: str) -> None:
        if self._muted is not None:
            self._anchors.add_title(text)
            return
        if self._stack[-1][1].is_preformatted:
            text = normalize(text)
        elif text.isspace():
            if self._parts:  # none at the start of a block
                self._parts.append(" ")
            return
        else:
            # Entities are resolved by now: &shy; and &nbsp; are characters of the text.
            text = normalize(join_lines(text))
        if text:
            self._parts.append(text)

    def _open_block(
        self, element: Element, tag: str, attributes: Mapping[str, str]
    ) -> None:
        if self._parts or self._anchors.is_used:
            self.end_block()
        self.page.tags.append(TAG_SIGNS[tag])
        _, context, outer, path = self._stack[-1]
        names = ""
        if attributes:
            given = map(attributes.get, ("class", "id", "role"))
            names = " ".join(filter(None, given))
        key = path, tag, names
        known = self._known_paths.get(key)
        if known is None:
            paths = self.page.distinct_paths
            known = self._known_paths[key] = len(paths), is_changing(tag, names)
            paths.append(Path(*key))
        path, changes = known
        if changes or not CHANGING_ATTRIBUTES.isdisjoint(attributes):
            context = open_block(element, tag, attributes, context, names)
        self._stack.append((tag, context, len(self.page.parents), path))
        self.page.parents.append(outer)
        self.page.ends.append(0)
        self.page.paths.append(path)
        if (
            tag in PREFORMATTED_TAGS
            and context.kind is ParagraphType.CODE
            and has_line_elements(element)
        ):
            self._listing = element

    def _close_block(self) -> None:
        if self._parts or self._anchors.is_used:
            self.end_block()
        if len(self._stack) > 1:
            place = self._stack.pop()[2]
            self.page.ends[place] = len(self.page.parents)

    def _start_inline(
        self, element: Element, tag: str, attributes: Mapping[str, str]
    ) -> None:
        self.page.tags.append(TAG_SIGNS.get(tag, ""))
        if tag in ANCHOR_TAGS:
            attribute = "src" if tag == "frame" else "href"
            self._anchors.start(attributes, attribute, self._stack[-1][3])
        elif tag in BOLD_TAGS:
            if is_bold(attributes, tag):
                self._bold.start(element)
        elif self._muted is not None:
            return
        elif tag == "br":
            self._parts.append("\n")
        elif tag == "img":
            self._add_image(attributes)
        elif tag in CODE_TAGS:
            self._code.start(element)
        elif tag == "button":
            if self._parts and self._parts[-1][-1:].isalnum():
                self._parts.append(" ")
        else:  # the ruby annotation above the characters stands behind them
            self._parts.append("(")

    def _end_inline(self, element: Element, tag: str) -> None:
        if tag in ANCHOR_TAGS:
            self._anchors.end(is_hidden=self._stack[-1][1].is_hidden)
        elif tag in BOLD_TAGS:
            self._bold.end(element)
        elif tag in CODE_TAGS:
            self._code.end(element)
        elif tag == "button":
            if (element.tail or "")[:1].isalnum():
                self._parts.append(" ")
        elif tag == "rt" and self._muted is None:
            self._parts.append(")")

    def _add_image(self, attributes: Mapping[str, str]) -> None:
        source = attributes.get("src") or attributes.get("data-src") or ""
        name = source.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1]
        is_shown = not self._stack[-1][1].is_hidden
        if name and is_shown and not source.startswith("data:"):
            self.page.images.append(name)
        if alt := attributes.get("alt"):
            self._anchors.add_title(alt)

    def end_block(self) -> None:
        """End the block that is being collected."""
        bold_lines = self._bold.flush() if self._bold.is_used else ()
        code_lines = self._code.flush() if self._code.is_used else ()
        link_words = link_chars = 0
        if self._anchors.is_used:
            link_words, link_chars = self._anchors.flush()
        joined = "".join(self._parts).strip("\u200b")
        self._parts.clear()
        tag, context, place, _ = self._stack[-1]
        is_preformatted = tag in PREFORMATTED_TAGS
        text, words = read_lines(joined, is_preformatted=is_preformatted)
        if not words:
            return
        is_item = context.is_item and tag not in HEADING_TAGS
        self.page.blocks.append(
            Block(
                text,
                tag,
                words,
                link_words,
                level=len(self._stack),
                is_list_item=is_item,
                list_number=context.list_number if is_item else 0,
                is_frame=context.is_frame,
                kind=context.kind,
                table=context.table,
                row=context.row,
                cell=context.cell,
                bold_lines=bold_lines,
                is_code=bool(code_lines) and all(code_lines),
                comment=context.comment,
                container=place,
                link_chars=link_chars,
                is_hidden=context.is_hidden,
                indents=read_indents(joined) if is_preformatted else (),
            )
        )


# Where text is wrapped by hand, its longest line has between as many characters.
_WIDTHS = range(50, 101)
_BLANK_LINE_RE = re.compile(r"(?<=\S)[ \t]*\n\n\s*(?=\S)")


def join_lines(text: str) -> str:
    """Return a text of markup in one line; where it is wrapped as a mail, in a line a paragraph.

    Archives of mail show their text as it is, by a style sheet: blank lines part the
    paragraphs. It is wrapped if most long lines with another below them are full.
    """
    if "\n\n" in text and _is_wrapped(text.split("\n")):
        # No markup has a NUL.
        text = _BLANK_LINE_RE.sub("\0", text)
    return text.replace("\n", " ").replace("\0", "\n")


def _is_wrapped(lines: Sequence[str]) -> bool:
    width = max(map(len, lines))
    if width not in _WIDTHS:
        return False
    full = [
        is_full(line, below, width)
        for line, below in pairwise(lines)
        if len(line) >= _WIDTHS.start and below.strip()
    ]
    return 2 * sum(full) >= len(full) > 0


def is_full(line: str, below: str, width: int) -> bool:
    """Test whether a line of so many characters has no room for the first word below it."""
    return len(line) + 1 + len(below.split(" ", 1)[0]) > width


def read_lines(joined: str, *, is_preformatted: bool) -> tuple[str, int]:
    """Return the text of a block, its lines without needless blanks, and its words."""
    if "\n" not in joined:  # most
        words = joined.split()
        return " ".join(words), len(words)
    split = [line.split() for line in joined.split("\n")]
    lines = [" ".join(line) for line in split]
    if is_preformatted:  # an empty line ends a paragraph
        lines = [
            line
            for number, line in enumerate(lines)
            if line or (number and lines[number - 1])
        ]
    else:
        lines = list(filter(None, lines))
    return "\n".join(lines).strip("\n"), sum(map(len, split))


def read_indents(joined: str) -> tuple[int, ...]:
    """Return the blanks before each line with text, nothing for a single line."""
    if "\n" not in joined:
        return ()
    lines = filter(str.strip, joined.split("\n"))
    return tuple(len(line) - len(line.lstrip()) for line in lines)


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
    for tree in (root, *root.itersiblings("*")):  # text after </html> has further roots
        walker.walk(tree)
    walker.end_block()
    walker.page.ends[0] = len(walker.page.parents)
    return walker.page
