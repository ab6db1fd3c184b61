"""How much a link is worth visiting (000, section 3.6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ilspfc.documents import Link
    from ilspfc.frontier.cues import CueDetector

# Larger than what terms and relevance add up to, so that a link to a probable translation
# goes before all other links, as the paper wants it.
TRANSLATION_BONUS = 1_000_000.0


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link with what its page tells of it.

    ``source_lang`` is the language of the page (ISO 639-3); ``relevance_share`` the
    relevance of the page divided by its number of links, the paper's p/L. ``distance``
    counts the irrelevant pages in a row that led to the link, its own page included.
    """

    link: Link
    source_url: str
    source_lang: str
    relevance_share: float
    distance: int = 0


class LinkScorer(Protocol):
    """Scores links; higher is visited earlier."""

    def score(self, found: FoundLink) -> float:
        """Return the score of a link."""


class TermScorer:
    """The paper's score: s = c + p/L + Σ n·w.

    n·w is summed over the domain's terms in the text around the link; c is added in a
    bilingual crawl when the link's page is in one of the languages and the link probably
    leads to another of them.
    """

    def __init__(
        self,
        score_text: Callable[[str], float],
        cues: CueDetector | None,
        langs: Collection[str],
        *,
        translation_bonus: float = TRANSLATION_BONUS,
    ) -> None:
        self._score_text = score_text
        self._cues = cues
        self._langs = frozenset(langs)
        self._translation_bonus = translation_bonus

    def score(self, found: FoundLink) -> float:
        """Return the score of a link."""
        link = found.link
        text = f"{link.context} {link.title}"
        bonus = self._translation_bonus if self._leads_to_translation(found) else 0.0
        return bonus + found.relevance_share + self._score_text(text)

    def _leads_to_translation(self, found: FoundLink) -> bool:
        if self._cues is None or found.source_lang not in self._langs:
            return False
        lang = self._cues.detect(found.link)
        if lang is None:
            # A mark in the URL counts only where the page's own URL has another one:
            # inside a site in one language every link carries the mark.
            lang = self._cues.detect_in_url(found.link.url)
            if lang is None or lang == self._cues.detect_in_url(found.source_url):
                return False
        return lang in self._langs and lang != found.source_lang
