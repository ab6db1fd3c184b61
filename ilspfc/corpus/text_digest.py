"""Digest of a text, by which a revisited page is found to have a new one."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ilspfc.documents import Document


def text_digest(document: Document) -> str:
    """Return a digest of the clean text of a document: 32 hex digits of BLAKE2b.

    It covers the language, the clean paragraphs, the terms that were found in them, and what
    is said of licenses and opt-outs. Clean text is that of the page alone: the decision on it
    may change without the page. A clock in the boilerplate does not change it, another
    definition of the domain may.
    """
    head = (document.lang, document.licenses, document.optouts)
    digest = blake2b(repr(head).encode("utf-8", "surrogatepass"), digest_size=16)
    for paragraph in document.paragraphs:
        if paragraph.page_verdict is not None:
            continue
        for text in (paragraph.text, *paragraph.topic):
            data = text.encode("utf-8", "surrogatepass")
            # With its length, so that no two ways of dividing a text are the same.
            digest.update(b"%d:" % len(data) + data)
        digest.update(b"\n")
    return digest.hexdigest()
