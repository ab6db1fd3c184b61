"""What a crawl found that went over a corpus of an earlier one."""

from __future__ import annotations

from dataclasses import dataclass

from ilspfc.report.numbers import count_noun, format_count


@dataclass(frozen=True, slots=True)
class RecrawlCounts:
    """The documents of the last run and the pages that it asked for again.

    ``new`` and ``changed`` count documents exported for the first time and with a new text. ``revisits`` counts the pages
    asked for again; of them, ``unchanged`` are as they were, ``gone`` answered that they are no longer there, ``failed``
    gave no answer to work with, and ``withdrawn`` left the corpus because their owner has come to wish so.
    """

    new: int = 0
    changed: int = 0
    revisits: int = 0
    unchanged: int = 0
    gone: int = 0
    failed: int = 0
    withdrawn: int = 0


def describe_recrawl(counts: RecrawlCounts) -> str:
    """Return what came of a crawl over an earlier one, in plain words without a full stop.

    >>> describe_recrawl(RecrawlCounts(revisits=17, unchanged=17))
    'nothing new was exported; 17 pages asked for again: 17 not changed'
    >>> describe_recrawl(RecrawlCounts(new=1))
    '1 new document; no page asked for again'
    """
    found = [
        count_noun(counts.new, "new document") if counts.new else "",
        f"{format_count(counts.changed)} with a new text" if counts.changed else "",
    ]
    answers = (
        (counts.unchanged, "not changed"),
        (counts.gone, "gone (documents stay)"),
        (counts.withdrawn, "withdrawn"),
        (counts.failed, "failed"),
    )
    head = ", ".join(filter(None, found)) or "nothing new was exported"
    if not counts.revisits:
        return f"{head}; no page asked for again"
    told = ", ".join(f"{format_count(n)} {words}" for n, words in answers if n)
    asked = f"{head}; {count_noun(counts.revisits, 'page')} asked for again"
    return f"{asked}: {told}" if told else asked
