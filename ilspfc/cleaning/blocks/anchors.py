"""The anchors of a page, with the words around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ilspfc.cleaning.encoding.decoding import normalize

_CHARS = 400
_PARTS = 20


def text_before(parts: Sequence[str]) -> str:
    """Return the last characters of the parts."""
    recent: list[str] = []
    chars = 0
    for part in reversed(parts):
        recent.append(part[-_CHARS:])
        chars += len(part)
        if chars >= _CHARS:
            break
    return "".join(reversed(recent))[-_CHARS:]


def text_after(parts: Sequence[str], start: int) -> str:
    """Return the first characters of the parts from ``start`` on."""
    following = (part[:_CHARS] for part in parts[start : start + _PARTS])
    return "".join(following)[:_CHARS]


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


class AnchorReader:
    """Collects anchors while a page is walked.

    ``parts`` are the texts of the block that is being read; ``context_words`` are kept on
    each side of an anchor, for the first ``max_contexts`` anchors.
    """

    def __init__(
        self, parts: Sequence[str], context_words: int, max_contexts: int
    ) -> None:
        self.anchors: list[Anchor] = []
        self.link_words = 0
        self.link_chars = 0
        """Words inside anchors since the block began, and their characters."""
        self._parts = parts
        self._context_words = context_words
        self._max_contexts = max_contexts
        self._open: Anchor | None = None
        self._start = 0
        self._words: list[str] = []
        self._titles: list[str] = []
        self.of_block: list[tuple[Anchor, int]] = []
        """Anchors that have ended in the block, with how many parts it had then."""

    def start(self, attributes: Mapping[str, str], attribute: str) -> None:
        """Begin an anchor, unless the element has no address."""
        self.end()
        href = attributes.get(attribute)
        if href is None:
            return
        has_context = len(self.anchors) < self._max_contexts
        recent = []
        if has_context and self._parts:
            recent = text_before(self._parts).split()
        titles = filter(None, map(attributes.get, ("title", "alt")))
        title = " ".join(titles)
        self._titles = [normalize(title).strip()] if title else []
        self._words = []
        self._open = Anchor(
            href=href,
            rel=(attributes.get("rel") or "").lower(),
            hreflang=attributes.get("hreflang") or "",
            before=recent[-self._context_words :],
        )
        self._start = len(self._parts)

    def end(self, *, is_hidden: bool = False) -> None:
        """End the anchor that is open, if there is one; a hidden one is not kept."""
        if self._open is None:
            return
        self._add_words()
        self._open.text = " ".join(self._words)
        if self._titles:
            self._open.title = " ".join(filter(None, self._titles))
        if not is_hidden:
            if len(self.anchors) < self._max_contexts:
                self.of_block.append((self._open, len(self._parts)))
            self.anchors.append(self._open)
        self._open = None

    def add_title(self, text: str) -> None:
        """Add the alternative text of an image to the anchor that is open."""
        if self._open is not None:
            self._titles.append(normalize(text).strip())

    def flush(self) -> tuple[int, int]:
        """End the block; return the number of its words inside anchors, and of their characters."""
        if self._open is not None:  # an anchor around blocks goes on in the next one
            self._add_words()
            self._start = 0
        if self.of_block:
            for anchor, end in self.of_block:
                if end < len(self._parts):
                    following = text_after(self._parts, end).split()
                    anchor.after = following[: self._context_words]
            self.of_block.clear()
        words, chars = self.link_words, self.link_chars
        self.link_words = self.link_chars = 0
        return words, chars

    def _add_words(self) -> None:
        if self._start == len(self._parts):
            return
        words = "".join(self._parts[self._start :]).split()
        self.link_words += len(words)
        self.link_chars += sum(map(len, words))
        self._words += words
