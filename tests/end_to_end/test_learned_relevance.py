"""A crawl that learns its subject: probabilities in the corpus, kept for the next run."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus
from lxml import etree

from ilspfc.classification.learned import FIRST_FIT
from ilspfc.corpus.files import CorpusFiles

if TYPE_CHECKING:
    from conftest import Project, Serve

pytestmark = pytest.mark.slow

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
    with closing(sqlite3.connect(CorpusFiles(corpus).index)) as connection, connection:
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
        "CLASSIFICATION_DECIDES_BY": "all",
        # What the pages say of their subjects, they say in the same words.
        "DECISIONS_TEXT": "False",
        "FRONTIER_MAX_TUNNEL": "100",
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


SHY = "Die Königin sitzt im Stock. Die Beute steht im Garten. Die Larven werden gefüttert."
# The pages that the terms refuse teach the model, too: it would follow them in the end.
END = FIRST + 4


class Garden(Meadow):
    """The meadow, whose last pages on the subject name one of its terms alone."""

    def respond(self) -> None:
        name = self.path.strip("/")
        if name.isdecimal() and int(name) > FIRST and int(name) % 2:
            following = (
                f'<a href="/{int(name) + 1}">weiter</a>' if int(name) < END else ""
            )
            self.answer(
                f"<html><body><h1>Seite</h1><p>{name} {SHY} {SUBJECT.partition('Der Schwarm')[0]}"
                f"</p>{following}",
                content_type="text/html; charset=utf-8",
            )
            return
        self.last = END
        super().respond()


@pytest.mark.parametrize(("decides", "is_kept"), [("terms", False), ("learned", True)])
def test_the_classifier_decides_when_asked(
    make_project: Callable[[], Project],
    serve: Serve,
    decides: str,
    *,
    is_kept: bool,
) -> None:
    project, site = make_project(), serve(Garden)
    (project.folder / "bees.tsv").write_text(DOMAIN, encoding="utf-8")
    settings = {
        "CORPUS_DIR": "out",
        "CLASSIFICATION_DECIDES_BY": decides,
        "CLASSIFICATION_MIN_UNIQUE_TERMS": "3",
        "DECISIONS_TEXT": "False",
        "DEDUP_THRESHOLD": "1",
        "FRONTIER_MAX_TUNNEL": "100",
        "CONCURRENT_REQUESTS": "1",
    }
    arguments = {"lang": "de", "domain": "bees.tsv", "seeds": site.url}
    done = project.crawl("monolingual", settings, **arguments)
    assert done.status == 0, done.stderr
    corpus = CrawledCorpus(project.folder / "out")
    kept = {path for path, fate in corpus.fates().items() if fate == "kept"}
    shy = {str(number) for number in range(FIRST + 1, END, 2)}
    assert (shy <= kept) == is_kept
    assert {str(number) for number in range(1, FIRST, 2)} <= kept
    assert not {str(number) for number in range(2, END, 2)} & kept
    assert corpus.stats.get("classification/kept_by_model", 0) == len(shy & kept)
    assert set(corpus.documents()) == kept
