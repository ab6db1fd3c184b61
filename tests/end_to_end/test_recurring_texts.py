"""What recurs on a site: boilerplate on its later pages, in this run and the next."""

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
BATCH = 16


class Leaflets(SiteHandler):
    """A page for each number, with a text of its own; each leads to the next."""

    last = BATCH

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
    """Return for each recurring text the pages of which cleaning kept it."""
    found: dict[str, set[int]] = {text: set() for text in RECURRING}
    for path, document in corpus.documents().items():
        for text, attributes in paragraphs(document).items():
            verdict = attributes.get("cleaning", attributes.get("crawlinfo", "text"))
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


@pytest.mark.parametrize("workers", ["0", "1"])
def test_later_pages_lose_what_recurs(
    make_project: Callable[[], Project], serve: Serve, workers: str
) -> None:
    project, site, last = make_project(), serve(Leaflets), 2 * BATCH
    Leaflets.last = last
    limit = {"FRONTIER_MAX_PAGES": str(BATCH + 4)}
    corpus = crawl(project, site, workers, **limit)
    assert clean_pages(corpus) == {text: set(range(BATCH)) for text in RECURRING}
    assert corpus.stats["cleaning/recurring_pages"] == 4
    # The link to the next page recurs, too.
    assert corpus.stats["cleaning/recurring_blocks"] == 4 * (len(RECURRING) + 1)
    # The next run knows it from its first page on.
    corpus = crawl(project, site, workers)
    assert len(corpus.documents()) == last + 1
    assert clean_pages(corpus) == {text: set(range(BATCH)) for text in RECURRING}


def test_nothing_is_counted_where_it_is_not_wanted(
    make_project: Callable[[], Project], serve: Serve
) -> None:
    project, site, last = make_project(), serve(Leaflets), BATCH + 4
    Leaflets.last = last
    corpus = crawl(project, site, "0", DECISIONS_TEXT="False")
    assert clean_pages(corpus) == {text: set(range(last + 1)) for text in RECURRING}
    assert "cleaning/recurring_pages" not in corpus.stats
    assert not (corpus.root / "recurrence.npz").exists()
