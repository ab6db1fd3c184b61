"""Near-duplicates by shared paragraphs (000, section 3.8)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import StrEnum
from hashlib import md5
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class DedupReason(StrEnum):
    """Why a document leaves the corpus in dedup."""

    NEAR_DUPLICATE = "near_duplicate"


@dataclass(frozen=True, slots=True)
class DocumentParagraphs:
    """A document as the hashes of its clean paragraphs."""

    id: str
    tokens: int
    hashes: frozenset[bytes]

    @classmethod
    def from_texts(
        cls, identity: str, tokens: int, texts: Iterable[str]
    ) -> DocumentParagraphs:
        """Return the document with the MD5 digests of its paragraphs."""
        hashes = (
            md5(text.encode("utf-8", "replace"), usedforsecurity=False).digest()
            for text in texts
        )
        return cls(identity, tokens, frozenset(hashes))


def find_near_duplicates(
    documents: Iterable[DocumentParagraphs],
    *,
    threshold: float = 0.8,
    min_paragraphs: int = 3,
) -> dict[str, str]:
    """Return the document that stays for each that goes.

    A document goes when it shares more than ``threshold`` of its paragraphs with one that
    stays and has at least as many (the paper's rule: intersection over the shorter list).
    Of two documents the one with fewer distinct paragraphs goes, then the one with fewer
    tokens, then the one with the larger id, so that the order of a crawl plays no part.

    A document of fewer than ``min_paragraphs`` goes only when another has the very same
    paragraphs: a chapter's title page, whose one heading its sections repeat, is no
    near-duplicate of them.

    Instead of comparing all with all, a document is compared with those that share one of
    its rarest paragraphs: two lists whose overlap exceeds the threshold must share one
    among the rarest ``n - needed + 1``.
    """
    pool = [document for document in documents if document.hashes]
    frequency = Counter(digest for document in pool for digest in document.hashes)
    pool.sort(key=lambda d: (-len(d.hashes), -d.tokens, d.id))
    staying: dict[bytes, list[DocumentParagraphs]] = defaultdict(list)
    survivors: dict[str, str] = {}
    for document in pool:
        count = len(document.hashes)
        needed = int(threshold * count) + 1
        rarest = sorted(document.hashes, key=lambda digest: (frequency[digest], digest))
        candidates = {
            other.id: other
            for digest in rarest[: max(count - needed + 1, 1)]
            for other in staying[digest]
        }
        if count < min_paragraphs:
            needed = count
            candidates = {
                identity: other
                for identity, other in candidates.items()
                if len(other.hashes) == count
            }
        best = _most_alike(document, candidates.values())
        if best is not None and len(document.hashes & best.hashes) >= needed:
            survivors[document.id] = best.id
            continue
        for digest in document.hashes:
            staying[digest].append(document)
    return survivors


def _most_alike(
    document: DocumentParagraphs, others: Iterable[DocumentParagraphs]
) -> DocumentParagraphs | None:
    """Return the document that shares the most paragraphs, None if there are none."""
    return max(
        others,
        key=lambda other: (len(document.hashes & other.hashes), other.id),
        default=None,
    )
