"""Measures what cleaning gains from texts that recur on a site.

``python -m evaluation.recurrence [--sites LIST] [--limit N] [--texts N] [--sample N]``
reads the pages of real sites in the order in which a crawl would find them, and has each
cleaned with what the pages before it have taught. It prints for each site the share of
pages that this changed, the tokens kept without and with it, the share of them in texts
that are kept on ten pages and more, and the milliseconds that counting took a page. Then
come the texts that were dropped most often, and a sample of them, where however often a
text was dropped counts for nothing, with the kept blocks before and behind, to be judged
by eye.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from evaluation.data import DATA, HELP_SITES, SITES, build_sites, skip_text
from evaluation.pairing_cases import LANGUAGE_PAIRS
from evaluation.site_corpora import HOST
from ilspfc.cleaning import (
    RecurrenceRules,
    SiteReviser,
    SiteTexts,
    clean_page,
)
from ilspfc.documents import Document, document_id
from ilspfc.frontier.traps.seen_text import SeenText, read_keys
from ilspfc.language.identification import identify_page
from ilspfc.text.codes import to_iso639_3
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ilspfc.cleaning.blocks.parsed import ParsedPage

# A text that is kept on so many pages recurs.
_RECURRING_PAGES = 10
_SEED = 1


class Drop(NamedTuple):
    """A block that became boilerplate, the page's other kept text beside it."""

    path: str
    text: str
    score: float
    before: str
    behind: str


@dataclass
class SiteReport:
    """What came of the pages of a site."""

    pages: int = 0
    changed: int = 0
    words: int = 0
    seconds: float = 0.0
    drops: list[Drop] = field(default_factory=list)
    # Of each text that is kept: pages and words, without and with what recurs.
    kept: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )

    def take(self, path: str, page: ParsedPage, marks: Sequence[bool]) -> None:
        """Count a page; ``marks`` tells what the backend had kept."""
        blocks = page.blocks
        kept = [block for block, mark in zip(blocks, marks, strict=True) if mark]
        self.pages += 1
        self.words += sum(block.words for block in kept)
        self.kept[0].update({block.text for block in kept})
        self.kept[1].update({block.text for block in kept if block.is_content})
        found = [place for place, block in enumerate(kept) if not block.is_content]
        self.changed += bool(found)
        for place in found:
            beside = [
                kept[at].text if 0 <= at < len(kept) else ""
                for at in (place - 1, place + 1)
            ]
            block = kept[place]
            self.drops.append(Drop(path, block.text, block.score or 0.0, *beside))

    def __str__(self) -> str:
        lost = sum(len(drop.text.split()) for drop in self.drops)
        shares = [100 * _recurring_share(kept) for kept in self.kept]
        return (
            f"{self.pages:5} pages, changed {100 * self.changed / self.pages:4.1f} %;"
            f" tokens {self.words} -> {self.words - lost}"
            f" (-{100 * lost / self.words:.2f} %);"
            f" in texts on {_RECURRING_PAGES} pages and more {shares[0]:.2f} %"
            f" -> {shares[1]:.2f} %;"
            f" counting {1000 * self.seconds / self.pages:.3f} ms a page"
        )


def _recurring_share(pages: Counter[str]) -> float:
    """Return the share of the words that are in texts of many pages."""
    total = recurring = 0
    for text, number in pages.items():
        words = number * len(text.split())
        total += words
        recurring += words if number >= _RECURRING_PAGES else 0
    return recurring / max(total, 1)


class SiteCrawl:
    """Reads the pages below a folder, breadth first from its index."""

    def __init__(self, root: Path, langs: tuple[str, ...]) -> None:
        self._root = root
        self._langs = langs
        self._texts, self._seen = SiteTexts(RecurrenceRules()), SeenText()
        self.report = SiteReport()

    def run(self, limit: int) -> None:
        """Read so many pages at most."""
        first = f"http://{HOST}/index.html"
        waiting, found = deque([first]), {first}
        while waiting and self.report.pages < limit:
            for link in self._read(waiting.popleft()):
                if link not in found and urlsplit(link).netloc == HOST:
                    found.add(link)
                    waiting.append(link)

    def _file_of(self, url: str) -> Path | None:
        path = self._root / unquote(urlsplit(url).path).lstrip("/")
        path = path / "index.html" if path.is_dir() else path
        return path if path.is_file() and ".htm" in path.name else None

    def _read(self, url: str) -> list[str]:
        """Clean a page and learn from it; return where its links lead."""
        path = self._file_of(url)
        if path is None:
            return []
        reviser = SiteReviser(self._texts.known(HOST))
        read: list[tuple[ParsedPage, list[bool]]] = []

        def revise(page: ParsedPage) -> None:
            read.append((page, [block.is_content for block in page.blocks]))
            reviser.revise(page)

        document = clean_page(
            path.read_bytes(), url=url, identity=document_id(url), revise=revise
        )
        if not isinstance(document, Document):
            return []
        declared = document.metadata.declared_lang
        lang, paragraphs = identify_page(document.paragraphs, self._langs, declared)
        if lang in self._langs:
            self.report.take(path.relative_to(self._root).as_posix(), *read[0])
        novelty = self._seen.add(read_keys(url, paragraphs))
        if reviser.page and lang in self._langs and not novelty.is_copy:
            started = time.process_time()
            self._texts.learn(HOST, lang, reviser.page)
            self.report.seconds += time.process_time() - started
        return [canonicalize(link.url) for link in document.links]


def _print_drops(report: SiteReport, texts: int, sample: int) -> None:
    numbers = Counter(drop.text for drop in report.drops)
    for text, number in numbers.most_common(texts):
        print(f"    {number:5} {text[:100]!r}")
    different = list({drop.text: drop for drop in report.drops}.values())
    chosen = random.Random(_SEED).sample(different, min(sample, len(different)))
    for drop in chosen:
        print(f"  - {drop.path} {drop.score:.2f} {numbers[drop.text]} times")
        print(f"      before {drop.before[-60:]!r}")
        print(f"      DROPPED {drop.text[:160]!r}")
        print(f"      behind {drop.behind[:60]!r}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what recurring texts change on each site."""
    parser = argparse.ArgumentParser(description="Measure what recurs on sites.")
    sites = [site for site in LANGUAGE_PAIRS if site not in HELP_SITES]
    parser.add_argument("--sites", default=",".join(sites))
    parser.add_argument("--limit", type=int, default=sys.maxsize, help="pages a site")
    parser.add_argument("--texts", type=int, default=8)
    parser.add_argument("--sample", type=int, default=0)
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    for site in options.sites.split(","):
        build_sites(site)
        pairs = "-".join(LANGUAGE_PAIRS[site]).split("-")
        langs = tuple(sorted({to_iso639_3(lang) for lang in pairs}))
        crawl = SiteCrawl(SITES / site / "www", langs)
        crawl.run(options.limit)
        print(f"{site:20} {crawl.report}", flush=True)
        _print_drops(crawl.report, options.texts, options.sample)
    return 0


if __name__ == "__main__":
    sys.exit(main())
