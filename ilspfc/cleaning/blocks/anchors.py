"""The anchors of a page, with the words around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ilspfc.cleaning.encoding.decoding import normalize

_CHARS = 400
_PARTS = 20
# Signs of links to the place where they stand, mostly behind headings.
_PERMALINKS = frozenset("¶#§🔗⚓∞") | {"⚓︎"}


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
    before: Sequence[str] = ()
    after: Sequence[str] = ()


class AnchorReader:
    """Collects anchors while a page is walked.

    ``parts`` are the texts of the block that is being read; ``context_words`` are kept on
    each side of an anchor, for the first ``max_contexts`` anchors.
    """

    def __init__(self, parts: list[str], context_words: int, max_contexts: int) -> None:
        self.anchors: list[Anchor] = []
        self.is_used = False
        """Test whether the block has an anchor, or one goes on in it."""
        self._parts = parts
        self._context_words = context_words
        self._max_contexts = max_contexts
        # Words inside anchors since the block began, and their characters.
        self._link_words = self._link_chars = 0
        self._open: Anchor | None = None
        self._start = 0
        self._words: list[str] = []
        self._titles: list[str] = []
        # Anchors that have ended in the block, with how many parts it had then.
        self._of_block: list[tuple[Anchor, int]] = []

    def start(self, attributes: Mapping[str, str], attribute: str) -> None:
        """Begin an anchor, unless the element has no address."""
        if self._open is not None:
            self.end()
        href = attributes.get(attribute)
        if href is None:
            return
        anchor = self._open = Anchor(href)
        self.is_used = True
        self._words, self._titles = [], []
        self._start = len(self._parts)
        if self._parts and len(self.anchors) < self._max_contexts:
            recent = text_before(self._parts).split()
            anchor.before = recent[-self._context_words :]
        if len(attributes) > 1:
            anchor.rel = attributes.get("rel", "").lower()
            anchor.hreflang = attributes.get("hreflang", "")
            titles = map(attributes.get, ("title", "alt"))
            self.add_title(" ".join(filter(None, titles)))

    def end(self, *, is_hidden: bool = False) -> None:
        """End the anchor that is open, if there is one; a hidden one is not kept."""
        anchor = self._open
        if anchor is None:
            return
        if "#" in anchor.href and "".join(self._parts[self._start :]).strip() in (
            _PERMALINKS
        ):
            del self._parts[self._start :]
        self._add_words()
        anchor.text = " ".join(self._words)
        if self._titles:
            anchor.title = " ".join(self._titles)
        if not is_hidden:
            if len(self.anchors) < self._max_contexts:
                self._of_block.append((anchor, len(self._parts)))
            self.anchors.append(anchor)
        self._open = None

    def add_title(self, text: str) -> None:
        """Add the alternative text of an image to the anchor that is open."""
        if self._open is not None and (title := normalize(text).strip()):
            self._titles.append(title)

    def flush(self) -> tuple[int, int]:
        """End the block; return the number of its words inside anchors, and of their characters."""
        if self._open is not None:  # an anchor around blocks goes on in the next one
            self._add_words()
            self._start = 0
        for anchor, end in self._of_block:
            if end < len(self._parts):
                following = text_after(self._parts, end).split()
                anchor.after = following[: self._context_words]
        self._of_block.clear()
        words, chars = self._link_words, self._link_chars
        self._link_words = self._link_chars = 0
        self.is_used = self._open is not None
        return words, chars

    def _add_words(self) -> None:
        if self._start < len(self._parts):
            words = "".join(self._parts[self._start :]).split()
            self._link_words += len(words)
            self._link_chars += sum(map(len, words))
            self._words += words
