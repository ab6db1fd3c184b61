"""Records of a bootstrap: concepts, seeds, and a log of losses and notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from rapidfuzz import fuzz, process

_OFFERED_NAMES = 5
_MIN_SIMILARITY = 50


class TitleReason(StrEnum):
    """Reasons for which a title does not become a term."""

    DISAMBIGUATION = "disambiguation"
    LIST = "list"
    YEAR = "year"
    NAME = "name"
    ABBREVIATION = "abbreviation"
    REDIRECT = "redirect"
    SECTION = "section"  # a language link to a section of an article
    EMPTY = "empty"  # digits and signs only
    DUPLICATE = "duplicate"  # another concept has the same term


class SeedReason(StrEnum):
    """Reasons for which a URL does not become a seed."""

    NOT_WEB = "not_web"
    WIKI = "wiki"  # of the encyclopedia itself
    CITATION = "citation"  # a catalog of books, articles or names
    DUPLICATE_URL = "duplicate_url"
    SITE_LIMIT = "site_limit"
    SEED_LIMIT = "seed_limit"


class SourceReason(StrEnum):
    """Reasons for which a part of a source is passed over."""

    CATEGORY_LOOP = "category_loop"
    PAGE_LIMIT = "page_limit"
    WIKI_UNREACHED = "wiki_unreached"
    BROKEN_ROW = "broken_row"
    NOT_ANSWERED = "not_answered"


@dataclass(slots=True)
class Concept:
    """Concept of a subject, named in one language or several.

    ``names`` has the preferred name by language (ISO 639-3), ``variants`` the other names,
    ``urls`` the external links of the article in a language. ``depth`` is the distance from
    the subject (subcategories, or steps to narrower concepts), ``links`` the number of
    links from other concepts of the subject, None if unknown. ``weight`` is set where the
    source has weights. ``is_title``: the names are titles of an encyclopedia, not all of
    which are terms.
    """

    identity: str
    depth: int = 0
    links: int | None = None
    names: dict[str, str] = field(default_factory=dict)
    variants: dict[str, list[str]] = field(default_factory=dict)
    urls: dict[str, list[str]] = field(default_factory=dict)
    subdomain: str = ""
    weight: float | None = None
    is_title: bool = False
    is_disambiguation: bool = False


class Subject(NamedTuple):
    """Subject with the wanted languages (ISO 639-3), and bounds of what is collected.

    ``depth`` is the number of steps of subcategories or narrower concepts, ``max_concepts``
    the number of articles or concepts.
    """

    name: str
    langs: tuple[str, ...]
    depth: int
    max_concepts: int


class Seed(NamedTuple):
    """URL from which a crawl may start, with the reason for it; highest score first."""

    url: str
    reason: str
    score: float = 0.0


class Dropped(NamedTuple):
    """Title or URL that was left out."""

    reason: StrEnum
    lang: str
    text: str


class BootstrapLog:
    """Counts, losses by reason, and notices; ``tell`` prints each notice at once."""

    def __init__(self, tell: Callable[[str], None] = lambda _: None) -> None:
        self.counts: Counter[str] = Counter()
        self.dropped: list[Dropped] = []
        self.notices: list[str] = []
        self._tell = tell

    def drop(self, reason: StrEnum, text: str = "", lang: str = "") -> None:
        """Count a loss; ``text`` is kept for the review."""
        self.counts[f"bootstrap/dropped/{reason}"] += 1
        if text:
            self.dropped.append(Dropped(reason, lang, text))

    def count(self, event: str, number: int = 1) -> None:
        """Count an event that is no loss."""
        self.counts[f"bootstrap/{event}"] += number

    def notice(self, text: str) -> None:
        """Tell the user, and keep the notice."""
        self.notices.append(text)
        self._tell(text)

    def describe_losses(self) -> list[str]:
        """Return the number of losses for each reason, most frequent first."""
        prefix = "bootstrap/dropped/"
        return [
            f"{number} {name.removeprefix(prefix)}"
            for name, number in self.counts.most_common()
            if name.startswith(prefix)
        ]


def offer_names(name: str, known: Iterable[str], remedy: str) -> str:
    """Return the end of an error on an unknown name: the most similar names, or a remedy.

    >>> offer_names("Flowrs", ["Flowers", "Floods", "Roses", "Garden flowers"], "")
    '; the nearest are Flowers, Floods, Garden flowers'
    >>> offer_names("Flowrs", [], "take another")
    '; take another'
    """
    found = process.extract(
        name,
        sorted(set(known)),
        scorer=fuzz.WRatio,
        processor=str.casefold,
        limit=_OFFERED_NAMES,
        score_cutoff=_MIN_SIMILARITY,
    )
    folded = name.casefold()
    names = sorted(
        (match for match, *_ in found),
        key=lambda match: -fuzz.ratio(folded, match.casefold()),
    )
    return f"; the nearest are {', '.join(names)}" if names else f"; {remedy}"
