"""Crawls made-up bilingual sites whose addresses and markup imitate those of real systems.

``python -m evaluation.framed_crawls [SITE …]`` serves the sites of ``evaluation/systems`` on
loopback, real translated texts in frames, with the traps that such systems have: calendars,
facets, session ids, copies, histories. Each is crawled from its home page with the settings
that ship, without a delay, for at most 1,200 pages. Printed for each site: pages with text
there, fetched and exported, requests, other pages exported; pairs there, found and wrong,
precision, recall and F1; F1 of the words of the text on exported pages, the mean over pages;
units; then what pages were dropped for, and what addresses were refused, pages with text
apart. ``--show SITE`` lists pages that were lost with their last known state, and wrong pairs;
``--write FOLDER`` writes the pages with text; ``--check`` holds the means to their floors.

Templates mark what elements are with ``data-is`` (:mod:`evaluation.framed_sites`).
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sqlite3
import sys
import tempfile
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, cached_property
from hashlib import blake2b
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evaluation.data import SITES
from evaluation.framed_sites import (
    MAIN,
    TEMPLATES,
    Frame,
    count_words,
    is_skipped,
    label_paragraphs,
    strip_marks,
)
from evaluation.framed_texts import Text, read_page_text
from evaluation.main_elements import FRAME, make_settings
from evaluation.pairing_scores import make_scores
from evaluation.sites import crawl
from evaluation.structure import BASELINE
from ilspfc.corpus.corpus import open_corpus
from ilspfc.documents import CrawlInfo
from ilspfc.exceptions import CorpusError
from ilspfc.text.codes import to_iso639_3
from ilspfc.text.tokens import split_words

SYSTEMS = Path(__file__).parent / "systems"
MAX_PAGES = 1200
_LAST_DAY, _DAYS = date(2025, 6, 20), 11
_SHOWN = 25

_HEADER = (
    f"{'':20} {'pages with text':^16} {'':>9} {'other':>5} {'pairs':^14}"
    f" {'':20} {'text':>5}\n{'site':20} there fetch exprt  requests exprt there found"
    f" wrong  {'P':5} {'R':5} {'F1':5} {'F1':>6} units"
)


class GoneError(Exception):
    """There is no such page."""


class RedirectError(Exception):
    """The page is at another address, the argument."""


# -- sites


@dataclass(frozen=True, slots=True)
class Article:
    """A text on a site in one language: what addresses and frames are made of.

    Versions share ``number`` (from 0), ``code``, ``name`` and ``digest``; ``slug`` is the title's, ``id`` a number
    of the version alone.
    """

    system: str
    number: int
    lang: str
    rank: int
    text: Text
    name: str
    url: str = ""

    @property
    def title(self) -> str:
        """The title."""
        return self.text.title

    @property
    def slug(self) -> str:
        """The title as part of an address, with the number."""
        return f"{slugify(self.title) or self.name}-{self.number}"

    @property
    def code(self) -> int:
        """A number that versions share."""
        return 1040 + 3 * self.number

    @property
    def id(self) -> int:
        """A number that versions do not share."""
        return 20_000 + (self.number * 37 + self.rank * 1213) % 9973

    @property
    def digest(self) -> str:
        """Hexadecimal digits."""
        return blake2b(f"{self.code} {self.rank}".encode(), digest_size=8).hexdigest()

    @property
    def day(self) -> date:
        """The day of publication; versions appear some days later."""
        days = read_systems()[self.system].get("days", _DAYS)
        return _LAST_DAY - timedelta(self.number * days - 2 * self.rank)

    @property
    def section(self) -> int:
        """One of four sections."""
        return self.number % 4

    @property
    def section_slug(self) -> str:
        """The name of the section in the language, in an address."""
        return slugify(read_words()[self.lang]["sections"][self.section])

    @property
    def section_name(self) -> str:
        """The English name of the section, in an address."""
        return slugify(read_words()["en"]["sections"][self.section])

    @property
    def tags(self) -> list[str]:
        """Words of the title."""
        return [one for one in slugify(self.title).split("-") if len(one) > 4][:3]

    @property
    def author(self) -> str:
        """An author's name in an address."""
        return ("kmeier", "admin", "redaktion")[self.number % 3]

    @property
    def wiki(self) -> str:
        """The title of a wiki page."""
        return f"{self.name.capitalize().replace('-', '_')}"

    @property
    def camel(self) -> str:
        """The title in one word."""
        return "".join(part.capitalize() for part in self.slug.split("-"))

    @property
    def short(self) -> str:
        """An abbreviation that versions share."""
        return f"{self.name[:3]}{self.code}"

    @property
    def item(self) -> int:
        """An entry of a menu."""
        return 31 + self.section

    @property
    def board(self) -> int:
        """The board of a forum."""
        return 2 + self.rank


@cache
def read_words() -> dict[str, Any]:
    """Return the words of the frames by language."""
    return tomllib.loads((SYSTEMS / "words.toml").read_text("utf-8"))


@cache
def read_systems() -> dict[str, dict[str, Any]]:
    """Return the addresses of each system."""
    return tomllib.loads((SYSTEMS / "systems.toml").read_text("utf-8"))


def slugify(text: str) -> str:
    """Return a text as part of an address in ASCII, empty if nothing is left."""
    text = text.lower().replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:7])


def read_parallel(system: Mapping[str, Any]) -> list[dict[str, Text]]:
    """Return translated pages by language, in an order that is the same at each call."""
    found = []
    for site in system["sources"]:
        by_key: dict[str, dict[str, str]] = defaultdict(dict)
        with (SITES / site / "pages.tsv").open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                is_translated = float(row.get("lid_share", 1)) > 0.8
                if row.get("status", "ok") == "ok" and is_translated:
                    by_key[row["key"]][row["lang"]] = row["path"]
        keys = [key for key in by_key if by_key[key].keys() >= set(system["langs"])]
        Random(site).shuffle(keys)
        for key in keys:
            if len(found) == system["keys"]:
                return found
            texts = {
                lang: read_page_text(lang, site, by_key[key][lang])
                for lang in system["langs"]
            }
            whole = {lang: text for lang, text in texts.items() if text}
            least, most = system.get("least", 60), system.get("words", 1200)
            sizes = [len(text.blocks) and count_words(text) for text in whole.values()]
            if len(whole) == len(texts) and least <= min(sizes) <= max(sizes) <= most:
                found.append(whole)
    return found


class Site:
    """A made-up site: its articles, and the page at each address."""

    def __init__(self, name: str, texts: Sequence[Mapping[str, Text]]) -> None:
        self.name = name
        self.system = read_systems()[name]
        self.langs: list[str] = self.system["langs"]
        self.articles: dict[str, list[Article]] = {lang: [] for lang in self.langs}
        self._by_address: dict[Any, tuple[str, Article]] = {}
        alone = self.system.get("untranslated", 0)
        for number, versions in enumerate(texts):
            first = versions[self.langs[0]]
            word = slugify(versions.get("en", first).title) or "page"
            for rank, lang in enumerate(self.langs):
                text, is_shown = versions[lang], True
                if rank and number % max(len(texts) // max(alone, 1), 2) == 1 and alone:
                    text, is_shown = first, self.system.get("fallback", False)
                article = Article(name, number, lang, rank, text, f"{word}-{number}")
                if is_shown:
                    self._add(article)
        self._env = Environment(
            loader=FileSystemLoader([SYSTEMS, TEMPLATES]),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        self._template = self._env.get_template(f"{name}.html")
        self._visits = 0

    def _add(self, article: Article) -> None:
        form = self.system["article"]
        form = form if isinstance(form, str) else form[article.lang]
        address = form.format(a=article)
        article = replace(article, url=self.localize(address, article.lang))
        self.articles[article.lang].append(article)
        path, values = self.split(article.url)
        self._by_address[self._key(path, values)] = article.lang, article

    def localize(self, address: str, lang: str) -> str:
        """Return an address with the parameter of a language."""
        name = self.system.get("lang_param")
        if not name or lang == self.langs[0]:
            return address
        return f"{address}{'&' if '?' in address else '?'}{name}={lang}"

    def split(self, address: str) -> tuple[str, dict[str, str]]:
        """Return the path and the parameters of an address."""
        parts = urlsplit(address)
        path = unquote(parts.path) or "/"
        values = dict(parse_qsl(parts.query, keep_blank_values=True))
        if alias := self.system.get("alias"):
            values.setdefault(alias[1], values.get(alias[0], ""))
        return path.lower() if self.system.get("fold") else path, values

    def _key(self, path: str, values: Mapping[str, str]) -> tuple[Any, ...]:
        first = ("", "0", self.langs[0])
        params = self.system.get("params", ())
        kept = [values.get(name, "") for name in params]
        kept = ["" if value in first else value for value in kept]
        return path, *kept

    def find(self, path: str, values: Mapping[str, str]) -> Article | None:
        """Return the article at an address or one that is a copy of it."""
        paths = [path]
        if same := self.system.get("same"):
            sections = {s for one in self.articles.values() for s in map(_section, one)}
            for section in sorted(sections) if "{section}" in same[1] else [""]:
                paths.append(
                    re.sub(same[0], same[1].replace("{section}", section), path)
                )
        for one in paths:
            if found := self._by_address.get(self._key(one, values)):
                return found[1]
        return None

    def resolve(self, address: str, cookie: str = "") -> tuple[str, dict[str, Any]]:
        """Return the kind of the page at an address, and the values for its template.

        Raises GoneError where there is none.
        """
        path, values = self.split(address)
        if cookie and (name := self.system.get("cookie")):
            values.setdefault(name, cookie)
        routes: dict[str, str] = self.system["routes"]
        for kind, form in routes.items():
            if form.startswith("?") and form[1:] in values:
                return kind, self._values(values, {}, path)
        if article := self.find(path, values):
            return "article", {**self._values(values, {}, path), "a": article}
        for kind, form in routes.items():
            if not form.startswith("?") and (match := re.fullmatch(form, path)):
                return kind, self._values(values, match.groupdict(), path)
        raise GoneError(address)

    def _values(
        self, query: Mapping[str, str], groups: Mapping[str, Any], path: str
    ) -> dict[str, Any]:
        lang = groups.get("lang") or query.get(self.system.get("lang_param", ""), "")
        lang = lang or query.get(self.system.get("cookie", ""), "") or query.get("L", "")
        if lang.isdigit():
            lang = self.langs[int(lang) % len(self.langs)]
        lang = lang[:2] if lang[:2] in self.langs else self.langs[0]
        if not groups.get("lang") and re.match(r"/(\w\w)/", path):
            lang = path[1:3] if path[1:3] in self.langs else lang
        return {"q": query, "g": {"n": None, **groups}, "lang": lang, "path": path, "a": None}

    def render(self, address: str, cookie: str = "", origin: str = "") -> str:
        """Return the marked page at an address.

        Raises GoneError where there is none, RedirectError where it is elsewhere.
        """
        kind, values = self.resolve(address, cookie)
        self._visits += 1
        article = values["a"]
        lang = values["lang"] = article.lang if article else values["lang"]
        items = self.articles[lang]
        shown = article or items[len(address) % len(items)]
        frame = Frame(f"{self.name} {kind}", shown, items, self.spare[lang])
        session = blake2b(str(self._visits).encode(), digest_size=16).hexdigest()
        return self._template.render(
            values,
            kind=kind,
            items=items,
            frame=frame,
            address=address,
            origin=origin,
            session=session,
            site=self,
            langs=self.langs,
            w=read_words()[lang],
            words=read_words(),
            versions=self.versions(article),
            url=lambda path, to=lang: self.localize(path, to),
            slugify=slugify,
            gone=_gone,
            redirect=_redirect,
            days=_days,
            cut=_cut,
        )

    def versions(self, article: Article | None) -> dict[str, Article]:
        """Return the versions of an article by language."""
        if article is None:
            return {}
        every = [one for some in self.articles.values() for one in some]
        return {one.lang: one for one in every if one.number == article.number}

    @cached_property
    def spare(self) -> dict[str, list[str]]:
        """Sentences for what readers say, by language."""
        return {
            lang: [one for a in articles[:6] for one in a.text.sentences]
            for lang, articles in self.articles.items()
        }

    @cached_property
    def content(self) -> list[Article]:
        """The articles that are in their own language, on pages of their own."""
        every = [one for some in self.articles.values() for one in some]
        both = self.system.get("side_by_side", 1 << 30)
        return [
            one
            for one in every
            if one.lang == one.text.lang and one.number % both != both - 1
        ]


def _section(article: Article) -> str:
    return article.section_slug


def _gone() -> None:
    raise GoneError


def _redirect(address: str) -> None:
    raise RedirectError(address)


def _cut(
    items: Sequence[Article], number: str | int | None, size: int = 10
) -> tuple[Sequence[Article], bool]:
    """Return what is on a page of a list, from 1, and whether more follows."""
    start = (int(number or 1) - 1) * size
    if not (some := items[max(start, 0) : start + size]):
        raise GoneError
    return some, len(items) > start + size


def _days(year: int, month: int, offset: int) -> tuple[int, int]:
    """Return the year and month some months away."""
    number = year * 12 + month - 1 + offset
    return number // 12, number % 12 + 1


# -- crawls


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


def _score(site: Site, place: Path, log: Sequence[str], seconds: float) -> Outcome:
    def article_of(address: str) -> Article | None:
        path = address.split("/", 3)[-1]
        try:
            return site.resolve(f"/{path}")[1]["a"]
        except GoneError:
            return None

    states: dict[tuple[str, int], list[str]] = defaultdict(list)
    exported: dict[str, tuple[str, int]] = {}
    drops: Counter[str] = Counter()
    scores = []
    others = 0
    with closing(sqlite3.connect(place / "corpus.db")) as db:
        fates = "SELECT url, fate FROM pages WHERE fate != 'kept'"
        same = "SELECT url, 'dedup' FROM documents WHERE duplicate_of != ''"
        kept = "SELECT url, 'kept' FROM documents WHERE duplicate_of = ''"
        for url, fate in db.execute(f"{fates} UNION ALL {same} UNION ALL {kept}"):
            article = article_of(url)
            if fate != "kept":
                drops[f"{fate}{' (text)' if article else ''}"] += 1
            if article:
                states[article.lang, article.number].append(fate)
    fetched = set(states)
    refused: Counter[str] = Counter()
    with closing(sqlite3.connect(place / "frontier.db")) as db:
        rows = "SELECT url, state, reason FROM urls WHERE state != 'done'"
        for url, *state in db.execute(rows):
            article = article_of(url)
            refused["/".join(filter(None, state))] += 1
            if article and (key := (article.lang, article.number)) not in fetched:
                states[key].append("/".join(filter(None, state)))
    with open_corpus(place, make_settings()) as corpus:
        for entry in corpus.index.documents_to_pair():
            article = article_of(entry.url)
            others += article is None
            if article is None:
                continue
            version = site.versions(article).get(_short(entry.lang), article)
            exported[entry.url] = version.text.lang, version.number
            html = site.render(version.url)
            scores.append(_score_text(corpus.reading(entry).paragraphs, html, version))
    hits: set[tuple[str, str, int]] = set()
    wrong = []
    for one, two in combinations(site.langs, 2):
        for source, target in _read_pairs(place, one, two):
            keys = [article_of(source), article_of(target)]
            numbers = [key.number if key else -1 for key in keys]
            if numbers[0] != numbers[1]:
                wrong.append((source, target))
            elif keys[0]:
                hits.add((one, two, numbers[0]))
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
        len(set(exported.values()) & there),
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


def _short(lang: str) -> str:
    codes = {to_iso639_3(code): code for code in read_words()}
    return codes.get(lang, lang)


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
            article = next(a for a in site.content if (a.lang, a.number) == (lang, number))
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
