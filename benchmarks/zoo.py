"""The zoo: which pages of generated sites are fetched, with how many requests.

    python -m benchmarks.zoo [NAME …]

Drives frontier, gate and store as a crawl does, without HTTP: the result of a visit is
computed from the text of the page.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.zoo_sites import BASE, LEGITIMATE, TRAPS, ZooPage, ZooSite
from ilspfc.documents import CrawlInfo, Paragraph
from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.reasons import FetchReason, VisitResult
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.gate import TrapGate
from ilspfc.frontier.traps.seen_text import SeenText, read_keys
from ilspfc.web.urls import canonicalize

# Pages under way at a time, as in a crawl.
UNDER_WAY = 8
_MAX_REQUESTS = 60_000


class Result(NamedTuple):
    """Pages and requests of one crawl."""

    pages: int
    fetched: int
    requests: int
    held_back: int
    refused: int


class Simulation:
    """Crawl of one site; ``score`` orders the links of a depth."""

    def __init__(
        self,
        site: ZooSite,
        score: Callable[[str, int], float] = lambda key, depth: -float(depth),
    ) -> None:
        self.site, self._score = site, score
        self.store = SQLiteStore(":memory:")
        gate = TrapGate(TrapDetector(), self.store, lambda name, number: None)
        rules = PolitenessRules(delay=0.0, max_active=UNDER_WAY)
        self.frontier = Frontier(self.store, rules, gate=gate)
        self._gate, self._seen = gate, SeenText(1 << 24)
        self.requested: list[str] = []

    def run(self) -> Result:
        """Crawl the site to its end."""
        self.frontier.push(Candidate.of(f"{BASE}/", SEED_SCORE), 0.0)
        under_way: list[Candidate] = []
        while len(self.requested) < _MAX_REQUESTS:
            while len(under_way) < UNDER_WAY and (popped := self.frontier.pop(0.0)):
                under_way.append(popped)
            if not under_way:
                break
            self._visit(under_way.pop(0))
        real = {
            canonicalize(f"{BASE}{path}" if path[0] == "/" else path)
            for path in self.site.links
        }
        rows = dict(
            self.store.connection.execute(
                "SELECT reason, count(*) FROM urls WHERE state = 'refused' GROUP BY reason"
            )
        )
        plain = (self.site.plain(url.removeprefix(BASE)) for url in self.requested)
        got = real & {
            canonicalize(f"{BASE}{path}" if path[0] == "/" else path) for path in plain
        }
        return Result(
            len(real),
            len(got),
            len(self.requested),
            rows.get("trap_held_back", 0),
            rows.get("trap_barren", 0),
        )

    def _visit(self, candidate: Candidate) -> None:
        self.requested.append(candidate.url)
        page = self.site.page(candidate.url.removeprefix(BASE))
        if page is None:
            self._end(candidate, UrlState.FAILED, FetchReason.HTTP_ERROR)
            return
        for link in page.links:
            url = f"{BASE}{link}" if link[0] == "/" else link
            key = canonicalize(url)
            if self.store.state_of(key) is None:
                depth = candidate.depth + 1
                found = Candidate.of(url, self._score(key, depth), depth=depth)
                self.frontier.push(found._replace(referrer=candidate.url), 0.0)
        self._end(candidate, UrlState.DONE, self._judge(candidate.url, page))

    def _judge(self, url: str, page: ZooPage) -> VisitResult:
        paragraphs = [
            Paragraph(text, crawlinfo=None if len(text) > 60 else CrawlInfo.OOI_LENGTH)
            for text in page.texts
        ]
        paragraphs += [
            Paragraph(link, crawlinfo=CrawlInfo.BOILERPLATE) for link in page.links
        ]
        novelty = self._seen.add(read_keys(url, paragraphs))
        if novelty.is_new:
            return VisitResult.NEW_TEXT if page.is_kept else VisitResult.OTHER_TEXT
        return VisitResult.NOTHING_NEW if novelty.is_copy else VisitResult.NEW_LINKS

    def _end(self, candidate: Candidate, state: UrlState, reason: str) -> None:
        key, host = candidate.key, candidate.host
        self._gate.record(key, state, reason, candidate.referrer)
        self.frontier.finish(key, host, state, 0.0, reason)


def main(names: list[str]) -> None:
    """Print a table of all sites, or of those with given names."""
    for kind in (LEGITIMATE, TRAPS):
        for name, make in kind.items():
            if names and not any(part in name for part in names):
                continue
            begun = time.process_time()
            result = Simulation(make()).run()
            if kind is LEGITIMATE:
                verdict = "" if result.fetched == result.pages else "LOST"
            else:
                limit = 1.3 * result.pages + 200
                verdict = f"{result.requests / limit:.0%} of the limit"
                verdict += "" if result.fetched == result.pages else " LOST"
                verdict += "" if result.requests <= limit else " TOO MANY"
            print(
                f"| {name} | {result.pages:,} | {result.fetched:,} | {result.requests:,} | {result.held_back:,} | {result.refused:,} | {verdict} {time.process_time() - begun:.1f}s",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
