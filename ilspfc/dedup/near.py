"""Near-duplicates by shared paragraphs (000, section 3.8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ilspfc.dedup.overlap import SharedParagraphs

if TYPE_CHECKING:
    from ilspfc.dedup.hashes import DocumentParagraphs

MIN_PARAGRAPHS = 3
"""A document of fewer paragraphs repeats only one with the very same ones."""


def find_near_duplicates(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
) -> dict[str, str]:
    """Return the document that stays for each that goes.

    A document goes when it shares more than ``threshold`` of its paragraphs with one that
    stays and has at least as many (the paper's rule: intersection over the shorter list).
    Of two documents the one with fewer distinct paragraphs goes, then the one whose
    language fits less, then the one with fewer tokens, then the one with the longer URL,
    then the one with the larger id, so that the order of a crawl plays no part.

    A document of fewer than three goes only when another has the very same
    paragraphs: a chapter's title page, whose one heading its sections repeat, is no
    near-duplicate of them.
    """
    pool = [document for document in documents if document.digests]
    counts = {document.id: len(document.hashes) for document in pool}
    pool.sort(key=lambda d: (-counts[d.id], d.foreign_marks, -d.tokens, d.preference))
    paragraphs = SharedParagraphs(pool)
    survivors: dict[str, str] = {}
    for place, document in enumerate(pool):
        alike = _find_alike(paragraphs, place, threshold)
        if alike:
            survivors[document.id] = pool[min(alike)[1]].id
        else:
            paragraphs.register(place)
    return survivors


def find_untranslated_copies(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
) -> dict[str, str]:
    """Return the original of each copy of a page in the folder of another language.

    A copy shares more than ``threshold`` of the paragraphs of the *longer* of the two with
    a document that fewer marks call foreign. It may be the longer one: a line that says
    that the page is not translated yet makes it so. The length of the paper's rule would
    keep it.
    """
    pool = [document for document in documents if document.digests]
    pool.sort(key=lambda d: d.preference)
    if not pool or pool[0].foreign_marks == pool[-1].foreign_marks:
        return {}
    paragraphs = SharedParagraphs(pool)
    sizes = paragraphs.sizes.tolist()
    originals: dict[str, str] = {}
    registered = 0
    for place, document in enumerate(pool):
        while pool[registered].foreign_marks < document.foreign_marks:
            paragraphs.register(registered)
            registered += 1
        alike = [
            (rank, other)
            for rank, other in _find_alike(paragraphs, place, threshold)
            if sizes[other] == sizes[place] or -rank > threshold * sizes[other]
        ]
        if alike:
            originals[document.id] = pool[min(alike)[1]].id
    return originals


def _find_alike(
    paragraphs: SharedParagraphs, place: int, threshold: float
) -> list[tuple[int, int]]:
    """Return the documents that share enough with one, the number shared negated first.

    They share more than ``threshold`` of its paragraphs; all, and have no others, where it
    is short.
    """
    count = int(paragraphs.sizes[place])
    is_short = count < MIN_PARAGRAPHS
    needed = count if is_short else int(threshold * count) + 1
    return [
        (-overlap, other)
        for other, overlap in paragraphs.find(place, needed)
        if not is_short or paragraphs.sizes[other] == count
    ]
