"""Sitemaps: unusable, compressed, beside ``allow=``, without end, enormous."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.faults.pages import answer_sitemap, make_sitemap, page, robots
from benchmarks.faults.runs import Row, Run, count_kept, crawl_command, run
from benchmarks.site import Site, host_of, make_answer

PAGES = 20
LIMIT_SECONDS = 120.0

SITEMAPS = 40
ADDRESSES = 50_000
MAX_SECONDS = 15
# A start, the stages after the crawl, and what "within seconds" is on a busy machine.
GRACE_SECONDS = 30.0
# What crawls take without a flood is below 300 MB.
MAX_MEGABYTES = 450.0
ALTERNATES = ("bg", "cs", "da", "el", "fi")
# Some 820 characters for an entry.
_LARGE_PATH = "a-rather-long-path-of-an-article-as-shops-and-newspapers-have-them"


def _origin(port: int, number: int = 0) -> str:
    return f"http://{host_of(number, 2)}:{port}"


def _pages(origin: str) -> list[str]:
    return [f"{origin}/news/{number}.html" for number in range(PAGES)]


def _iter_unusable(port: int) -> Iterator[tuple[str, bytes]]:
    origin = _origin(port)
    yield robots(origin, ["http://host:port/sitemap.xml"])
    yield page(f"{origin}/", links=_pages(origin))
    yield from (page(url) for url in _pages(origin))


def unusable_sitemap(folder: Path) -> Iterator[Row]:
    """Crawl a site whose robots.txt has the sitemap of a template."""
    with Site(_iter_unusable, 1) as site:
        origin = _origin(site.port)
        expected = [f"{origin}/", *_pages(origin)]
        for spider in ("monolingual", "bilingual"):
            corpus = folder / spider
            row = Row(f"2 http://host:port/, {spider[:4]}", len(expected))
            command = crawl_command(corpus, expected[:1], spider=spider)
            row.add(run(command, corpus.with_suffix(".log"), LIMIT_SECONDS))
            row.kept = count_kept(corpus, expected)
            yield row


def _iter_odd(case: str, port: int) -> Iterator[tuple[str, bytes]]:
    """Yield a site whose pages no link leads to."""
    origin = _origin(port)
    body = make_sitemap(_pages(origin))
    packed = f"{origin}/sitemap.xml.gz"
    if case == "allow":
        yield f"{origin}/sitemap.xml", answer_sitemap(body)
    else:
        answer = make_answer(gzip.compress(body), content_type="application/x-gzip")
        yield packed, answer
    if case == "robots.txt":
        yield robots(origin, [packed])
    elif case == "index":
        index = f"<sitemapindex><sitemap><loc>{packed}</loc></sitemap></sitemapindex>"
        yield f"{origin}/sitemap.xml", answer_sitemap(index.encode())
    yield page(f"{origin}/news/index.html")
    yield from (page(url) for url in _pages(origin))


def odd_sitemaps(folder: Path) -> Iterator[Row]:
    """Crawl sites whose pages stand in sitemaps only, compressed or beside ``allow=``."""
    cases = {
        "robots.txt": ".gz in robots.txt",
        "index": ".gz in an index",
        "allow": "allow=/news/*",
    }
    for case, title in cases.items():
        with Site(partial(_iter_odd, case), 1) as site:
            origin = _origin(site.port)
            expected = [f"{origin}/news/index.html", *_pages(origin)]
            corpus = folder / case
            allow = {"allow": "/news/*"} if case == "allow" else {}
            command = crawl_command(corpus, expected[:1], allow)
            row = Row(f"3 {title}", len(expected))
            row.add(run(command, folder / f"{case}.log", LIMIT_SECONDS))
            row.kept = count_kept(corpus, expected)
            yield row


def _iter_flood(case: str, port: int) -> Iterator[tuple[str, bytes]]:
    """Yield a host with 40 large sitemaps, and another with 20 pages."""
    flood, other = _origin(port, 0), _origin(port, 1)
    yield page(f"{flood}/")
    yield page(f"{other}/", links=_pages(other))
    yield from (page(url) for url in _pages(other))
    yield robots(flood, [f"{flood}/map-{number}.xml" for number in range(SITEMAPS)])
    for number in range(SITEMAPS):
        first = 0 if case == "repeated" else number * ADDRESSES
        if number == 0 or case != "repeated":
            urls = (f"{flood}/page/{n}.html" for n in range(first, first + ADDRESSES))
            answer = answer_sitemap(make_sitemap(urls))
        yield f"{flood}/map-{number}.xml", answer


def _iter_large(port: int) -> Iterator[tuple[str, bytes]]:
    """Yield a host with one sitemap of 41 MB that begins with its pages."""
    origin = _origin(port)
    yield page(f"{origin}/news/index.html")
    yield from (page(url) for url in _pages(origin))
    yield robots(origin, [f"{origin}/map.xml"])
    others = (f"{origin}/{_LARGE_PATH}/{n}.html" for n in range(ADDRESSES - PAGES))
    alternates = [(code, f"{origin}/{code}/{_LARGE_PATH}/") for code in ALTERNATES]
    head = make_sitemap(_pages(origin)).removesuffix(b"</urlset>")
    _, _, tail = make_sitemap(others, alternates).partition(b"<url>")
    yield f"{origin}/map.xml", answer_sitemap(head + b"<url>" + tail)


def floods(folder: Path) -> Iterator[Row]:
    """Crawl beside floods of sitemaps, with a limit of time and with Ctrl-C."""
    for case in ("distinct", "repeated"):
        with Site(partial(_iter_flood, case), 2) as site:
            yield _flood_row(folder, site, case, is_interrupted=False)
            if case == "distinct":
                yield _flood_row(folder, site, case, is_interrupted=True)
    with Site(_iter_large, 1) as site:
        origin = _origin(site.port)
        expected = [f"{origin}/news/index.html", *_pages(origin)]
        corpus = folder / "large"
        # Only the pages that it begins with: nothing else is there.
        settings = {"FRONTIER_MAX_SECONDS": str(MAX_SECONDS)}
        command = crawl_command(
            corpus, expected[:1], {"allow": "/news/*"}, settings=settings
        )
        row = Row("4 a sitemap of 41 MB", len(expected))
        ended = run(command, folder / "large.log", MAX_SECONDS + 2 * GRACE_SECONDS)
        row.add(ended)
        _complain(row, MAX_SECONDS)
        row.kept = count_kept(corpus, expected)
        yield row


def _flood_row(folder: Path, site: Site, case: str, *, is_interrupted: bool) -> Row:
    flood, other = _origin(site.port, 0), _origin(site.port, 1)
    expected = [f"{other}/", *_pages(other)]
    corpus = folder / f"{case}{'-stop' if is_interrupted else ''}"
    limit = 0 if is_interrupted else MAX_SECONDS
    settings = {"FRONTIER_MAX_SECONDS": str(limit)}
    command = crawl_command(corpus, [f"{flood}/", f"{other}/"], settings=settings)
    crawl = Run(command, corpus.with_suffix(".log"))
    if is_interrupted:
        row = Row(f"4 40 sitemaps, {case}, Ctrl-C")
        crawl.wait_until(lambda: False, MAX_SECONDS)
        crawl.interrupt()
        row.add(crawl.wait(2 * GRACE_SECONDS), may_fail=True)
    else:
        row = Row(f"4 40 sitemaps, {case}", len(expected))
        row.add(crawl.wait(MAX_SECONDS + 2 * GRACE_SECONDS))
        row.kept = count_kept(corpus, expected)
    _complain(row, MAX_SECONDS)
    return row


def _complain(row: Row, limit: float) -> None:
    ended = row.runs[-1]
    row.complain(
        ended.seconds > limit + GRACE_SECONDS,
        f"took {ended.seconds:.0f} s of {limit:.0f}",
    )
    row.complain(
        ended.megabytes > MAX_MEGABYTES, f"took more than {MAX_MEGABYTES:.0f} MB"
    )
