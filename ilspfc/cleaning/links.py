"""The links of a page, absolute and with the text around them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin

from ilspfc.documents import Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml import etree

    from ilspfc.cleaning.anchors import Anchor


def base_url(root: etree._Element, url: str) -> str:
    """Return the URL that relative links refer to: the base element's, or the page's."""
    for element in root.iter("base"):
        if href := element.get("href"):
            try:
                return urljoin(url, href.strip())
            except ValueError:
                break
    return url


def _absolute(base: str, href: str) -> str:
    """Return the absolute http(s) URL of a link without fragment, or an empty string."""
    try:
        url = urldefrag(urljoin(base, href.strip()))[0]
    except ValueError:
        return ""
    return url if url.lower().startswith(("http://", "https://")) else ""


def _iter_alternates(root: etree._Element, base: str) -> Iterator[Link]:
    for element in root.iter("link"):
        rel = (element.get("rel") or "").lower().split()
        hreflang = element.get("hreflang") or ""
        if "alternate" not in rel or not hreflang:
            continue
        if url := _absolute(base, element.get("href") or ""):
            title = element.get("title") or ""
            yield Link(url, title=title, rel="alternate", hreflang=hreflang)


def make_links(
    root: etree._Element, anchors: Iterable[Anchor], base: str, *, max_links: int = 2000
) -> list[Link]:
    """Return at most ``max_links`` links: declared versions first, then the anchors.

    Anchors that ask not to be followed, lead nowhere or to another scheme are left out.
    """
    links = list(_iter_alternates(root, base))
    for anchor in anchors:
        if len(links) >= max_links:
            break
        if "nofollow" in anchor.rel.split():
            continue
        if url := _absolute(base, anchor.href):
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
