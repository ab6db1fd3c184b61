"""Subject of a corpus: the decision on documents about the domain, at the end of a crawl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.classification.learned import Example, load_learners
from ilspfc.corpus.counts import judged_pages
from ilspfc.corpus.records import DocumentEntry
from ilspfc.crawl.domain_terms import make_page_features
from ilspfc.crawl.learned_relevance import DecidesBy
from ilspfc.decisions.subject import (
    SubjectReason,
    join_translations,
    neighbor_evidence,
    pool_odds,
    subject_odds,
    term_evidence,
    to_odds,
)
from ilspfc.text.arrays import FloatArray
from ilspfc.text.log_odds import to_probability

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus


def decide_subject(corpus: Corpus, pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Record the probability that documents are about the domain; return off-topic ones.

    ``pairs`` are the ids of documents that translate each other. Files are moved
    accordingly. Without domain terms, or if terms alone decide, no document is off-topic.
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
    off = {identity for identity, p in probabilities.items() if p < bound}
    files, number = corpus.files, 0
    corpus.index.set_subject(probabilities, off)
    for entry in entries:
        if not entry.duplicate_of:
            is_off = entry.id in off
            number += is_off
            files.place_document(
                entry.file, files.off_topic if is_off else files.documents
            )
    drops: dict[str, int] = {SubjectReason.OFF_TOPIC: number} if number else {}
    corpus.index.set_drops("decisions", drops)
    return off


def _judge(
    corpus: Corpus, entries: list[DocumentEntry], unit: float, decides: DecidesBy
) -> FloatArray:
    """Return the log odds that documents are about the domain, ignoring translations."""
    learned = np.array(list(_iter_learned(corpus, entries, unit, decides)))
    if decides is DecidesBy.LEARNED:
        # Without a model, the terms have already decided.
        return np.where(np.isnan(learned), np.inf, learned)
    relevance, tokens = (
        np.array([(entry.relevance, entry.tokens) for entry in entries], float)
        .reshape(-1, 2)
        .T
    )
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
    for identity, lang in judged_pages(corpus.index):
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
