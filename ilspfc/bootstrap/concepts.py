"""What the sources give, and what they are: concepts with names, URLs with reasons."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from enum import StrEnum


@dataclass(slots=True)
class Concept:
    """Something that a subject deals with, named in one language or several.

    ``names`` has the preferred name by language (ISO 639-3), ``variants`` its other ones,
    ``urls`` what its article in a language refers to. ``depth`` is its distance from the
    subject (categories, or steps to narrower concepts), ``links`` how many others of the
    subject's concepts refer to it, None where the source does not tell. ``weight`` is one
    that the source gives itself. ``is_title``: the names are titles of an encyclopedia, not
    all of which are terms.
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


class Seed(NamedTuple):
    """A URL where a crawl may start, and why it is proposed; a higher score comes first."""

    url: str
    reason: str
    score: float = 0.0


class Dropped(NamedTuple):
    """A title or URL that was left out."""

    reason: StrEnum
    lang: str
    text: str


class Ledger:
    """What was passed over, by reason, and what the user is to be told.

    ``tell`` gets each notice as it comes.
    """

    def __init__(self, tell: Callable[[str], None] = lambda _: None) -> None:
        self.counts: Counter[str] = Counter()
        self.dropped: list[Dropped] = []
        self.notices: list[str] = []
        self._tell = tell

    def drop(self, reason: StrEnum, text: str = "", lang: str = "") -> None:
        """Count a loss; what it was is kept for the review."""
        self.counts[f"bootstrap/dropped/{reason}"] += 1
        if text:
            self.dropped.append(Dropped(reason, lang, text))

    def count(self, event: str, number: int = 1) -> None:
        """Count an event that is no loss."""
        self.counts[f"bootstrap/{event}"] += number

    def notice(self, text: str) -> None:
        """Tell the user, at once and in the summary."""
        self.notices.append(text)
        self._tell(text)


class TermSource(Protocol):
    """Where concepts come from."""

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield the concepts of a subject with their names in ``langs`` (ISO 639-3).

        A concept may be completed after it was yielded: it is whole when the iterator has
        ended. BootstrapError says why there are none, or no more.
        """


class SeedSource(Protocol):
    """Where URLs come from."""

    def iter_seeds(self) -> Iterator[Seed]:
        """Yield URLs with the reason for each; BootstrapError says why there are none."""
