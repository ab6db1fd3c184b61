"""``scrapy bootstrap`` as a user runs it, over files and small servers on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import SITES, SiteHandler

if TYPE_CHECKING:
    from conftest import Project, Result, Serve, Site

CONTACT = ("--contact", "me@example.org")
SEARCH = ("--searxng", "http://127.0.0.1:9/")
QUICK = ("-s", "WORKERS=1")
LOOPBACK = ("-s", "GUARD_ALLOW=127.0.0.0/8", "-s", "DOWNLOAD_DELAY=0")
TERMS = "en\tde\nhoney\tHonig\nhive\tBienenstock\nwax\tWachs\nbee colony\tBienenvolk\n"
PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
GRAPH = {
    "u:bees": (
        '<u:bees> skos:prefLabel "bees"@en, "Bienen"@de ; skos:narrower <u:drone> .'
    ),
    "u:drone": '<u:drone> skos:prefLabel "Drohn"@de .',
}


class _Apis(SiteHandler):
    """SearXNG and Skosmos as their documentation has them, and APIs that do not work."""

    def respond(self) -> None:
        path = urlsplit(self.path).path
        asked = {
            name: values[0]
            for name, values in parse_qs(urlsplit(self.path).query).items()
        }
        if path == "/searxng/search":
            url = f"http://search.example.org/{asked['language']}"
            self._send({"query": asked["q"], "results": [{"url": url, "title": "x"}]})
        elif path == "/skosmos/search":
            hit = {"uri": "u:bees", "prefLabel": "bees", "lang": "en"}
            self._send({"results": [hit] if asked["query"] == "bees" else []})
        elif path == "/skosmos/data":
            self.answer(PREFIX + GRAPH[asked["uri"]], content_type="text/turtle")
        elif path == "/index":
            line = '{"url": "http://search.example.org/honig", "languages": "deu"}'
            self.answer(line, content_type="text/x-ndjson")
        elif path == "/html":
            self.answer("<html>not here</html>")
        elif path == "/429":
            self.answer(status=429, headers={"Retry-After": "9999"})
        else:
            self.answer(status=404)

    def _send(self, data: object) -> None:
        self.answer(json.dumps(data), content_type="application/json")


@pytest.fixture(scope="module")
def apis(serve: Serve) -> Site:
    return serve(_Apis)


@pytest.fixture
def bees(project: Project) -> Path:
    """The stem of the files; terms stand beside them."""
    (project.folder / "terms.tsv").write_text(TERMS, encoding="utf-8")
    return project.folder / "domains" / "bees"


def _read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


# -- sources -----------------------------------------------------------------------------


def test_a_list_of_terms_makes_a_domain(project: Project, bees: Path) -> None:
    # Nobody is asked anything, so nobody wants a contact.
    result = project.run(
        "bootstrap", "Bees", "--langs", "en,de", "--terms", "terms.tsv"
    )
    assert (result.status, result.stderr) == (0, "")
    assert "English (en)  4 terms" in result.stdout
    assert "100\thive\t\ten" in _read(bees.with_name("bees.tsv"))
    assert _read(bees / "en-de.tsv")[:2] == ["source\ttarget", "honey\tHonig"]
    check = project.run("domain", "check", "bees")
    assert check.status == 0, check.stdout
    figures = json.loads((bees / "bootstrap.json").read_text("utf-8"))
    assert figures["bootstrap/terms_de"] == 4


def test_searches_servers_and_lists_together(
    project: Project, bees: Path, apis: Site
) -> None:
    (project.folder / "own.txt").write_text("http://own.example.net/  # mine\n")
    result = project.run(
        *("bootstrap", "bees", "--langs", "en,de", "--terms", "terms.tsv"),
        *("--skosmos", apis.at("skosmos"), "--searxng", apis.at("searxng")),
        *("--cc-index", apis.at("index"), "--urls", "own.txt", *CONTACT, *QUICK),
    )
    assert result.status == 0, result.stderr
    terms = {
        tuple(line.split("\t")[1:]) for line in _read(bees.with_name("bees.tsv"))[3:]
    }
    assert {("Bienen", "", "de"), ("Drohn", "", "de"), ("honey", "", "en")} <= terms
    seeds = [line for line in _read(bees.with_name("bees.seeds.txt")) if line[0] != "#"]
    assert seeds[0] == "http://own.example.net/  # from own.txt"
    assert seeds[1].startswith("http://search.example.org/en  # search for ")
    assert seeds[2].startswith("http://search.example.org/de  # search for ")
    assert seeds[3].startswith(
        "http://search.example.org/honig  # Common Crawl: page of"
    )


def test_texts_make_a_domain(project: Project, bees: Path) -> None:
    own = (
        "The smoker calms the bees. A smoker burns wood. Bees fear the smoker. Bees! "
        * 3
    )
    for folder, text in (("own", own), ("others", "The train is late and full. " * 40)):
        (project.folder / folder / "en").mkdir(parents=True)
        for number in range(2):
            (project.folder / folder / "en" / f"{number}.txt").write_text(text)
    arguments = ("bootstrap", "Bees", "--langs", "en", "--texts", "own", *CONTACT)
    failed = project.run(*arguments)
    assert failed.status == 2
    assert "--background DIR" in failed.error
    assert not bees.exists()
    result = project.run(*arguments, "--background", "others")
    assert result.status == 0, result.stderr
    assert {"smoker", "bees"} <= {
        line.split("\t")[1].lower() for line in _read(bees.with_name("bees.tsv"))[2:]
    }


# -- what goes wrong ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--langs", "en"), "no contact"),
        (("--langs", "en", "--terms", "terms.tsv", *SEARCH), "no contact"),
        (("--langs", "en", "--contact", "me"), "--contact=me: nobody can be reached"),
        (("--langs", "english", *CONTACT), "'english'"),
        (("--langs", "", *CONTACT), "a language needed; give --langs de,it"),
        (("--langs", "en", "--depth", "-1", *CONTACT), "--depth=-1"),
        (("--langs", "en", "--api", "wiki.org", *CONTACT), "wiki.org: no http(s) URL"),
        (
            ("--langs", "en", "--tbx", "missing.tbx", *CONTACT),
            "missing.tbx: cannot be read",
        ),
        (
            ("--langs", "en", "--skos", "missing.ttl", *CONTACT),
            "missing.ttl: cannot be read",
        ),
        (("--langs", "fr", "--terms", "terms.tsv", *CONTACT), "no term in fr"),
        (
            ("--langs", "en", "--terms", "terms.tsv", "--out", "terms.tsv/bees"),
            "terms.tsv: File exists; give a path that can be",
        ),
    ],
)
def test_mistakes_are_one_line(
    project: Project, bees: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = project.run("bootstrap", "Bees", *arguments)
    assert (result.status, result.stdout) == (2, "")
    assert message in result.error
    assert not bees.with_name("bees.tsv").exists()
    assert not bees.exists()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("html", "text/html instead of JSON"),
        ("429", "HTTP 429, and asks for 9999 seconds"),
    ],
)
def test_an_api_that_does_not_work_is_named(
    project: Project, bees: Path, apis: Site, path: str, message: str
) -> None:
    api = ("--api", apis.at(path))
    result = project.run("bootstrap", "Bees", "--langs", "en", *api, *CONTACT, *QUICK)
    assert result.status == 2
    assert message in result.error
    assert project.written == {"terms.tsv"}


def test_a_failure_leaves_what_was_answered_and_says_so(
    project: Project, bees: Path, apis: Site
) -> None:
    vocabulary = ("--skosmos", apis.at("skosmos"), *CONTACT, *QUICK)
    result = project.run("bootstrap", "bees", "--langs", "fr", *vocabulary)
    assert result.status == 2
    assert "no term in fr" in result.error
    assert result.error.endswith(
        "; domains/bees/answers.db keeps what was answered, for the next try"
    )
    left = {"terms.tsv", "domains/bees", "domains/bees/answers.db"}
    assert project.written == left


def test_what_was_collected_before_a_failure_is_kept(
    project: Project, bees: Path, apis: Site
) -> None:
    arguments = (
        *("bootstrap", "bees", "--langs", "en,de", "--terms", "terms.tsv"),
        *("--searxng", apis.at("nothing"), *CONTACT, *QUICK),
    )
    result = project.run(*arguments)
    assert result.status == 1
    assert "HTTP 404" in result.stderr
    assert "100\thive\t\ten" in _read(bees / "partial.tsv")
    assert "# Not whole: " in (bees / "partial.tsv").read_text()
    assert not bees.with_name("bees.tsv").exists()
    whole = project.run(
        *arguments[: -len(QUICK)], "--searxng", apis.at("searxng"), *QUICK
    )
    assert whole.status == 0, whole.stderr
    assert not (bees / "partial.tsv").exists()
    assert bees.with_name("bees.tsv").exists()


def test_a_thesaurus_that_breaks_off_gives_what_stands_before(
    project: Project, bees: Path
) -> None:
    label = "<http://www.w3.org/2004/02/skos/core#prefLabel>"
    (project.folder / "bees.nt").write_text(
        f'<u:1> {label} "Bees"@en .\n<u:2> {label} '
    )
    result = project.run("bootstrap", "bees", "--langs", "en", "--skos", "bees.nt")
    assert result.status == 1
    assert "bees.nt: cannot be read as RDF (" in result.stderr
    assert "at line 2" in result.stderr
    assert "what stands before is kept" in result.stderr
    assert "100\tBees\t\ten" in _read(bees / "partial.tsv")


def test_what_a_user_has_edited_is_not_lost(project: Project, bees: Path) -> None:
    run = _runner(project)
    definition = bees.with_name("bees.tsv")
    assert run().status == 0
    before = definition.read_bytes()
    assert run().status == 0  # as it was written, it may be replaced
    assert definition.read_bytes() == before
    definition.write_text("weight\tterm\tlang\n1\tmine\ten\n")
    refused = run()
    assert refused.status == 2
    assert "--overwrite" in refused.error
    assert "mine" in definition.read_text()
    assert run("--overwrite").status == 0
    assert definition.read_bytes() == before


def _runner(project: Project) -> Callable[..., Result]:
    arguments = ("bootstrap", "Bees", "--langs", "en", "--terms", "terms.tsv", *CONTACT)
    return lambda *more: project.run(*arguments, *more)


# -- sites -------------------------------------------------------------------------------


def test_sites_are_judged_by_their_pages(project: Project, serve: Serve) -> None:
    apiary, workshop = serve(SITES / "apiary"), serve(SITES / "workshop")
    closed = "http://127.0.0.1:9/"
    seeds = (
        f"{apiary.url}de/wachs.html  # a link\n{workshop.url}en/about.html\n{closed}\n"
    )
    (project.folder / "bees.seeds.txt").write_text(seeds)
    arguments = ("bootstrap", "sites", "bees.seeds.txt", "--langs", "de,it", *CONTACT)
    result = project.run(*arguments, *LOOPBACK, *QUICK)
    assert result.status == 0, result.stderr
    assert "2 of 3 sites have the languages" in result.stdout
    assert "left out: 1 site_unreached" in result.stdout
    rows = [line.split("\t") for line in _read(project.folder / "bees" / "sites.tsv")]
    header, *sites = rows
    by_site = {row[0]: dict(zip(header, row, strict=True)) for row in sites}
    bees = by_site[apiary.url.split("/")[2]]
    assert bees["langs"] == "de,it"
    # Of 16 pages one is linked to by none; twelve are visited, and their links are known.
    assert 12 < int(bees["pages"]) < 16
    assert "it: " in bees["evidence"]
    assert bees["article"] == "a link"
    assert by_site["127.0.0.1:9"]["article"] == ""
    assert by_site["127.0.0.1:9"]["evidence"] == "connection refused"
    assert by_site["127.0.0.1:9"]["left_out"] == "site_unreached"
    listed = _read(project.folder / "bees" / "sites.seeds.txt")
    assert len(listed) == 3
    start = f"{apiary.url}de/wachs.html {apiary.url}it/"
    assert any(line.startswith(start) for line in listed), listed
    assert apiary.requests[0] == "/robots.txt"
    assert all("/intern/" not in path for path in workshop.requests)
    asked = len(apiary.requests)
    again = project.run(*arguments, *LOOPBACK, *QUICK)
    assert again.stdout == result.stdout
    assert len(apiary.requests) == asked  # what is done is not visited twice
    edited = project.folder / "bees" / "sites.seeds.txt"
    edited.write_text(listed[1])
    refused = project.run(*arguments, *LOOPBACK, *QUICK)
    assert refused.status == 2
    assert "--overwrite" in refused.error
    assert edited.read_text() == listed[1]


def test_private_addresses_are_not_visited(project: Project, workshop: Site) -> None:
    (project.folder / "seeds.txt").write_text(f"{workshop.url}de/laerm.html\n")
    before = len(workshop.requests)
    result = project.run(
        "bootstrap", "sites", "seeds.txt", "--langs", "de", *CONTACT, *QUICK
    )
    assert "0 of 1 sites have the languages" in result.stdout
    table = (project.folder / "seeds" / "sites.tsv").read_text()
    assert "no public address" in table
    assert "site_unreached (127.0.0.1 is no public address" in result.stderr
    assert len(workshop.requests) == before


def test_a_sitemap_says_how_many_pages_there_are(
    project: Project, serve: Serve
) -> None:
    class Listed(SiteHandler):
        def respond(self) -> None:
            urls = "".join(f"<url><loc>/{n}.html</loc></url>" for n in range(30))
            if self.path == "/robots.txt":
                self.answer("Sitemap: /index.xml\n", content_type="text/plain")
            elif self.path == "/index.xml":
                one = "<sitemap><loc>/one.xml</loc></sitemap>"
                self.answer(
                    f"<sitemapindex>{one}</sitemapindex>", content_type="text/xml"
                )
            elif self.path == "/one.xml":
                self.answer(f"<urlset>{urls}</urlset>", content_type="text/xml")
            else:
                text = (
                    "Die Bienen fliegen im Sommer von Blüte zu Blüte und sammeln Nektar. "
                    * 9
                )
                self.answer(f"<p>{text}</p>")

    site = serve(Listed)
    (project.folder / "seeds.txt").write_text(site.url)
    arguments = ("bootstrap", "sites", "seeds.txt", "--langs", "de", *CONTACT)
    result = project.run(*arguments, *LOOPBACK, *QUICK)
    assert result.status == 0, result.stderr
    listed = _read(project.folder / "seeds" / "sites.seeds.txt")
    assert listed[1] == f"{site.url}  # de; 31 pages known"
