"""A site on which everything goes wrong: the crawl ends and every loss has a reason."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus, paragraphs

from ilspfc.cleaning.files.formats import readable
from ilspfc.exports import validate_tmx

if TYPE_CHECKING:
    from conftest import Crawl, Project, Serve, Site

pytestmark = pytest.mark.slow

TIMEOUT_SECONDS = 6
MAX_BYTES = 300_000

INDEX = """<p>Vor jeder Arbeit auf dem Dach steht die Gefährdungsbeurteilung. Der
Arbeitgeber sieht sich die Stelle an und überlegt, wo ein Absturz droht.</p><p>Wer ohne
Geländer arbeitet, trägt einen Gurt. Auch die persönliche Schutzausrüstung wird vor jedem
Einsatz geprüft, und zwar von dem, der sie trägt.</p>"""
OLD_ENCODING = """<html lang=de><title>Lärm auf der Straße</title><h1>Lärm auf der
Straße</h1><p>Wer Löcher in den Asphalt bohrt, braucht einen Gehörschutz. Für größere
Baustellen gehört der Lärm in die Gefährdungsbeurteilung.</p>"""
# What the site answers at each path, and the reason that the loss should have.
PAGES = {
    "pdf": "cleaning/unreadable" if readable(["pdf"]) else "cleaning/no_reader",
    "picture": "cleaning/not_html",
    "empty": "cleaning/empty",
    "noindex": "cleaning/no_index",
    "disguised.html": "language/other_language",
    "latin": "kept",
}
FAILURES = {
    "gone": "fetch/http_error",
    "error": "fetch/throttled",
    "large": "fetch/too_large",
    "header": "fetch/not_reached",
    "slow": "fetch/timeout",
    "truncated": "fetch/not_reached",
    "garbage": "fetch/not_reached",
}
REDIRECTS = ("away", "circle", "self")


class OddHandler(SiteHandler):
    """Answers each path in its own odd way."""

    elsewhere: ClassVar[str]

    def respond(self) -> None:
        name = self.path.strip("/").partition(".")[0] or "index"
        getattr(self, f"get_{name}", self.get_gone)()

    def get_gone(self) -> None:
        self.answer("<p>Not here</p>", status=404)

    def get_index(self) -> None:
        names = [*PAGES, *FAILURES, *REDIRECTS]
        links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in names)
        head = "<html lang=de><title>Sicher auf dem Dach</title>"
        self.answer(f"{head}<h1>Sicher auf dem Dach</h1>{INDEX}<ul>{links}</ul>")

    def get_pdf(self) -> None:
        self.answer(b"%PDF-1.4\n\0\1" * 99, content_type="application/pdf")

    def get_picture(self) -> None:
        self.answer(b"\x89PNG\r\n\x1a\n" + bytes(999), content_type="image/png")

    def get_disguised(self) -> None:
        self.answer(b"%PDF-1.4\n1 0 obj<</Type/Catalog>>stream\n" + bytes(range(256)))

    def get_empty(self) -> None:
        self.answer()

    def get_noindex(self) -> None:
        self.answer(f"<meta name=robots content=noindex>{INDEX}")

    def get_latin(self) -> None:
        self.answer(OLD_ENCODING.encode("latin-1"))

    def get_away(self) -> None:
        self.answer(status=301, headers={"Location": f"{self.elsewhere}page"})

    def get_circle(self) -> None:
        self.answer(status=302, headers={"Location": "/circular"})

    def get_circular(self) -> None:
        self.answer(status=302, headers={"Location": "/circle"})

    def get_self(self) -> None:
        self.answer(status=302, headers={"Location": "/self"})

    def get_error(self) -> None:
        self.answer("<p>Try later</p>", status=503)

    def get_header(self) -> None:
        self.answer(INDEX, headers={"X-Long": "x" * 1_000_000})

    def get_slow(self) -> None:
        time.sleep(2 * TIMEOUT_SECONDS)

    def get_large(self) -> None:
        self.answer(INDEX + "<!-- -->" * MAX_BYTES)

    def get_truncated(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "99999")
        self.end_headers()
        self.wfile.write(INDEX.encode())

    def get_garbage(self) -> None:
        self.wfile.write(b"\0\1 this is no HTTP\r\n\r\n")


class ElsewhereHandler(SiteHandler):
    """Another site, which the crawl has no business on."""

    def respond(self) -> None:
        self.answer(INDEX)


@pytest.fixture(scope="module")
def elsewhere(serve: Serve) -> Site:
    return serve(ElsewhereHandler)


@pytest.fixture(scope="module")
def odd_site(serve: Serve, elsewhere: Site) -> Site:
    OddHandler.elsewhere = elsewhere.url
    return serve(OddHandler)


@pytest.fixture(scope="module")
def crawl(make_project: Callable[[], Project], odd_site: Site) -> Crawl:
    from conftest import Crawl

    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "DOWNLOAD_TIMEOUT": str(TIMEOUT_SECONDS),
        "DOWNLOAD_MAXSIZE": str(MAX_BYTES),
        "RETRY_TIMES": "1",
        "WORKERS": "1",
    }
    result = project.crawl(
        "bilingual", settings, langs="de,it", domain="demo", seeds=odd_site.url
    )
    return Crawl(project, result, project.folder / "out")


@pytest.fixture(scope="module")
def corpus(crawl: Crawl) -> CrawledCorpus:
    return CrawledCorpus(crawl.corpus)


def test_the_crawl_ends_well(crawl: Crawl) -> None:
    assert crawl.result.status == 0
    assert "Traceback" not in crawl.result.stderr
    assert "2 documents kept" in crawl.result.stdout


def test_pages_have_the_expected_fates(corpus: CrawledCorpus) -> None:
    assert corpus.fates() == {"": "kept", **PAGES}


def test_a_page_in_an_old_encoding_is_read(corpus: CrawledCorpus) -> None:
    texts = "\n".join(paragraphs(corpus.documents()["latin"]))
    assert "Lärm auf der Straße" in texts
    assert "Für größere Baustellen gehört" in texts


def test_every_loss_is_counted_by_its_reason(corpus: CrawledCorpus) -> None:
    expected: dict[str, int] = {}
    for reason in [*PAGES.values(), *FAILURES.values()]:
        if reason != "kept":
            expected[reason] = expected.get(reason, 0) + 1
    found = {key: n for key, n in corpus.drops().items() if key in expected}
    assert found == expected


def test_the_report_names_the_losses(corpus: CrawledCorpus, odd_site: Site) -> None:
    text = corpus.report_text()
    for name, reason in {**PAGES, **FAILURES}.items():
        if reason != "kept":
            assert odd_site.at(name) in text
            assert reason in text


def test_a_corpus_without_pairs_is_whole(crawl: Crawl, corpus: CrawledCorpus) -> None:
    assert corpus.pairs() == []
    validate_tmx(crawl.corpus / "de-it.tmx")
    assert corpus.units() == []
    assert corpus.stats["pairing/pairs"] == 0
    reasons = {c: n for c, n in corpus.drops().items() if c.startswith("pairing/")}
    assert reasons == {"pairing/no_other_language": 2}
    assert "none found" in crawl.result.stdout


def test_another_site_is_left_alone(crawl: Crawl, elsewhere: Site) -> None:
    assert crawl.result.status == 0
    assert elsewhere.requests == []


def test_failures_are_tried_again_once(crawl: Crawl, odd_site: Site) -> None:
    assert crawl.result.status == 0
    tries = {name: odd_site.requests.count(f"/{name}") for name in FAILURES}
    once = ("gone", "large")
    assert tries == {name: 1 if name in once else 2 for name in FAILURES}


def test_a_redirect_off_the_site_has_a_reason(
    corpus: CrawledCorpus, odd_site: Site
) -> None:
    assert corpus.drops()["fetch/out_of_scope"] == 1
    assert odd_site.at("away") in corpus.report_text()


def test_a_redirect_loop_is_no_matter_of_robots_txt(corpus: CrawledCorpus) -> None:
    assert corpus.stats["fetch/pages"] > 0
    assert "fetch/robots" not in corpus.drops()


def test_a_circle_of_redirects_has_a_reason(
    corpus: CrawledCorpus, odd_site: Site
) -> None:
    assert odd_site.at("circle") in corpus.report_text()


def test_causes_are_words(crawl: Crawl) -> None:
    import sqlite3

    connection = sqlite3.connect(crawl.corpus / "corpus.db")
    causes = [cause for (cause,) in connection.execute("SELECT cause FROM failures")]
    connection.close()
    assert len(causes) >= len(FAILURES)
    assert [cause for cause in causes if "<twisted" in cause] == []
    assert "closed before the answer was complete" in causes
    assert [cause for cause in causes if "cleanly" in cause] == []
