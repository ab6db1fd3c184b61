"""What the visit of a page gave, in the words of the frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ilspfc.cleaning import CleaningReason, save_site_texts
from ilspfc.frontier.reasons import VisitResult
from ilspfc.web.urls import site_of

if TYPE_CHECKING:
    from ilspfc.crawl.fetched_page import FetchedPage
    from ilspfc.crawl.job import CrawlJob
    from ilspfc.frontier.traps.seen_text import SeenText

# What a crawl that is killed has to count again.
_PAGES_BETWEEN_SAVES = 1000


class VisitOutcome(NamedTuple):
    """What a page gave; ``is_copy`` says that it has no text of its own.

    ``is_repeat`` says that even with its boilerplate it has none that was not seen before.
    """

    result: VisitResult
    is_copy: bool
    is_repeat: bool


def judge_visit(page: FetchedPage, seen: SeenText) -> VisitOutcome:
    """Return what a page gave whose way through the pipelines has ended.

    A page that was not kept although its text is new tells nothing of traps: a list of
    links, a page off the topic or in another language.
    """
    work = page.work
    if work is None or work.text is None:
        return VisitOutcome(VisitResult.NOTHING_NEW, is_copy=False, is_repeat=True)
    novelty = seen.add(work.text)
    if page.drop == f"cleaning/{CleaningReason.SOFT_404}":
        return VisitOutcome(VisitResult.NOTHING_NEW, is_copy=True, is_repeat=True)
    if novelty.is_copy if page.drop else novelty.is_old:
        result = VisitResult.NOTHING_NEW
    elif novelty.is_new and not page.drop:
        result = VisitResult.NEW_TEXT
    else:
        result = VisitResult.UNDECIDED
    return VisitOutcome(result, result is VisitResult.NOTHING_NEW, novelty.is_copy)


def count_texts(page: FetchedPage, outcome: VisitOutcome, job: CrawlJob) -> None:
    """Count the texts of a page for its site, unless it repeats another page.

    Pages in other languages than the crawl's are not counted: nothing of them is kept.
    """
    work, document = page.work, page.document
    if job.site_texts is None or not work or not work.prints or not document:
        return
    if not outcome.is_repeat and document.lang in job.arguments.langs:
        job.site_texts.learn(site_of(page.url), document.lang, work.prints)
        if job.site_texts.pages % _PAGES_BETWEEN_SAVES == 0:
            save_site_texts(job.site_texts, job.files.recurrence)
