"""Pairing stage: every pair of languages of a corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import astuple, replace
from functools import cache

from scrapy.settings import BaseSettings

from ilspfc.add_ons import has_add_on, load
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry
from ilspfc.crawl.index_records import MAX_ANCHOR
from ilspfc.decisions.within import choose_within, score_within
from ilspfc.documents import CrawlInfo, DocumentPair, Paragraph
from ilspfc.exceptions import SettingError, name_known
from ilspfc.line.comparisons import CorpusLexicon, EncodedCorpus, encode_corpus
from ilspfc.line.lexicons import keep_entries, known_entries
from ilspfc.pairing.methods import PAIRING_METHODS, Method, PairingOptions, reconcile
from ilspfc.pairing.outcome import PairingOutcome
from ilspfc.pairing.page_content import PairingReason
from ilspfc.setting_table import split_list
from ilspfc.text.log_odds import to_probability

_WITHIN = "within"
# Upper bound of the log odds of pairs within a page.
_MAX_ODDS = 5.0
# Ranks of reasons: the lowest, closest to a pair, wins.
_RANKS = {reason: rank for rank, reason in enumerate(PairingReason)}


def run_pairing(corpus: Corpus) -> None:
    """Record the candidates of each language pair, and rivals and reasons of the rest."""
    if len(corpus.langs) < 2:
        return
    settings = corpus.settings
    method, known = settings.get("PAIRING_METHOD"), pairing_methods()
    if method not in known:
        raise SettingError(
            f"PAIRING_METHOD={method}: no such method; {name_known(method, known)}"
        )
    options = make_options(settings)
    within = find_within(corpus, options.threshold)
    encoded = encode_corpus(
        corpus,
        corpus.langs,
        {pair.source for pairs in within.values() for pair in pairs},
    )
    # Before any comparison.
    reasons = {
        entry.id: PairingReason.NO_OTHER_LANGUAGE
        for entry in corpus.index.documents_to_pair()
        if entry.lang in corpus.langs
    }
    reasons |= dict.fromkeys(encoded.without_text, PairingReason.NO_TEXT)
    for langs, (documents, outcome) in pair_languages(corpus, encoded, method).items():
        found = [*within.get(langs, ()), *outcome.pairs, *outcome.runners_up]
        corpus.bitext.set_candidates(*langs, found)
        corpus.bitext.set_rivals(*langs, map(astuple, outcome.rivals or ()))
        reasons_of, otherwise = outcome.reasons(options.threshold)
        for document in documents:
            reason = reasons_of.get(document, otherwise)
            reasons[document] = min(reason, reasons[document], key=_RANKS.__getitem__)
    corpus.bitext.set_alone(corpus.langs, reasons)


def find_within(
    corpus: Corpus, threshold: float
) -> dict[tuple[str, str], list[DocumentPair]]:
    """Return the pages with translated text in two languages, each paired with itself."""

    @cache
    def translations(source: str, target: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for one in known_entries(corpus.settings, (source, target)):
            found[one.source].add(one.target)
        return found

    scores, seconds = [], {}
    entries = {entry.id: entry for entry in corpus.index.documents_to_pair()}
    for entry in entries.values():
        texts = _read_texts(corpus, entry)
        if all(one.crawlinfo is not CrawlInfo.OOI_LANG for one in texts):
            continue
        second, odds = score_within(texts, entry.lang, corpus.langs, translations)
        scores.append((entry.id, entry.site, odds))
        seconds[entry.id] = second, odds
    found: dict[tuple[str, str], list[DocumentPair]] = defaultdict(list)
    for identity in choose_within(scores):
        second, odds = seconds[identity]
        both = {entries[identity].lang, second}
        probability = round(float(to_probability(min(odds, _MAX_ODDS))), 4)
        if probability >= threshold:
            langs = next(langs for langs in corpus.language_pairs if both == {*langs})
            pair = DocumentPair(identity, identity, probability, _WITHIN)
            found[langs].append(replace(pair, values=((_WITHIN, probability),)))
    return found


def _read_texts(corpus: Corpus, entry: DocumentEntry) -> list[Paragraph]:
    """Return the text of a page in any language, none if cleaning left only one.

    Titles of other documents that it links to are in no language: they may be translations
    of each other on any list of such documents.
    """
    stored = corpus.stored_reading(entry)
    if not stored.may_be_foreign:
        return []
    sql = (
        "SELECT DISTINCT anchor FROM links JOIN documents ON id = target"
        " WHERE source = ? AND target <> source"
    )
    anchors = "\n".join(anchor for (anchor,) in corpus.index.rows(sql, (entry.id,)))
    texts = []
    for paragraph in stored.decode(is_decided=False).paragraphs:
        if paragraph.crawlinfo is None:
            paragraph.lang = entry.lang
        if paragraph.crawlinfo in {None, CrawlInfo.OOI_LANG}:
            if paragraph.text[:MAX_ANCHOR] in anchors:
                paragraph.lang = None
            texts.append(paragraph)
    return texts


def pair_languages(
    corpus: Corpus, encoded: EncodedCorpus, method: str, *, keep_lexicons: bool = True
) -> dict[tuple[str, str], tuple[list[str], PairingOutcome]]:
    """Return the ids of the documents compared, and the outcome, for each language pair.

    With ``keep_lexicons``, the learned lexicons are stored for other sites.
    """
    settings = corpus.settings
    options = replace(make_options(settings), run=corpus.run_tasks)
    outcomes, documents = {}, {}
    sites = ",".join(sorted({entry.site for entry in corpus.index.documents()}))
    for langs in corpus.language_pairs:
        own = corpus.dictionaries.get(langs, ())
        known = known_entries(settings, langs, without_site=sites, dictionary=own)
        learn = CorpusLexicon(encoded.encoder, *langs, known, run=corpus.run_tasks)
        documents[langs] = encoded.compared(*langs)
        outcomes[langs] = pairing_methods()[method](
            encoded.compare(*langs), options, learn
        )
        if keep_lexicons:
            keep_entries(settings, langs, sites, learn.entries())
    outcomes = reconcile(outcomes, options)
    return {langs: (documents[langs], outcome) for langs, outcome in outcomes.items()}


def make_options(settings: BaseSettings) -> PairingOptions:
    """Return the options of pairing from the settings."""
    return PairingOptions(
        threshold=settings.getfloat("PAIRING_THRESHOLD"),
        min_margin=settings.getfloat("PAIRING_MIN_MARGIN"),
        method=_read_options(split_list(settings, "PAIRING_OPTIONS")),
    )


def _read_options(items: Iterable[str]) -> dict[str, str]:
    """Return the value of each option by name; SettingError if an item has no ``=``."""
    options = {}
    for item in items:
        name, sign, value = item.partition("=")
        if not sign:
            raise SettingError(
                f"PAIRING_OPTIONS={item}: give name=value, as in alpha=0.2"
            )
        options[name.strip()] = value.strip()
    return options


def pairing_methods() -> Mapping[str, Method]:
    """Return the pairing methods by name, including the papers' if installed."""
    if not has_add_on("papers"):
        return PAIRING_METHODS
    papers: Mapping[str, Method] = load(
        "papers.paper_methods.METHODS", "PAIRING_METHOD"
    )
    return {**PAIRING_METHODS, **papers}
