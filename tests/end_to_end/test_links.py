"""Which links a crawl follows, and what it learns from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Project, Serve

GERMAN = (
    "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. Ein Gerüst oder ein"
    " Seitenschutz geht dabei vor, denn die persönliche Ausrüstung schützt nur den, der"
    " sie richtig anlegt und der ihre Verankerung vorher geprüft hat."
)
ITALIAN = (
    "Chi lavora sul tetto si protegge contro le cadute. Un ponteggio o una protezione"
    " laterale ha la precedenza, perché l'equipaggiamento personale protegge soltanto chi"
    " lo indossa bene e ne ha controllato prima l'ancoraggio."
)
ENGLISH = (
    "This page is in English, and it only leads on to the next one of its kind. " * 3
)


class ChainHandler(SiteHandler):
    """A German page, six English ones in a row, and a German one behind them."""

    def respond(self) -> None:
        name = self.path.strip("/") or "0"
        if not name.isdecimal():
            self.answer("<p>not here", status=404)
            return
        number = int(name)
        text = GERMAN if number in {0, 7} else ENGLISH
        self.answer(f'<p>{text}</p><a href="/{number + 1}">weiter</a>')


@pytest.mark.parametrize(("tunnel", "is_reached"), [("6", True), ("5", False)])
def test_links_are_followed_through_so_many_irrelevant_pages(
    project: Project, serve: Serve, tunnel: str, *, is_reached: bool
) -> None:
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_MAX_TUNNEL": tunnel,
        "CLOSESPIDER_PAGECOUNT": "12",
    }
    project.crawl("monolingual", settings, lang="de", seeds=serve(ChainHandler).url)
    fates = CrawledCorpus(project.folder / "out").fates()
    assert (fates.get("7") == "kept") == is_reached
    assert fates["6"] == "language/other_language"


class HeaderHandler(SiteHandler):
    """Two pages that name each other in the Link header alone."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if name not in {"a", "b"}:
            self.answer('<p><a href="/a">a</a>')
            return
        other, lang = ("b", "it") if name == "a" else ("a", "de")
        link = f'</{other}>; rel="alternate"; hreflang="{lang}"'
        text = GERMAN if name == "a" else f"{ITALIAN}</p><p>{ITALIAN}"
        self.answer(f"<p>{text}", headers={"Link": link})


def test_versions_in_the_link_header_are_followed_and_paired(
    project: Project, serve: Serve
) -> None:
    site = serve(HeaderHandler)
    project.crawl("bilingual", {"CORPUS_DIR": "out"}, langs="de,it", seeds=site.url)
    lines = (project.folder / "out" / "pairs" / "de-it.tsv").read_text("utf-8")
    (row,) = lines.splitlines()[1:]
    source, target, probability, evidence = row.split("\t")[:4]
    assert [source, target, evidence] == [site.at("a"), site.at("b"), "versions"]
    assert float(probability) >= 0.95


class SitemapHandler(SiteHandler):
    """Pages that only a sitemap names; it groups two of them as versions."""

    def respond(self) -> None:
        host = f"http://127.0.0.1:{self.server.server_port}"
        name = self.path.strip("/")
        if name == "robots.txt":
            self.answer(f"Sitemap: {host}/index.xml", content_type="text/plain")
        elif name == "index.xml":
            child = f"<sitemap><loc>{host}/pages.xml</loc></sitemap>"
            self._answer_xml(f"<sitemapindex>{child}</sitemapindex>")
        elif name == "pages.xml":
            links = "".join(
                f'<xhtml:link rel="alternate" hreflang="{lang}" href="{host}/{page}"/>'
                for lang, page in (("de", "eins"), ("it-CH", "uno"))
            )
            urls = f"<url><loc>{host}/eins</loc>{links}</url>"
            urls += f"<url><loc>{host}/zwei</loc></url>"
            self._answer_xml(
                f'<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml">{urls}</urlset>'
            )
        elif name in {"eins", "zwei", "uno", ""}:
            text = f"{ITALIAN}</p><p>{ITALIAN}" if name == "uno" else GERMAN
            self.answer(f"<title>{name}</title><p>{name}: {text}</p>")
        else:
            self.answer("<p>not here", status=404)

    def _answer_xml(self, body: str) -> None:
        self.answer(f"<?xml version='1.0'?>{body}", content_type="application/xml")


def test_sitemaps_give_pages_and_versions(project: Project, serve: Serve) -> None:
    site = serve(SitemapHandler)
    project.crawl("bilingual", {"CORPUS_DIR": "out"}, langs="de,it", seeds=site.url)
    corpus = CrawledCorpus(project.folder / "out")
    assert {path for path, fate in corpus.fates().items() if fate == "kept"} == {
        *("", "eins", "zwei", "uno")
    }
    assert "/sitemap.xml" not in site.requests, "robots.txt has named others"
    lines = (project.folder / "out" / "pairs" / "de-it.tsv").read_text("utf-8")
    (row,) = lines.splitlines()[1:]
    assert row.split("\t")[:2] == [site.at("eins"), site.at("uno")]
    assert row.split("\t")[3] == "versions"


class NumberedHandler(SiteHandler):
    """Pages in two versions that a number in the URL tells apart, and nothing else."""

    def respond(self) -> None:
        match = re.fullmatch(r"/show\?lang=([01])&n=(\d+)", self.path)
        if match is None:
            self.answer("<p>not here", status=404)
            return
        lang, number = match[1], int(match[2])
        words = (GERMAN, ITALIAN)[int(lang)].split()
        text = f"<p>{number}: {' '.join(words[number:] + words[:number])}</p>"
        # Links to all other pages, and last to the other version.
        targets = [f"/show?lang={lang}&n={other}" for other in range(3, 12)]
        targets += [f"/show?lang={1 - int(lang)}&n={other}" for other in (13, number)]
        self.answer(text + "".join(f'<a href="{one}">+</a>' for one in targets))


def test_a_version_that_the_site_s_own_numbers_tell_comes_first(
    project: Project, serve: Serve
) -> None:
    site = serve(NumberedHandler)
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_LEARNING": "0",
        "CONCURRENT_REQUESTS": "1",
        "CONCURRENT_REQUESTS_PER_DOMAIN": "1",
        "WORKERS": "1",
    }
    seeds = [f"show?lang={lang}&n={number}" for number in range(3) for lang in "01"]
    project.crawl(
        "bilingual", settings, langs="de,it", seeds=",".join(map(site.at, seeds))
    )
    pages = [path for path in site.requests if path.startswith("/show")]
    assert pages[: len(seeds)] == [f"/{seed}" for seed in seeds]
    ways = [
        pages.index(f"/show?lang=1&n={n}") - pages.index(f"/show?lang=0&n={n}")
        for n in range(3, 12)
    ]
    # A page that was asked for while its version was read comes between.
    assert max(map(abs, ways)) <= 3
    assert pages.index("/show?lang=1&n=13") > pages.index("/show?lang=1&n=5")
