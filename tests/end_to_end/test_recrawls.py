"""A crawl over an earlier one: what is asked for again, and what is exported anew."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import Serve, SiteHandler, crawl_command
from crawled_corpus import CrawledCorpus

from ilspfc.documents import document_id
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from conftest import Project, Result, Site

GERMAN = (
    "{name}: Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. Ein Gerüst oder"
    " ein Seitenschutz geht dabei vor, denn die persönliche Ausrüstung schützt nur den,"
    " der sie richtig anlegt und der ihre Verankerung vorher geprüft hat."
)
ITALIAN = (
    "{name}: Chi lavora sul tetto si protegge contro le cadute. Un ponteggio o una"
    " protezione laterale ha la precedenza, perché l'equipaggiamento personale protegge"
    " soltanto chi lo indossa bene e ne ha controllato prima l'ancoraggio."
)
ENGLISH = "{name}: This page is in English, and nobody has asked for it. It stays out."
TEXTS = {"de": GERMAN, "it": ITALIAN, "en": ENGLISH, "": GERMAN}

DATA = ("xml", "duplicates", "pairs", "cesalign", "de-it.tmx")
SITE_FILES = {"/robots.txt", "/.well-known/tdmrep.json", "/sitemap.xml"}
DATE = "Sat, 01 Aug 2026 10:00:00 GMT"

# How the server tells that a page has not changed.
ETAG, LAST_MODIFIED, SAME_BYTES, SAME_TEXT = "etag", "date", "bytes", "clock"
PAGES = {
    "": ETAG,  # the seed, and it links to all others
    "de/dach": ETAG,
    "it/dach": LAST_MODIFIED,
    "de/leiter": SAME_TEXT,
    "de/laerm": SAME_BYTES,
    "de/staub": ETAG,
    "de/eins": ETAG,  # two with one text: a near-duplicate
    "de/zwei": ETAG,
    "en/about": SAME_BYTES,
}
DOCUMENTS = PAGES.keys() - {"en/about"}
OLD_PAIR = ("de/dach", "it/dach")
NEW_PAIR = ("de/leiter", "it/leiter")


class World:
    """What the site serves, and what it answered: paths with statuses."""

    def __init__(self) -> None:
        self.log: list[tuple[str, int]] = []
        self.reset()

    def reset(self) -> None:
        """Make everything as it was for the first crawl."""
        self.pages = dict(PAGES)
        same = GERMAN.format(name="Zweimal")
        self.texts = {"de/eins": same, "de/zwei": same}
        self.heads: dict[str, str] = {}
        self.more_links: dict[str, str] = {}
        self.gone: set[str] = set()
        self.log.clear()

    def answered(self) -> Counter[tuple[str, int]]:
        """Return the pages that were asked for, with the statuses of the answers."""
        return Counter(entry for entry in self.log if entry[0] not in SITE_FILES)

    def asked(self) -> set[str]:
        """Return the paths of the pages that were asked for."""
        return {path for path, _ in self.answered()}

    def body_of(self, name: str) -> str:
        """Return a page; its versions in the other language are declared."""
        lang, _, title = name.rpartition("/")
        text = self.texts.get(name) or TEXTS[lang].format(name=title or "Start")
        others = [
            f'<link rel="alternate" hreflang="{other}" href="/{other}/{title}">'
            for other in ("de", "it")
            if lang in {"de", "it"} and f"{other}/{title}" in self.pages
        ]
        targets = [page for page in self.pages if page != name] if not name else []
        targets += filter(None, [self.more_links.get(name)])
        links = "".join(f'<li><a href="/{target}">{target}</a>' for target in targets)
        # One token is too little for a paragraph of the clean text.
        clock = time.monotonic_ns() if self.pages[name] == SAME_TEXT else 0
        return (
            f"<head>{''.join(others)}{self.heads.get(name, '')}</head>"
            f"<p>{text}</p><p>{clock}</p><nav><ul>{links}</ul></nav>"
        )


WORLD = World()


class WorldHandler(SiteHandler):
    """Serves the world with the validators that each page has; ``/old`` has moved there."""

    def respond(self) -> None:
        name = self.path.strip("/")
        status, body, headers = 200, "", {}
        if name == "old":
            status = 302
            headers["Location"] = f"http://127.0.0.1:{self.server.server_port}/"
        elif name in WORLD.gone:
            status = 410
        elif name not in WORLD.pages:
            status = 404
        else:
            body = WORLD.body_of(name)
            kind = WORLD.pages[name]
            etag = f'"{blake2b(body.encode(), digest_size=4).hexdigest()}"'
            is_new = name in WORLD.texts or name in WORLD.heads
            date = DATE.replace("10:", "11:") if is_new else DATE
            if kind == ETAG:
                headers["ETag"] = etag
                is_same = self.headers["If-None-Match"] == etag
            elif kind == LAST_MODIFIED:
                headers["Last-Modified"] = date
                is_same = self.headers["If-Modified-Since"] == date
            else:
                is_same = False
            status = 304 if is_same else 200
        WORLD.log.append((self.path, status))
        self.answer("" if status == 304 else body, status=status, headers=headers)


@pytest.fixture(scope="module")
def site(serve: Serve) -> Site:
    return serve(WorldHandler)


@pytest.fixture(scope="module")
def first(make_project: Callable[[], Project], site: Site) -> Path:
    """The corpus of the first crawl, for tests to copy."""
    project = make_project()
    assert project.run(*command(site, {})).status == 0
    root = project.folder / "out"
    corpus = CrawledCorpus(root)
    both = corpus.documents().keys() | corpus.documents("duplicates").keys()
    assert both == DOCUMENTS
    assert set(corpus.paired_paths()) == {OLD_PAIR}
    assert "The crawl went over" not in corpus.report_text()
    return root


@pytest.fixture
def corpus(first: Path, project: Project) -> CrawledCorpus:
    """A copy of the corpus, and the world as it was when it was crawled."""
    WORLD.reset()
    shutil.copytree(first, project.folder / "out")
    return CrawledCorpus(project.folder / "out")


def command(site: Site, settings: dict[str, str], **arguments: str) -> list[str]:
    """Return the command of a crawl whose seed is on another site than its pages."""
    return crawl_command(
        "bilingual",
        {"CORPUS_DIR": "out", **settings},
        langs="de,it",
        seeds=f"http://localhost:{site.server_port}/old",
        **arguments,
    )


def crawl(project: Project, site: Site, **arguments: str) -> Result:
    return project.run(*command(site, {}, **arguments))


def revisit(project: Project, site: Site, seconds: float = 0.001) -> Result:
    settings = {"FRONTIER_REVISIT_AFTER": str(seconds)}
    result = project.run(*command(site, settings))
    assert result.status == 0, result.stderr
    return result


def states(corpus: CrawledCorpus) -> dict[str, str]:
    """Return the states of the URLs in the frontier by path."""
    with frontier(corpus.root) as connection:
        rows = connection.execute("SELECT url, state FROM urls").fetchall()
    return {url.split("/", 3)[3]: state for url, state in rows}


@contextmanager
def frontier(root: Path) -> Iterator[sqlite3.Connection]:
    """Open the frontier of a crawl that has ended."""
    with closing(sqlite3.connect(root / "frontier.db")) as connection, connection:
        yield connection


def make_older(root: Path, seconds: float, *urls: str) -> None:
    """Make the last visits of URLs as if they had been so much earlier."""
    with frontier(root) as connection:
        connection.executemany(
            "UPDATE visits SET visited_at = visited_at - ?"
            " WHERE url = (SELECT id FROM urls WHERE url = ?)",
            [(seconds, url) for url in urls],
        )


def ids(corpus: CrawledCorpus) -> set[str]:
    """Return the ids of all documents."""
    return {name[-16:-4] for name in corpus.contents("xml", "duplicates")}


def declared_versions(root: Path) -> set[tuple[str, str]]:
    """Return the URLs of the documents that declare each other as versions."""
    with closing(sqlite3.connect(root / "corpus.db")) as connection:
        rows = connection.execute(
            "SELECT s.url, t.url FROM links JOIN documents s ON s.id = source"
            " JOIN documents t ON t.id = target WHERE kind = 'hreflang'"
        )
        return set(rows)


def text_of(corpus: CrawledCorpus, name: str) -> str:
    """Return all text in the document of a page."""
    return " ".join(map(str, corpus.documents()[name].itertext()))


def times(corpus: CrawledCorpus) -> dict[str, int]:
    """Return when each file of documents, pairs and alignments was written."""
    folders = ("xml", "duplicates", "pairs", "cesalign")
    paths = [path for name in folders for path in (corpus.root / name).glob("*")]
    return {path.name: path.stat().st_mtime_ns for path in paths}


# -- nothing has changed -----------------------------------------------------------------


def test_a_site_that_has_not_changed_gives_nothing_new(
    corpus: CrawledCorpus, project: Project, site: Site
) -> None:
    before, written = corpus.contents(*DATA), times(corpus)
    result = revisit(project, site)
    by_text = {"/de/leiter", "/de/laerm", "/en/about"}
    assert WORLD.answered() == {
        ("/old", 302): 2,  # in each language
        **{(f"/{page}", 200 if f"/{page}" in by_text else 304): 1 for page in PAGES},
    }
    assert corpus.contents(*DATA) == before
    assert times(corpus) == written
    stats = corpus.stats
    assert stats["fetch/revisits"] == 9
    assert stats["fetch/not_modified"] == 6
    assert stats["fetch/identical"] == 2
    assert stats["export/unchanged"] == 1
    assert stats["fetch/pages"] == 9
    words = "nothing new was exported; 9 pages asked for again: 9 not changed"
    assert f"Recrawl    {words}" in result.stdout
    assert f"The crawl went over an earlier one: {words}." in corpus.report_text()
    assert "9 pages done" in result.stderr


def test_by_other_rules_every_page_is_read_again(
    corpus: CrawledCorpus, project: Project, site: Site
) -> None:
    # What was no link to follow for the first crawl may be one for the second.
    settings = {"FRONTIER_REVISIT_AFTER": "0.001", "FRONTIER_MAX_TUNNEL": "1"}
    project.run(*command(site, settings))
    assert {status for _, status in WORLD.answered()} == {200, 302}
    assert corpus.stats["export/unchanged"] == len(DOCUMENTS)


# -- pages have changed ------------------------------------------------------------------


@dataclass(frozen=True)
class Changed:
    """A corpus after a crawl over pages of which most had changed, and as it was."""

    corpus: CrawledCorpus
    before: CrawledCorpus
    result: Result


@pytest.fixture(scope="module")
def changed(first: Path, make_project: Callable[[], Project], site: Site) -> Changed:
    """The corpus of a crawl over many changes."""
    project = make_project()
    shutil.copytree(first, project.folder / "out")
    WORLD.reset()
    for name in ("it/dach", "de/eins", "de/zwei"):
        WORLD.texts[name] = TEXTS[name[:2]].format(name=f"Nuovo {name}")
    WORLD.texts["de/staub"] = ENGLISH.format(name="Dust")
    WORLD.heads["de/laerm"] = '<meta name="robots" content="noindex">'
    WORLD.gone.add("de/leiter")
    result = revisit(project, site)
    return Changed(CrawledCorpus(project.folder / "out"), CrawledCorpus(first), result)


def test_a_new_text_takes_the_place_of_the_old_one(changed: Changed) -> None:
    corpus, before = changed.corpus, changed.before
    for name in ("it/dach", "de/eins", "de/zwei"):
        assert f"Nuovo {name}" in text_of(corpus, name)
    assert corpus.contents("duplicates") == {}, "what was one has a text of its own"
    assert ids(corpus) <= ids(before), "same URL, same id"
    assert changed.corpus.stats["export/changed"] == 3
    # What is made of the documents has been made again.
    assert set(corpus.paired_paths()) == {OLD_PAIR}
    assert all(italian.startswith("Nuovo") for _, italian in corpus.units()[:1])
    assert "3 with a new text; 9 pages asked for again" in changed.result.stdout


def test_a_page_that_is_gone_leaves_its_document(changed: Changed) -> None:
    corpus = changed.corpus
    assert states(corpus)["de/leiter"] == "gone"
    assert "de/leiter" in corpus.documents()
    assert corpus.fates()["de/leiter"] == "kept"
    assert corpus.stats["fetch/gone"] == 1
    assert "fetch/dropped/http_error" not in corpus.stats
    assert "1 gone (documents stay)" in changed.result.stdout


def test_a_page_that_would_be_dropped_now_leaves_its_document(changed: Changed) -> None:
    corpus = changed.corpus
    assert "Dust" not in text_of(corpus, "de/staub")
    assert corpus.fates()["de/staub"] == "kept"
    assert corpus.stats["export/outdated"] == 1


def test_what_its_owner_does_not_want_used_any_more_is_withdrawn(
    changed: Changed,
) -> None:
    corpus = changed.corpus
    assert "de/laerm" in changed.before.fates()
    assert set(corpus.documents()) == DOCUMENTS - {"de/laerm"}
    assert corpus.fates()["de/laerm"] == "cleaning/no_index"
    assert corpus.stats["export/withdrawn"] == 1


# -- a translation has come --------------------------------------------------------------


def test_pages_that_are_due_are_asked_for_and_what_is_new_is_paired_with_the_old(
    changed: Changed, project: Project, site: Site
) -> None:
    root = project.folder / "out"
    shutil.copytree(changed.corpus.root, root)
    corpus = CrawledCorpus(root)
    written = times(corpus)
    make_older(root, 5000.0, site.url, site.at("de/leiter"))
    WORLD.reset()  # the page that was gone is back
    WORLD.pages["it/leiter"] = ETAG
    revisit(project, site, 4000.0)
    assert WORLD.answered() == {
        ("/old", 302): 1,  # in Italian
        ("/", 200): 1,  # it has a link more
        ("/de/leiter", 200): 1,
        ("/it/leiter", 200): 1,
    }
    assert states(corpus)["de/leiter"] == "done"
    assert set(corpus.paired_paths()) == {OLD_PAIR, NEW_PAIR}
    # The old page says so, too, although its text is the same.
    assert (site.at("de/leiter"), site.at("it/leiter")) in declared_versions(root)
    now = times(corpus)
    changed_files = {name for name in written if now[name] != written[name]}
    # Another page of the site: the text of a pair is decided anew.
    old = document_id(canonicalize(site.at(OLD_PAIR[0])))
    changed_files.discard(f"deu-{old}.xml")
    # The new pair adds to the lexicon that the old one's alignment is judged by, too.
    assert {n for n in changed_files if not n.endswith("_versions.xml")} == {
        "de-it.tsv"
    }


def test_a_delta_crawl_asks_for_no_exported_page_but_the_seeds(
    corpus: CrawledCorpus, project: Project, site: Site
) -> None:
    # A page that was not kept leads to it; the page that it translates does not.
    WORLD.more_links["en/about"] = "it/leiter"
    WORLD.pages["it/leiter"] = SAME_BYTES
    with frontier(corpus.root) as connection:  # the documents are known without it
        connection.execute("DELETE FROM urls WHERE url LIKE '%/de/dach'")
    result = crawl(project, site, delta="1")
    assert result.status == 0
    assert "Warning" not in result.stderr
    assert WORLD.answered() == {
        ("/old", 302): 2,  # in each language
        ("/", 200): 1,
        ("/en/about", 200): 1,
        ("/it/leiter", 200): 1,
    }
    assert set(corpus.paired_paths()) == {OLD_PAIR, NEW_PAIR}
    stats = corpus.stats
    assert stats["deltafetch/stored"] == 1
    assert stats["deltafetch/skipped"] >= len(DOCUMENTS) - 1
    assert "1 new document; 2 pages asked for again: 1 not changed" in result.stdout
    assert corpus.manifest["arguments"]["delta"] == "1"


def test_the_settings_of_scrapy_deltafetch_make_a_delta_crawl_and_reset_it(
    corpus: CrawledCorpus, project: Project, site: Site
) -> None:
    settings = {"DELTAFETCH_ENABLED": "1"}
    assert project.run(*command(site, settings)).status == 0
    assert WORLD.asked() == {"/old", "/", "/en/about"}
    assert corpus.manifest["arguments"]["delta"] == "1"
    WORLD.log.clear()
    result = project.run(*command(site, settings, deltafetch_reset="1"))
    assert result.status == 0
    assert WORLD.asked() >= {f"/{name}" for name in PAGES}
    assert corpus.manifest["arguments"]["deltafetch_reset"] == "1"
    assert "delta" not in corpus.manifest["arguments"]


# -- after a kill ------------------------------------------------------------------------


def test_a_killed_recrawl_goes_on_with_what_it_knows_of_the_pages(
    corpus: CrawledCorpus, project: Project, site: Site
) -> None:
    before, written = corpus.contents(*DATA), times(corpus)
    site.delay_seconds = 0.3
    settings = {
        "FRONTIER_REVISIT_AFTER": "0.001",
        "CONCURRENT_REQUESTS_PER_DOMAIN": "1",
        "WORKERS": "1",
    }
    deadline = time.monotonic() + 300.0
    with project.start(*command(site, settings)) as process:
        while len(WORLD.answered()) < 3:
            assert time.monotonic() < deadline
            assert process.poll() is None, "the crawl ended too soon"
            time.sleep(0.02)
        process.kill()
        process.communicate()
    site.delay_seconds = 0.0
    assert "queued" in states(corpus).values()
    WORLD.log.clear()
    assert crawl(project, site).status == 0
    statuses = {path.strip("/"): status for path, status in WORLD.answered()}
    assert len(statuses) >= 5
    for name in statuses.keys() & PAGES.keys():
        has_validator = PAGES[name] in {ETAG, LAST_MODIFIED}
        assert statuses[name] == (304 if has_validator else 200), name
    assert set(states(corpus).values()) == {"done"}
    assert corpus.contents(*DATA) == before
    assert times(corpus) == written
