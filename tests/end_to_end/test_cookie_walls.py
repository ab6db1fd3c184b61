"""Sites that send requests without a cookie back to where they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Crawl, Project, Result, Serve

    Together = Callable[[Iterable[Callable[[], Result]]], list[Result]]

TOPICS = ("dach", "leiter", "maschine", "lager")
TEXT = (
    "<html lang=de><title>Arbeit: {0}</title><h1>{0}</h1><p>Vor jeder Arbeit ({0}) sieht"
    " sich der Arbeitgeber die Stelle an und überlegt, was dort geschehen kann.</p>"
    "<p>Wer auf das Thema {0} nicht vorbereitet ist, prüft zuerst seine Ausrüstung.</p>"
)


class WallHandler(SiteHandler):
    """Shows a page to who has the cookie, and sends others on; notes what was sent."""

    cookies: ClassVar[set[str]]

    def respond(self) -> None:
        sent = SimpleCookie(self.headers.get("Cookie", ""))
        self.cookies.update(sent)
        path = urlsplit(self.path).path
        if path == "/robots.txt":
            self.answer("User-agent: *\nDisallow:", content_type="text/plain")
        elif self.is_open(sent) and (path == "/" or path[1:] in TOPICS):
            self.show(path)
        else:
            self.send_on(path, sent)

    def show(self, path: str) -> None:
        links = "".join(f"<a href=/{topic}>{topic}</a> " for topic in TOPICS)
        page = TEXT.format(path.strip("/") or "anfang") + f"<p>{links}</p>"
        self.answer(page, headers={"Set-Cookie": "visits=1"})

    def is_open(self, sent: SimpleCookie) -> bool:
        return "pass" in sent

    def send_on(self, path: str, sent: SimpleCookie) -> None:
        self.go(self.path, "pass=1; Path=/; HttpOnly")

    def go(self, location: str, cookie: str = "") -> None:
        headers = {"Set-Cookie": cookie} if cookie else {}
        self.answer(status=302, headers={"Location": location, **headers})


class LoopHandler(WallHandler):
    """Sets the cookie at another address, which sends the visitor back."""

    cookies: ClassVar[set[str]] = set()

    def send_on(self, path: str, sent: SimpleCookie) -> None:
        if path == "/gate":
            (back,) = parse_qs(urlsplit(self.path).query)["back"]
            self.go(back, "pass=1; Path=/; Max-Age=600")
        else:
            self.go(f"/gate?back={path}")


class SelfHandler(WallHandler):
    """Redirects each page to itself."""

    cookies: ClassVar[set[str]] = set()


class QueryHandler(WallHandler):
    """Asks by a parameter whether the cookie came back, and tells those off that have none."""

    cookies: ClassVar[set[str]] = set()

    def respond(self) -> None:
        parts = urlsplit(self.path)
        if parts.query == "" or self.headers.get("Cookie") is None:
            super().respond()
        else:
            self.go(parts.path)

    def send_on(self, path: str, sent: SimpleCookie) -> None:
        if urlsplit(self.path).query:
            self.answer("<p>Please turn cookies on.", status=403)
        else:
            self.go(f"{path}?cookie_check=1", "pass=1; Path=/")


class RefreshHandler(WallHandler):
    """Refreshes each page to itself."""

    cookies: ClassVar[set[str]] = set()

    def send_on(self, path: str, sent: SimpleCookie) -> None:
        html = f'<meta http-equiv=refresh content="0;url={self.path}">'
        self.answer(html, headers={"Set-Cookie": "pass=1; Path=/"})


class DeafHandler(WallHandler):
    """Redirects to itself whatever cookies come."""

    cookies: ClassVar[set[str]] = set()

    def is_open(self, sent: SimpleCookie) -> bool:
        return False


class PlainHandler(WallHandler):
    """Needs no cookie but sets one with each page, and redirects on without coming back."""

    cookies: ClassVar[set[str]] = set()

    def is_open(self, sent: SimpleCookie) -> bool:
        return True

    def send_on(self, path: str, sent: SimpleCookie) -> None:
        self.answer(status=404)

    def show(self, path: str) -> None:
        if path == "/" and not urlsplit(self.path).query:
            self.go("/dach", "session=1")
        else:
            super().show(path)


WALLS = (SelfHandler, LoopHandler, QueryHandler, RefreshHandler)
OTHERS = (DeafHandler, PlainHandler)


@pytest.fixture(scope="module")
def crawls(
    make_project: Callable[[], Project], serve: Serve, together: Together
) -> dict[type[WallHandler], Crawl]:
    """One crawl of each site."""
    from conftest import Crawl

    kinds = (*WALLS, *OTHERS)
    projects = [make_project() for _ in kinds]
    results = together(
        partial(
            project.crawl,
            "monolingual",
            {"CORPUS_DIR": "corpus", "ROBOTSTXT_OBEY": "True"},
            lang="de",
            seeds=serve(kind).url,
        )
        for kind, project in zip(kinds, projects, strict=True)
    )
    return {
        kind: Crawl(project, result, project.folder / "corpus")
        for kind, project, result in zip(kinds, projects, results, strict=True)
    }


@pytest.mark.parametrize("kind", WALLS)
def test_all_pages_behind_the_wall_are_kept(
    crawls: dict[type[WallHandler], Crawl], kind: type[WallHandler]
) -> None:
    corpus = CrawledCorpus(crawls[kind].corpus)
    paths = set(corpus.documents())
    assert paths == {"", *TOPICS}
    assert corpus.stats["fetch/cookie_hosts"] == 1


def test_a_host_that_goes_on_all_the_same_ends(
    crawls: dict[type[WallHandler], Crawl],
) -> None:
    corpus = CrawledCorpus(crawls[DeafHandler].corpus)
    assert corpus.drops()["fetch/redirects"] == 1


def test_a_site_that_needs_no_cookie_gets_none(
    crawls: dict[type[WallHandler], Crawl],
) -> None:
    corpus = CrawledCorpus(crawls[PlainHandler].corpus)
    assert len(corpus.documents()) == len(TOPICS)
    assert PlainHandler.cookies == set()
    assert "fetch/cookie_hosts" not in corpus.stats
