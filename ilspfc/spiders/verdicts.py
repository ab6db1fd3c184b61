"""What the visit of a page gave, in the words of the frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from ilspfc.cleaning import CleaningReason
from ilspfc.frontier.reasons import VisitResult

if TYPE_CHECKING:
    from ilspfc.documents import Page
    from ilspfc.frontier.seen_text import SeenText
    from ilspfc.page_work import PageWork


class Verdict(NamedTuple):
    """What a page gave; ``is_copy`` says that it has no text of its own."""

    result: VisitResult
    is_copy: bool


def judge_visit(page: Page, seen: SeenText) -> Verdict:
    """Return what a page gave whose way through the pipelines has ended.

    A page that was not kept although its text is new tells nothing of traps: a list of
    links, a page off the topic or in another language.
    """
    work = cast("PageWork | None", page.work)
    if work is None or work.text is None:
        return Verdict(VisitResult.NOTHING_NEW, is_copy=False)
    novelty = seen.add(work.text)
    if page.drop == f"cleaning/{CleaningReason.SOFT_404}":
        return Verdict(VisitResult.NOTHING_NEW, is_copy=True)
    if novelty.is_copy if page.drop else novelty.is_old:
        result = VisitResult.NOTHING_NEW
    elif novelty.is_new and not page.drop:
        result = VisitResult.NEW_TEXT
    else:
        result = VisitResult.UNDECIDED
    return Verdict(result, result is VisitResult.NOTHING_NEW)
