"""Crawls made-up bilingual sites whose addresses and markup imitate those of real systems.

``python -m evaluation.framed_crawls [SITE …]`` serves the sites of ``evaluation/systems`` on
loopback, real translated texts in frames, with the traps that such systems have: calendars,
facets, session ids, copies, histories. Each is crawled from its home page with the settings
that ship, without a delay, for at most 1,000 pages. Printed for each site: pages with text
there, fetched and exported, requests, other pages exported; pairs there, found and wrong,
precision, recall and F1; F1 of the words of the text on exported pages, the mean over pages;
units; then what pages were dropped for, and what addresses were refused, pages with text
apart. ``--show SITE`` lists pages that were lost with their last known state, and wrong pairs;
``--write FOLDER`` writes the pages with text; ``--check`` holds the means to their floors.

Templates mark what elements are with ``data-is`` (:mod:`evaluation.framed_sites`).
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from evaluation.framed_sites import (
    count_words,
    is_skipped,
    label_paragraphs,
    strip_marks,
)
from evaluation.framed_systems import (
    Article,
    GoneError,
    RedirectError,
    Site,
    read_parallel,
    read_systems,
)
from evaluation.main_elements import FRAME, MAIN, make_settings
from evaluation.pairing_scores import make_scores
from evaluation.sites import crawl
from evaluation.structure import BASELINE
from ilspfc.corpus.corpus import open_corpus
from ilspfc.documents import CrawlInfo
from ilspfc.text.codes import to_bcp47
from ilspfc.text.word_split import split_words

MAX_PAGES = 1000

_HEADER = (
    f"{'':20} {'pages with text':^16} {'':>9} {'other':>5} {'pairs':^14}"
    f" {'':20} {'text':>5}\n{'site':20} there fetch exprt  requests exprt there found"
    f" wrong  {'P':5} {'R':5} {'F1':5} {'F1':>6} units"
)


@contextmanager
def serve_site(site: Site) -> Iterator[tuple[str, list[str]]]:
    """Serve a site on loopback; yield its root and the log of what is asked for."""
    log: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer with a page, a redirect or 404."""
            log.append(self.path)
            name = site.system.get("cookie", "")
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
            cookie = cookies[name].value if name in cookies else ""
            root = f"http://{self.headers['Host']}"
            try:
                page = site.render(self.path, cookie, root)
            except GoneError:
                self.send_error(404)
                return
            except RedirectError as error:
                self.send_response(302)
                self.send_header("Location", str(error))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            body = strip_marks(page).strip().encode()
            start = page.lstrip()[:40]
            markup = "html" if "<!doc" in start.lower() else "plain"
            markup = "xml" if start.startswith("<?xml") else markup
            self.send_response(200)
            self.send_header("Content-Type", f"text/{markup}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            if value := site.split(self.path)[1].get(name):
                self.send_header("Set-Cookie", f"{name}={value}; Path=/")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", log
    finally:
        server.shutdown()
        server.server_close()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has come of the crawl of a site.

    ``states`` are what became of each article; ``wrong`` the wrong pairs of addresses.
    """

    there: int
    fetched: int
    exported: int
    requests: int
    others: int
    gold: int
    hits: int
    wrong: Sequence[tuple[str, str]]
    text_f1: float
    units: int
    seconds: float
    drops: Mapping[str, int]
    refused: Mapping[str, int]
    states: Mapping[tuple[str, int], Sequence[str]]

    @property
    def row(self) -> list[float]:
        """The figures of the table."""
        scores = make_scores(self.hits, len(self.wrong), self.gold)
        counts = [self.there, self.fetched, self.exported, self.requests, self.others]
        pairs = [self.gold, self.hits, len(self.wrong)]
        shares = [scores.precision, scores.recall, scores.f1, self.text_f1]
        return [*counts, *pairs, *shares, self.units]


def crawl_site(site: Site) -> Outcome:
    """Crawl a site and compare what comes of it with what is there."""
    with tempfile.TemporaryDirectory() as folder, serve_site(site) as (root, log):
        place = Path(folder, "corpus")
        limits = (f"FRONTIER_MAX_PAGES={MAX_PAGES}", "WORKERS=1")
        seconds = crawl(root, place, ",".join(site.langs), limits)
        return _score(site, place, log, seconds)


def _find_article(site: Site, address: str) -> Article | None:
    """Return the article at an address of a crawl."""
    try:
        found: Article | None = site.resolve(_path_of(address))[1]["a"]
    except GoneError:
        return None
    return found


def _path_of(address: str) -> str:
    return f"/{address.split('/', 3)[-1]}"


def _score(site: Site, place: Path, log: Sequence[str], seconds: float) -> Outcome:
    states, drops, refused = _read_states(site, place)
    fetched = {key for key, fates in states.items() if not fates[0].startswith("- ")}
    scores, exported, others = _score_documents(site, place)
    hits, wrong = _judge_pairs(site, place)
    there = {(one.lang, one.number) for one in site.content}
    gold = {
        (one, two, number)
        for one, two in combinations(site.langs, 2)
        for lang, number in there
        if lang == one and (two, number) in there
    }
    stats = json.loads((place / "stats.json").read_text("utf-8"))
    return Outcome(
        len(there),
        len(fetched & there),
        len(exported & there),
        len(log),
        others,
        len(gold),
        len(hits & gold),
        wrong,
        float(np.mean(scores)) if scores else 0.0,
        int(stats.get("exports/units", 0)),
        seconds,
        drops,
        refused,
        {key: sorted(set(states.get(key, []))) for key in sorted(there)},
    )


def _read_states(
    site: Site, place: Path
) -> tuple[dict[tuple[str, int], list[str]], Counter[str], Counter[str]]:
    """Return what became of each article (``- `` before what was not fetched), drops, refusals."""
    states: dict[tuple[str, int], list[str]] = defaultdict(list)
    drops: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    fates = "SELECT url, fate FROM pages WHERE fate != 'kept'"
    same = "SELECT url, 'dedup' FROM documents WHERE duplicate_of != ''"
    kept = "SELECT url, 'kept' FROM documents WHERE duplicate_of = ''"
    with closing(sqlite3.connect(place / "corpus.db")) as db:
        for url, fate in db.execute(f"{fates} UNION ALL {same} UNION ALL {kept}"):
            article = _find_article(site, url)
            if fate != "kept":
                drops[f"{fate}{' (text)' if article else ''}"] += 1
            if article:
                states[article.lang, article.number].append(fate)
    fetched = set(states)
    with closing(sqlite3.connect(place / "frontier.db")) as db:
        rows = "SELECT url, state, reason FROM urls WHERE state != 'done'"
        for url, *state in db.execute(rows):
            reason = "/".join(filter(None, state))
            refused[reason] += 1
            article = _find_article(site, url)
            if article and (key := (article.lang, article.number)) not in fetched:
                states[key].append(f"- {reason}")
    return states, drops, refused


def _score_documents(
    site: Site, place: Path
) -> tuple[list[float], set[tuple[str, int]], int]:
    """Return F1 of the text of each article exported, which they are, how many other pages."""
    scores, exported, others = [], set(), 0
    with open_corpus(place, make_settings()) as corpus:
        for entry in corpus.index.documents_to_pair():
            article = _find_article(site, entry.url)
            if article is None:
                others += 1
                continue
            version = site.versions(article).get(to_bcp47(entry.lang), article)
            exported.add((version.text.lang, version.number))
            # A page in the language of a cookie is not at its address without that.
            is_own = version == article
            html = site.render(_path_of(entry.url) if is_own else version.url)
            scores.append(_score_text(corpus.reading(entry).paragraphs, html, version))
    return scores, exported, others


def _judge_pairs(
    site: Site, place: Path
) -> tuple[set[tuple[str, str, int]], list[tuple[str, str]]]:
    """Return the pairs that are right, by languages and number, and the addresses of wrong ones.

    A pair of pages neither of which is an article does not count.
    """
    hits, wrong = set(), []
    for one, two in combinations(site.langs, 2):
        for pair in _read_pairs(place, one, two):
            source, target = (_find_article(site, address) for address in pair)
            if source and target and source.number == target.number:
                hits.add((one, two, source.number))
            elif source or target:
                wrong.append(pair)
    return hits, wrong


def _read_pairs(place: Path, one: str, two: str) -> Iterator[tuple[str, str]]:
    for first, second in ((one, two), (two, one)):
        path = place / "pairs" / f"{first}-{second}.tsv"
        if path.is_file():
            for line in path.read_text("utf-8").splitlines():
                cells = [cell for cell in line.split("\t") if "://" in cell]
                if len(cells) > 1:
                    yield cells[0], cells[1]


def _score_text(paragraphs: Sequence[Any], html: str, article: Article) -> float:
    """Return F1 of the words that are kept of an article."""
    labels = label_paragraphs(paragraphs, html)
    right = kept = 0
    for paragraph, label in zip(paragraphs, labels, strict=True):
        if paragraph.crawlinfo is not CrawlInfo.BOILERPLATE and label in {MAIN, FRAME}:
            words = len(split_words(paragraph.text))
            kept += words
            right += words if label == MAIN else 0
    wanted = count_words(article.text)
    return 2 * min(right, wanted) / (kept + wanted)


# -- output


def show_outcome(name: str, outcome: Outcome) -> None:
    """Print the figures of a site, and why pages and addresses were left out."""
    cells = [f"{value:5d}" for value in outcome.row[:3]]
    cells += [f"{outcome.row[3]:9d}", *(f"{value:5d}" for value in outcome.row[4:8])]
    cells += [f"{value:.3f}" for value in outcome.row[8:12]]
    print(f"{name:20}", *cells, f"{outcome.units:6d}", f"{outcome.seconds:5.1f} s")
    for title, counts in (
        ("dropped", outcome.drops),
        ("not visited", outcome.refused),
        ("pages with text lost", _count_lost(outcome)),
    ):
        if counts:
            most = sorted(counts.items(), key=lambda one: -one[1])
            print(f"    {title}:", ", ".join(f"{key} {n}" for key, n in most))
    sys.stdout.flush()


def _count_lost(outcome: Outcome) -> Counter[str]:
    """Count the pages that are not exported by what became of them."""
    lost = [fates for fates in outcome.states.values() if "kept" not in fates]
    return Counter(" ".join(fates) or "no link seen" for fates in lost)


def show_losses(site: Site, outcome: Outcome) -> None:
    """List pages with text that were lost, and wrong pairs."""
    for (lang, number), fates in outcome.states.items():
        if "kept" not in fates:
            article = next(
                a for a in site.content if (a.lang, a.number) == (lang, number)
            )
            print(lang, number, " ".join(fates) or "no link seen", article.url)
    for source, target in outcome.wrong:
        print("wrong pair:", source, target)


def read_site(name: str) -> Site:
    """Return a made-up site."""
    return Site(name, read_parallel(read_systems()[name]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; with ``--check`` return 1 for a mean below its floor."""
    systems = read_systems()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sites", nargs="*", metavar="SITE", help=", ".join(systems))
    parser.add_argument("--show", metavar="SITE", choices=systems)
    parser.add_argument("--write", metavar="FOLDER", type=Path)
    parser.add_argument("--check", action="store_true", help="hold means to the floors")
    options = parser.parse_args(arguments)
    if unknown := set(options.sites) - set(systems):
        parser.error(f"no site: {', '.join(sorted(unknown))}")
    if is_skipped():
        return 0
    names = [options.show] if options.show else options.sites or list(systems)
    if options.write:
        for site in map(read_site, names):
            _write_site(site, options.write / site.name)
        return 0
    print(_HEADER)
    rows = []
    with ThreadPoolExecutor(2) as pool:
        sites = [read_site(name) for name in names]
        for site, outcome in zip(sites, pool.map(crawl_site, sites), strict=True):
            show_outcome(site.name, outcome)
            rows.append(outcome.row)
            if options.show:
                show_losses(site, outcome)
    means = np.mean(rows, axis=0)
    print(f"{'mean':20} pairs F1 {means[10]:.3f}, text F1 {means[11]:.3f}")
    floors = json.loads(BASELINE.read_text("utf-8"))["framed_crawls"]
    missed = [
        f"{what}: {value:.3f}, the floor is {floors[what]}"
        for what, value in (("pairs", means[10]), ("text", means[11]))
        if options.check and value < floors[what]
    ]
    print("\n".join(missed))
    return 1 if missed else 0


def _write_site(site: Site, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for article in site.content:
        path = folder / f"{article.number}-{article.lang}.html"
        path.write_text(strip_marks(site.render(article.url)), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
