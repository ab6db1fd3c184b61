"""What a page costs: the work of all stages on it, in one call of a worker.

Bytes go in; what the pipelines look at comes back. The text itself stays in the worker,
unless the rules say otherwise: the crawler gets the body of the cesDoc file, keys of the
paragraphs and what the stages found. It is glue: each step calls its stage and says whether the page ends there, and the
pipeline of the stage then drops it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ilspfc.classification.relevance import (
    ClassificationReason,
    RelevanceScorer,
)
from ilspfc.cleaning import (
    CleaningReason,
    SiteReviser,
    clean_file,
    clean_page,
    count_clean_tokens,
    format_of,
    mime_type,
)
from ilspfc.corpus.text_digest import text_digest
from ilspfc.corpus.xml import format_paragraphs
from ilspfc.crawl.domain_terms import (
    make_matchers,
    make_page_features,
)
from ilspfc.crawl.domain_texts import load_models
from ilspfc.documents import Document, Link
from ilspfc.frontier.traps.seen_text import TextKeys, read_keys
from ilspfc.language.identification import LanguageReason, page_identifier
from ilspfc.optout.policy import OptOutPolicy, OptOutReason, decide_page, describe
from ilspfc.web.address import Addresses
from ilspfc.web.link_header import alternates, licenses
from ilspfc.web.urls import site_of

if TYPE_CHECKING:
    from enum import StrEnum

    from ilspfc.classification.learned import PageWords
    from ilspfc.cleaning import PagePrints, RecurringTexts, SiteTexts
    from ilspfc.crawl.page_rules import PageRules
    from ilspfc.documents import Page
    from ilspfc.optout.signals import Signal


class PageTask(NamedTuple):
    """A fetched page as it goes into a worker; fields as in Page.

    ``recurring`` is what recurs on the pages of its site, as far as that is known.
    """

    url: str
    id: str
    body: bytes
    content_type: str = ""
    link_header: str = ""
    robots_header: str = ""
    signals: tuple[Signal, ...] = ()
    recurring: RecurringTexts | None = None


def make_task(page: Page, texts: SiteTexts | None) -> PageTask:
    """Return the task of a page; ``texts`` count what recurs on the pages of its site."""
    return PageTask(
        url=page.url,
        id=page.id,
        body=page.body,
        content_type=page.content_type,
        link_header=page.link_header,
        robots_header=page.robots_header,
        signals=cast("tuple[Signal, ...]", page.signals),
        recurring=texts.known(site_of(page.url)) if texts is not None else None,
    )


_WARM_UP = PageTask(
    "http://example.org/", "", b'<p>Some text.<p class="date">1 May 2026', "text/html"
)


class Scores(NamedTuple):
    """What classification measured; fields as in Document."""

    relevance: float = 0.0
    terms: int = 0
    subdomains: tuple[str, ...] = ()
    perplexity: float = inf


@dataclass(slots=True)
class PageWork:
    """What came of a page.

    ``stage`` is the stage that ends its way, for ``reason``; what later stages would have
    found is then missing. ``document`` is that of cleaning, without its paragraphs, None
    where cleaning could make none; ``cleaned`` are the keys of its text, and ``text`` those
    after language identification, which takes paragraphs out of the clean text. ``words``
    are for learned relevance. ``prints`` are the fingerprints of its blocks, ``recurring``
    the number of blocks that are boilerplate for they recur on the site. ``body`` is that
    of the cesDoc file, ``digest`` that of the text, and two numbers say how many paragraphs
    there are: see :meth:`render`.
    """

    document: Document | None = None
    stage: str = ""
    reason: StrEnum | None = None
    cleaned: TextKeys | None = None
    text: TextKeys | None = None
    optouts: tuple[str, ...] = ()
    is_reserved: bool = False
    lang: str = ""
    tokens: int = 0
    scores: Scores = field(default_factory=Scores)
    words: PageWords | None = None
    prints: PagePrints | None = None
    recurring: int = 0
    body: bytes = b""
    digest: str = ""
    paragraphs: int = 0
    clean_paragraphs: int = 0

    def render(self, document: Document) -> None:
        """Make of a document's paragraphs what export needs of them."""
        self.digest = text_digest(document)
        self.body = format_paragraphs(document.paragraphs)
        self.paragraphs = len(document.paragraphs)
        self.clean_paragraphs = len(document.clean_paragraphs)


class PageWorker:
    """Works on the pages of one crawl, one after the other; made once a process."""

    def __init__(self, rules: PageRules) -> None:
        self._rules = rules
        self._identifier = page_identifier(rules.langs, **rules.identification)
        matchers = make_matchers(rules.domain, rules.langs)
        self._scorer = RelevanceScorer(matchers) if matchers else None
        self._features = {}
        if rules.is_learning and matchers:
            self._features = {lang: make_page_features(lang) for lang in rules.langs}
        self._models = load_models(rules.domain_texts)
        # What is loaded when it is first used must not be charged to a page.
        self.work(_WARM_UP)

    def work(self, task: PageTask) -> PageWork:
        """Take a page through the stages, as far as it gets."""
        reviser = SiteReviser(task.recurring) if self._rules.is_counting else None
        document = self._clean(task, reviser)
        if isinstance(document, CleaningReason):
            return PageWork(stage="cleaning", reason=document)
        keeps = self._rules.keeps_paragraphs
        work = PageWork(document if keeps else replace(document, paragraphs=[]))
        if reviser is not None:
            work.prints, work.recurring = reviser.page, reviser.marked
        work.cleaned = work.text = read_keys(task.url, document.paragraphs)
        reason: StrEnum | None = _check(document)
        if reason is not None:
            work.stage, work.reason = "cleaning", reason
        elif (reason := self._read_optouts(task, document, work)) is not None:
            work.stage, work.reason = "optout", reason
        elif (reason := self._identify(document, work)) is not None:
            work.stage, work.reason = "language", reason
        elif (reason := self._classify(document, work)) is not None:
            work.stage, work.reason = "classification", reason
        elif not keeps:
            work.render(document)
        return work

    def _clean(
        self, task: PageTask, reviser: SiteReviser | None
    ) -> Document | CleaningReason:
        """Call ``clean_page``, or ``clean_file`` for PDF and Word files."""
        rules, mime = self._rules, mime_type(task.content_type)
        addresses = Addresses(task.url)
        given: dict[str, Any] = {
            "url": task.url,
            "identity": task.id,
            "robots_header": task.robots_header,
            "license_links": licenses(task.link_header, task.url, addresses),
        }
        name = format_of(mime, task.url, rules.formats)
        if name is not None:
            result = clean_file(task.body, name, **given, **rules.file_options)
        else:
            given["content_type"] = task.content_type
            given["revise"] = reviser.revise if reviser is not None else None
            result = clean_page(task.body, **given, **rules.page_options)
        if isinstance(result, Document):
            versions = alternates(task.link_header, task.url, addresses)
            result.unusable += addresses.unusable
            result.links[:0] = [
                Link(url, rel="alternate", hreflang=lang) for lang, url in versions
            ]
        return result

    def _read_optouts(
        self, task: PageTask, document: Document, work: PageWork
    ) -> OptOutReason | None:
        policy = self._rules.policy
        if policy is OptOutPolicy.IGNORE:
            return None
        opt_out = decide_page(task.signals, document, self._rules.user_agent)
        document.optouts = work.optouts = tuple(map(describe, opt_out.signals))
        document.is_reserved = work.is_reserved = opt_out.reserved
        return OptOutReason.RESERVED if policy.drops(opt_out) else None

    def _identify(self, document: Document, work: PageWork) -> LanguageReason | None:
        rules, paragraphs = self._rules, document.paragraphs
        marked = [p.crawlinfo for p in paragraphs]
        declared = document.metadata.declared_lang
        document.lang = work.lang = self._identifier.identify_page(paragraphs, declared)
        if document.lang not in rules.langs:
            return LanguageReason.OTHER_LANGUAGE
        document.tokens = work.tokens = count_clean_tokens(paragraphs)
        if marked != [p.crawlinfo for p in paragraphs]:
            work.text = read_keys(document.url, paragraphs)
        # Only now is it known which paragraphs are clean text in the language.
        is_short = document.tokens < rules.min_tokens
        return LanguageReason.TOO_SHORT if is_short else None

    def _classify(
        self, document: Document, work: PageWork
    ) -> ClassificationReason | None:
        """Score a page by the domain's terms and texts; without a domain all are kept."""
        thresholds = self._rules.thresholds
        is_measured = self._models is not None and self._models.measure(document)
        reason = None
        if self._scorer is not None:
            self._scorer.score(document)
            reason = thresholds.reason(document)
        work.scores = Scores(
            document.relevance,
            document.terms,
            document.subdomains,
            document.perplexity,
        )
        if document.lang in self._features:
            texts = (paragraph.text for paragraph in document.clean_paragraphs)
            work.words = self._features[document.lang].read(texts)
        is_unlike = is_measured and document.perplexity > thresholds.perplexity
        if reason is None and is_unlike:
            reason = ClassificationReason.HIGH_PERPLEXITY
        return reason


def _check(document: Document) -> CleaningReason | None:
    """Return why a document is not used."""
    if not document.index:
        return CleaningReason.NO_INDEX
    return None if document.paragraphs else CleaningReason.EMPTY
