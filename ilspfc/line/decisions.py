"""Decisions stage: the pairs among the candidates of pairing, and documents off the subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np

from ilspfc.atomic import write_lines
from ilspfc.classification.learned import Example, load_learners
from ilspfc.corpus import counts as figures
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.crawl.domain_terms import make_page_features
from ilspfc.crawl.learned_relevance import DecidesBy
from ilspfc.decisions.pairs import MAX_NULL_SHARE, Figures, decide_pairs
from ilspfc.decisions.subject import (
    SubjectReason,
    join_translations,
    neighbor_evidence,
    pool_odds,
    subject_odds,
    term_evidence,
    to_odds,
)
from ilspfc.decisions.variants import keep_variants
from ilspfc.documents import DocumentPair, PairState
from ilspfc.setting_table import split_list
from ilspfc.text.arrays import FloatArray
from ilspfc.text.codes import to_bcp47
from ilspfc.text.log_odds import to_probability

_COLUMNS = (
    "url1 url2 probability evidence file1 file2 tokens1 tokens2"
    " margin null_share mean_score remark"
)


def run_decisions(corpus: Corpus) -> None:
    """Record the state of every candidate and write ``pairs/<l1>-<l2>.tsv``.

    Off-topic documents are set aside, and their pairs dropped. Unpaired documents and losses
    of alignment are counted by reason.
    """
    bitext = corpus.bitext
    decided = {
        langs: decide(corpus, langs, bitext.candidate_pairs(*langs))
        for langs in dict.fromkeys([*corpus.language_pairs, *bitext.language_pairs()])
    }
    every = [
        (pair.source, pair.target)
        for states in decided.values()
        for pair, state in states.items()
        if state is PairState.PAIR and pair.source != pair.target
    ]
    off = decide_subject(corpus, every)
    for langs, states in decided.items():
        for pair, state in states.items():
            if state is PairState.PAIR and off & {pair.source, pair.target}:
                states[pair] = PairState.OFF_TOPIC
        bitext.set_states(*langs, states)
        _write_pairs(corpus, langs)
    corpus.index.set_drops("pairing", figures.count_unpaired(corpus.index))
    if losses := bitext.losses():
        corpus.index.set_drops("alignment", losses)


def decide(
    corpus: Corpus, langs: tuple[str, str], candidates: Iterable[DocumentPair]
) -> dict[DocumentPair, PairState]:
    """Return the decision on candidates of two languages."""
    figures = {
        key: Figures(*pair) for key, pair in corpus.bitext.figures(*langs).items()
    }
    threshold = corpus.settings.getfloat("PAIRING_THRESHOLD")
    states = decide_pairs(candidates, figures, threshold=threshold)
    return keep_variants(states, partial(_read_variant, corpus))


def _read_variant(corpus: Corpus, identity: str) -> str:
    """Return the language tag that a page declares, empty for none or a wrong one."""
    entry = corpus.index.document(identity)
    try:
        return to_bcp47(corpus.reading(entry).declared_lang) if entry else ""
    except ValueError:
        return ""


def _write_pairs(corpus: Corpus, langs: tuple[str, str]) -> None:
    """Write the list of pairs, the most probable first."""
    rows = chain([_COLUMNS.split()], map(_make_row, corpus.bitext.pairs(*langs)))
    lines = ("\t".join(" ".join(str(cell).split()) for cell in row) for row in rows)
    write_lines(corpus.files.pairs_file(*map(to_bcp47, langs)), lines)


def _make_row(entry: PairEntry) -> Sequence[object]:
    source, target, pair = entry.source, entry.target, entry.pair
    return (
        source.url,
        target.url,
        f"{pair.probability:.4f}",
        pair.evidence,
        source.path,
        target.path,
        source.tokens,
        target.tokens,
        f"{pair.margin:.4f}",
        *_format_figures(entry),
    )


def _format_figures(entry: PairEntry) -> tuple[str, str, str]:
    """Return null share, mean score and remark of a pair, empty before it is aligned."""
    if entry.null_share is None or entry.mean_score is None:
        return "", "", ""
    remark = "partial" if entry.null_share > MAX_NULL_SHARE else ""
    return f"{entry.null_share:.4f}", f"{entry.mean_score:.4f}", remark


# -- the subject of documents ------------------------------------------------------------


def decide_subject(corpus: Corpus, pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Record the probability that documents are about the domain; return those put apart.

    These are off-topic, or of a genre that is not wanted. ``pairs`` are the ids of documents
    that translate each other. Files are moved accordingly. Without domain terms, or if terms
    alone decide, no document is off-topic.
    """
    entries = corpus.index.documents_to_pair()
    unit = float(corpus.run.get("domain_unit") or 0.0)
    decides = DecidesBy(corpus.settings.get("CLASSIFICATION_DECIDES_BY"))
    probabilities: dict[str, float] = {}
    if unit > 0 and decides is not DecidesBy.TERMS:
        odds = _judge(corpus, entries, unit, decides)
        places = {entry.id: place for place, entry in enumerate(entries)}
        inside = ((places[a], places[b]) for a, b in pairs if {a, b} <= places.keys())
        found = to_probability(join_translations(odds, inside)).tolist()
        probabilities = dict(zip(places, found, strict=True))
    bound = corpus.settings.getfloat("DECISIONS_MIN_RELEVANCE")
    wanted = split_list(corpus.settings, "DECISIONS_GENRES")
    reasons: dict[str, str] = {
        entry.id: SubjectReason.GENRE
        for entry in entries
        if wanted and entry.genre not in wanted
    }
    for identity, p in probabilities.items():
        if p < bound:
            reasons[identity] = SubjectReason.OFF_TOPIC
    files, drops = corpus.files, Counter[str]()
    corpus.index.set_subject(probabilities, reasons)
    for entry in entries:
        if not entry.duplicate_of:
            reason = reasons.get(entry.id)
            if reason:
                drops[reason] += 1
            folder = files.off_topic if reason else files.documents
            files.place_document(entry.file, folder)
    corpus.index.set_drops("decisions", drops)
    return set(reasons)


def _judge(
    corpus: Corpus, entries: list[DocumentEntry], unit: float, decides: DecidesBy
) -> FloatArray:
    """Return the log odds that documents are about the domain, ignoring translations."""
    learned = np.array(list(_iter_learned(corpus, entries, unit, decides)))
    if decides is DecidesBy.LEARNED:
        # Without a model, the terms have already decided.
        return np.where(np.isnan(learned), np.inf, learned)
    relevance = np.array([entry.relevance for entry in entries], float)
    tokens = np.array([entry.tokens for entry in entries], float)
    values = term_evidence(relevance, tokens, unit)
    neighbors = _gather_neighbors(corpus, entries, values)
    return pool_odds(subject_odds(values, neighbors), learned)


def _gather_neighbors(
    corpus: Corpus, entries: list[DocumentEntry], values: FloatArray
) -> FloatArray:
    """Return the evidence from the neighbors of each document in its language.

    Dropped pages are neighbors too, with no terms.
    """
    places = {entry.id: place for place, entry in enumerate(entries)}
    langs = {entry.id: entry.lang for entry in entries}
    for identity, lang in figures.judged_pages(corpus.index):
        places.setdefault(identity, len(places))
        langs.setdefault(identity, lang)
    links = (
        (places[source], places[target])
        for source, target in corpus.index.rows("SELECT source, target FROM links")
        if source in places and target in places and langs[source] == langs[target]
    )
    dropped = np.zeros(len(places) - len(values))
    return neighbor_evidence(np.concatenate([values, dropped]), links)[: len(values)]


def _iter_learned(
    corpus: Corpus, entries: list[DocumentEntry], unit: float, decides: DecidesBy
) -> Iterator[float]:
    """Yield the learned log odds of each document, NaN if the crawl learned no model.

    If terms decide as well, the log odds are those of the words alone.
    """
    learners = load_learners(corpus.files.relevance)
    models = {lang: one.model for lang, one in learners.items() if one.model}
    readers = {lang: make_page_features(lang) for lang in models}
    for entry in entries:
        model = models.get(entry.lang)
        if model is None:
            yield np.nan
            continue
        texts = (one.text for one in corpus.reading(entry).clean_paragraphs)
        relevance = entry.relevance / unit
        density = 1000 * relevance / max(entry.tokens, 1)
        example = Example(*readers[entry.lang].read(texts), relevance, density, 0.0)
        if decides is DecidesBy.LEARNED:
            yield float(to_odds([model.probability(example)])[0])
        else:
            yield model.word_odds(example)
