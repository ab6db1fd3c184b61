"""Crawlers that share a frontier: their parts together are the corpus of one crawl."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import psycopg
import pytest
from conftest import SITES, SiteHandler, crawl_command

from benchmarks.site import GeneratedSite, host_of, make_answer, render
from benchmarks.site import Site as GivenSite
from ilspfc.corpus.index import CorpusIndex

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Crawl, Project, Result, Serve, Site
    from forked_scrapy import ScrapyRun

    from benchmarks.postgresql import PostgreSQLServer

PASSWORD = "a-secret-of-the-database"
# Times in headers, by which two crawls differ.
TIMES_RE = re.compile(rb"\d{8}T\d{6}Z|\d{4}-\d\d-\d\dT[\d:.+]+|20\d\d-\d\d-\d\d")


def read(root: Path, sql: str) -> list[tuple[object, ...]]:
    with CorpusIndex(root / "corpus.db") as index:
        return list(index.rows(sql))


@pytest.fixture(scope="module")
def shared(
    make_project: Callable[[], Project],
    workshop: Site,
    postgresql: PostgreSQLServer,
    together: Callable[[list[Callable[[], Result]]], list[Result]],
) -> tuple[Project, list[Result], list[str]]:
    """Two crawls of the same site at once, what they said, and what was asked for."""
    project = make_project()
    workshop.requests.clear()

    def crawl(name: str) -> Result:
        settings = {
            "CORPUS_DIR": "shared-demo",
            "FRONTIER_STORE": postgresql.url.replace("ilspfc@", f"ilspfc:{PASSWORD}@"),
            "FRONTIER_CRAWLER": name,
        }
        return project.crawl(
            "bilingual", settings, langs="de,it", domain="demo", seeds=workshop.url
        )

    done = together([lambda: crawl("one"), lambda: crawl("other")])
    asked = list(workshop.requests)
    built = project.run("build", "shared-demo")
    return project, [*done, built], asked


def test_all_end_well_and_say_what_comes_next(
    shared: tuple[Project, list[Result], list[str]],
) -> None:
    _, results, _ = shared
    assert [result.status for result in results] == [0, 0, 0], results
    assert "scrapy build shared-demo" in results[0].stdout
    assert "taken from the parts" in results[2].stderr


def test_no_file_has_the_password(
    shared: tuple[Project, list[Result], list[str]],
) -> None:
    files = [path for path in shared[0].folder.rglob("*") if path.is_file()]
    assert any(path.name == "manifest.json" for path in files)
    found = [path for path in files if PASSWORD.encode() in path.read_bytes()]
    assert found == []


def test_no_page_is_fetched_twice(
    shared: tuple[Project, list[Result], list[str]],
) -> None:
    _, _, asked = shared
    pages = [path for path in asked if path.endswith(".html")]
    assert pages
    assert len(pages) == len(set(pages))


def test_the_corpus_is_that_of_one_crawl(
    shared: tuple[Project, list[Result], list[str]], bilingual_crawl: Crawl
) -> None:
    root = shared[0].folder / "shared-demo"
    for sql in (
        "SELECT id, lang, url, tokens FROM documents ORDER BY id",
        "SELECT url, fate FROM pages ORDER BY url",
        "SELECT source, target FROM pairs ORDER BY source",
    ):
        found = read(root, sql)
        assert found == read(bilingual_crawl.corpus, sql)
        assert found
    mine, others = (
        TIMES_RE.sub(b"", (folder / "de-it.tmx").read_bytes())
        for folder in (root, bilingual_crawl.corpus)
    )
    assert mine == others


def test_built_again_nothing_is_new(
    shared: tuple[Project, list[Result], list[str]],
) -> None:
    again = shared[0].run("build", "shared-demo")
    assert again.status == 0
    assert "taken from the parts: 0 documents" in again.stderr
    assert "all is up to date" in again.stderr
    state = json.loads((shared[0].folder / "shared-demo" / "build.json").read_text())
    assert state["state"] == "finished"


def test_a_corpus_is_built_of_parts_from_elsewhere(
    shared: tuple[Project, list[Result], list[str]],
) -> None:
    project = shared[0]
    parts = project.folder / "shared-demo" / "parts"
    shutil.copytree(parts, project.folder / "fetched" / "parts")
    done = project.run("build", "fetched")
    assert done.status == 0, done.stderr
    sql = "SELECT id, lang, url, tokens FROM documents ORDER BY id"
    found = read(project.folder / "fetched", sql)
    assert found == read(project.folder / "shared-demo", sql)
    mine, others = (
        TIMES_RE.sub(b"", (project.folder / name / "de-it.tmx").read_bytes())
        for name in ("fetched", "shared-demo")
    )
    assert mine == others


def read_files(root: Path) -> dict[str, bytes]:
    """Return the files of a built corpus without the times of the build.

    What differs from build to build is left out: the databases, of which the rows are
    compared, the state of the build and the report of it.
    """
    left_out = {"parts", "build.json", "corpus.db", "manifest.json", "report.html"}
    return {
        path.relative_to(root).as_posix(): TIMES_RE.sub(b"", path.read_bytes())
        for path in root.rglob("*")
        if path.is_file()
        and path.relative_to(root).parts[0] not in left_out
        and not path.name.startswith(".")
    }


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], str]]:
    """Copies a folder to a bucket of a server of S3's kind; gives its address."""
    moto = pytest.importorskip(
        "moto.server", reason="moto[server] and s3fs are not installed"
    )
    s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")

    def copy(folder: Path) -> str:
        store = s3fs.S3FileSystem()
        store.mkdir("corpora")
        store.put(f"{folder}/", f"corpora/{folder.name}/", recursive=True)
        return f"s3://corpora/{folder.name}"

    yield copy
    server.stop()


@pytest.mark.parametrize("kind", ["http", "s3"])
def test_a_corpus_is_built_of_parts_on_a_server(
    shared: tuple[Project, list[Result], list[str]],
    serve: Serve,
    request: pytest.FixtureRequest,
    kind: str,
) -> None:
    """The same, byte for byte, as of the parts on disk."""
    project = shared[0]
    shutil.rmtree(project.folder / "here", ignore_errors=True)
    far = project.folder / f"far-{kind}"
    for root in (far, project.folder / "here"):
        shutil.copytree(project.folder / "shared-demo" / "parts", root / "parts")
    address = request.getfixturevalue("s3")(far) if kind == "s3" else serve(far).url
    here, copied = project.folder / "here", project.folder / f"copied-{kind}"
    assert project.run("build", "here").status == 0
    done = project.run("build", copied.name, "--parts", address)
    assert done.status == 0, done.stderr
    assert "parts copied: one, other" in done.stderr
    found, expected = read_files(copied), read_files(here)
    assert found.keys() == expected.keys()
    assert {"xml", "warc", "pairs", "cesalign", "de-it.tmx", "stats.json"} <= {
        name.partition("/")[0] for name in found
    }
    assert [name for name in found if found[name] != expected[name]] == []
    for table in ("documents", "pages", "pairs"):
        sql = f"SELECT * FROM {table} ORDER BY 1, 2"
        assert read(copied, sql) == read(here, sql)
    again = project.run("build", copied.name, "--parts", address)
    assert "parts copied: none is new" in again.stderr
    assert "all is up to date" in again.stderr


@pytest.mark.usefixtures("s3")
def test_a_bucket_that_is_not_there_is_named(project: Project) -> None:
    done = project.run("build", "none", "--parts", "s3://none/parts")
    assert done.status == 2
    assert "ilspfc: --parts s3://none/parts: cannot be read" in done.error
    assert not (project.folder / "none").exists()


PAGE_LIMIT = 60
# Pages that a crawler may ask for before it learns what the other one has asked for.
OVERSHOOT = 3


def test_a_limit_is_that_of_all_crawlers_together(
    project: Project,
    postgresql: PostgreSQLServer,
    together: Callable[[list[Callable[[], Result]]], list[Result]],
) -> None:
    with GeneratedSite(400, hosts=4) as site:
        settings = {
            "CORPUS_DIR": "limited",
            "FRONTIER_STORE": postgresql.url,
            "FRONTIER_MAX_PAGES": str(PAGE_LIMIT),
            "DOWNLOAD_DELAY": "0.3",
        }

        def crawl(name: str) -> Result:
            own = {**settings, "FRONTIER_CRAWLER": name}
            return project.crawl("monolingual", own, lang="en", seeds=site.urls[0])

        done = together([lambda: crawl("one"), lambda: crawl("other")])
        asked = [url for url, _ in site.take_times() if url.endswith(".html")]
    assert [result.status for result in done] == [0, 0], done
    assert PAGE_LIMIT <= len(asked) <= PAGE_LIMIT + OVERSHOOT
    for name in ("one", "other"):
        with CorpusIndex(project.folder / f"limited/parts/{name}/corpus.db") as index:
            assert index.last_run()["stats"]["frontier/limit_reached"] == "pages"


HOSTS = 4


def answers_with_sitemaps(port: int) -> Iterator[tuple[str, bytes]]:
    """Yield the answers of hosts whose robots.txt names a sitemap."""
    for number in range(200):
        body = render(number, 200, HOSTS, port, 2)
        yield f"http://{host_of(number, HOSTS)}:{port}/{number}.html", make_answer(body)
    for number in range(HOSTS):
        origin = f"http://{host_of(number, HOSTS)}:{port}"
        record = f"<urlset><url><loc>{origin}/{number}.html</loc></url></urlset>"
        yield f"{origin}/named.xml", make_answer(record.encode())
        yield f"{origin}/robots.txt", make_answer(b"Sitemap: /named.xml")


def test_sitemaps_of_a_host_that_changes_hands_are_not_read_again(
    project: Project, postgresql: PostgreSQLServer
) -> None:
    settings = {
        "CORPUS_DIR": "handed-over",
        "FRONTIER_STORE": postgresql.url,
        "FRONTIER_MAX_PAGES": "100",
        "DOWNLOAD_DELAY": "0.3",
    }

    def start(name: str) -> ScrapyRun:
        own = {**settings, "FRONTIER_CRAWLER": name}
        seeds = f"http://127.0.0.1:{site.port}/0.html"
        return project.start(*crawl_command("monolingual", own, lang="en", seeds=seeds))

    with GivenSite(answers_with_sitemaps, HOSTS) as site:
        asked: list[str] = []
        with start("one") as one:
            while sum(url.endswith(".xml") for url in asked) < HOSTS:
                assert one.poll() is None
                time.sleep(0.1)
                asked += site.take_requests()
            with start("late") as late:
                for run in (one, late):
                    run.communicate(300)
                    assert run.returncode == 0
        asked += site.take_requests()
    robots, sitemaps = (
        [url for url in asked if url.endswith(name)] for name in (".txt", ".xml")
    )
    assert len(robots) > HOSTS  # some hosts have changed hands
    assert len(sitemaps) == HOSTS


# Pages with a text, then those without.
DOCUMENTS = ("", "a", "b", "new")
LISTS = {"menu": ["b"], "notes": []}


class ChangingSite(SiteHandler):
    """Answers pages with texts, and lists without: later one has a link more, one is gone."""

    is_later = False

    def respond(self) -> None:
        name = self.path.strip("/")
        if name in DOCUMENTS:
            text = "".join(f"<p>{name} {number} {TEXT}</p>" for number in range(3))
            links = ["a", *LISTS]
        elif name in LISTS and not (name == "notes" and self.is_later):
            links, text = LISTS[name] + ["new"] * self.is_later, ""
        else:
            self.answer(status=404)
            return
        anchors = "".join(f"<a href='/{link}'>{link}</a>" for link in links)
        self.answer(f"<html lang=en><title>{name}</title>{text}{anchors}</html>")


TEXT = (
    "The workers of the factory wear gloves and helmets because the machines are loud and"
    " dangerous, and they report each accident to the office in the evening."
)


@pytest.mark.parametrize("is_shared", [False, True], ids=["alone", "shared"])
def test_a_delta_crawl_asks_for_what_gave_no_document_and_the_seeds(
    project: Project,
    serve: Serve,
    postgresql: PostgreSQLServer,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_shared: bool,
) -> None:
    site = serve(ChangingSite)

    def crawl(crawler: str, **arguments: str) -> set[str]:
        settings = {"CORPUS_DIR": "delta"}
        if is_shared:
            settings["FRONTIER_STORE"] = postgresql.url
            settings["FRONTIER_CRAWLER"] = crawler
        site.requests.clear()
        arguments |= {"lang": "en", "seeds": site.url}
        done = project.crawl("monolingual", settings, **arguments)
        assert done.status == 0, done.stderr
        pages = {path for path in site.requests if "." not in path}
        return {path.strip("/") for path in pages}

    assert crawl("one") == {"", "a", "b", "menu", "notes"}
    monkeypatch.setattr(ChangingSite, "is_later", True)
    assert crawl("other", delta="1") == {"", "menu", "notes", "new"}
    assert crawl("third", delta="1") == {"", "menu"}
    root = project.folder / "delta"
    if is_shared:
        assert project.run("build", "delta").status == 0
        with psycopg.connect(postgresql.url) as connection:
            sql = "SELECT state::text FROM ilspfc_delta.urls WHERE url LIKE '%/notes'"
            assert connection.execute(sql).fetchall() == [("gone",)]
    found = read(root, "SELECT url FROM documents")
    assert {url for (url,) in found} == {site.at(name) for name in DOCUMENTS}


def test_crawlers_that_share_read_the_web(project: Project) -> None:
    (project.folder / "pages").mkdir()
    (project.folder / "pages" / "a.html").write_text("<p>text")
    settings = {"FRONTIER_STORE": "postgresql://127.0.0.1:1/none"}
    done = project.crawl("bilingual", settings, langs="de,it", folder="pages")
    assert done.status == 2
    assert "FRONTIER_STORE" in done.error


def test_a_database_that_refuses_reports_ends_the_crawl(
    project: Project, serve: Serve, postgresql: PostgreSQLServer
) -> None:
    site = serve(SITES / "workshop")
    site.delay_seconds = 0.3
    settings = {
        "CORPUS_DIR": "refused",
        "FRONTIER_STORE": postgresql.url,
        "CONCURRENT_REQUESTS_PER_DOMAIN": "1",
    }
    command = crawl_command(
        "bilingual", settings, langs="de,it", domain="demo", seeds=site.url
    )
    with project.start(*command) as run:
        while not any(path.endswith(".html") for path in site.requests):
            assert run.poll() is None
            time.sleep(0.05)
        with psycopg.connect(postgresql.url, autocommit=True) as connection:
            connection.execute("DROP SCHEMA ilspfc_refused CASCADE")
        _, stderr = run.communicate(300)
    assert run.returncode == 1
    assert "FRONTIER_STORE: the frontier cannot be used any more" in stderr


def test_a_server_that_is_not_there_is_one_line(project: Project) -> None:
    settings = {"FRONTIER_STORE": "postgresql://127.0.0.1:1/none", "CORPUS_DIR": "out"}
    done = project.crawl(
        "bilingual", settings, langs="de,it", seeds="http://127.0.0.1:1/"
    )
    assert done.status == 1
    assert "start the server" in done.error
