"""Shift of the relevance of documents between two versions of a domain definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.crawl.domain_terms import make_matchers, make_thresholds

if TYPE_CHECKING:
    from ilspfc.classification.definition import Domain
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry


class Shift(NamedTuple):
    """Relevance of a document by two definitions, in median terms of each.

    ``is_kept`` tells whether it is about the subject by the second one.
    """

    entry: DocumentEntry
    before: float
    after: float
    is_kept: bool


def shift_relevance(
    corpus: Corpus, old: Domain, new: Domain, max_documents: int
) -> Iterator[Shift]:
    """Yield what two definitions make of the documents, of a sample if they are many."""
    scorers = [RelevanceScorer(make_matchers(one, corpus.langs)) for one in (old, new)]
    units = [one.median_weight() or 1.0 for one in (old, new)]
    thresholds = make_thresholds(new, corpus.settings)
    entries = corpus.index.documents()
    for entry in entries[:: -(-len(entries) // max_documents) or 1]:
        document = corpus.read(entry)
        document.relevance = 0.0
        found = []
        for scorer, unit in zip(scorers, units, strict=True):
            scorer.score(document)
            found.append(document.relevance / unit)
        yield Shift(entry, found[0], found[1], thresholds.accept(document))
