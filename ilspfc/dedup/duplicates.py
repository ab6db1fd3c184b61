"""All duplicates of a corpus: exact ones, untranslated copies, near-duplicates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from hashlib import md5
from itertools import chain, groupby

from ilspfc.dedup.hashes import DIGEST_BYTES, DocumentParagraphs
from ilspfc.dedup.near import (
    MIN_PARAGRAPHS,
    find_collections,
    find_lists,
    find_near_duplicates,
    find_untranslated_copies,
)


class DedupReason(StrEnum):
    """Reason that a document leaves the corpus in dedup."""

    EXACT_DUPLICATE = "exact_duplicate"
    UNTRANSLATED_COPY = "untranslated_copy"
    COLLECTION = "collection"
    NEAR_DUPLICATE = "near_duplicate"
    CONTAINED = "contained"


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Survivor of a document that goes, and the reason."""

    survivor: str
    reason: DedupReason


def find_duplicates(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
    named: Callable[[str], Iterable[str]] = lambda document: (),
) -> dict[str, Duplicate]:
    """Return the kept document of each duplicate, by id.

    First versions of what their canonical links name; then the very same text, of three
    paragraphs also where it was taken for another language; then, within a language, copies
    that stand where a translation should be; then collections of others, unless a part of
    one is nowhere else, and lists of documents that they link to by title (``named``); then
    near-duplicates.
    Of these, one that is no version of what stays but a part of it is contained: it shares
    no more than ``threshold`` of the other's paragraphs and is called foreign by no more
    marks. A document without text is no duplicate. The order of the documents plays no part.
    """
    pool = [document for document in documents if document.digests]
    found = _find_superseded(pool, threshold)
    found |= _find_exact_duplicates(one for one in pool if one.id not in found)
    rules = (
        (DedupReason.UNTRANSLATED_COPY, find_untranslated_copies),
        (DedupReason.COLLECTION, find_collections),
        (DedupReason.COLLECTION, partial(find_lists, named=named)),
        (DedupReason.NEAR_DUPLICATE, find_near_duplicates),
    )
    for reason, find in rules:
        left = [document for document in pool if document.id not in found]
        survivors: dict[str, str] = {}
        for one_lang in _split_by_lang(left):
            survivors |= find(one_lang, threshold=threshold)
        if reason is DedupReason.COLLECTION and survivors:
            for identity in _find_incomplete(left, survivors):
                del survivors[identity]
        for identity, survivor in survivors.items():
            found[identity] = Duplicate(survivor, reason)
    _mark_contained(pool, found, threshold)
    return {
        identity: Duplicate(_last_survivor(identity, found), found[identity].reason)
        for identity in sorted(found)
    }


def _split_by_lang(
    documents: Iterable[DocumentParagraphs],
) -> Iterable[list[DocumentParagraphs]]:
    by_lang: dict[str, list[DocumentParagraphs]] = defaultdict(list)
    for document in documents:
        by_lang[document.lang].append(document)
    return by_lang.values()


def _find_superseded(
    pool: Iterable[DocumentParagraphs], threshold: float
) -> dict[str, Duplicate]:
    """Return the document that the canonical link of each older or other version names.

    Both are in one language, called foreign by as many marks, and versions of one text: they
    share more than ``threshold`` of the paragraphs of the longer one. What itself names
    another document is no original.
    """
    documents = {document.id: document for document in pool}
    found: dict[str, Duplicate] = {}
    for document in documents.values():
        original = documents.get(document.original, document)
        if (
            documents.get(original.original, original) is not original
            or original is document
            or original.lang != document.lang
            or original.foreign_marks != document.foreign_marks
        ):
            continue
        sizes = len(document.hashes), len(original.hashes)
        shared = len(document.hashes & original.hashes)
        if document.digests == original.digests:
            found[document.id] = Duplicate(original.id, DedupReason.EXACT_DUPLICATE)
        elif min(sizes) >= MIN_PARAGRAPHS and shared > threshold * max(sizes):
            found[document.id] = Duplicate(original.id, DedupReason.NEAR_DUPLICATE)
    return found


def _find_exact_duplicates(
    pool: Iterable[DocumentParagraphs],
) -> dict[str, Duplicate]:
    """Return the preferred version for each other one with the same paragraphs in order."""
    versions: dict[tuple[bytes, str], list[DocumentParagraphs]] = defaultdict(list)
    for document in pool:
        digest = md5(document.digests, usedforsecurity=False).digest()
        # A name or a number is the same in many languages.
        is_short = len(document.digests) < MIN_PARAGRAPHS * DIGEST_BYTES
        versions[digest, document.lang if is_short else ""].append(document)
    found: dict[str, Duplicate] = {}
    for same in versions.values():
        best = min(same, key=lambda d: d.preference)
        for document in same:
            if document is best:
                continue
            is_copy = (
                document.lang != best.lang
                or document.foreign_marks > best.foreign_marks
            )
            found[document.id] = Duplicate(
                best.id,
                DedupReason.UNTRANSLATED_COPY
                if is_copy
                else DedupReason.EXACT_DUPLICATE,
            )
    return found


def _find_incomplete(
    pool: Iterable[DocumentParagraphs], collections: Collection[str]
) -> list[str]:
    """Return the collections with a part that no other document has, such as a chapter.

    The part has ``MIN_PARAGRAPHS`` in a row, as a document of its own would have. Of
    collections with the same part the shortest is returned.
    """
    documents = [document for document in pool if document.id in collections]
    wanted = frozenset(chain.from_iterable(document.hashes for document in documents))
    known: set[bytes] = set()
    for document in pool:
        if document.id not in collections:
            known |= document.hashes & wanted
    found = []
    for document in sorted(documents, key=lambda d: (len(d.digests), d.id)):
        runs = groupby(document.paragraphs, known.__contains__)
        own = (len(list(run)) for is_known, run in runs if not is_known)
        if max(own, default=0) >= MIN_PARAGRAPHS:
            found.append(document.id)
            known |= document.hashes
    return found


def _mark_contained(
    pool: Iterable[DocumentParagraphs], found: dict[str, Duplicate], threshold: float
) -> None:
    """Tell parts of longer documents from the near-duplicates that are versions of them."""
    documents = {document.id: document for document in pool}
    for identity, one in found.items():
        if one.reason is not DedupReason.NEAR_DUPLICATE:
            continue
        document, survivor = documents[identity], documents[one.survivor]
        shared = len(document.hashes & survivor.hashes)
        if (
            shared <= threshold * len(survivor.hashes)
            and document.foreign_marks <= survivor.foreign_marks
        ):
            found[identity] = Duplicate(one.survivor, DedupReason.CONTAINED)


def _last_survivor(identity: str, found: Mapping[str, Duplicate]) -> str:
    """Return the document that stays, where the one that stayed first went later."""
    while identity in found:
        identity = found[identity].survivor
    return identity
