"""Sites that choose a language by the request, and let visitors change it by a form alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Project, Serve

TOPICS = ("dach", "leiter", "maschine")
TEXTS = {
    "de": "Vor jeder Arbeit ({0}) sieht sich der Arbeitgeber die Stelle genau an.",
    "it": "Prima di ogni lavoro ({0}) il datore di lavoro esamina bene il posto.",
    "en": "Before any work ({0}) the employer has a good look at the whole place.",
}


class NegotiatingHandler(SiteHandler):
    """Answers as LocaleMiddleware of Django does: the home page redirects to a language."""

    asked: ClassVar[Counter[str]]

    def respond(self) -> None:
        accepted = self.headers.get("Accept-Language", "")
        _, lang, *rest = f"{self.path}/".split("/")
        type(self).asked[f"{self.path} {accepted}"] += 1
        if lang in TEXTS:
            links = "".join(f"<a href=/{lang}/{topic}>{topic}</a> " for topic in TOPICS)
            text = TEXTS[lang].format(rest[0] or "start")
            page = (
                f"<html lang={lang}><h1>{rest[0]}</h1><p>{text}</p><p>{text[::-1]}</p>"
            )
            self.answer(f"{page}{links}<form method=post><select name=language>")
        elif self.path == "/":
            chosen = next(tag[:2] for tag in accepted.split(", ") if tag[:2] in TEXTS)
            location = {"Location": f"/{chosen}/", "Vary": "Accept-Language, Cookie"}
            self.answer(status=302, headers=location)
        else:
            self.answer(status=404)


@pytest.fixture
def handler() -> type[NegotiatingHandler]:
    return type("Handler", (NegotiatingHandler,), {"asked": Counter()})


Crawl = Callable[..., set[str]]


@pytest.fixture
def crawl(project: Project, serve: Serve, handler: type[NegotiatingHandler]) -> Crawl:
    """A function that crawls the site, and returns the languages of the pages fetched."""
    site = serve(handler)

    def run(spider: str, headers: str = "", **arguments: str) -> set[str]:
        settings = {"DEFAULT_REQUEST_HEADERS": headers} if headers else {}
        settings["CORPUS_DIR"] = "out"
        done = project.crawl(spider, settings, seeds=site.url, **arguments)
        assert done.status == 0, done.stderr
        fates = CrawledCorpus(project.folder / "out").fates()
        return {path.split("/")[0] for path in fates}

    return run


def test_each_language_of_a_crawl_is_asked_for(
    crawl: Crawl, handler: type[NegotiatingHandler]
) -> None:
    assert crawl("bilingual", langs="de,it") == {"de", "it"}
    assert handler.asked["/ de, it;q=0.9, *;q=0.1"] == 1
    assert handler.asked["/ it, *;q=0.1"] == 1
    assert handler.asked["/de/dach de, it;q=0.9, *;q=0.1"] == 1


def test_the_language_of_a_monolingual_crawl_is_asked_for(
    crawl: Crawl, handler: type[NegotiatingHandler]
) -> None:
    assert crawl("monolingual", lang="it") == {"it"}
    assert handler.asked["/ it, *;q=0.1"] == 1


def test_headers_of_the_user_s_own_are_sent(
    crawl: Crawl, handler: type[NegotiatingHandler]
) -> None:
    assert crawl("monolingual", '{"Accept-Language": "en"}', lang="en") == {"en"}
    assert handler.asked["/ en"] == 1
