"""Link scores: terms, perplexity, translation bonus, and their combination with learning."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, Protocol

from rapidfuzz.distance import Levenshtein

from ilspfc.documents import Link
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.online_learning import YieldLearner, directory_of
from ilspfc.frontier.scoring.site_marks import SiteMarks
from ilspfc.frontier.store.candidates import Candidate, level_of
from ilspfc.web.urls import host_of

# Larger than any sum of terms and relevance: links to probable translations precede all
# others, as in the paper.
TRANSLATION_BONUS = 1_000_000.0

# Maximum edit distance of the URLs of a page and its translation, as a share of their
# length. The paper (003) says "low" and gives no number.
MAX_URL_DISTANCE = 0.1

# Score of links to visit right after the seeds.
LISTED_SCORE = 1e11

# Distance between the scores of strict buckets, greater than any bonus.
BUCKET_STEP = 10 * TRANSLATION_BONUS

# Cache size for scores of link contexts.
_CACHED_TEXTS = 1 << 13

_NUMBER_RE = re.compile(r"\d+")

# Upper bounds of perplexity for the buckets HIGH, MEDIUM and NORMAL.
Bounds = tuple[float, float, float]


class FoundLink(NamedTuple):
    """Link with the features of its page.

    ``source_lang`` is the language of the page (ISO 639-3); ``relevance_share`` is the
    relevance of the page divided by its number of links, the paper's p/L; ``perplexity`` is
    the page's under the model of the domain texts, None without a model or text.
    ``expected`` is the perplexity predicted for the target before it is fetched, None if
    the page's own is used; ``surprise`` is the same in bits above the bound of MEDIUM.
    ``model_lang`` is the language of the model, empty for that of the page. ``distance``
    counts the consecutive irrelevant pages before the link, including its own page;
    ``depth`` counts links from a seed. ``is_judged`` is True if the page had text in a
    language of the crawl, so that its relevance could be judged.
    """

    link: Link
    source_url: str
    source_lang: str
    relevance_share: float = 0.0
    distance: int = 0
    depth: int = 0
    perplexity: float | None = None
    is_judged: bool = True
    expected: float | None = None
    surprise: float | None = None
    model_lang: str = ""


class LinkScorer(Protocol):
    """Scorer of links; higher scores are visited earlier."""

    def score(self, found: FoundLink) -> float | None:
        """Return the score of a link, None for a link not to be followed."""


class BreadthFirstScorer:
    """Baseline of every focused crawler: pages in the order of their depth."""

    def score(self, found: FoundLink) -> float:
        """Return the negative depth."""
        return -float(found.depth)


class TermScorer:
    """The paper's p/L + Σ n·w (000, section 3.6); :class:`TranslationBonus` adds c.

    n·w is summed over the domain terms in the context of the link.
    """

    def __init__(self, score_text: Callable[[str], float]) -> None:
        # Pages of a site repeat links with their contexts.
        self._score_text = lru_cache(_CACHED_TEXTS)(score_text)

    def score(self, found: FoundLink) -> float:
        """Return the score of a link."""
        text = f"{found.link.context} {found.link.title}"
        return found.relevance_share + self._score_text(text)


@dataclass
class PerplexityScorer:
    """Score by the perplexity expected of a link (004, sections 3.2 and 3.3).

    ``bounds`` are the upper bounds of the buckets HIGH, MEDIUM and NORMAL, ``by_lang`` those
    of languages (ISO 639-3) with their own: links in these buckets score from 2 to 3, from 1
    to 2, from 0 to 1, decreasing with perplexity. This is the page's own, or predicted from
    the link's context and earlier pages too (:attr:`FoundLink.expected`). Links on a page
    beyond the last bound are not followed, unless the page is a seed; a page without a model
    counts as one at the bound between NORMAL and MEDIUM.
    """

    bounds: Bounds
    by_lang: Mapping[str, Bounds] = field(default_factory=dict)

    def set_bounds(self, bounds: Bounds) -> None:
        """Score links of all languages by other bounds from now on."""
        self.bounds, self.by_lang = bounds, {}

    def score(self, found: FoundLink) -> float | None:
        """Return the score of a link."""
        lang = found.model_lang or found.source_lang
        high, medium, last = self.by_lang.get(lang, self.bounds)
        of_page = found.perplexity
        if of_page is not None and of_page > last and found.depth > 1:
            return None
        value = of_page if found.expected is None else found.expected
        if value is None:
            return 1.0
        value = max(value, 1.0)
        if value <= high:
            return 3.0 - value / high
        if value <= medium:
            return 2.0 - (value - high) / (medium - high)
        return medium / value


@dataclass(frozen=True)
class CombinedScorer:
    """Terms around a link, weighted by perplexity: value · (``unit`` + t · (p/L + Σ n·w)).

    ``value`` is the score by perplexity, from 0 to 3; the trust t is 1 in HIGH and MEDIUM,
    and the square of the value in NORMAL: texts full of terms but unlike those of the domain
    (link farms, tag clouds) are worth little. A link without terms scores like one with a
    term of weight ``unit``.
    """

    terms: TermScorer
    perplexity: PerplexityScorer
    unit: float

    def score(self, found: FoundLink) -> float | None:
        """Return the score of a link."""
        value = self.perplexity.score(found)
        if value is None:
            return None
        trust = min(value, 1.0) ** 2
        return value * (self.unit + trust * self.terms.score(found))


class TranslationBonus:
    """The paper's c: for links that lead from one of the languages to another.

    A mark of another language in the URL of a link counts only with a small edit distance
    to the URL of its page (003, "inverse" URL filtering): not every link to the other
    language leads to a translation. ``marks`` are learned from the pages of a host: values
    in URLs that mark languages but are not language codes.
    """

    def __init__(self, cues: CueDetector, langs: Collection[str]) -> None:
        self._cues = cues
        self._langs = frozenset(langs)
        self.marks = SiteMarks()

    def score(self, found: FoundLink) -> float:
        """Return c for a link that probably leads to a translation of its page, else 0."""
        return TRANSLATION_BONUS if self.leads_to_translation(found) else 0.0

    def leads_to_translation(self, found: FoundLink) -> bool:
        """Test whether a link probably leads to its page in another language."""
        if found.source_lang not in self._langs:
            return False
        lang = self._cues.detect(found.link)
        if lang is None:
            lang = self._detect_inverse(found.link.url, found.source_url)
        return lang in self._langs and lang != found.source_lang

    def _detect_inverse(self, url: str, source_url: str) -> str | None:
        """Return the language marked in a URL that is otherwise similar to its page's URL.

        The page's own URL must have another mark, or none: inside a monolingual site, every
        link has the mark.
        """
        cues = self._cues
        lang = cues.detect_in_url(url)
        if lang is not None:
            if lang == cues.detect_in_url(source_url):
                return None
            is_like = are_alike(cues.remove_mark(url), cues.remove_mark(source_url))
            return lang if is_like else None
        mark, own = self.marks.read(url), self.marks.read(source_url)
        if mark is None or own is None or mark.lang == own.lang:
            return None
        is_like = mark.place == own.place and are_alike(mark.rest, own.rest)
        return mark.lang if is_like else None


def are_alike(first: str, second: str) -> bool:
    """Test whether two URLs without language marks have a small edit distance.

    The maximum is a tenth of the longer path: folders in two languages exceed it, and short
    paths must be equal. So must numbers, which distinguish pages of a series.

    >>> are_alike("a.org/info/contact", "a.org/info/contact-"), are_alike("a.org/x", "a.org/y")
    (True, False)
    >>> are_alike("a.org/news/1204", "a.org/news/1205")
    False
    """
    if _NUMBER_RE.findall(first) != _NUMBER_RE.findall(second):
        return False
    longest = max(len(url) - url.find("/") for url in (first, second))
    most = int(MAX_URL_DISTANCE * longest)
    return Levenshtein.distance(first, second, score_cutoff=most) <= most


class SeedLists:
    """Selector of links of seeds that are mere lists; they precede all scored links.

    A seed that was not kept was given for its links, which a scorer cannot know: the sites
    in a mere list may score 0 and would wait behind every link with a domain term. The first
    link of such a seed to each other host is visited right after the seeds. If the seed had
    no text in a language of the crawl, so is the first link to each directory (topicrawler
    also prioritizes links of seeds that it could not judge). Without ``with_judged``, only
    the latter seeds count: perplexity scores any readable list.
    """

    def __init__(self, *, with_judged: bool = True) -> None:
        self._with_judged = with_judged
        self._first: dict[str, str] = {}

    def lists(self, found: FoundLink) -> bool:
        """Test whether a link is the first from a list to its host or directory."""
        is_list = found.depth == 1 and found.distance > 0
        if not is_list or (found.is_judged and not self._with_judged):
            return False
        place_of = host_of if found.is_judged else directory_of
        url = found.link.url
        place = place_of(url)
        if place == place_of(found.source_url):
            return False
        return self._first.setdefault(place, url) == url


class Focus:
    """Scorer of links: translation bonus c plus the scorer's value, corrected by learning.

    Without a ``learner``, the score is c plus the value of the scorer: the paper's formula
    (000, section 3.6) for the term scorer. With one, only links on kept pages get c and p/L:
    other pages cannot complete a pair and are not about the domain. Links of seeds selected
    by ``lists`` precede all others. With ``is_strict``, the scores of perplexity buckets are
    :data:`BUCKET_STEP` apart, whatever terms and learning say; links with c are in the best
    bucket.
    """

    def __init__(
        self,
        scorer: LinkScorer,
        bonus: TranslationBonus | None = None,
        learner: YieldLearner | None = None,
        lists: SeedLists | None = None,
        perplexity: PerplexityScorer | None = None,
        *,
        is_strict: bool = False,
    ) -> None:
        self._scorer = scorer
        self.bonus = bonus
        self.learner = learner
        self._lists = lists
        self.perplexity = perplexity
        self._strict = perplexity if is_strict else None

    @property
    def step(self) -> float:
        """Distance between the scores of buckets, 0 if buckets are not strict."""
        return BUCKET_STEP if self._strict is not None else 0.0

    def candidate(self, found: FoundLink, key: str) -> Candidate | None:
        """Return the scored candidate of a link, None for a link not to be followed."""
        base = self.base_score(found)
        if base is None:
            return None
        url = found.link.url
        candidate = Candidate(
            key,
            url,
            host_of(url),
            base,
            depth=found.depth,
            distance=found.distance,
            referrer=found.source_url,
            anchor=found.link.anchor,
            base=base,
            surprise=found.surprise,
            place=found.link.place,
        )
        return candidate._replace(score=self.score(candidate))

    def base_score(self, found: FoundLink) -> float | None:
        """Return the score before learning, None for a link not to be followed."""
        if self._lists is not None and self._lists.lists(found):
            return LISTED_SCORE
        if self.learner is not None and found.distance:
            # A few terms on a page that was not kept are no recommendation.
            found = found._replace(relevance_share=0.0)
        value = self._scorer.score(found)
        if value is None:
            return None
        bonus = self.bonus.score(found) if self.bonus is not None else 0.0
        return value + bonus + self._find_bucket(found, bonus) * self.step

    def _find_bucket(self, found: FoundLink, bonus: float) -> int:
        """Return 2 for HIGH, 1 for MEDIUM, 0 for NORMAL; 0 if buckets are not strict."""
        if self._strict is None:
            return 0
        return 2 if bonus else min(int(self._strict.score(found) or 0.0), 2)

    def score(self, candidate: Candidate) -> float:
        """Return the score by which a link is queued."""
        if self.learner is None or candidate.base >= LISTED_SCORE:
            return candidate.base
        bucket, bonus = self._split_base(candidate)
        score = self.learner.score(candidate, candidate.base - bucket - bonus)
        return bucket + (score if candidate.distance else score + bonus)

    def learn(self, candidate: Candidate, gain: float) -> bool:
        """Learn the gain of a visit; return True if scores of queued links have changed."""
        if self.learner is None or candidate.base >= LISTED_SCORE:
            return False
        bucket, bonus = self._split_base(candidate)
        return self.learner.learn(candidate, candidate.base - bucket - bonus, gain)

    def _split_base(self, candidate: Candidate) -> tuple[float, float]:
        """Return the contributions of the bucket and of c to the score before learning."""
        bucket = level_of(candidate.base, self.step) * self.step
        bonus = TRANSLATION_BONUS if self.bonus is not None else 0.0
        return bucket, bonus if candidate.base - bucket >= bonus / 2 else 0.0
