"""A crawl that learns its subject: probabilities in the corpus, kept for the next run."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from conftest import SiteHandler
from lxml import etree

from ilspfc.classification.learned import FIRST_FIT
from ilspfc.corpus.files import CorpusFiles

if TYPE_CHECKING:
    from conftest import Project, Serve

DOMAIN = "weight\tlang\tterm\n" + "".join(
    f"10\tde\t{term}\n" for term in ("Imker", "Wabe", "Königin", "Schwarm")
)
SUBJECT = (
    "Der Imker öffnet die Beute. Die Königin sitzt auf der Wabe. Der Schwarm zieht."
)
OTHER = "Der Zug fährt ab. Am Bahnhof wartet der Schaffner. Die Weiche steht auf Gleis zwei."
COMMON = "Heute ist das Wetter schön und viele Menschen gehen mit ihren Kindern hinaus."
FIRST, LAST = 40, 50


class Meadow(SiteHandler):
    """A page for each number; every second is about bees. Pages come in their order."""

    last = FIRST

    def respond(self) -> None:
        name = self.path.strip("/")
        if name and not name.isdecimal():
            self.answer(status=404)
            return
        number = int(name or 0)
        random = Random(number)
        subject = SUBJECT if number % 2 else OTHER
        sentences = " ".join(f"{subject} {COMMON}".split(". "))
        words = " ".join(random.sample(sentences.split(), 25))
        following = f'<a href="/{number + 1}">weiter</a>' if number < self.last else ""
        self.answer(
            f"<html><body><h1>Seite</h1><p>{subject} {COMMON}</p><p>{words}.</p>{following}",
            content_type="text/html; charset=utf-8",
        )


def _probabilities(corpus: Path) -> dict[str, float]:
    with sqlite3.connect(CorpusFiles(corpus).index) as connection:
        sql = (
            "SELECT url, probability FROM probabilities JOIN documents ON document = id"
        )
        return dict(connection.execute(sql))


def test_a_crawl_learns_and_goes_on_learning(
    make_project: Callable[[], Project], serve: Serve
) -> None:
    project, site = make_project(), serve(Meadow)
    (project.folder / "bees.tsv").write_text(DOMAIN, encoding="utf-8")
    settings = {
        "CORPUS_DIR": "out",
        "CLASSIFICATION_MODEL": "learned",
        # What the pages say of their subjects, they say in the same words.
        "CLEANING_RECURRENCE": "False",
        "FRONTIER_MAX_TUNNEL": "100",
        "FRONTIER_TRAPS": "False",
        "CONCURRENT_REQUESTS": "1",
        "FRONTIER_MAX_PAGES": str(FIRST),
        "WORKERS": "1",
    }
    arguments = {"lang": "de", "domain": "bees.tsv", "seeds": site.url}
    done = project.crawl("monolingual", settings, **arguments)
    assert done.status == 0, done.stderr
    corpus = project.folder / "out"
    first = _probabilities(corpus)
    assert first, "pages after the first fit have a probability"
    assert len(first) < FIRST - FIRST_FIT + 1, "pages before it have none"
    assert min(first.values()) > 0.5
    notes = {
        element.text
        for path in CorpusFiles(corpus).documents.iterdir()
        for element in etree.parse(path).iter("{*}note")
        if element.get("type") == "relevance"
    }
    assert notes == {f"{value:.3f}" for value in first.values()}
    Meadow.last = LAST
    settings["FRONTIER_MAX_PAGES"] = str(LAST)
    settings["FRONTIER_REVISIT_AFTER"] = "0.001"
    done = project.crawl("monolingual", settings, **arguments)
    assert done.status == 0, done.stderr
    second = _probabilities(corpus)
    assert len(second) >= len(first) + (LAST - FIRST) // 2, (
        "the model was there at once"
    )
