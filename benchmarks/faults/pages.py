"""Pages and sitemaps of the sites that faults are shown on."""

from __future__ import annotations

import random
from collections.abc import Iterable
from html import escape

from benchmarks.site import SEED, WORDS, make_answer

_WORDS_A_PAGE = 80
_ALTERNATE = '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'


def make_page(
    url: str, *, head: str = "", body: str = "", links: Iterable[str] = ()
) -> bytes:
    """Return a page of words that only its URL gives, with links below the text."""
    generator = random.Random(f"{SEED} {url}")
    text = " ".join(generator.choices(WORDS, k=_WORDS_A_PAGE)).capitalize()
    anchors = "".join(f'<li><a href="{escape(link)}">more</a></li>' for link in links)
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8>{head}"
        f"<title>{text[:30]}</title></head><body><p>{text}.</p>{body}"
        f"<ul>{anchors}</ul></body></html>"
    ).encode()


def page(
    url: str, *, head: str = "", body: str = "", links: Iterable[str] = ()
) -> tuple[str, bytes]:
    """Return the URL of a page and the answer to it."""
    return url, make_answer(make_page(url, head=head, body=body, links=links))


def robots(origin: str, sitemaps: Iterable[str]) -> tuple[str, bytes]:
    """Return a robots.txt that names sitemaps, and its URL."""
    lines = ["User-agent: *", "Allow: /", *(f"Sitemap: {one}" for one in sitemaps)]
    text = "\n".join(lines).encode()
    return f"{origin}/robots.txt", make_answer(text, content_type="text/plain")


def make_sitemap(
    urls: Iterable[str], alternates: Iterable[tuple[str, str]] = ()
) -> bytes:
    """Return a sitemap; each entry has the alternates, of languages and URLs."""
    links = "".join(_ALTERNATE.format(*map(escape, one)) for one in alternates)
    entries = "".join(f"<url><loc>{escape(url)}</loc>{links}</url>\n" for url in urls)
    return wrap_sitemap(entries)


def wrap_sitemap(entries: str) -> bytes:
    """Return the sitemap of entries in XML."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        f' xmlns:xhtml="http://www.w3.org/1999/xhtml">{entries}</urlset>'
    ).encode()


def answer_sitemap(body: bytes) -> bytes:
    """Return the answer with a sitemap."""
    return make_answer(body, content_type="application/xml")
