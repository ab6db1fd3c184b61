"""Figures of the five founding papers beside those of this project.

``python -m evaluation.claims [000 001 002 003 004]`` runs the experiments of the papers that take
a minute or two each, on parts of the sites that are there, and prints what the paper
reports, what comes out here, and on what. The full experiments, and why some fall short, are in
docs/papers.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from evaluation import classification, cleaning, ets, language, perplexity_crawl, pwcc
from evaluation.cleaning_sets import WORK, read_set
from evaluation.data import DATA, SITES, build_sites, skip_text
from evaluation.pairing import run_method
from evaluation.pairing_cases import read_cases
from evaluation.sites import evaluate_site
from ilspfc import settings as defaults
from ilspfc.classification.definition import check_domain, parse_domain
from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.crawl.domain_terms import make_matchers
from ilspfc.language.identification import PageIdentifier
from ilspfc.papers.ets import AS_PRINTED, EtsOptions
from ilspfc.papers.pwcc import PwccOptions

if TYPE_CHECKING:
    from evaluation.pairing_cases import Case

# Pages that the error of cleaning is measured on, and characters of a paragraph whose
# language is identified.
_CLEANED = 150
_CHARS = 40
# Seconds between visits of a host, and crawls of the second experiment with language models.
_DELAY = "0.3"
_FOCUS = ("paper", "default", "non-focused")


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure of a paper: where it stands, what it is, theirs, ours, and on what."""

    where: str
    what: str
    theirs: str
    ours: str
    on: str


# -- 000 ---------------------------------------------------------------------------------


def measure_000() -> Iterator[Claim]:
    """Yield the sections of the evaluation of ILSP-FC."""
    cases = read_cases("glosario", "hard", pairs=("en-es", "en-fr"))
    scores = [run_method(case, "combined").scores for case in cases]
    yield Claim(
        "5.1",
        "precision of pairs",
        ".91 (94 of 103), with borderline ones .96",
        f"{mean(one.precision for one in scores):.3f}, recall {mean(one.recall for one in scores):.3f}",
        "glosario (not learned from)",
    )
    yield Claim(
        "5.2",
        "precision of the domain",
        ".77",
        ", ".join(f"{lang} {value:.2f}" for lang, value in _measure_domain().items()),
        "network security on four sites",
    )
    langs = ("deu", "ita")
    data = [one for one in language.stretches("test", _CHARS) if one[0] in langs]
    for lang, theirs in zip(langs, (".9865", ".9975"), strict=True):
        own = [one for one in data if one[0] == lang]
        found = language.measure(langs, own, PageIdentifier(langs))
        yield Claim(
            "5.3",
            f"paragraphs in the right language, {lang}",
            theirs,
            f"{found['page']:.4f}",
            f"{len(own)} stretches of {_CHARS} characters",
        )
    pages = read_set("cleaneval-final", WORK, _CLEANED)
    judged = [cleaning.judge((page, None), WORK).scores["ours"] for page in pages]
    yield Claim(
        "5.4",
        "paragraphs wrongly marked",
        ".10",
        f"{mean(one.wrong_blocks for one in judged):.3f}",
        f"{len(pages)} pages of CleanEval",
    )


def _measure_domain() -> dict[str, float]:
    """Return the precision of the decision on the subject by language."""
    definition = SITES / "domain" / "network-security.tsv"
    domain, problems = parse_domain(
        definition.read_text(encoding="utf-8"), definition.stem
    )
    domain = check_domain(domain, problems, str(definition))
    pages = classification.read_pages(SITES / "domain" / "labels.tsv")
    scorer = RelevanceScorer(make_matchers(domain, classification.LANGS))
    for page in pages:
        scorer.score(page.document)
    *_, rule = classification.thresholds_of(domain).values()
    found = {}
    for lang in classification.LANGS:
        own = [page for page in pages if page.document.lang == lang]
        probabilities = classification.judge_subject(
            own, rule, domain.median_weight(), learned=False
        )
        judged = [
            (page, 0 < defaults.DECISIONS_MIN_RELEVANCE <= p)
            for page, p in zip(own, probabilities.tolist(), strict=True)
            if page.label != "grey"
        ]
        precision, _ = classification.precision_recall(
            [page for page, _ in judged], [kept for _, kept in judged]
        )
        found[lang] = precision
    return found


# -- 001 ---------------------------------------------------------------------------------


def measure_001() -> Iterator[Claim]:
    """Yield the figures and the table of ETS, means over language pairs."""
    langs = ("de-it", "en-fr")
    cases: Iterator[Case] = chain(
        read_cases("installation-guide", "hard", "linked", langs),
        read_cases("debian-handbook", "hard", "linked", langs),
        map(ets.keep_translated, read_cases("bitcoin", "hard", "", langs)),
    )
    points: dict[tuple[str, str], list[float]] = defaultdict(list)
    number = 0
    for case in cases:
        number += 1
        for figure, value, f1 in _run_ets(case):
            points[figure, value].append(f1)

    def show(figure: str, values: Sequence[str]) -> str:
        return ", ".join(f"{mean(points[figure, value]):.3f}" for value in values)

    on = f"{number} language pairs of guide and handbook (linked), bitcoin (translated)"
    yield Claim(
        "figure 2",
        "F1 by beta 0, .6, 1",
        ".640, .867, .648",
        show(ets.FIGURE_2, ("beta 0.0", "beta 0.6", "beta 1.0")),
        on,
    )
    yield Claim(
        "figure 3",
        "F1 after 0, 1, 3, 6 iterations",
        ".867, –, .929, no more",
        show(ets.FIGURE_3, [f"alpha 0.6, {n} iterations" for n in (0, 1, 3, 6)]),
        on,
    )
    yield Claim(
        "figure 4",
        "F1 by alpha 0, .6, 1",
        ".867, .929, .802",
        show(ets.FIGURE_4, ("alpha 0.0", "alpha 0.6", "alpha 1.0")),
        on,
    )
    yield Claim(
        "table 2",
        "F1 without weights, by weight 1, 2",
        ".929, .928, .928",
        show(ets.TABLE_2, ("none", "weigh", "leave-out")),
        on,
    )
    yield Claim(
        "figure 5",
        "F1 by content and with neighbors, a tenth of the lexicon",
        "neighbors lose less",
        show(ets.FIGURE_5, ("10%, baseline", "10%, ets")),
        on,
    )
    yield Claim(
        "abstract",
        "F1 by content, as printed, by default",
        ".867, .929, –",
        show(ets.METHODS, (ets.CONTENT_ALONE, "as printed", "default")),
        on,
    )


def _run_ets(case: Case) -> Iterator[tuple[str, str, float]]:
    experiment = ets.Experiment(case)
    yield from experiment.run_figures()
    for name, options in (("as printed", AS_PRINTED), ("default", EtsOptions())):
        inner, *_, enhanced = experiment.run_with(options)
        yield ets.METHODS, name, enhanced
        if options is AS_PRINTED:
            yield ets.METHODS, ets.CONTENT_ALONE, inner


# -- 002 ---------------------------------------------------------------------------------


def measure_002() -> Iterator[Claim]:
    """Yield both protocols of PWCC, on whole pages and on short ones."""
    options = PwccOptions()
    for form in ("addresses", "addresses-short"):
        judged = [
            pwcc.judge(case, options)
            for site in ("installation-guide", "debian-handbook")
            for case in read_cases(site, "hard", form, ("de-it", "en-fr"))
        ]
        scores = [one.score(options.threshold) for one in judged]
        on = f"guide and handbook, {form}"
        yield Claim(
            "5",
            "precision of pairs",
            ".948 (379 of 400)",
            f"{mean(one.precision for one in scores):.3f}, recall {mean(one.recall for one in scores):.3f}",
            on,
        )
        yield Claim(
            "5",
            "parallel pairs accepted",
            "299 of 320 (.934)",
            pwcc.describe_sheet(pwcc.draw_sheet(judged), options.threshold),
            on,
        )


# -- 003 ---------------------------------------------------------------------------------


def measure_003() -> Iterator[Claim]:
    """Yield Bitextor's precision and recall, and the speed of Combine."""
    theirs = {"installation-guide": ".99, .853", "installation-guide-hard": ".86, .61"}
    for site, figures in theirs.items():
        with tempfile.TemporaryDirectory() as folder:
            found = evaluate_site(site, Path(folder) / "corpus", "de,it")
        yield Claim(
            "tools",
            "precision and recall of pairs (Bitextor)",
            figures,
            f"{found['precision']:.3f}, {found['recall']:.3f}",
            site,
        )
        speed = 60 * (found["de"] + found["it"]) / found["seconds"]
        yield Claim(
            "tools",
            "pages a minute (Combine: visited)",
            "200",
            f"{speed:.0f} kept and paired",
            site,
        )


# -- 004 ---------------------------------------------------------------------------------


def measure_004() -> Iterator[Claim]:
    """Yield both experiments with language models, the second without its figure 2."""
    hosts, ground = perplexity_crawl.HOSTS, perplexity_crawl.GROUND
    build_sites(*ground.values(), perplexity_crawl.DOMAIN)
    host, pages = next(iter(hosts)), perplexity_crawl.PAGES
    with perplexity_crawl.open_sites() as sites:
        logs = {}
        for focus, lang in (("non-focused", "en"), ("paper", "en"), ("paper", "de")):
            texts = perplexity_crawl.read_domain(lang)
            given = {"DOWNLOAD_DELAY": _DELAY, **perplexity_crawl.FOCUS[focus]}
            logs[focus, lang] = perplexity_crawl.crawl(sites, lang, texts, given, pages)
        for lang in perplexity_crawl.LANGS:
            found = [
                sum(key[0] == host and sites.langs.get(key) == lang for key in log)
                for log in (logs["paper", lang], logs["non-focused", "en"])
            ]
            yield Claim(
                "table 1",
                f"pages of the domain's host in {lang}, of {pages}; unfocused",
                "most; a quarter",
                f"{found[0]}; {found[1]}",
                "guide and LilyPond",
            )
    known, _ = perplexity_crawl.split_domain("de")
    pages = perplexity_crawl.GROWTH_PAGES
    with perplexity_crawl.open_sites(ground, ("de",)) as sites:
        ends = perplexity_crawl.crawl_ground(sites, known, pages, float(_DELAY))
        shares = [
            mean(sites.langs.get(key) == "de" for key in ends[focus])
            for focus in _FOCUS
        ]
        words = [
            sum(map(len, perplexity_crawl.iter_crawled(sites, ends[focus], "de")))
            for focus in _FOCUS
        ]
    yield Claim(
        "table 2",
        "share of German; by default; unfocused",
        ".923; –; .155",
        "; ".join(f"{share:.2f}" for share in shares),
        f"{pages} pages of four sites",
    )
    yield Claim(
        "5.2",
        "German words, times the unfocused crawl's; by default",
        "4.5; –",
        "; ".join(f"{number / words[-1]:.2f}" for number in words[:-1]),
        f"{pages} pages of four sites",
    )


PAPERS: Mapping[str, Callable[[], Iterator[Claim]]] = {
    "000": measure_000,
    "001": measure_001,
    "002": measure_002,
    "003": measure_003,
    "004": measure_004,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each claim."""
    parser = argparse.ArgumentParser(description="Put the papers' figures beside ours.")
    parser.add_argument("papers", nargs="*", help=f"of {', '.join(PAPERS)}")
    papers = parser.parse_args(arguments).papers or [*PAPERS]
    if unknown := set(papers) - set(PAPERS):
        parser.error(f"{min(unknown)}: no such paper; give some of {', '.join(PAPERS)}")
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    print("| paper | where | what | theirs | ours | on |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in papers:
        started = time.monotonic()
        for claim in PAPERS[name]():
            cells = claim.where, claim.what, claim.theirs, claim.ours, claim.on
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
