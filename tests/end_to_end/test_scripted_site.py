"""A site whose pages scripts build: counted without a browser, read with one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import pytest
from conftest import Site, SiteHandler
from crawled_corpus import CrawledCorpus, paragraphs

from ilspfc.web.browser import find_program

if TYPE_CHECKING:
    from conftest import Project, Serve

pytestmark = pytest.mark.slow

SHELL = """<!doctype html><html lang="de"><head><title>Dach</title></head><body>
<noscript>Bitte JavaScript einschalten.</noscript><div id="app"></div>
<script src="/assets/app.js"></script></body></html>"""
# Asks for its text by the path of the page, and for what is none of its business.
SCRIPT = """
const app = document.getElementById("app");
for (const url of %s)
  fetch(url).then(one => one.text()).then(text => { app.append(text); });
fetch("/data" + location.pathname + ".json").then(one => one.json()).then(data => {
  const article = document.createElement("article");
  for (const text of data.texts) {
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    article.append(paragraph);
  }
  for (const path of data.links) {
    const anchor = document.createElement("a");
    anchor.href = path;
    anchor.textContent = "weiter";
    article.append(anchor);
  }
  app.append(article);
});"""
TEXT = "Wer auf dem Dach arbeitet, sichert sich mit einem Gurt gegen den Absturz. "
PAGES = ("a", "b", "c")
SECRET = "Dieser Satz steht auf einem anderen Rechner und ist geheim."

needs_browser = pytest.mark.skipif(
    not find_program(), reason="no Chromium is installed, which renders the pages"
)


class ScriptedHandler(SiteHandler):
    """Pages without a text, a script, and the texts as JSON."""

    forbidden: ClassVar[list[str]] = []

    def respond(self) -> None:
        name = self.path.rpartition("/")[2].removesuffix(".json")
        if self.path == "/robots.txt":
            self.answer("User-agent: *\nDisallow: /private/", content_type="text/plain")
        elif self.path == "/assets/app.js":
            script = SCRIPT % json.dumps(self.forbidden)
            self.answer(script, content_type="text/javascript")
        elif self.path == "/away":
            self.answer(status=302, headers={"Location": self.forbidden[0]})
        elif self.path.startswith("/private/"):
            self.answer(SECRET, content_type="text/plain")
        elif self.path.startswith("/data/"):  # as of a site with a new address
            self.answer(status=301, headers={"Location": f"/api/{name}"})
        elif self.path.startswith("/api/") and name in PAGES:
            texts = [f"{name}: {TEXT * 3}", f"Auf Seite {name} steht noch ein Satz."]
            links = [f"/{one}" for one in PAGES]
            self.answer(
                json.dumps({"texts": texts, "links": links}),
                content_type="application/json",
            )
        elif name in PAGES:
            self.answer(SHELL)
        else:
            self.answer(status=404)


class SecretHandler(SiteHandler):
    """Another server, which the site has no business on."""

    def respond(self) -> None:
        headers = {"Access-Control-Allow-Origin": "*"}
        self.answer(SECRET, content_type="text/plain", headers=headers)


@pytest.fixture(scope="module")
def secret(serve: Serve) -> Site:
    return serve(SecretHandler)


@pytest.fixture(scope="module")
def site(serve: Serve, secret: Site) -> Site:
    port = secret.server_address[1]
    ScriptedHandler.forbidden = [
        secret.url,
        f"http://localhost:{port}/",
        f"http://[::1]:{port}/",
        "http://10.0.0.1/",
        "file:///etc/hostname",
        "/private/x",
        "/away",
    ]
    return serve(ScriptedHandler)


@pytest.fixture
def crawl(
    make_project: Callable[[], Project], site: Site
) -> Callable[..., CrawledCorpus]:
    project = make_project()

    def run(**settings: str) -> CrawledCorpus:
        given = {"CORPUS_DIR": "out", **settings}
        result = project.crawl("monolingual", given, lang="de", seeds=site.at("a"))
        assert result.status == 0, result.stderr
        assert "Traceback" not in result.stderr
        corpus = CrawledCorpus(project.folder / "out")
        (project.folder / "out" / "summary.txt").write_text(result.stdout, "utf-8")
        return corpus

    return run


def test_without_a_browser_the_pages_are_counted_and_the_remedy_is_told(
    crawl: Callable[..., CrawledCorpus], site: Site
) -> None:
    corpus = crawl()
    assert corpus.documents() == {}
    assert corpus.drops()["cleaning/needs_javascript"] == 1
    summary = (corpus.root / "summary.txt").read_text("utf-8")
    assert "read with -s FETCH_BROWSER=auto" in summary
    assert site.url.split("/")[2] in corpus.report_text()


@needs_browser
def test_a_browser_reads_the_pages_and_their_links_but_no_other_server(
    crawl: Callable[..., CrawledCorpus], site: Site, secret: Site
) -> None:
    crawl()
    site.requests.clear()
    corpus = crawl(FETCH_BROWSER="auto")
    documents = corpus.documents()
    assert documents.keys() == set(PAGES)
    texts = {n: "\n".join(paragraphs(document)) for n, document in documents.items()}
    assert all(f"{name}: {TEXT.strip()}" in text for name, text in texts.items())
    assert "JavaScript einschalten" not in "".join(texts.values())
    assert "cleaning/needs_javascript" not in corpus.drops()
    assert corpus.stats["fetch/rendered"] == len(PAGES)
    # Each page is asked for once, and the script once for all.
    assert [site.requests.count(f"/{n}") for n in (*PAGES, "assets/app.js")] == [1] * 4
    assert SECRET not in "".join(texts.values())
    assert secret.requests == []
    assert "/away" in site.requests
    assert "/private/x" not in site.requests


@needs_browser
def test_the_archive_has_what_rendering_again_needs(
    make_project: Callable[[], Project], site: Site
) -> None:
    project, given = make_project(), {"FETCH_BROWSER": "auto"}
    for folder, source in (
        ("out", {"seeds": site.at("a")}),
        ("again", {"warc": "out/warc/*.warc.gz"}),
    ):
        site.requests.clear()
        settings = {**given, "CORPUS_DIR": folder}
        result = project.crawl("monolingual", settings, lang="de", **source)
        assert result.status == 0, result.stderr
    assert CrawledCorpus(project.folder / "again").documents().keys() == set(PAGES)
    assert site.requests == []


@needs_browser
def test_a_run_renders_no_more_pages_than_it_may(
    crawl: Callable[..., CrawledCorpus],
) -> None:
    corpus = crawl(FETCH_BROWSER="always", FETCH_BROWSER_PAGES="2")
    assert len(corpus.documents()) == 2
    assert corpus.drops()["cleaning/needs_javascript"] == 1
    assert corpus.stats["fetch/render_limit"] == 1


def test_a_browser_that_is_not_installed_is_told_before_the_crawl(
    project: Project, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(project.folder))
    settings = {"FETCH_BROWSER": "auto"}
    result = project.crawl("monolingual", settings, lang="de", seeds=site.at("a"))
    assert result.status != 0
    assert "FETCH_BROWSER=auto: none of chromium" in result.stderr + result.stdout
