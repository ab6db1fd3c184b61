"""The zoo: which pages of generated sites are fetched, with how many requests.

``python -m benchmarks.zoo [NAME …]`` drives frontier, gate and store as a crawl does, without
HTTP: the result of a visit is computed from the text of the page. With ``--crawl`` the sites
are served on loopback and crawled. Fails if a page of a legitimate site is not fetched, if a
trap takes more than 1.3 times its real pages and 200, or if a site all of whose pages were
fetched raises the alarm ``lost_site`` but for broken links. ``--beside 100`` crawls a hundred
drawn sites beside ``--traps`` traps on the same host, and fails if a page is not fetched.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from contextlib import closing
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from benchmarks.zoo_sites import (
    BASE,
    LEGITIMATE,
    TRAPS,
    ZooPage,
    ZooSite,
    beside,
)
from ilspfc.crawl.index_records import count_addresses
from ilspfc.documents import CrawlInfo, Paragraph
from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.reasons import (
    REDIRECTED,
    REDIRECTED_TO_KNOWN,
    FetchReason,
    TrapReason,
    VisitResult,
)
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.gate import TrapGate
from ilspfc.frontier.traps.seen_text import SeenText, read_keys
from ilspfc.web.urls import canonicalize

# Pages under way at a time, as in a crawl.
UNDER_WAY = 8
_MAX_REQUESTS = 60_000
# A shorter paragraph is no clean text.
_CLEAN_CHARS = 60

# Sites that take long.
LARGE = frozenset(
    name
    for name in LEGITIMATE
    if any(part in name for part in ("1,500", "4,000", "20,000", "1,000 links"))
)

Order = Callable[[str, int], float]


def breadth_first(key: str, depth: int) -> float:
    """Score the links of a page by their depth."""
    return -float(depth)


def shuffled(key: str, depth: int) -> float:
    """Score links at random."""
    return random.Random(key).random()


class Result(NamedTuple):
    """Real pages, those fetched, and requests of one crawl; addresses not asked for.

    ``alarm`` is the text of the alarm ``lost_site``, empty for none.
    """

    pages: int
    fetched: int
    requests: int
    held_back: int
    refused: int
    alarm: str

    @property
    def is_whole(self) -> bool:
        """True if all real pages were fetched."""
        return self.fetched == self.pages

    @property
    def is_bounded(self) -> bool:
        """True if a trap took few requests."""
        return self.requests <= 1.3 * self.pages + 200


def make_result(
    site: ZooSite, requested: Iterable[str], connection: sqlite3.Connection
) -> Result:
    """Return the result of a crawl from the paths asked for and the frontier's file."""
    real = set(map(_key, site.links))
    asked = list(requested)
    got = {_key(site.plain(path)) for path in asked} & real
    numbers = dict(
        connection.execute(
            "SELECT reason, count(*) FROM urls WHERE state = 'refused' GROUP BY 1"
        ).fetchall()
    )
    held, barren = (numbers.get(reason, 0) for reason in TrapReason)
    with tempfile.TemporaryDirectory() as folder:
        frontier = Path(folder) / "frontier.db"
        connection.commit()
        connection.execute("VACUUM INTO ?", (str(frontier),))
        alarm = count_addresses(frontier).describe_lost_sites()
    return Result(len(real), len(got), len(asked), held, barren, alarm)


def _key(path: str) -> str:
    return canonicalize(BASE + path if path.startswith("/") else path)


class Simulation:
    """Crawl of one site without HTTP; ``order`` scores a link by its URL and depth.

    Pages arrive in the order of the requests or, with ``arrivals``, in any order.
    """

    def __init__(
        self,
        site: ZooSite,
        order: Order = breadth_first,
        arrivals: random.Random | None = None,
    ) -> None:
        self.site = site
        self._order = order
        self._arrivals = arrivals
        self._store = SQLiteStore(":memory:")
        self._gate = TrapGate(TrapDetector(), self._store, lambda name, number: None)
        rules = PolitenessRules(delay=0.0, max_active=UNDER_WAY)
        self._frontier = Frontier(self._store, rules, gate=self._gate)
        self._seen = SeenText(1 << 22)
        self._requested: list[str] = []

    def run(self) -> Result:
        """Crawl the site to its end."""
        self._frontier.push(Candidate.of(f"{BASE}/", SEED_SCORE), 0.0)
        under_way: list[Candidate] = []
        while len(self._requested) < _MAX_REQUESTS:
            while len(under_way) < UNDER_WAY and (popped := self._frontier.pop(0.0)):
                under_way.append(popped)
            if not under_way:
                break
            first = self._arrivals.randrange(len(under_way)) if self._arrivals else 0
            self._visit(under_way.pop(first))
        connection = self._store.connection
        result = make_result(self.site, self._requested, connection)
        connection.close()
        return result

    def _visit(self, candidate: Candidate) -> None:
        path = candidate.url.removeprefix(BASE)
        self._requested.append(path)
        page = self.site.page(path)
        if page is None:
            self._end(candidate, UrlState.FAILED, FetchReason.HTTP_ERROR)
            return
        if page.target:
            self._redirect(candidate, urljoin(BASE, page.target))
            return
        keys = {_key(link): link for link in page.links}
        known = self._store.scores(keys)
        for key, link in keys.items():
            if key in known:
                continue
            depth, url = candidate.depth + 1, urljoin(BASE, link)
            found = Candidate.of(url, self._order(key, depth), depth=depth)
            self._frontier.push(found._replace(referrer=candidate.url), 0.0)
        self._end(candidate, UrlState.DONE, self._judge(candidate.url, page))

    def _redirect(self, candidate: Candidate, target: str) -> None:
        is_new = self._frontier.push(candidate.redirect(target), 0.0)
        reason = REDIRECTED if is_new else REDIRECTED_TO_KNOWN
        self._end(candidate, UrlState.DONE, reason)

    def _judge(self, url: str, page: ZooPage) -> VisitResult:
        short, frame = CrawlInfo.OOI_LENGTH, CrawlInfo.BOILERPLATE
        paragraphs = [
            Paragraph(text, crawlinfo=short if len(text) < _CLEAN_CHARS else None)
            for text in page.texts
        ]
        paragraphs += [Paragraph(link, crawlinfo=frame) for link in page.links]
        novelty = self._seen.add(read_keys(url, paragraphs))
        if novelty.is_new:
            return VisitResult.NEW_TEXT if page.is_kept else VisitResult.OTHER_TEXT
        is_copy = novelty.is_copy
        return VisitResult.NOTHING_NEW if is_copy else VisitResult.NEW_LINKS

    def _end(self, candidate: Candidate, state: UrlState, reason: str) -> None:
        self._gate.record(candidate.key, state, reason, candidate.referrer)
        self._frontier.finish(candidate.key, candidate.host, state, 0.0, reason)


def simulate_beside(seed: int, traps: int) -> tuple[str, Result]:
    """Crawl a site beside traps of other sites on one host, all drawn by a seed.

    Pages arrive in any order; links are scored by depth, with noise or without. Return the
    names and the result.
    """
    draw = random.Random(seed)
    name, *_ = _drawn(seed, (name for name in LEGITIMATE if name not in LARGE))
    names = _drawn(seed, TRAPS)[:traps]
    noise = draw.choice((0.0, 0.5, 3.0))
    site = beside(LEGITIMATE[name](), [TRAPS[trap]() for trap in names])

    def order(key: str, depth: int) -> float:
        return noise * random.Random(f"{seed} {key}").random() - depth

    result = Simulation(site, order, draw).run()
    return f"{name} beside {', '.join(names)} ({seed})", result


def _drawn(seed: int, names: Iterable[str]) -> list[str]:
    """Return names in random order, which is the same among those that are there already."""
    return sorted(names, key=lambda name: random.Random(f"{seed} {name}").random())


def crawl(site: ZooSite) -> Result:
    """Serve a site on loopback and crawl it with the default settings, but no delay."""
    requested: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            page = None if self.path == "/robots.txt" else site.page(self.path)
            if self.path not in {"/robots.txt", "/sitemap.xml"}:
                requested.append(self.path)
            body = _render(page).encode() if page else b"no such page"
            target = page.target if page else ""
            self.send_response(302 if target else 200 if page else 404)
            if target:
                self.send_header("Location", target)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        command = [sys.executable, "-m", "scrapy", "crawl", "monolingual"]
        command += ["-a", "lang=en", "-a", f"seeds=http://127.0.0.1:{port}/"]
        for setting in (
            f"CORPUS_DIR={folder}",
            "DOWNLOAD_DELAY=0",
            "GUARD_ALLOW=127.0.0.0/8",
            "LOG_LEVEL=WARNING",
        ):
            command += ["-s", setting]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        server.shutdown()
        with closing(sqlite3.connect(Path(folder) / "frontier.db")) as connection:
            return make_result(site, requested, connection)


def _render(page: ZooPage) -> str:
    texts = "".join(f"<p>{escape(text)}</p>" for text in page.texts)
    links = "".join(
        f'<li><a href="{escape(link)}">{escape(link)}</a></li>' for link in page.links
    )
    head = "<!DOCTYPE html><html lang=en><head><title>Zoo</title></head><body>"
    return f"{head}<main>{texts}</main><nav><ul>{links}</ul></nav></body></html>"


def _show_beside(seed: int, sites: int, traps: int) -> int:
    """Print the sites of which pages are lost, and sums; return 1 if there are any."""
    whole = bounded = 0
    for one in range(seed, seed + sites):
        name, result = simulate_beside(one, traps)
        whole += result.is_whole
        bounded += result.requests <= 1.3 * result.pages + 200 * traps
        if not result.is_whole:
            print(f"{name}: {result.fetched} of {result.pages} pages", flush=True)
    print(f"{sites} sites: {whole} whole, {bounded} of few requests")
    return int(whole < sites)


def main() -> int:
    """Print a table of the sites; return 1 if one misses its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of sites")
    parser.add_argument("--crawl", action="store_true", help="crawl them over HTTP")
    parser.add_argument("--shuffled", action="store_true", help="links in any order")
    parser.add_argument("--beside", type=int, metavar="SITES", help="beside traps")
    parser.add_argument("--traps", type=int, default=1, help="traps of such a site")
    parser.add_argument("--seed", type=int, default=0, help="of the first such site")
    options = parser.parse_args()
    if options.beside:
        return _show_beside(options.seed, options.beside, options.traps)
    order = shuffled if options.shuffled else breadth_first
    is_missed = False
    print("| site | pages | fetched | requests | held back | refused | alarm |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for kind in (LEGITIMATE, TRAPS):
        for name, make in kind.items():
            if options.names and not any(part in name for part in options.names):
                continue
            site = make()
            result = crawl(site) if options.crawl else Simulation(site, order).run()
            is_good = (
                result.is_whole
                and (kind is LEGITIMATE or result.is_bounded)
                and (not result.alarm or "broken" in name)
            )
            is_missed |= not is_good
            *numbers, alarm = result
            cells = " | ".join([*(f"{number:,}" for number in numbers), alarm])
            title = name if kind is LEGITIMATE else f"trap: {name}"
            print(f"| {title} | {cells} |{'' if is_good else ' MISSED'}", flush=True)
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
