"""Explanation of pairing: the candidates of a document, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry
from ilspfc.documents import PairState, document_id
from ilspfc.exceptions import ArgumentError
from ilspfc.line.comparisons import encode_corpus
from ilspfc.line.decisions import decide
from ilspfc.line.pairing import pair_languages
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.outcome import ScoredCandidates
from ilspfc.text.codes import to_bcp47
from ilspfc.web.urls import canonicalize_given

_VERDICTS = {
    PairState.PAIR: ", the pair",
    PairState.TAKEN: "",
    PairState.NOT_PARALLEL: ", not parallel when aligned",
    PairState.UNSURE: ", below the threshold",
    PairState.OFF_TOPIC: ", a pair that is not about the domain",
}
# Maximum number of candidates to show, the most probable first.
_SHOWN = 5


def explain(corpus: Corpus, url: str) -> Iterator[str]:
    """Yield lines that describe the best candidates of the document at a URL.

    There is a table for each other language, with a column for each candidate and a row for
    each kind of evidence. ArgumentError if the corpus has no such document.
    """
    entry = _find(corpus, url)
    others = [lang for lang in corpus.langs if lang != entry.lang]
    if entry.lang not in corpus.langs:
        raise ArgumentError(
            f"{url}: its language {entry.lang} is not among the languages to pair"
            f" ({', '.join(corpus.langs)}); give --langs"
        )
    encoded = encode_corpus(corpus, corpus.langs)
    paired = pair_languages(corpus, encoded, "combined", keep_lexicons=False)
    for other in others:
        first, second = sorted((entry.lang, other), key=corpus.langs.index)
        _, outcome = paired[first, second]
        yield f"{entry.url} in {to_bcp47(other)}:"
        candidates = [*outcome.pairs, *outcome.runners_up]
        verdicts = {
            (pair.source, pair.target): _VERDICTS[state]
            for pair, state in decide(corpus, (first, second), candidates).items()
        }
        lines = [
            line
            for site in outcome.scored
            for line in _describe(corpus, site, entry.id, verdicts)
        ]
        if entry.id in encoded.without_text:
            lines = ["  no text to compare"]
        yield from lines or ["  no candidates"]


def _find(corpus: Corpus, url: str) -> DocumentEntry:
    entry = corpus.index.document(document_id(canonicalize_given(url)))
    if entry is None:
        raise ArgumentError(
            f"{url}: no such document in {corpus.files.root}; scrapy url tells why"
        )
    if entry not in corpus.index.documents_to_pair():
        survivor = corpus.index.document(entry.duplicate_of)
        raise ArgumentError(
            f"{url}: a duplicate of {survivor.url if survivor else entry.duplicate_of}, not"
            " compared; give that URL"
        )
    return entry


def _describe(
    corpus: Corpus,
    scored: ScoredCandidates,
    identity: str,
    verdicts: Mapping[tuple[str, str], str],
) -> Iterator[str]:
    """Yield the table of a document's candidates, if the site has the document.

    ``verdicts`` are remarks on candidates, by the ids of both documents.
    """
    candidates = scored.candidates
    for owners, others, own, other in (
        (candidates.rows, candidates.columns, scored.left, scored.right),
        (candidates.columns, candidates.rows, scored.right, scored.left),
    ):
        rows = [n for n, document in enumerate(own) if document == identity]
        places = np.nonzero(np.isin(owners, rows))[0]
        if not len(places):
            continue
        order = np.lexsort((others[places], -scored.probabilities[places]))
        best = places[order[:_SHOWN]]
        for number, place in enumerate(best.tolist(), 1):
            source = scored.left[candidates.rows[place]]
            target = scored.right[candidates.columns[place]]
            mark = verdicts.get((source, target), "")
            shown = corpus.index.document(other[others[place]])
            yield (
                f"  {number}. {shown.url if shown else other[others[place]]}"
                f" p={scored.probabilities[place]:.3f}{mark}"
            )
        yield "  " + " " * 16 + "".join(f"{n:>8}" for n in range(1, len(best) + 1))
        for column, evidence in enumerate(EVIDENCE):
            values = scored.values[best, column]
            if values.any():
                yield f"  {evidence.name:16}" + "".join(f"{v:8.3f}" for v in values)
