"""Documents as lists of paragraph hashes, and which version of a text is preferred."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import md5

# Bytes of an MD5 digest.
DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class DocumentParagraphs:
    """A document as the MD5 digests of its clean paragraphs (000, section 3.8).

    ``digests`` are those of all paragraphs in reading order, one after the other.
    ``foreign_marks`` counts what says that the document should be in another language than
    it is: the declaration of its page, links to it, its URLs. ``own_marks`` counts what
    says that it should be in the language that it is in.
    """

    id: str
    tokens: int
    digests: bytes
    lang: str = ""
    url: str = ""
    foreign_marks: int = 0
    own_marks: int = 0

    @property
    def hashes(self) -> frozenset[bytes]:
        """The digests of its paragraphs, each once."""
        return frozenset(
            self.digests[start : start + DIGEST_BYTES]
            for start in range(0, len(self.digests), DIGEST_BYTES)
        )

    @property
    def misfit(self) -> tuple[int, int]:
        """The smaller, the better the document's language fits what is said of it."""
        return self.foreign_marks, -self.own_marks

    @property
    def preference(self) -> tuple[tuple[int, int], int, str]:
        """The smaller, the sooner the document stays among versions of one text.

        Its language fits best, its URL is shorter, its id comes first.
        """
        return self.misfit, len(self.url), self.id


def digest_texts(texts: Iterable[str]) -> bytes:
    """Return the MD5 digests of paragraphs, one after the other."""
    return b"".join(
        md5(text.encode("utf-8", "replace"), usedforsecurity=False).digest()
        for text in texts
    )
