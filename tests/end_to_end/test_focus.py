"""A domain defined by texts, scope, limits, and sites that stand together."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus
from test_links import GERMAN, ITALIAN

if TYPE_CHECKING:
    from conftest import Project, Serve, Site

DOMAIN_TEXT = (
    "Wer auf dem Dach arbeitet, sichert sich mit einem Gerüst gegen den Absturz. Das"
    " Gerüst wird vor der Arbeit auf dem Dach geprüft. Ohne Seitenschutz am Gerüst darf"
    " niemand auf dem Dach arbeiten. Die Ausrüstung gegen den Absturz wird geprüft. "
)
OTHER_TEXT = (
    "Der Kuchen kommt nach dem Rühren bei mittlerer Hitze in den Ofen. Die Butter wird"
    " mit Zucker und Eiern schaumig geschlagen, dann folgt das Mehl in zwei Portionen. "
)


class TopicHandler(SiteHandler):
    """Three hubs, one on the subject, each with links of the same plain words."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if name == "robots.txt":
            self.answer(status=404)
            return
        if not name:
            links = "".join(f'<p><a href="/{hub}/">weiter</a>' for hub in "abc")
            self.answer(f"<p>{OTHER_TEXT * 2}{links}")
            return
        hub, _, page = name.partition("/")
        text = DOMAIN_TEXT if hub == "c" else OTHER_TEXT
        links = "".join(f'<a href="/{hub}/{number}">weiter</a> ' for number in range(8))
        self.answer(f"<p>{page} {text * 2}</p><p>{'' if page else links}")


@pytest.fixture(scope="module")
def domain_texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "de").mkdir()
    (folder / "de" / "dach.txt").write_text(DOMAIN_TEXT * 3, "utf-8")
    return folder


def _pages(site: Site) -> list[str]:
    return [path for path in site.requests if re.match(r"/\w/\d|/\w/$", path)]


def test_links_of_pages_like_the_domain_texts_come_first(
    project: Project, serve: Serve, domain_texts: Path
) -> None:
    site = serve(TopicHandler)
    settings = {
        "CORPUS_DIR": "out",
        "CONCURRENT_REQUESTS": "1",
        "FRONTIER_LEARNING": "0",
        "CLASSIFICATION_MAX_PERPLEXITY": "1000",
        "WORKERS": "1",
    }
    arguments = {"lang": "de", "seeds": site.url, "domain_texts": str(domain_texts)}
    assert project.crawl("monolingual", settings, **arguments).status == 0
    order = _pages(site)
    of_the_subject = [place for place, path in enumerate(order) if path[1] == "c"]
    # The hubs come first; a page that is fetched while one is read may come between.
    assert of_the_subject[-1] <= 12
    corpus = CrawledCorpus(project.folder / "out")
    kept = {path for path, fate in corpus.fates().items() if fate == "kept"}
    assert kept == {"c/", *(f"c/{number}" for number in range(8))}
    assert corpus.drops()["classification/high_perplexity"] == 19


def test_links_of_pages_beyond_the_last_bound_are_not_followed(
    project: Project, serve: Serve, domain_texts: Path
) -> None:
    site = serve(TopicHandler)
    settings = {"CORPUS_DIR": "out", "FRONTIER_PERPLEXITY_BOUNDS": "500,1000,5000"}
    arguments = {
        "lang": "de",
        "seeds": site.at("c/"),
        "domain_texts": str(domain_texts),
    }
    project.crawl("monolingual", settings, **arguments)
    assert len(_pages(site)) == 9
    other = serve(TopicHandler)
    settings["CORPUS_DIR"] = "out2"
    run = project.crawl("monolingual", settings, **{**arguments, "seeds": other.url})
    hubs, pages = _pages(other)[:3], _pages(other)[3:]
    assert sorted(hubs) == ["/a/", "/b/", "/c/"], "the seed is unlike the texts, too"
    assert {path[:3] for path in pages} == {"/c/"}
    assert len(pages) == 8
    corpus = CrawledCorpus(project.folder / "out2")
    assert corpus.stats["frontier/dropped/high_perplexity"] == 16
    assert re.search("16  address(es)? +on a page too unlike", run.stdout)
    assert "[frontier/high_perplexity]" in run.stdout


def test_bounds_change_while_the_crawl_runs(
    project: Project, serve: Serve, domain_texts: Path
) -> None:
    out = project.folder / "out"

    class Changing(TopicHandler):
        def respond(self) -> None:
            if self.path == "/":
                (out / "perplexity-bounds.txt").write_text("500,1000,5000\n")
            super().respond()

    site = serve(Changing)
    settings = {"CORPUS_DIR": "out", "FRONTIER_PERPLEXITY_BOUNDS": "500,1000,inf"}
    arguments = {"lang": "de", "seeds": site.url, "domain_texts": str(domain_texts)}
    project.crawl("monolingual", settings, **arguments)
    assert CrawledCorpus(out).stats["frontier/dropped/high_perplexity"] == 16


def test_the_perplexity_of_each_page_is_told(
    project: Project, serve: Serve, domain_texts: Path
) -> None:
    """In index, file, counts, report, summary and by ``scrapy url``."""
    site = serve(TopicHandler)
    settings = {"CORPUS_DIR": "out", "FRONTIER_PERPLEXITY_BOUNDS": "500,1000,inf"}
    arguments = {"lang": "de", "seeds": site.url, "domain_texts": str(domain_texts)}
    run = project.crawl("monolingual", settings, **arguments)
    assert "Perplexity pages: 9 HIGH, 19 NORMAL" in run.stdout
    folder = project.folder / "out"
    corpus = CrawledCorpus(folder)
    assert corpus.stats["classification/bucket/high"] == 9
    assert corpus.stats["classification/bucket/normal"] == 19
    with closing(sqlite3.connect(folder / "corpus.db")) as index, index:
        sql = "SELECT url, perplexity, bucket FROM pages"
        rows = {url: row for url, *row in index.execute(sql)}
    perplexity, bucket = rows[site.at("c/1")]
    assert bucket == "high"
    assert perplexity < 500
    notes = [path.read_text("utf-8") for path in (folder / "xml").glob("*.xml")]
    note = f'<note type="perplexity" bucket="high">{perplexity:.1f}</note>'
    assert any(note in text for text in notes)
    report = (folder / "report.html").read_text("utf-8")
    assert 'id="perplexity"' in report
    told = project.run("url", "out", site.at("c/1")).stdout
    assert f"perplexity {perplexity:.1f}, bucket HIGH" in told


class ContentsHandler(SiteHandler):
    """A table of contents without a sentence; its last link names the subject."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if not name:
            titles = ["Kuchen und Butter", "Mehl im Ofen", "Arbeit auf dem Dach"]
            links = "".join(
                f'<li><a href="/{letter}/">{title}</a>'
                for letter, title in zip("abc", titles, strict=True)
            )
            self.answer(f"<ul>{links}</ul>")
        elif name in "abc":
            self.answer(f"<p>{(DOMAIN_TEXT if name == 'c' else OTHER_TEXT) * 2}")
        else:
            self.answer(status=404)


@pytest.mark.parametrize(
    ("scorer", "first"), [("perplexity", "/c/"), ("buckets", "/a/")]
)
def test_words_around_a_link_speak_where_the_page_has_none(
    project: Project, serve: Serve, domain_texts: Path, scorer: str, first: str
) -> None:
    site = serve(ContentsHandler)
    settings = {
        "CORPUS_DIR": "out",
        "CONCURRENT_REQUESTS": "1",
        "FRONTIER_LEARNING": "0",
        "FRONTIER_SCORER": scorer,
        "FRONTIER_PERPLEXITY_BOUNDS": "500,1000000,10000000000",
    }
    arguments = {"lang": "de", "seeds": site.url, "domain_texts": str(domain_texts)}
    project.crawl("monolingual", settings, **arguments)
    order = _pages(site)
    assert sorted(order) == ["/a/", "/b/", "/c/"], "nothing of a seed is discarded"
    assert order[0] == first


def test_strict_buckets_visit_everything_in_their_order(
    project: Project, serve: Serve, domain_texts: Path
) -> None:
    site = serve(TopicHandler)
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_SCORER": "buckets",
        "FRONTIER_PERPLEXITY_BOUNDS": "500,1000,inf",
    }
    arguments = {"lang": "de", "seeds": site.url, "domain_texts": str(domain_texts)}
    assert project.crawl("monolingual", settings, **arguments).status == 0
    order = _pages(site)
    assert len(order) == 27
    last = max(place for place, path in enumerate(order) if path[1] == "c")
    # Pages under way when the hub of the subject was read may come between.
    assert last <= 20


def test_strict_buckets_need_texts(project: Project, serve: Serve) -> None:
    given = {"FRONTIER_SCORER": "buckets"}
    run = project.crawl("monolingual", given, lang="de", seeds=serve(TopicHandler).url)
    assert run.status
    assert "FRONTIER_SCORER=buckets" in run.stderr
    assert "domain_texts=FOLDER" in run.stderr


class ListHandler(SiteHandler):
    """A list of sites; the first has links that name the subject, and no end."""

    def respond(self) -> None:
        name = self.path.strip("/")
        site, _, page = name.partition("/")
        if name == "robots.txt":
            self.answer(status=404)
        elif not name:
            links = "".join(f'<li><a href="/{site}/">{site}</a>' for site in "abc")
            self.answer(f"<ul>{links}</ul>")
        else:
            links = f'<a href="/{site}/{int(page or 0) + 1}">Gerüst</a>'
            self.answer(f"<p>{page} {OTHER_TEXT}</p><p>{links if site == 'a' else ''}")


@pytest.mark.parametrize("learning", ["0", "1"])
def test_what_a_seed_lists_does_not_wait_for_what_scores(
    project: Project, serve: Serve, tmp_path: Path, learning: str
) -> None:
    terms = "weight\tlang\tterm\tsubdomain\n10\tde\tGerüst\tbau\n"
    (tmp_path / "bau.tsv").write_text(terms, "utf-8")
    site = serve(ListHandler)
    settings = {
        "CORPUS_DIR": "out",
        "CONCURRENT_REQUESTS": "1",
        "FRONTIER_LEARNING": learning,
        "FRONTIER_MAX_PAGES": "7",
        "FRONTIER_MAX_TUNNEL": "20",
    }
    arguments = {"lang": "de", "domain": str(tmp_path / "bau.tsv"), "seeds": site.url}
    project.crawl("monolingual", settings, **arguments)
    assert _pages(site)[:3] == ["/a/", "/b/", "/c/"]


@pytest.mark.parametrize(
    ("settings", "arguments", "parts"),
    [
        ({"FRONTIER_SCORER": "depth"}, {}, ["FRONTIER_SCORER=depth", "breadth-first"]),
        ({"FRONTIER_SCORER": "perplexity"}, {}, ["no texts define", "domain_texts="]),
        ({"FRONTIER_PERPLEXITY_BOUNDS": "9,5,inf"}, {}, ["9,5,inf: three rising"]),
        ({}, {"domain_texts": "nowhere"}, ["domain_texts=nowhere: no such file"]),
        ({}, {"domain_texts": "."}, ["nothing there in de", "write texts to de/*.txt"]),
        ({"FRONTIER_MAX_PAGES": "-1"}, {}, ["FRONTIER_MAX_PAGES=-1"]),
    ],
)
def test_what_cannot_be_used_is_one_line(
    project: Project,
    settings: dict[str, str],
    arguments: dict[str, str],
    parts: list[str],
) -> None:
    seeds = {"lang": "de", "seeds": "http://127.0.0.1:9/"}
    result = project.crawl("monolingual", settings, **seeds, **arguments)
    assert result.status == 2
    assert [part for part in parts if part not in result.error] == []
    assert project.written == set()


def test_domain_texts_without_a_sentence_are_one_line(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "de.txt").write_text("zu kurz", "utf-8")
    arguments = {"seeds": "http://127.0.0.1:9/", "domain_texts": str(tmp_path)}
    result = project.crawl("monolingual", {}, lang="de", **arguments)
    assert result.status == 2
    assert "no sentence of 5 words" in result.error
    assert project.written == set()


def test_a_run_ends_at_its_limit_and_the_next_goes_on(
    project: Project, serve: Serve
) -> None:
    site = serve(TopicHandler)
    settings = {"CORPUS_DIR": "out", "FRONTIER_MAX_PAGES": "10"}
    arguments = {"lang": "de", "seeds": site.url}
    project.crawl("monolingual", settings, **arguments)
    corpus = CrawledCorpus(project.folder / "out")
    assert corpus.stats["fetch/pages"] == 10
    assert corpus.stats["frontier/limit_reached"] == "pages"
    project.crawl("monolingual", {"CORPUS_DIR": "out"}, **arguments)
    assert corpus.stats["fetch/pages"] == 28
    with (
        closing(sqlite3.connect(project.folder / "out" / "frontier.db")) as connection,
        connection,
    ):
        states = connection.execute("SELECT DISTINCT state FROM urls").fetchall()
    connection.close()
    assert states == [("done",)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"scope": "path", "path": "c/1"}, {"c/1"}),
        ({"scope": "path", "path": "c/"}, {"c/", *(f"c/{n}" for n in range(8))}),
        (
            {"scope": "host", "path": "", "deny": "/a/*,/b*"},
            {"", "c/", *(f"c/{n}" for n in range(8))},
        ),
        (
            {"scope": "host", "path": "", "allow": "/,/?/,/a/1"},
            {"", "a/", "b/", "c/", "a/1"},
        ),
    ],
    ids=["page", "directory", "deny", "allow"],
)
def test_scope_and_patterns(
    project: Project, serve: Serve, arguments: dict[str, str], expected: set[str]
) -> None:
    site = serve(TopicHandler)
    seed = site.at(arguments.pop("path"))
    project.crawl(
        "monolingual", {"CORPUS_DIR": "out"}, lang="de", seeds=seed, **arguments
    )
    assert set(CrawledCorpus(project.folder / "out").fates()) == expected


class HalfHandler(SiteHandler):
    """One half of a bilingual site: ``text`` in one language, links to the other half."""

    text = ""
    lang = ""
    other: Site | None = None

    def respond(self) -> None:
        name = self.path.strip("/")
        if not (name == "" or name.isdecimal()) or self.other is None:
            self.answer(status=404)
            return
        number = int(name or 0)
        version = f'<link rel="alternate" hreflang="{self.lang}" href="{self.other.at(name)}">'
        self.answer(
            f"<head>{version}</head><p>{number}: {self.text}</p>"
            f'<a href="/{min(number + 1, 11)}">{number + 1}</a>'
        )


def test_german_on_one_host_and_italian_on_another(
    project: Project, serve: Serve
) -> None:
    german = type("German", (HalfHandler,), {"text": GERMAN, "lang": "it"})
    italian = type(
        "Italian", (HalfHandler,), {"text": f"{ITALIAN}</p><p>{ITALIAN}", "lang": "de"}
    )
    first, second = serve(german), serve(italian)
    german.other, italian.other = second, first  # type: ignore[attr-defined]
    result = project.crawl(
        "bilingual",
        {"CORPUS_DIR": "out"},
        langs="de,it",
        seeds=f"{first.url} {second.url}",
    )
    assert result.status == 0, result.stderr
    rows = (project.folder / "out" / "pairs" / "de-it.tsv").read_text("utf-8")
    pairs = {tuple(row.split("\t")[:2]) for row in rows.splitlines()[1:]}
    names = ["", *map(str, range(1, 12))]
    assert {(first.at(name), second.at(name)) for name in names} <= pairs
