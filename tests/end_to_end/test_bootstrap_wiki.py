"""From a subject's name to a translation memory: three real wikis, real sites on loopback."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import SITES
from crawled_corpus import CrawledCorpus
from lxml import etree
from wiki_articles import LANGS, read_rows
from wikis import find_missing, make_folder, site_links, start_wikis

if TYPE_CHECKING:
    from conftest import Project, Result, Serve, Site
    from wikis import Wiki

MISSING = find_missing()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=MISSING or "everything is there"),
]

CONTACT = ("--contact", "me@example.org")
LOOPBACK = (
    "-s",
    "GUARD_ALLOW=127.0.0.0/8",
    "-s",
    "DOWNLOAD_DELAY=0",
    "-s",
    "WORKERS=1",
)
SUBJECT = ("bootstrap", "Beekeeping", "--langs", "en,de,it", "--depth", "3", *CONTACT)
# What the articles' table has that is no term, as titles in English.
NO_TERMS = {
    "list": ["List of types of honey", "List of bee plants", "Glossary of beekeeping"],
    "disambiguation": ["Queen (disambiguation)"],
    "year": ["2007 in beekeeping", "1851"],
    "name": ["Karl von Frisch", "Eva Crane", "German Beekeepers Association"],
    "abbreviation": ["CCD"],
    "redirect": ["Bee glue"],
}


@pytest.fixture(scope="module")
def apiary(serve: Serve) -> Site:
    return serve(SITES / "apiary")


@pytest.fixture(scope="module")
def wikis(apiary: Site) -> Iterator[dict[str, Wiki]]:
    """The wikis in three languages, whose articles link to the apiary's site."""
    folder = make_folder()
    running = start_wikis(folder / "wikis", site_links(apiary.url))
    yield running
    for wiki in running.values():
        wiki.stop()
    shutil.rmtree(folder)


class Bootstrap:
    """A bootstrap that has ended."""

    def __init__(self, project: Project, result: Result) -> None:
        self.project = project
        self.result = result
        self.stem = project.folder / "domains" / "bees"

    def terms(self, lang: str) -> dict[str, int]:
        """Return the weights of the terms in a language."""
        text = self.stem.with_name("bees.tsv").read_text("utf-8")
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        rows = csv.DictReader(lines, delimiter="\t")
        return {row["term"]: int(row["weight"]) for row in rows if row["lang"] == lang}

    @property
    def figures(self) -> dict[str, object]:
        """What was counted."""
        return dict(json.loads((self.stem / "bootstrap.json").read_text("utf-8")))


@pytest.fixture(scope="module")
def bees(make_project: Callable[[], Project], wikis: dict[str, Wiki]) -> Bootstrap:
    project = make_project()
    return Bootstrap(project, _run(project, wikis))


def _run(project: Project, wikis: dict[str, Wiki], *more: str) -> Result:
    return project.run(*_subject(wikis), *more)


def _subject(wikis: dict[str, Wiki]) -> tuple[str, ...]:
    """Return the command that collects what the wikis have."""
    api = ("--api", wikis["en"].api, "--out", "domains/bees")
    return (*SUBJECT, *api)


# -- what is collected -------------------------------------------------------------------


def test_titles_in_all_languages_become_terms(bees: Bootstrap) -> None:
    assert bees.result.status == 0, bees.result.stderr
    rows = read_rows("articles.tsv")
    assert all(sum(bool(row[lang]) for row in rows) >= 60 for lang in LANGS)
    for lang in LANGS:
        terms = bees.terms(lang)
        assert len(terms) >= 60, lang
        assert f"({lang})  {len(terms)} terms" in bees.result.stdout
    assert {"Honey", "Queen bee", "Smoker"} <= bees.terms("en").keys()
    assert {"Honig", "Bienenkönigin", "Imkerpfeife"} <= bees.terms("de").keys()
    assert {"Miele", "Ape regina", "Smielatore"} <= bees.terms("it").keys()


def test_what_is_no_term_is_left_out_and_counted(bees: Bootstrap) -> None:
    terms = bees.terms("en")
    text = (bees.stem / "left-out.tsv").read_text("utf-8")
    left_out = {tuple(line.split("\t")) for line in text.splitlines()[1:]}
    for reason, titles in NO_TERMS.items():
        assert bees.figures[f"bootstrap/dropped/{reason}"], reason
        for title in titles:
            assert (reason, "en", title) in left_out
            # A redirect is no term of its own, but a variant of what it leads to.
            assert (title in terms) == (reason == "redirect")
    # Its German name tells nothing, those in other languages do.
    assert ("name", "de", "Deutscher Imkerbund") in left_out
    assert bees.figures["bootstrap/dropped/category_loop"] == 1


def test_central_terms_weigh_more(bees: Bootstrap) -> None:
    terms = bees.terms("en")
    assert (
        terms["Beekeeping"]
        > terms["Phacelia" if "Phacelia" in terms else "Lacy phacelia"]
    )
    assert terms["Honey bee"] > terms["Italian bee"]
    assert terms["Honey"] > terms["Mead"]
    assert terms["Apiary"] > terms["Deformed wing virus"]
    assert terms["Apiculture"] < terms["Beekeeping"]  # a redirect to it
    assert len({*terms.values()}) > 5


def test_pairs_of_terms_are_kept(bees: Bootstrap) -> None:
    lines = (bees.stem / "de-it.tsv").read_text("utf-8").splitlines()
    assert "Honig\tMiele" in lines
    assert len(lines) > 60
    entries = etree.parse(bees.stem / "terms.tbx").findall(".//{*}conceptEntry")
    assert len(entries) > 60
    names = [{n.text for n in entry.iterfind(".//{*}term")} for entry in entries]
    assert any({"Honey", "Honig", "Miele"} <= found for found in names)


def test_links_of_the_articles_are_the_seeds(bees: Bootstrap, apiary: Site) -> None:
    lines = bees.stem.with_name("bees.seeds.txt").read_text("utf-8").splitlines()
    seeds = [line for line in lines if not line.startswith("#")]
    assert len(seeds) == 5  # of one site no more
    assert all(line.startswith(apiary.url) for line in seeds)
    assert any("  # link of Bienenvolk (German)" in line for line in seeds)


def test_the_definition_has_no_problems(bees: Bootstrap) -> None:
    checked = bees.project.run("domain", "check", "bees")
    assert checked.status == 0, checked.stdout


# -- again, interrupted, wrong -----------------------------------------------------------


def test_a_second_run_asks_nothing_and_writes_the_same(
    bees: Bootstrap, wikis: dict[str, Wiki]
) -> None:
    names = (
        "../bees.tsv",
        "../bees.seeds.txt",
        "de-it.tsv",
        "terms.tbx",
        "left-out.tsv",
    )
    before = {name: (bees.stem / name).read_bytes() for name in names}
    again = bees.project.run_process(*_subject(wikis))
    assert again.status == 0, again.stderr
    assert "0 requests" in again.stdout
    assert {name: (bees.stem / name).read_bytes() for name in names} == before


def test_a_run_that_was_killed_goes_on(
    bees: Bootstrap, project: Project, wikis: dict[str, Wiki]
) -> None:
    arguments = (*SUBJECT, "--api", wikis["en"].api, "--out", "domains/bees")
    answers = project.folder / "domains" / "bees" / "answers.db"
    end = time.monotonic() + 300
    with project.start(*arguments) as process:
        while _count_answers(answers) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        process.kill()
        process.communicate()
    kept = _count_answers(answers)
    assert kept >= 4
    result = _run(project, wikis)
    assert result.status == 0, result.stderr
    total = bees.figures["bootstrap/requests"] or _requests(bees.result)
    assert _requests(result) <= _requests(bees.result) - kept, total
    whole = project.folder / "domains" / "bees.tsv"
    assert whole.read_bytes() == bees.stem.with_name("bees.tsv").read_bytes()


def _requests(result: Result) -> int:
    return int(result.stdout.split(" requests")[0].rsplit(" ", 1)[1])


def _count_answers(path: Path) -> int:
    """Return how many answers a file keeps, 0 while it is being made."""
    if not path.is_file():
        return 0
    try:
        with closing(sqlite3.connect(path)) as connection, connection:
            number: int = connection.execute("SELECT count(*) FROM answers").fetchone()[
                0
            ]
    except sqlite3.Error:
        return 0
    finally:
        connection.close()
    return number


def test_the_nearest_names_are_offered(
    project: Project, wikis: dict[str, Wiki]
) -> None:
    api = ("--api", wikis["en"].api, "--langs", "en", *CONTACT)
    result = project.run("bootstrap", "Beekeping", *api)
    assert result.status == 2
    assert "no category of that name; the nearest are Beekeeping," in result.error


def test_the_depth_is_kept(project: Project, wikis: dict[str, Wiki]) -> None:
    api = ("--api", wikis["de"].api, "--langs", "de,it", *CONTACT, "--depth", "0")
    out = ("--out", "domains/bees")
    result = Bootstrap(project, project.run("bootstrap", "Imkerei", *api, *out))
    assert result.result.status == 0, result.result.stderr
    assert "Imkerei" in result.terms("de")
    assert "Honig" not in result.terms("de")
    assert "Apicoltura" in result.terms("it")


# -- to the end --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus(bees: Bootstrap) -> CrawledCorpus:
    """What comes of sites that come of seeds that come of the wikis."""
    project = bees.project
    sites = project.run(
        *("bootstrap", "sites", "domains/bees.seeds.txt", "--langs", "de,it"),
        *CONTACT,
        *LOOPBACK,
    )
    assert sites.status == 0, sites.stderr
    assert "1 of 1 sites have the languages" in sites.stdout
    seeds = project.folder / "domains" / "bees" / "sites.seeds.txt"
    assert re.search(r"  # de, it; 1[345] pages known", seeds.read_text("utf-8"))
    crawl = project.crawl(
        "bilingual",
        {"CORPUS_DIR": "out"},
        langs="de,it",
        domain="bees",
        seeds="domains/bees/sites.seeds.txt",
    )
    assert crawl.status == 0, crawl.stderr
    return CrawledCorpus(project.folder / "out")


def test_sites_become_a_translation_memory(corpus: CrawledCorpus) -> None:
    assert len(corpus.documents()) == 14
    assert len(corpus.pairs()) == 7
    units = corpus.units()
    assert len(units) > 40
    assert (
        "Nur die Bienenkönigin legt Eier.",
        "Soltanto l'ape regina depone le uova.",
    ) in units


def test_the_seeds_of_the_domain_are_taken_as_they_are(
    bees: Bootstrap, corpus: CrawledCorpus
) -> None:
    crawl = bees.project.crawl(
        "bilingual", {"CORPUS_DIR": "again"}, langs="de,it", domain="bees"
    )
    assert crawl.status == 0, crawl.stderr
    again = CrawledCorpus(bees.project.folder / "again")
    assert again.documents().keys() == corpus.documents().keys()


def test_the_corpus_says_which_terms_are_used(
    bees: Bootstrap, corpus: CrawledCorpus
) -> None:
    checked = bees.project.run("domain", "check", "bees", "--corpus", str(corpus.root))
    assert checked.status == 0, checked.stderr
    assert "de: never matches: 'Kalkbrut'" in checked.stdout
    assert "never matches: 'Honig' " not in checked.stdout
    assert "en: the same after stemming: 'Beekeeper', 'Beekeeping'" in checked.stdout


def test_the_corpus_proposes_terms(bees: Bootstrap, corpus: CrawledCorpus) -> None:
    refused = bees.project.run("domain", "expand", str(corpus.root))
    assert refused.status == 2
    assert "--background DIR" in refused.error
    others = bees.project.folder / "others"
    for lang, path in (("de", "de"), ("it", "it")):
        (others / lang).mkdir(parents=True)
        for page in (SITES / "workshop" / path).glob("*.html"):
            root = etree.parse(page, etree.HTMLParser()).getroot()
            text = " ".join(map(str, root.itertext()))
            (others / lang / f"{page.stem}.txt").write_text(text, encoding="utf-8")
    expanded = bees.project.run(
        "domain", "expand", str(corpus.root), "--background", "others"
    )
    assert expanded.status == 0, expanded.stderr
    header, *lines = expanded.stdout.splitlines()
    assert header.split("\t")[:4] == ["weight", "term", "subdomain", "lang"]
    proposed = {line.split("\t")[1] for line in lines}
    assert {"Bienen", "api"} & proposed
    assert not {*bees.terms("de"), *bees.terms("it")} & proposed
