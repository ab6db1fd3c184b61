"""Repeats the experiments of paper 004 (Remus and Biemann 2016) on the sites that are there.

``python -m evaluation.perplexity_crawl [table1 growth scale]`` crawls sites on hosts of their own.
*table1* (the paper's experiment 1 and table 1): the installation guide (computers) and
LilyPond (music), with start pages in German and English; it counts the pages of each host and
language among the first 100, without focus and with a model of the Debian handbook in English
or German. *growth* (experiment 2, figure 2 and table 2): four sites, 549 of whose 5,400 pages are in German,
from German start pages; links of pages beyond the paper's 10^5 are discarded. It prints the languages of
the pages, trains models on one half of the German handbook and what a crawl has fetched so
far, each sentence once, prints their perplexity on the other half, and last how many times
the German words of the unfocused crawl each has. *scale*: the perplexity of pages of these
sites by language, and how many are within 10^5. The paper's method is ``paper`` (strict
buckets, the page alone, no learning); ``default`` is the spider's. ``--check`` holds the
figures to their floors.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import lxml.html

from evaluation.crawls import log_crawl
from evaluation.data import DATA, PROJECT, SITES, build_sites, read_table, skip_text
from evaluation.held_out_score import score_test_set
from evaluation.served import folder_pages, serve_pages
from ilspfc.classification.perplexity.page_perplexity import iter_sentences, train
from ilspfc.files.language_models import drop_repeated
from ilspfc.language.identification import PageIdentifier
from ilspfc.text.codes import to_iso639_3
from ilspfc.text.sentences import split_sentences

if TYPE_CHECKING:
    from evaluation.served import PageKey, ServedPages

BASELINE = PROJECT / "evaluation" / "baseline.json"
HOSTS = {"127.0.0.1": "installation-guide", "127.0.0.2": "lilypond"}
# Few of their pages are in German, and most of these link to versions in other languages.
GROUND = {**HOSTS, "127.0.0.3": "apache-manual", "127.0.0.4": "bitcoin"}
# HIGH and MEDIUM of topicrawler, and the paper's bound of what is discarded (section 4).
BOUNDS = {"FRONTIER_PERPLEXITY_BOUNDS": "500,5000,100000"}
# The site that defines the domain is on no host of the crawl.
DOMAIN = "debian-handbook"
LANGS = ("en", "de")
PAGES = 100
GROWTH_PAGES = 300
INTERVALS = 4
# Probabilities of unknown words (log10), languages, and pages of each host that are measured.
SCALES = (-10.0, -7.0)
SCALE_LANGS = ("de", "en", "fr")
SCALE_PAGES = 60

FOCUS = {
    "non-focused": {"FRONTIER_SCORER": "breadth-first"},
    "paper": {"FRONTIER_LEARNING": "0", "FRONTIER_SCORER": "buckets"},
    "default": {},
}


class Sites(NamedTuple):
    """The served hosts: languages of their pages, and seeds."""

    served: ServedPages
    langs: Mapping[PageKey, str]
    seeds: str


def read_langs(site: str, *, is_translated: bool = False) -> dict[str, str]:
    """Return the language of each page of a site by its path.

    That of its text, which is not always that of its address: many pages are not translated.
    With ``is_translated`` such pages are left out.
    """
    return {
        row["path"]: row["langid"]
        for row in read_table(SITES / site)
        if not is_translated or row["lang"] == row["langid"]
    }


@contextmanager
def open_sites(
    hosts: Mapping[str, str] = HOSTS, seed_langs: Sequence[str] = LANGS
) -> Iterator[Sites]:
    """Serve the hosts, each at an address of its own."""
    readers = {host: folder_pages(SITES / name / "www") for host, name in hosts.items()}
    langs = {
        (host, f"/{path}"): lang
        for host, name in hosts.items()
        for path, lang in read_langs(name).items()
    }

    def read(key: PageKey, port: int) -> bytes | None:
        return readers[key[0]](key, port)

    with serve_pages(read, list(hosts)) as served:
        seeds = []
        for host, name in hosts.items():
            site = json.loads((SITES / name / "site.json").read_text(encoding="utf-8"))
            for lang in seed_langs:
                entries = sorted(site["entries"].items())
                path = next(path for key, path in entries if key.split()[0] == lang)
                seeds.append(served.url((host, f"/{path}")))
        yield Sites(served, langs, ",".join(seeds))


def read_text(body: bytes) -> str:
    """Return the paragraphs of a page as text."""
    page = lxml.html.document_fromstring(body)
    texts = (
        " ".join(str(element.xpath("string()")).split())
        for element in page.iter("p", "div")
        if element.tag == "p" or element.get("class") == "para"
    )
    return "\n\n".join(filter(None, texts))


def read_domain(lang: str) -> list[str]:
    """Return the texts of the pages of the domain's site in a language.

    Of pages that are translated in part without the paragraphs that are not.
    """
    root = SITES / DOMAIN / "www"
    code = to_iso639_3(lang)
    identifier = PageIdentifier(sorted({code, "deu", "eng"}))
    langs = read_langs(DOMAIN, is_translated=True)
    paths = [path for path, own in langs.items() if own == lang]
    texts = []
    for path in sorted(paths):
        paragraphs = read_text((root / path).read_bytes()).split("\n\n")
        found = identifier.identify(paragraphs, code)
        kept = [
            text
            for text, verdict in zip(paragraphs, found, strict=True)
            if verdict.lang == code
        ]
        texts.append("\n\n".join(kept))
    return texts


def split_domain(lang: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return two halves of the domain's unique sentences: for training, for testing."""
    split = partial(split_sentences, lang=to_iso639_3(lang))
    sentences = list(drop_repeated(iter_sentences(read_domain(lang), split)))
    return sentences[::2], sentences[1::2]


def crawl(
    sites: Sites,
    lang: str,
    texts: Sequence[str],
    settings: Mapping[str, str],
    budget: int,
) -> list[PageKey]:
    """Crawl with texts that define the domain; return the pages in their order."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / lang
        source.mkdir()
        for number, text in enumerate(texts):
            (source / f"{number}.txt").write_text(text, encoding="utf-8")
        arguments = {
            "lang": lang,
            "seeds": sites.seeds,
            "domain_texts": folder,
            "scope": "host",
        }
        # Many downloads at a time, as in any crawl: the order is the frontier's.
        given = {"CONCURRENT_REQUESTS": "32", **settings}
        return log_crawl(sites.served, "monolingual", arguments, given, budget=budget)


def evaluate_table1(sites: Sites, options: argparse.Namespace) -> list[str]:
    """Print pages by host and language; return which figures are below their floors."""
    columns = [(host, lang) for host in HOSTS for lang in LANGS]
    names = [f"{HOSTS[host]} {lang}" for host, lang in columns]
    print("focus", "model", *names, "other", sep="\t")
    floors = json.loads(BASELINE.read_text(encoding="utf-8"))["perplexity_crawl"]
    failures = []
    for lang in LANGS:
        texts = read_domain(lang)
        for name, settings in FOCUS.items():
            given = {"DOWNLOAD_DELAY": str(options.delay), **settings}
            log = crawl(sites, lang, texts, given, options.pages or PAGES)
            counts = Counter((host, sites.langs.get((host, p))) for host, p in log)
            found = [counts[column] for column in columns]
            row = name, lang if name != "non-focused" else "-"
            print(*row, *found, len(log) - sum(found), sep="\t", flush=True)
            wanted = counts["127.0.0.1", lang]
            floor = floors["table1"].get(name, 0)
            if wanted < floor:
                failures.append(
                    f"table1, {name}, {lang}: {wanted} pages, floor {floor}"
                )
    return failures


def evaluate_growth(sites: Sites, options: argparse.Namespace) -> list[str]:
    """Print the perplexity of a test set as the crawl goes on; return what fails."""
    lang = "de"
    known, held_out = split_domain(lang)
    budget = options.pages or GROWTH_PAGES
    start = score_test_set(train(known), held_out)
    print("focus", "data", "pages", "tokens", "oov", "no oov", "languages", sep="\t")
    print("none", "-", 0, 0, f"{start.oov:.1f}", f"{start.no_oov:.1f}", "", sep="\t")
    words: dict[str, list[int]] = {}
    perplexities: dict[str, list[float]] = {}
    for name, log in crawl_ground(sites, known, budget, options.delay).items():
        for only in ("", lang):
            words[name], perplexities[name] = [], []
            for part in range(1, INTERVALS + 1):
                pages = log[: budget * part // INTERVALS]
                more = list(iter_crawled(sites, pages, only))
                score = score_test_set(train(drop_repeated([*known, *more])), held_out)
                words[name].append(sum(map(len, more)))
                perplexities[name].append(score.no_oov)
                row = name, only or "all", len(pages), words[name][-1]
                figures = f"{score.oov:.1f}", f"{score.no_oov:.1f}"
                shares = _hosts(sites, pages, only) if only else _shares(sites, pages)
                print(*row, *figures, shares, sep="\t", flush=True)
    failures = []
    base = "non-focused"
    for name, own in words.items():
        factors = [one / max(two, 1) for one, two in zip(own, words[base], strict=True)]
        print(
            f"{name}: German words, times those of {base}:",
            *(f"{f:.2f}" for f in factors),
        )
        if name == "default" and min(factors) < 1:
            failures.append(f"growth: {name} has fewer German words than {base}")
    return failures


def crawl_ground(
    sites: Sites, known: Sequence[Sequence[str]], budget: int, delay: float
) -> dict[str, list[PageKey]]:
    """Return the pages of the crawls of experiment 2, by their focus."""
    text = "\n\n".join(f"{' '.join(words).capitalize()}." for words in known)
    return {
        name: crawl(
            sites,
            "de",
            [text],
            {"DOWNLOAD_DELAY": str(delay), **BOUNDS, **settings},
            budget,
        )
        for name, settings in FOCUS.items()
    }


def iter_crawled(
    sites: Sites, pages: Sequence[PageKey], only: str
) -> Iterator[list[str]]:
    """Yield the sentences of fetched pages, of one language if asked for."""
    for key in pages:
        lang = sites.langs.get(key)
        if lang is None or (only and lang != only):
            continue
        body = sites.served.pages(key, 0)
        split = partial(split_sentences, lang=to_iso639_3(lang))
        yield from iter_sentences([read_text(body)] if body else [], split)


def _shares(sites: Sites, pages: Sequence[PageKey]) -> str:
    counts = Counter(sites.langs.get(key, "other") for key in pages)
    return " ".join(f"{lang} {n / len(pages):.2f}" for lang, n in counts.most_common())


def _hosts(sites: Sites, pages: Sequence[PageKey], lang: str) -> str:
    counts = Counter(GROUND[key[0]] for key in pages if sites.langs.get(key) == lang)
    return " ".join(f"{name} {number}" for name, number in counts.most_common())


def evaluate_scale(sites: Sites, options: argparse.Namespace) -> list[str]:
    """Print the perplexity of some pages of each host and language; nothing can fail.

    Under the German half of the domain, with log10 p of unknown words -10 and -7: the
    median, and the share below the paper's bound.
    """
    model = train(split_domain("de")[0])
    split = partial(split_sentences, lang="deu")
    columns = [f"{name}, {u}" for u in SCALES for name in ("median", "under 10^5")]
    print("host", "language", "pages", *columns, sep="\t")
    for host, name in GROUND.items():
        for lang in SCALE_LANGS:
            keys = [
                key for key in sites.langs if (key[0], sites.langs[key]) == (host, lang)
            ]
            keys = sorted(keys)[:: max(len(keys) // SCALE_PAGES, 1)]
            bodies = filter(None, (sites.served.pages(key, 0) for key in keys))
            texts = [list(iter_sentences([read_text(body)], split)) for body in bodies]
            figures = []
            for model.unknown_log10 in SCALES:
                values = [model.perplexity(text) for text in texts]
                figures += [f"{median(values):.0f}"] if values else ["-"]
                figures.append(
                    f"{sum(v < 1e5 for v in values) / max(len(values), 1):.2f}"
                )
            print(name, lang, len(texts), *figures, sep="\t", flush=True)
    return []


# The hosts of each experiment, the languages of their start pages, and what is evaluated.
EXPERIMENTS = {
    "table1": (HOSTS, LANGS, evaluate_table1),
    "growth": (GROUND, ("de",), evaluate_growth),
    "scale": (GROUND, ("de",), evaluate_scale),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiments; return 1 if a figure is below its floor."""
    parser = argparse.ArgumentParser(
        description=__doc__, prog="evaluation.perplexity_crawl"
    )
    parser.add_argument("experiments", nargs="*", help="table1, growth, scale")
    parser.add_argument("--pages", type=int, default=0, help="fetched by each crawl")
    parser.add_argument(
        "--delay", type=float, default=0.3, help="seconds between visits of a host"
    )
    parser.add_argument("--check", action="store_true", help="hold to the floors")
    options = parser.parse_args(arguments)
    if not SITES.is_dir() and not (DATA / "sites").is_dir():
        print(skip_text())
        return 0
    if unknown := set(options.experiments) - set(EXPERIMENTS):
        parser.error(
            f"{min(unknown)}: no such experiment; give table1, growth or scale"
        )
    build_sites(*GROUND.values(), DOMAIN)
    failures = []
    for name in options.experiments or EXPERIMENTS:
        hosts, langs, evaluate = EXPERIMENTS[name]
        with open_sites(hosts, langs) as sites:
            failures += evaluate(sites, options)
    print(*failures, sep="\n")
    return 1 if failures and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
