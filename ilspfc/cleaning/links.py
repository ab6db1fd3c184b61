"""The links of a page, absolute and with the text around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin

from ilspfc.documents import Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ilspfc.cleaning.anchors import Anchor
    from ilspfc.cleaning.elements import Elements

_ORIGIN_RE = re.compile(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?=[/?#]|$)")
# What urljoin makes nothing else of: an address with neither parameters nor fragment, and a
# path from the root without "." and "..".
_PLAIN = r"[\w/~%=&+,.-]*(?:\?[\w/~%=&+,.-]+)?"
_PLAIN_URL_RE = re.compile(rf"https?://[A-Za-z0-9.-]+(?:/{_PLAIN})?", re.ASCII)
_PLAIN_PATH_RE = re.compile(rf"/(?![/.])(?![^?]*/\.){_PLAIN}", re.ASCII)


def base_url(root: Elements, url: str) -> str:
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


class _Resolver:
    """Makes the links of a page absolute; most need no parsing, or were met before."""

    def __init__(self, base: str) -> None:
        self._base = base
        origin = _ORIGIN_RE.match(base)
        self._origin = origin[0] if origin else ""
        self._known: dict[str, str] = {}

    def resolve(self, href: str) -> str:
        """Return what :func:`_absolute` returns."""
        if self._origin:
            if _PLAIN_URL_RE.fullmatch(href):
                return href
            if _PLAIN_PATH_RE.fullmatch(href):
                return self._origin + href
        url = self._known.get(href)
        if url is None:
            url = self._known[href] = _absolute(self._base, href)
        return url


def _iter_alternates(root: Elements, base: str) -> Iterator[Link]:
    for element in root.iter("link"):
        rel = (element.get("rel") or "").lower().split()
        hreflang = element.get("hreflang") or ""
        if "alternate" not in rel or not hreflang:
            continue
        if url := _absolute(base, element.get("href") or ""):
            title = element.get("title") or ""
            yield Link(url, title=title, rel="alternate", hreflang=hreflang)


def make_links(
    root: Elements, anchors: Iterable[Anchor], base: str, *, max_links: int = 2000
) -> list[Link]:
    """Return at most ``max_links`` links: declared versions first, then the anchors.

    Anchors that ask not to be followed, lead nowhere or to another scheme are left out.
    """
    links = list(_iter_alternates(root, base))
    resolve = _Resolver(base).resolve
    for anchor in anchors:
        if len(links) >= max_links:
            break
        if anchor.rel and "nofollow" in anchor.rel.split():
            continue
        if url := resolve(anchor.href):
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
