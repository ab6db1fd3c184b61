"""What class names, ids and microdata say that an element is."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Role(Enum):
    """What an element is, by its names."""

    COMMENTS = "comments"
    """The comments of readers, all of them."""
    COMMENT = "comment"
    """One of them; where it is the only one, the name may mean something else."""
    CAPTION = "caption"
    QUOTE = "quote"


# Names of classes and ids are English nearly everywhere; the others are the words of the
# larger web languages for the same thing.
_WORD = (
    "(?:comment|kommentar|commentaire|comentario|comentário|commento|komentar|komentarz"
    "|kommentti|reactie|yorum)"
)
_PLURAL = (
    "(?:comments|kommentare|kommentarer|commentaires|comentarios|commenti|komentarze"
    "|komentari|kommentit|reacties|yorumlar|disqus_thread|fb-comments)"
)
_BEFORE = (
    "(?:(?:user|reader|visitor|post|blog|entry|article|page|wp|node|field|the)[-_])*"
)
_PART = (
    "(?:list|area|section|wrap|wrapper|container|block|box|thread|body|text|content"
    "|contents|item|holder|main|inner|tree|children|entry|post|view|template|title)"
)
_COMMENTS_RE = re.compile(
    rf"{_BEFORE}(?:{_PLURAL}(?:[-_]+{_PART})*"
    rf"|{_WORD}[-_]*(?:list|thread|area|section|tree)(?:[-_]+{_PART})*)",
    re.IGNORECASE,
)
_COMMENT_RE = re.compile(
    rf"{_BEFORE}{_WORD}(?:[-_]+{_PART})*(?:[-_]?(?=\d*[\da-f]{{6}}|\d)[\da-f]+)?",
    re.IGNORECASE,
)
_CAPTIONS = frozenset(
    "caption caption-text figcaption figure-caption image-caption img-caption photo-caption"
    " thumbcaption wp-caption-text".split()
)
_QUOTES = frozenset("bbcode_quote blockquote epigraph quotecontent".split())
_COMMENT_TYPES = ("schema.org/comment", "schema.org/usercomments")


# What any of the names above holds, found in one search of all names of an element.
_MAYBE_RE = re.compile(
    "omment|omentar|ommento|eacti|yorum|disqus|caption|quote|epigraph", re.IGNORECASE
)
_MAX_NAMES_CHARS = 500


@lru_cache(maxsize=8192)
def _role_of_names(names: str) -> Role | None:
    """Return the role that the blank-separated names of an element give it."""
    role = None
    for name in names[:_MAX_NAMES_CHARS].split():
        if _COMMENTS_RE.fullmatch(name):
            return Role.COMMENTS
        if _COMMENT_RE.fullmatch(name):
            role = Role.COMMENT
        elif role is None and name.lower() in _CAPTIONS:
            role = Role.CAPTION
        elif role is None and name.lower() in _QUOTES:
            role = Role.QUOTE
    return role


def find_role(attributes: Mapping[str, str], names: str) -> Role | None:
    """Return the role of an element by its class, id and ARIA role, or its microdata."""
    if not attributes:
        return None
    if _MAYBE_RE.search(names) and (role := _role_of_names(names)) is not None:
        return role
    if attributes.get("itemprop") == "comment":
        return Role.COMMENTS
    kind = attributes.get("itemtype")
    if kind and kind.lower().endswith(_COMMENT_TYPES):
        return Role.COMMENTS
    return None
