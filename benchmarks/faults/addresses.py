"""Links that cannot be used: broken addresses, a broken base, enormous hosts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from benchmarks.faults.pages import (
    answer_sitemap,
    make_page,
    page,
    robots,
    wrap_sitemap,
)
from benchmarks.faults.runs import Row, count_kept, crawl_command, run
from benchmarks.resume import frontier_states
from benchmarks.site import Site, host_of, make_answer

SPIDERS = ("monolingual", "bilingual")
SCOPES = ("site", "host", "path", "any")
LIMIT_SECONDS = 120.0

# H is the host that the address stands on. None can be asked for, by a browser either.
BROKEN = (
    *("http://tel:+39061234567", "http://H:80800/", "http://H:8080a/", "http://H:-1/"),
    *("http://H:99999999999/", "http://H:８０/", "http://H:80:80/", "http://H:0x50/"),
    *("http://[bad", "http://[::1", "http://[1:2:3]/", "http://[::g]/", "http://]/"),
    *("http://[v1.a]/", "http://", "http://:80/", "http://user@/", "http://?query"),
    *("http://a b.invalid/", "http://a<b.invalid/", "http://a^b.invalid/"),
    *("http://a|b.invalid/", "http://a℀b.invalid/", "http://a%00b.invalid/"),
    *("http://\N{SOFT HYPHEN}/", "http://\N{REPLACEMENT CHARACTER}.invalid/"),
    *(
        f"http://{'ü' * 70}.invalid/",
        f"http://{'a' * 50}{('.' + 'a' * 50) * 5}.invalid/",
    ),
    *(f"http://H/{'a' * 3000}", "mailto:a@example.invalid", "javascript:void(0)"),
    *("data:text/html,x", "ftp://H/x"),
)

# Places in a page: in its head, in its body, in its header fields.
HEADS = {
    "base": '<base href="{}">',
    "canonical": '<link rel=canonical href="{}">',
    "hreflang": '<link rel=alternate hreflang=de href="{}">',
    "license": '<link rel=license href="{}">',
    "refresh": '<meta http-equiv=refresh content="0; url={}">',
}
BODIES = {
    "a": '<a href="{}">link</a>',
    "area": '<map name=m><area href="{}" alt=x></map>',
    "iframe": '<iframe src="{}"></iframe>',
    "img": '<img src="{}" alt=x>',
    "a-license": '<a rel=license href="{}">license</a>',
}
HEADERS = {
    "link-hreflang": 'Link: <{}>; rel="alternate"; hreflang="de"\r\n',
    "link-license": 'Link: <{}>; rel="license"\r\n',
}
PLACES = (*HEADS, *BODIES, *HEADERS)
# Listed in the one sitemap that is named below a broken one.
LISTED = ("robots-sitemap", "sitemap-loc", "sitemap-hreflang")


def _broken(number: int, port: int) -> str:
    return BROKEN[number].replace("H", f"{host_of(number, len(BROKEN))}:{port}", 1)


def _folder(number: int, port: int) -> str:
    return f"http://{host_of(number, len(BROKEN))}:{port}/d"


def _iter_host(number: int, port: int) -> Iterator[tuple[str, bytes]]:
    """Yield what a host answers: one broken address in each of 16 places."""
    broken, folder = _broken(number, port), _folder(number, port)
    quoted = escape(broken)
    pages = {place: f"{folder}/{place}.html" for place in (*PLACES, *LISTED)}
    moved = f"{folder}/location.html"
    links = [*(pages[place] for place in PLACES), moved]
    yield page(f"{folder}/index.html", links=links)
    for place in PLACES:
        behind = f"{folder}/{place}-behind.html"
        head = HEADS.get(place, "").format(quoted)
        body = BODIES.get(place, "").format(quoted)
        content = make_page(pages[place], head=head, body=body, links=[behind])
        headers = HEADERS.get(place, "").format(broken)
        yield pages[place], make_answer(content, headers=headers)
        yield page(behind)
    location = f"Location: {broken}\r\n"
    yield moved, make_answer(b"", status="302 Found", headers=location)
    yield robots(folder.removesuffix("/d"), (broken, f"{folder}/map.xml"))
    loc = "<url><loc>{}</loc></url>"
    alternate = f'<xhtml:link rel="alternate" hreflang="de" href="{quoted}"/>'
    entries = [loc.format(quoted), *(loc.format(pages[place]) for place in LISTED[:2])]
    entries.append(f"<url><loc>{pages[LISTED[2]]}</loc>{alternate}</url>")
    yield f"{folder}/map.xml", answer_sitemap(wrap_sitemap("".join(entries)))
    for place in LISTED:
        yield page(pages[place])


def _iter_hosts(port: int) -> Iterator[tuple[str, bytes]]:
    for number in range(len(BROKEN)):
        yield from _iter_host(number, port)


def broken_addresses(folder: Path) -> Iterator[Row]:
    """Crawl 33 broken addresses in 16 places with both spiders in every scope."""
    with Site(_iter_hosts, len(BROKEN)) as site:
        folders = [_folder(number, site.port) for number in range(len(BROKEN))]
        seeds = [f"{one}/index.html" for one in folders]
        names = [*PLACES, *(f"{place}-behind" for place in PLACES), *LISTED]
        pages = [f"{one}/{name}.html" for one in folders for name in names]
        moved = [f"{one}/location.html" for one in folders]
        expected = seeds + pages
        for spider in SPIDERS:
            for scope in SCOPES:
                corpus = folder / f"{spider}-{scope}"
                command = crawl_command(corpus, seeds, {"scope": scope}, spider=spider)
                row = Row(f"1 33 in 16 places, {spider[:4]}, {scope}")
                row.add(run(command, corpus.with_suffix(".log"), LIMIT_SECONDS))
                states = _states(corpus)
                fates = [
                    states.get(url) not in {None, "queued", "leased"} for url in moved
                ]
                row.expected = len(expected) + len(moved)
                row.kept = count_kept(corpus, expected) + sum(fates)
                leased = sum(state == "leased" for state in states.values())
                row.complain(leased > 0, f"{leased} addresses stay leased")
                yield row


def _states(corpus: Path) -> dict[str, str]:
    return frontier_states(corpus) if (corpus / "frontier.db").exists() else {}


def _iter_base_and_refresh(port: int) -> Iterator[tuple[str, bytes]]:
    origin = f"http://{host_of(0, 1)}:{port}"
    heads = {
        "base": '<base href="http://[bad">',
        "refresh": '<meta http-equiv=refresh content="0; url=http://[bad">',
        "port": '<meta http-equiv=refresh content="0; url=http://x.invalid:80800/">',
    }
    yield page(f"{origin}/", links=[f"{origin}/{name}.html" for name in heads])
    for name, head in heads.items():
        # Relative: to the address of the page, where the base cannot be used.
        yield page(f"{origin}/{name}.html", head=head, links=[f"{name}-behind.html"])
        yield page(f"{origin}/{name}-behind.html")


def base_and_refresh(folder: Path) -> Iterator[Row]:
    """Crawl pages whose base or refresh cannot be used; browsers ignore both."""
    with Site(_iter_base_and_refresh, 1) as site:
        urls = [url for url, _ in _iter_base_and_refresh(site.port)]
        for spider in SPIDERS:
            corpus = folder / spider
            command = crawl_command(corpus, urls[:1], spider=spider)
            row = Row(f"8 base and refresh, {spider[:4]}", len(urls))
            row.add(run(command, corpus.with_suffix(".log"), LIMIT_SECONDS))
            row.kept = count_kept(corpus, urls)
            yield row


LONG_HOSTS = 30
LONG_HOST_CHARS = 100_000
LONG_PAGES = 20
# Of the crawl of some 20 pages; 48 s were spent on one of them.
LONG_SECONDS = 20.0


def _iter_long_hosts(port: int) -> Iterator[tuple[str, bytes]]:
    origin = f"http://{host_of(0, 1)}:{port}"
    urls = [f"{origin}/{number}.html" for number in range(LONG_PAGES)]
    links = [f"http://{chr(0xE0 + n) * LONG_HOST_CHARS}/" for n in range(LONG_HOSTS)]
    yield page(f"{origin}/", links=["long.html", *urls])
    # The first link behind the long ones; the page is smaller than the limit of answers.
    yield page(f"{origin}/long.html", links=[*links, f"{origin}/behind.html"])
    yield page(f"{origin}/behind.html")
    yield from (page(url) for url in urls)


def long_hosts(folder: Path) -> Iterator[Row]:
    """Crawl a page with 30 links whose hosts have 100,000 letters each."""
    with Site(_iter_long_hosts, 1) as site:
        urls = [url for url, _ in _iter_long_hosts(site.port)]
        for scope in ("site", "any"):
            corpus = folder / scope
            command = crawl_command(corpus, urls[:1], {"scope": scope})
            row = Row(f"9 30 hosts of 100,000 letters, {scope}", len(urls))
            ended = run(command, corpus.with_suffix(".log"), LIMIT_SECONDS)
            row.add(ended)
            row.complain(ended.seconds > LONG_SECONDS, f"took {ended.seconds:.0f} s")
            row.kept = count_kept(corpus, urls)
            yield row
