"""Links of a page: anchors with the words around them, declared versions, meta refresh."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from zlib import crc32

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.markup import read_tree
from ilspfc.cleaning.blocks.parsed import Anchor, Path
from ilspfc.cleaning.encoding.decoding import normalize
from ilspfc.documents import Link
from ilspfc.web.address import Addresses

_DIGITS_RE = re.compile(r"\d+")
_PLACES = 0x7FFF_FFFF
FOLLOWING_CHARS = 400
FOLLOWING_PARTS = 20
# Signs of links to the place where they stand, mostly behind headings.
PERMALINKS = frozenset("¶#§🔗⚓∞") | {"⚓︎"}


def text_before(parts: Sequence[str]) -> str:
    """Return the last characters of the parts."""
    recent: list[str] = []
    chars = 0
    for part in reversed(parts):
        recent.append(part[-FOLLOWING_CHARS:])
        chars += len(part)
        if chars >= FOLLOWING_CHARS:
            break
    return "".join(reversed(recent))[-FOLLOWING_CHARS:]


class AnchorReader:
    """Collects anchors while a page is walked.

    ``parts`` are the texts of the block that is being read; ``context_words`` are kept on
    each side of an anchor, for the first ``max_contexts`` anchors.
    """

    def __init__(self, parts: list[str], context_words: int, max_contexts: int) -> None:
        self.anchors: list[Anchor] = []
        self.hidden: list[Anchor] = []
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

    def start(self, attributes: Mapping[str, str], attribute: str, path: int) -> None:
        """Begin an anchor, unless the element has no address; ``path`` is its block's."""
        if self._open is not None:
            self.end()
        href = attributes.get(attribute)
        if href is None:
            return
        anchor = self._open = Anchor(href, path)
        self.is_used = True
        self._words, self._titles = [], []
        self._start = len(self._parts)
        if self._parts and len(self.anchors) < self._max_contexts:
            recent = text_before(self._parts).split()
            anchor.before = recent[-self._context_words :]
        if len(attributes) > 1:
            anchor.rel = attributes.get("rel", "").lower()
            anchor.hreflang = attributes.get("hreflang", "")
            anchor.names = attributes.get("class", "")
            titles = map(attributes.get, ("title", "alt"))
            self.add_title(" ".join(filter(None, titles)))

    def end(self, *, is_hidden: bool = False) -> None:
        """End the anchor that is open, if there is one; hidden ones are kept apart."""
        anchor = self._open
        if anchor is None:
            return
        if "#" in anchor.href and "".join(self._parts[self._start :]).strip() in (
            PERMALINKS
        ):
            del self._parts[self._start :]
        self._add_words()
        anchor.text = " ".join(self._words)
        if self._titles:
            anchor.title = " ".join(self._titles)
        if is_hidden:
            self.hidden.append(anchor)
        else:
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
                parts = (
                    part[:FOLLOWING_CHARS]
                    for part in self._parts[end : end + FOLLOWING_PARTS]
                )
                following = "".join(parts)[:FOLLOWING_CHARS].split()
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


# HTML, "shared declarative refresh steps": the delay, and what precedes the URL.
_DELAY_RE = re.compile(
    r"\s*(\d+|(?=\.))[\d.]*(?=[\s;,])[\s;,]*(?:url\s*=\s*)?", re.IGNORECASE
)
_MAX_REFRESH_CHARS = 4_096
# Of the text for readers without frames.
_MAX_FRAMELESS_CHARS = 65_536


def find_refresh(root: Element) -> tuple[float, str] | None:
    """Return delay in seconds and address of the meta refresh.

    Those for readers without scripts (``noscript``) are passed over, and so are those
    that name no page: they load the same one again.
    """
    for element in root.iter("meta"):
        if (element.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        content = (element.get("content") or "")[:_MAX_REFRESH_CHARS]
        match = _DELAY_RE.match(content)
        if match is None or next(element.iterancestors("noscript"), None) is not None:
            continue
        address = content[match.end() :].strip()
        if address[:1] in {"'", '"'}:
            address = address[1:].partition(address[0])[0]
        if address:
            return float(match[1][:9] or 0), address
    return None


def find_redirect(head: str, url: str, max_seconds: float) -> str:
    """Return the URL of the meta refresh in the head of a page, in less than ``max_seconds``.

    It is empty where there is none, or none that can be asked for, or where the page links to
    others: one with a link to each language leads to the first by refresh.
    """
    if "refresh" not in head.lower():
        return ""
    root = read_tree(head.encode("utf-8", "replace"))
    refresh = find_refresh(root) if root is not None else None
    if root is None or refresh is None or refresh[0] >= max_seconds:
        return ""
    addresses = Addresses(url)
    read_base(root, addresses)
    target = addresses.read(refresh[1])
    linked = {addresses.read(one.get("href") or "") for one in root.iter("a")}
    return target if linked <= {target, url, ""} else ""


def read_base(root: Element, addresses: Addresses) -> None:
    """Resolve the addresses of a page by its base element, if that is valid."""
    for element in root.iter("base"):
        if href := element.get("href"):
            addresses.rebase(href)
            return


def _iter_declared(root: Element, addresses: Addresses) -> Iterator[Link]:
    """Yield the target of a meta refresh, and the declared versions of the page."""
    if (refresh := find_refresh(root)) and (url := addresses.read(refresh[1])):
        yield Link(url, rel="refresh")
    for element in root.iter("link"):
        rel = (element.get("rel") or "").lower().split()
        hreflang = element.get("hreflang") or ""
        if "alternate" not in rel or not hreflang:
            continue
        if url := addresses.read(element.get("href") or ""):
            title = element.get("title") or ""
            yield Link(url, title=title, rel="alternate", hreflang=hreflang)


def _iter_frameless(root: Element) -> Iterator[Anchor]:
    """Yield the anchors in ``noframes`` elements, whose content parsers take for text."""
    for element in root.iter("noframes"):
        if text := (element.text or "").strip():
            fragment = etree.HTML(f"<body>{text[:_MAX_FRAMELESS_CHARS]}")
            for anchor in fragment.iter("a"):
                words = "".join(map(str, anchor.itertext())).split()
                yield Anchor(anchor.get("href") or "", text=" ".join(words))


def find_menus(hidden: Iterable[Anchor]) -> Iterator[Anchor]:
    """Yield the hidden anchors that belong to menus: with words, beside others in their place.

    Menus and lists of languages are hidden until they are opened. A hidden link that is alone may
    be there to catch crawlers.
    """
    named = [anchor for anchor in hidden if anchor.text or anchor.title]
    numbers = Counter(anchor.path for anchor in named)
    return (anchor for anchor in named if numbers[anchor.path] > 1)


def make_links(
    root: Element,
    anchors: Iterable[Anchor],
    addresses: Addresses,
    places: Sequence[int] = (0,),
    *,
    max_links: int = 2000,
) -> list[Link]:
    """Return at most ``max_links`` links: those of the head first, then the anchors.

    ``places`` are numbers of the page's distinct paths (:func:`number_places`).

    Anchors that ask not to be followed, lead nowhere or to another scheme are left out.
    """
    links = list(_iter_declared(root, addresses))
    for anchor in chain(anchors, _iter_frameless(root)):
        if len(links) >= max_links:
            break
        if anchor.rel and "nofollow" in anchor.rel.split():
            continue
        if url := addresses.read(anchor.href):
            context = " ".join([*anchor.before, anchor.text, *anchor.after])
            links.append(
                Link(
                    url=url,
                    anchor=anchor.text,
                    context=context,
                    title=anchor.title,
                    hreflang=anchor.hreflang,
                    place=_number(anchor.names, places[anchor.path]),
                )
            )
    return links[:max_links]


# Their names are often made of the address of the page, which would have all places for itself.
_ROOT_TAGS = frozenset({"html", "body"})


def number_places(paths: Sequence[Path]) -> list[int]:
    """Return a number from 1 for each path, the same for the same tags and names.

    Digits of names do not count: in lists, elements are often numbered. Neither do the names of
    ``html`` and ``body``.
    """
    # No markup has a NUL: all names are read at once.
    names = "\0".join(
        [f"{tag} {names if tag not in _ROOT_TAGS else ''}" for _, tag, names in paths]
    )
    places: list[int] = []
    for path, name in zip(paths, _without_digits(names).split(b"\0"), strict=False):
        places.append(crc32(name, places[path[0]] if places else 0) & _PLACES or 1)
    return places or [0]


def _number(names: str, around: int) -> int:
    """Return the number of a place inside another one."""
    return crc32(_without_digits(names), around) & _PLACES or 1 if names else around


def _without_digits(names: str) -> bytes:
    return _DIGITS_RE.sub("0", names).encode("utf-8", "replace")
