"""Links of a page: anchors, declared versions, meta refresh."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.blocks.anchors import Anchor
from ilspfc.documents import Link
from ilspfc.web.address import Addresses

if TYPE_CHECKING:
    from ilspfc.cleaning.metadata.elements import Elements

# HTML, "shared declarative refresh steps": the delay, and what precedes the URL.
_DELAY_RE = re.compile(
    r"\s*(\d+|(?=\.))[\d.]*(?=[\s;,])[\s;,]*(?:url\s*=\s*)?", re.IGNORECASE
)
_MAX_REFRESH_CHARS = 4_096
# Of the text for readers without frames.
_MAX_FRAMELESS_CHARS = 65_536


def find_refresh(root: Elements) -> tuple[float, str] | None:
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

    It is empty where there is none, or none that can be asked for.
    """
    if "refresh" not in head.lower():
        return ""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True)
    try:
        root = etree.fromstring(
            head.replace("\0", "").encode("utf-8", "replace"), parser
        )
    except etree.XMLSyntaxError:
        return ""
    refresh = find_refresh(root) if root is not None else None
    if refresh is None or refresh[0] >= max_seconds:
        return ""
    addresses = Addresses(url)
    base = next((one.get("href") for one in root.iter("base") if one.get("href")), "")
    addresses.rebase(base or url)
    return addresses.read(refresh[1])


def read_base(root: Elements, addresses: Addresses) -> None:
    """Resolve the addresses of a page by its base element, if that is valid."""
    for element in root.iter("base"):
        if href := element.get("href"):
            addresses.rebase(href)
            return


def _iter_declared(root: Elements, addresses: Addresses) -> Iterator[Link]:
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


def _iter_frameless(root: Elements) -> Iterator[Anchor]:
    """Yield the anchors in ``noframes`` elements, whose content parsers take for text."""
    for element in root.iter("noframes"):
        if text := (element.text or "").strip():
            fragment = etree.HTML(f"<body>{text[:_MAX_FRAMELESS_CHARS]}")
            for anchor in fragment.iter("a"):
                words = "".join(map(str, anchor.itertext())).split()
                yield Anchor(anchor.get("href") or "", " ".join(words))


def make_links(
    root: Elements,
    anchors: Iterable[Anchor],
    addresses: Addresses,
    *,
    max_links: int = 2000,
) -> list[Link]:
    """Return at most ``max_links`` links: those of the head first, then the anchors.

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
                )
            )
    return links[:max_links]
