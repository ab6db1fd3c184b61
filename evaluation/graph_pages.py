"""Graphs of pages: what a page holds, how it looks as HTML, what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import TYPE_CHECKING

from evaluation.graph_text import Writer

if TYPE_CHECKING:
    from evaluation.served import PageKey

# (target, link text)
LinkText = tuple["PageKey", str]


@dataclass
class GraphPage:
    """A page: navigation is on every page of a site, the body is its own.

    ``paragraphs`` are followed by such on the ``subject``, the least and the most of which
    are ``size``; they are written when the page is rendered. ``links`` stand at the ends of
    paragraphs, as "read more" does; ``aside`` are the links of boxes beside the text.
    """

    title: str
    is_relevant: bool = False
    keywords: str = ""
    navigation: list[LinkText] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    subject: str = ""
    size: tuple[int, int] = (3, 6)
    links: list[LinkText] = field(default_factory=list)
    aside: list[LinkText] = field(default_factory=list)
    footer: list[LinkText] = field(default_factory=list)


@dataclass
class Graph:
    """Pages by host and path, and where a crawl starts."""

    seeds: list[PageKey] = field(default_factory=list)
    pages: dict[PageKey, GraphPage] = field(default_factory=dict)

    @property
    def hosts(self) -> list[str]:
        """The addresses of the hosts."""
        return sorted({host for host, _ in self.pages})

    @property
    def relevant(self) -> set[PageKey]:
        """The pages on the subject; this is never served."""
        return {key for key, page in self.pages.items() if page.is_relevant}

    def render(self, key: PageKey, port: int) -> bytes | None:
        """Return a page as HTML, its links at a port; None where there is none."""
        page = self.pages.get(key)
        if page is None:
            return None
        texts = list(page.paragraphs)
        if page.subject:
            writer = Writer(Random("".join(key)))
            texts += writer.paragraphs(page.subject, *page.size)
        return _render(page, texts, key[0], port).encode()


def addresses(count: int, random: Random) -> list[str]:
    """Return so many addresses of the loopback network in an order that tells nothing."""
    numbers = random.sample(range(count), count)
    return [f"127.0.{1 + number // 250}.{1 + number % 250}" for number in numbers]


def _anchor(link: LinkText, host: str, port: int) -> str:
    (target, path), text = link
    start = "" if target == host else f"http://{target}:{port}"
    return f'<a href="{escape(start + path)}">{escape(text)}</a>'


def _list(links: list[LinkText], host: str, port: int) -> str:
    items = (f"<li>{_anchor(link, host, port)}</li>" for link in links)
    return f"<ul>{''.join(items)}</ul>" if links else ""


def _body(texts: list[str], links: list[LinkText], host: str, port: int) -> str:
    """Return the paragraphs, the links spread over their ends."""
    ends: list[list[str]] = [[] for _ in texts]
    for number, link in enumerate(links):
        ends[number % len(ends)].append(_anchor(link, host, port))
    return "\n".join(
        f"<p>{escape(text)} {' '.join(anchors)}</p>"
        for text, anchors in zip(texts, ends, strict=True)
    )


def _render(page: GraphPage, texts: list[str], host: str, port: int) -> str:
    keywords = escape(page.keywords)
    meta = f'<meta name="keywords" content="{keywords}">' if keywords else ""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(page.title)}</title>{meta}</head>
<body><nav>{_list(page.navigation, host, port)}</nav>
<main><h1>{escape(page.title)}</h1>
{_body(texts, page.links, host, port)}
</main><aside>{_list(page.aside, host, port)}</aside>
<footer>{_list(page.footer, host, port)}</footer></body></html>
"""
