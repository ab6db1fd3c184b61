"""Work of all stages on a page, in one call of a worker.

The bytes of a page go in; the finished document and a verdict per stage come back. The text
stays in the worker, unless the rules say otherwise: the crawler gets the body of the cesDoc
file and keys of the paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.utils.conf import build_component_list

from ilspfc.classification.genre import shipped_model
from ilspfc.classification.perplexity.page_perplexity import UNKNOWN_LOG10
from ilspfc.classification.relevance import (
    ClassificationReason,
    RelevanceScorer,
    Thresholds,
)
from ilspfc.classification.terms import UnwantedWords
from ilspfc.cleaning.files.formats import format_of
from ilspfc.cleaning.files.office import clean_file
from ilspfc.cleaning.page import (
    HTML_TYPES,
    CleaningReason,
    clean_page,
    count_clean_tokens,
    mime_type,
)
from ilspfc.crawl.domain_terms import (
    make_matchers,
    make_page_features,
    make_thresholds,
    read_unwanted,
)
from ilspfc.crawl.domain_texts import load_models, measure_document
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.learned_relevance import DecidesBy, is_learning
from ilspfc.crawl.scorers import make_buckets
from ilspfc.crawl.text_options import cleaning_options, language_texts
from ilspfc.documents import Document, Link
from ilspfc.frontier.traps.seen_text import read_keys
from ilspfc.language.identification import LanguageReason, page_identifier
from ilspfc.optout.policy import (
    OptOut,
    OptOutPolicy,
    OptOutReason,
    decide_page,
    describe,
)
from ilspfc.web.address import Addresses
from ilspfc.web.link_header import alternates, licenses

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.classification.definition import Domain
    from ilspfc.classification.perplexity.buckets import Buckets
    from ilspfc.crawl.arguments import CrawlArguments


_WARM_UP = FetchedPage(
    url="http://example.org/",
    id="",
    fetched_at="",
    depth=0,
    body=b'<p>Some text.<p class="date">1 May 2026',
    content_type="text/html",
)


@dataclass(frozen=True, slots=True)
class PageRules:
    """The rules of a crawl, as they travel to its workers.

    ``language_texts`` are the files that languages are learned from; ``page_options`` are for
    :func:`~ilspfc.cleaning.clean_page`; :func:`~ilspfc.cleaning.clean_file` reads the
    formats in ``formats``. With ``is_learned_deciding``, pages that the terms are against
    are made ready for export as well: the crawler decides. With ``keeps_paragraphs``, the paragraphs go back to the crawler.
    """

    langs: tuple[str, ...]
    language_texts: tuple[tuple[str, Path], ...] = ()
    page_options: Mapping[str, Any] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    policy: OptOutPolicy = OptOutPolicy.SKIP
    user_agent: str = ""
    min_tokens: int = 0
    domain: Domain | None = None
    domain_texts: Mapping[str, Path] = field(default_factory=dict)
    unknown_log10: float = UNKNOWN_LOG10
    buckets: Buckets | None = None
    thresholds: Thresholds = field(default_factory=lambda: Thresholds(0, 0))
    unwanted: tuple[str, ...] = ()
    is_learning: bool = False
    is_learned_deciding: bool = False
    keeps_paragraphs: bool = False


def make_rules(arguments: CrawlArguments, settings: BaseSettings) -> PageRules:
    """Return the rules of a crawl; SettingError if a setting is wrong."""
    return PageRules(
        langs=arguments.langs,
        language_texts=language_texts(settings),
        page_options=cleaning_options(settings),
        formats=tuple(settings.getlist("CLEANING_FORMATS")),
        policy=OptOutPolicy(settings["OPTOUT_POLICY"]),
        user_agent=settings["USER_AGENT"],
        min_tokens=settings.getint("LANGUAGE_MIN_TOKENS"),
        domain=arguments.domain,
        domain_texts=dict(arguments.domain_texts),
        unknown_log10=settings.getfloat("CLASSIFICATION_UNKNOWN_LOG10"),
        buckets=make_buckets(arguments, settings),
        thresholds=make_thresholds(arguments.domain, settings),
        unwanted=read_unwanted(settings),
        is_learning=is_learning(settings),
        is_learned_deciding=settings["CLASSIFICATION_DECIDES_BY"] == DecidesBy.LEARNED,
        keeps_paragraphs=_has_own_pipelines(settings),
    )


def _has_own_pipelines(settings: BaseSettings) -> bool:
    """Test whether the project has item pipelines beside those of this package."""
    parts = build_component_list(settings["ITEM_PIPELINES"])
    paths = (part if isinstance(part, str) else part.__module__ for part in parts)
    return any(not path.startswith("ilspfc.pipelines.") for path in paths)


class PageWorker:
    """Works on the pages of one crawl, one after the other; made once a process."""

    def __init__(self, rules: PageRules) -> None:
        self._rules = rules
        self._identifier = page_identifier(rules.langs, rules.language_texts)
        matchers = make_matchers(rules.domain, rules.langs)
        self._scorer = RelevanceScorer(matchers) if matchers else None
        self._features = {}
        if rules.is_learning and matchers:
            self._features = {lang: make_page_features(lang) for lang in rules.langs}
        self._genres = shipped_model()
        self._unwanted = UnwantedWords(rules.unwanted)
        self._models = load_models(rules.domain_texts, rules.unknown_log10)
        # Loads what is loaded at the first use, which must not be charged to a page.
        self.work(_WARM_UP)

    def work(self, page: FetchedPage) -> PageWork:
        """Take a page through the stages, up to the first that drops it."""
        document = self._clean(page)
        if isinstance(document, CleaningReason):
            is_reserved = self._decide_optout(page, None).reserved
            return PageWork(verdicts={"cleaning": document}, is_reserved=is_reserved)
        opt_out = self._decide_optout(page, document)
        work = PageWork(document, is_reserved=opt_out.reserved)
        work.cleaned = work.text = read_keys(page.url, document.paragraphs)
        for stage, judge in (
            ("cleaning", lambda: _check(document)),
            ("optout", lambda: self._check_optout(opt_out, document)),
            ("language", lambda: self._identify(document, work)),
            ("classification", lambda: self._classify(document, work)),
        ):
            work.verdicts[stage] = reason = judge()
            if reason is not None:
                break
        if not self._rules.keeps_paragraphs:
            is_off_by_terms = work.verdicts.get("classification") is not None
            if reason is None or (is_off_by_terms and self._rules.is_learned_deciding):
                work.render(document)
            work.document = replace(document, paragraphs=[])
        return work

    def _clean(self, page: FetchedPage) -> Document | CleaningReason:
        """Call ``clean_page``, or ``clean_file`` for PDF and Word files."""
        rules, mime = self._rules, mime_type(page.content_type)
        addresses = Addresses(page.url)
        given: dict[str, Any] = {
            "url": page.url,
            "identity": page.id,
            "robots_header": page.robots_header,
            "license_links": licenses(page.link_header, addresses),
        }
        name = format_of(mime, page.url, rules.formats)
        if name is not None:
            least = rules.page_options.get("min_paragraph_tokens", 3)
            result = clean_file(page.body, name, min_paragraph_tokens=least, **given)
        else:
            given["content_type"] = page.content_type
            result = clean_page(page.body, **given, **rules.page_options)
        if isinstance(result, Document):
            result.fetched_at, result.depth = page.fetched_at, page.depth
            result.sources = tuple(filter(None, [page.payload_digest]))
            versions = alternates(page.link_header, addresses)
            result.unusable += addresses.unusable
            result.links[:0] = [
                Link(url, rel="alternate", hreflang=lang) for lang, url in versions
            ]
        return result

    def _decide_optout(self, page: FetchedPage, document: Document | None) -> OptOut:
        """Decide whether a page is reserved, by its own signals and those of its site."""
        if self._rules.policy is OptOutPolicy.IGNORE:
            return OptOut()
        return decide_page(page.signals, document, self._rules.user_agent)

    def _check_optout(self, opt_out: OptOut, document: Document) -> OptOutReason | None:
        document.optouts = tuple(map(describe, opt_out.signals))
        document.is_reserved = opt_out.reserved
        return OptOutReason.RESERVED if self._rules.policy.drops(opt_out) else None

    def _identify(self, document: Document, work: PageWork) -> LanguageReason | None:
        rules, paragraphs = self._rules, document.paragraphs
        declared = document.metadata.declared_lang
        document.lang = self._identifier.identify_page(paragraphs, declared)
        if document.lang not in rules.langs:
            self._measure(document, work)
            return LanguageReason.OTHER_LANGUAGE
        document.tokens = count_clean_tokens(paragraphs)
        # Only now is it known which paragraphs are clean text in the language.
        self._measure(document, work)
        is_short = document.tokens < rules.min_tokens
        return LanguageReason.TOO_SHORT if is_short else None

    def _measure(self, document: Document, work: PageWork) -> None:
        """Measure the perplexity of a page, unless the crawl has no texts in its language."""
        rules, lang = self._rules, document.lang
        is_unknown = lang in rules.langs and lang not in self._models
        if self._models and rules.buckets is not None and not is_unknown:
            work.entropy = measure_document(document, self._models, rules.buckets)

    def _classify(
        self, document: Document, work: PageWork
    ) -> ClassificationReason | None:
        """Score a page by the domain's terms and texts; without a domain all are kept."""
        thresholds = self._rules.thresholds
        reason = None
        if self._scorer is not None:
            self._scorer.score(document)
            reason = thresholds.reason(document)
        if document.lang in self._features:
            texts = (paragraph.text for paragraph in document.clean_paragraphs)
            work.words = self._features[document.lang].read(texts)
        is_unlike = document.perplexity > thresholds.perplexity
        if reason is None and document.bucket and is_unlike:
            reason = ClassificationReason.HIGH_PERPLEXITY
        if reason is None and self._unwanted.are_in(
            (document.metadata.title, *(p.text for p in document.clean_paragraphs))
        ):
            reason = ClassificationReason.UNWANTED_WORD
        if reason is None and document.mime in HTML_TYPES:
            found = self._genres.judge(document)
            document.genre, document.genre_probability = found
        return reason


def _check(document: Document) -> CleaningReason | None:
    """Return the reason for not using a document, None for a usable one."""
    if not document.index:
        return CleaningReason.NO_INDEX
    if document.needs_javascript:
        return CleaningReason.NEEDS_JAVASCRIPT
    return None if document.paragraphs else CleaningReason.EMPTY
