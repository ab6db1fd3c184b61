"""The decision on the subject at the end of a crawl: what is put apart, and how that is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project, Serve, Site

DOMAIN = "weight\tlang\tterm\n" + "".join(
    f"10\tde\t{term}\n" for term in ("Imker", "Wabe", "Königin", "Schwarm")
)
BEES = "Der Imker öffnet die Beute. Die Königin sitzt auf der Wabe. Der Schwarm zieht."
TRAINS = (
    "Der Zug {0} fährt am Morgen ab, am Bahnhof {0} wartet der Schaffner, und die Weiche {0}"
    " steht auf Gleis zwei. Viele Menschen steigen ein und suchen einen Platz am Fenster. "
)
PAGES = range(1, 6)


class TwoSubjects(SiteHandler):
    """Pages on bees, and long ones on trains that name a queen, a swarm and a beekeeper."""

    def respond(self) -> None:
        subject, _, number = self.path.strip("/").partition("/")
        if subject not in {"", "bees", "trains"}:
            self.answer(status=404)
            return
        if not subject:
            links = "".join(
                f'<a href="/{one}/1">mehr</a> ' for one in ("bees", "trains")
            )
            self.answer(f"<p>{TRAINS.format('null')}</p><p>{links}")
            return
        links = "".join(f'<a href="/{subject}/{other}">mehr</a> ' for other in PAGES)
        text = f"Seite {number}. {BEES} Der Garten {number} hat viele Blumen."
        if subject == "trains":
            long = " ".join(TRAINS.format(f"{number}{n}") for n in range(20))
            text = f"{long} Ein Imker sieht einen Schwarm und eine Königin."
        self.answer(
            f"<html><body><p>{text}</p><nav>{links}</nav>",
            content_type="text/html; charset=utf-8",
        )


@pytest.fixture(scope="module")
def site(serve: Serve) -> Site:
    return serve(TwoSubjects)


@pytest.fixture(scope="module")
def project(make_project: Callable[[], Project], site: Site) -> Project:
    project = make_project()
    (project.folder / "bees.tsv").write_text(DOMAIN, encoding="utf-8")
    arguments = {"lang": "de", "domain": "bees.tsv", "seeds": site.url}
    settings = {"CORPUS_DIR": "out", "WORKERS": "1", "DECISIONS_TEXT": "0"}
    done = project.crawl("monolingual", settings, **arguments)
    assert done.status == 0, done.stderr
    return project


def test_documents_that_only_name_the_subject_are_put_apart(project: Project) -> None:
    corpus = CrawledCorpus(project.folder / "out")
    on, off = ({f"{one}/{n}" for n in PAGES} for one in ("bees", "trains"))
    kept = {path for path, fate in corpus.fates().items() if fate == "kept"}
    assert kept == on | off, "the page line keeps both"
    assert corpus.documents().keys() == on
    assert corpus.documents("off-topic").keys() == off
    assert corpus.drops()["decisions/off_topic"] == len(off)
    report = corpus.report_text()
    assert "probably not about the domain" in report
    assert "About the domain" in report
    assert corpus.manifest["counts"]["documents"] == {"deu": len(on)}


def test_the_reason_is_told_and_another_bound_brings_them_back(
    project: Project, site: Site
) -> None:
    corpus = CrawledCorpus(project.folder / "out")
    told = project.run("url", "out", site.at("trains/1")).stdout
    assert "about the domain with a probability of 0." in told
    assert "[decisions/off_topic]" in told
    assert project.run("dedup", "out", "-s", "DECISIONS_MIN_RELEVANCE=0").status == 0
    assert len(corpus.documents()) == 2 * len(PAGES)
    assert not corpus.documents("off-topic")
    assert project.run("dedup", "out").status == 0
    assert len(corpus.documents()) == len(PAGES)
