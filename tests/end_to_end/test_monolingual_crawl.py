"""Monolingual crawls: seeds from a file and from the command line, with and without a domain."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import pytest
from crawled_corpus import CESDOC, CrawledCorpus, paragraphs

if TYPE_CHECKING:
    from conftest import Crawl, Project, Result, Site

# In the format of ILSP-FC; the other one has tests of its own.
NOISE = """\
# Noise at work
100:Gehörschutz=noise>de
100:Lärm=noise>de
80:Dezibel=noise;measures>de
-200:Gabelstapler=transport>de
"""
GERMAN_PAGES = {
    "de/index.html",
    "de/feuer.html",
    "de/handschuhe.html",
    "de/laerm.html",
    "de/leitern.html",
    "de/sommerfest.html",
    "de/stapler.html",
    "de/staub.html",
}


@pytest.fixture(scope="module")
def crawls(
    make_project: Callable[[], Project],
    workshop: Site,
    together: Callable[[Iterable[Callable[[], Result]]], list[Result]],
) -> dict[str, Crawl]:
    """One crawl with a domain and seeds from files, one with neither."""
    from conftest import Crawl

    with_domain, without_domain = make_project(), make_project()
    (with_domain.folder / "noise.txt").write_text(NOISE, "utf-8")
    seeds = f"# Where to begin\n\n{workshop.at('de/index.html')}\n  {workshop.url}\n"
    (with_domain.folder / "seeds.txt").write_text(seeds, "utf-8-sig")
    results = together(
        [
            partial(
                with_domain.crawl,
                "monolingual",
                {"WORKERS": "1"},
                lang="de",
                domain="./noise.txt",
                seeds="seeds.txt",
            ),
            partial(
                without_domain.crawl,
                "monolingual",
                {
                    "CORPUS_DIR": "out/german",
                    "HTTPAUTH_USER": "ada",
                    "HTTPAUTH_PASS": "geheim-27",
                    "HTTPAUTH_DOMAIN": workshop.url.split("/")[2],
                },
                lang="deu",
                seeds=f"{workshop.url},{workshop.at('de/leitern.html')}",
            ),
        ]
    )
    folders = ("corpora/monolingual-de-noise", "out/german")
    projects = (with_domain, without_domain)
    return {
        name: Crawl(project, result, project.folder / folder)
        for name, project, result, folder in zip(
            ("domain", "no domain"), projects, results, folders, strict=True
        )
    }


def test_only_pages_about_the_domain_are_kept(crawls: dict[str, Crawl]) -> None:
    crawl = crawls["domain"]
    assert crawl.result.status == 0, crawl.result.stderr
    corpus = CrawledCorpus(crawl.corpus)
    documents = corpus.documents()
    assert documents.keys() == {"de/laerm.html"}
    domain = documents["de/laerm.html"].find(f".//{CESDOC}textClass/{CESDOC}domain")
    assert domain is not None
    assert domain.text == "noise"
    topics = {
        topic
        for attributes in paragraphs(documents["de/laerm.html"]).values()
        for topic in attributes.get("topic", "").split(";")
    }
    assert topics == {"Gehörschutz", "Lärm", "Dezibel", ""}
    assert corpus.drops()["classification/off_topic"] == 8


def test_seeds_of_a_file_are_visited(crawls: dict[str, Crawl], workshop: Site) -> None:
    manifest = CrawledCorpus(crawls["domain"].corpus).manifest
    assert [(seed["url"], seed["reached"]) for seed in manifest["seeds"]] == [
        (workshop.at("de/index.html"), True),
        (workshop.url, True),
    ]


def test_no_file_has_the_password_of_a_site(crawls: dict[str, Crawl]) -> None:
    corpus = crawls["no domain"].corpus
    assert "HTTPAUTH_USER" in (corpus / "manifest.json").read_text("utf-8")
    basic = b64encode(b"ada:geheim-27")
    for path in corpus.rglob("*.*"):
        data = path.read_bytes()
        text = gzip.decompress(data) if path.suffix == ".gz" else data
        assert b"geheim-27" not in text, path
        assert basic not in text, path


def test_without_a_domain_every_page_in_the_language_is_kept(
    crawls: dict[str, Crawl],
) -> None:
    crawl = crawls["no domain"]
    assert crawl.result.status == 0, crawl.result.stderr
    corpus = CrawledCorpus(crawl.corpus)
    assert corpus.documents().keys() == GERMAN_PAGES
    assert corpus.manifest["domain"] == ""
    assert "classification/off_topic" not in corpus.drops()
    assert corpus.drops()["language/other_language"] == 7
    for document in corpus.documents().values():
        assert document.findtext(f".//{CESDOC}textClass/{CESDOC}domain") == ""
        assert not [p for p in paragraphs(document).values() if "topic" in p]


def test_seeds_of_the_command_line_are_visited(
    crawls: dict[str, Crawl], workshop: Site
) -> None:
    manifest = CrawledCorpus(crawls["no domain"].corpus).manifest
    assert [seed["url"] for seed in manifest["seeds"]] == [
        workshop.url,
        workshop.at("de/leitern.html"),
    ]


@pytest.mark.parametrize("name", ["domain", "no domain"])
def test_there_are_no_pairs_of_one_language(
    crawls: dict[str, Crawl], name: str
) -> None:
    crawl = crawls[name]
    assert not [*crawl.corpus.glob("pairs/*"), *crawl.corpus.glob("*.tmx")]
    assert "unpaired" not in crawl.result.stdout
    assert "German (deu)" in crawl.result.stdout
