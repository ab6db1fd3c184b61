"""What recurs on a site: boilerplate on all of its pages by the decision on text."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus, paragraphs

if TYPE_CHECKING:
    from conftest import Project, Serve, Site

# No links, and whole sentences: by themselves they look like the text of the page.
RECURRING = (
    "Sie lesen die Merkblätter des Amtes für Bienen, hier nach Nummern geordnet.",
    "Haben Sie Fragen zu diesem Merkblatt? Das Amt gibt Ihnen gern weitere Auskunft.",
)
WORDS = (
    "Der Imker öffnet am Morgen die Beute und sieht nach den Waben. Die Königin legt viele"
    " Eier, die Arbeiterinnen sammeln Pollen und Nektar auf den Wiesen hinter dem Dorf."
    " Im Sommer zieht ein Schwarm in den Wald, wo er einen hohlen Baum bewohnt."
).split()


class Leaflets(SiteHandler):
    """A page for each number, with a text of its own; each leads to the next."""

    last = 20

    def respond(self) -> None:
        name = self.path.strip("/")
        if name and not name.isdecimal():
            self.answer(status=404)
            return
        number = int(name or 0)
        random = Random(number)
        own = "".join(f"<p>{' '.join(random.choices(WORDS, k=25))}." for _ in range(3))
        following = (
            f'<p><a href="/{number + 1}">weiter</a>' if number < self.last else ""
        )
        first, last = RECURRING
        self.answer(
            f"<html><body><p>{first}<h1>Merkblatt {number}</h1>{own}<p>{last}{following}",
            content_type="text/html; charset=utf-8",
        )


def clean_pages(corpus: CrawledCorpus) -> dict[str, set[int]]:
    """Return for each recurring text the pages whose text it is."""
    found: dict[str, set[int]] = {text: set() for text in RECURRING}
    for path, document in corpus.documents().items():
        for text, attributes in paragraphs(document).items():
            verdict = attributes.get("crawlinfo", "text")
            if text in found and verdict == "text":
                found[text].add(int(path or 0))
    return found


def crawl(project: Project, site: Site, workers: str, **settings: str) -> CrawledCorpus:
    given = {
        "CORPUS_DIR": "out",
        "CONCURRENT_REQUESTS": "1",
        "WORKERS": workers,
        **settings,
    }
    done = project.crawl("monolingual", given, lang="de", seeds=site.url)
    assert done.status == 0, done.stderr
    return CrawledCorpus(project.folder / "out")


@pytest.mark.parametrize(("setting", "kept"), [("True", False), ("False", True)])
def test_what_recurs_is_no_text_unless_pages_are_judged_alone(
    make_project: Callable[[], Project], serve: Serve, setting: str, kept: bool
) -> None:
    project, site = make_project(), serve(Leaflets)
    corpus = crawl(project, site, "0", DECISIONS_TEXT=setting)
    pages = set(range(Leaflets.last + 1)) if kept else set()
    assert clean_pages(corpus) == dict.fromkeys(RECURRING, pages)
