"""What the visit of a page tells of traps."""

from __future__ import annotations

import pytest

from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.documents import CrawlInfo, Document, Paragraph
from ilspfc.frontier.reasons import VisitResult
from ilspfc.frontier.traps.seen_text import SeenText, read_keys
from ilspfc.responses.response_page import judge_visit

OLD = "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz mit Gurt und Seil."
NEW = "Ein Gerüst geht dem Gurt vor, denn es schützt alle, die dort oben arbeiten."
URL = "https://a.example/page"
NOTHING, LINKS = VisitResult.NOTHING_NEW, VisitResult.NEW_LINKS


def make_page(
    *texts: str, drop: str = "", crawlinfo: CrawlInfo | None = None
) -> FetchedPage:
    page = FetchedPage(url=URL, id="0", fetched_at="", depth=1, body=b"", drop=drop)
    paragraphs = [Paragraph(text, crawlinfo=crawlinfo) for text in texts]
    page.document = Document("0", URL, [])
    page.work = PageWork(page.document, text=read_keys(URL, paragraphs))
    return page


@pytest.mark.parametrize(
    ("text", "drop", "result"),
    [
        (NEW, "", VisitResult.NEW_TEXT),
        (OLD, "", NOTHING),
        ("Kurz", "", LINKS),
        ("Eine Leiter steht am Rand", "", VisitResult.NEW_TEXT),
        (NEW, "language/other_language", VisitResult.OTHER_TEXT),
        (NEW, "classification/off_topic", VisitResult.OTHER_TEXT),
        (OLD, "classification/off_topic", NOTHING),
        (NEW, "cleaning/soft_404", NOTHING),
    ],
)
def test_results(text: str, drop: str, result: VisitResult) -> None:
    seen = SeenText()
    judge_visit(make_page(OLD), seen)
    assert judge_visit(make_page(text, drop=drop), seen) == result


def test_a_list_of_links_tells_nothing() -> None:
    seen = SeenText()
    for names in ("abc", "def"):
        titles = [f"Ein Beitrag über {name}, den Helm und den Kran" for name in names]
        page = make_page(
            *titles, drop="cleaning/empty", crawlinfo=CrawlInfo.BOILERPLATE
        )
        assert judge_visit(page, seen) == LINKS


def test_a_page_that_is_no_document_gives_nothing() -> None:
    page = make_page()
    page.document = page.work = None
    assert judge_visit(page, SeenText()) == NOTHING
