"""Documents as lists of paragraph hashes, and which version of a text is preferred."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import md5
from urllib.parse import unquote, urlsplit

from ilspfc.text.tokens import plain_signs
from ilspfc.text.word_split import fold_accents

# Bytes of an MD5 digest.
DIGEST_BYTES = 16
_WORD_RE = re.compile(r"[^\W\d_]{3,}")
_SUFFIX_RE = re.compile(r"\.\w+$")


@dataclass(frozen=True, slots=True)
class DocumentParagraphs:
    """A document as the MD5 digests of its clean paragraphs (000, section 3.8).

    What typography alone sets apart has the same digest, see :func:`digest_texts`.

    ``digests`` are those of all paragraphs in reading order, one after the other.
    ``foreign_marks`` counts what says that the document should be in another language than
    it is: the declaration of its page, links to it, its URLs. ``own_marks`` counts what
    says that it should be in the language that it is in. ``url_words`` counts the words of
    its beginning in its URL (:func:`count_url_words`). ``original`` is the id of the document
    that its canonical link names.
    """

    id: str
    tokens: int
    digests: bytes
    lang: str = ""
    url: str = ""
    foreign_marks: int = 0
    own_marks: int = 0
    url_words: int = 0
    original: str = ""

    @property
    def paragraphs(self) -> list[bytes]:
        """The digests of its paragraphs in reading order."""
        starts = range(0, len(self.digests), DIGEST_BYTES)
        return [self.digests[start : start + DIGEST_BYTES] for start in starts]

    @property
    def hashes(self) -> frozenset[bytes]:
        """The digests of its paragraphs, each once."""
        return frozenset(self.paragraphs)

    @property
    def misfit(self) -> tuple[int, int]:
        """Misfit of the document's language and what links declare; smaller is better."""
        return self.foreign_marks, -self.own_marks

    @property
    def preference(self) -> tuple[tuple[int, int], int, int, str]:
        """The smaller, the sooner the document stays among versions of one text.

        Its language fits best, its URL has more words of its beginning (that of a post, not
        of the list of one post) and is shorter, its id comes first.
        """
        return self.misfit, -self.url_words, len(self.url), self.id


def count_url_words(text: str, url: str) -> int:
    """Return the number of distinct words of a text that are in the last name in a URL's path.

    Accents and case do not count, nor numbers and words of one or two letters. Folders say
    where the text is, not what it is; a name without words, or ``index``, says nothing.

    >>> count_url_words("Añadir una barra", "http://a.org/una/anadir-barra.html?m=1")
    2
    >>> count_url_words("Añadir una barra", "http://a.org/anadir-barra/a-25/index.html")
    2
    """
    path = fold_accents(_SUFFIX_RE.sub("", unquote(urlsplit(url).path)))
    names = (set(_WORD_RE.findall(name)) for name in reversed(path.split("/")))
    known = next((words for words in names if words - {"index"}), set())
    return len(known & set(_WORD_RE.findall(fold_accents(text))))


def digest_texts(texts: Iterable[str]) -> bytes:
    """Return the MD5 digests of paragraphs, one after the other.

    Straight and curly quotes, hyphens and dashes, three dots and an ellipsis, ligatures and
    letters, kinds of blanks, soft hyphens or none make no difference.

    >>> digest_texts(["„Ofﬁce“ – 5 km …"]) == digest_texts(['"Office" -- 5 km ...'])
    True
    """
    return b"".join(
        md5(_fold(text).encode("utf-8", "replace"), usedforsecurity=False).digest()
        for text in texts
    )


def _fold(text: str) -> str:
    if not text.isascii():
        # NFKC makes a blank and an accent of ´; the ellipsis becomes three dots.
        text = text.replace("´", "'").replace("\u00ad", "")
        text = plain_signs(unicodedata.normalize("NFKC", text))
    text = text.replace("''", '"').replace("`", "'").replace("---", "-")
    return " ".join(text.replace("--", "-").replace(" ...", "...").split())
