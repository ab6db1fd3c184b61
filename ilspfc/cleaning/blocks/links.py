"""The links of a page, absolute and with the text around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.cleaning.metadata.refresh import find_refresh
from ilspfc.documents import Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ilspfc.cleaning.blocks.anchors import Anchor
    from ilspfc.cleaning.metadata.fields import Elements
    from ilspfc.web.address import Addresses


def read_base(root: Elements, addresses: Addresses) -> None:
    """Let the addresses of a page refer to its base element, if that can be used."""
    for element in root.iter("base"):
        if href := element.get("href"):
            addresses.rebase(href)
            return


def _iter_declared(root: Elements, addresses: Addresses) -> Iterator[Link]:
    """Yield the page that this one leads on to, and its declared versions."""
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
    for anchor in anchors:
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
