"""Why documents were or were not paired: the candidates of one, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.documents import document_id
from ilspfc.exceptions import ArgumentError
from ilspfc.frontier.url import canonicalize
from ilspfc.language.codes import to_bcp47
from ilspfc.pairing.combined import pair_sites
from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model import shipped_model
from ilspfc.stages.comparisons import encode_corpus
from ilspfc.stages.page_lexicon import CorpusLexicon
from ilspfc.stages.pairing import make_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ilspfc.corpus.entries import DocumentEntry
    from ilspfc.pairing.judged import Judged
    from ilspfc.stages.corpus import Corpus

# Candidates that are shown, the most probable first.
_SHOWN = 5


def explain(corpus: Corpus, url: str) -> Iterator[str]:
    """Yield lines that tell the best candidates of the document at a URL.

    For each other language a table: a candidate a column, what each kind of evidence says
    a row. ArgumentError where the corpus has no such document.
    """
    entry = _find(corpus, url)
    others = [lang for lang in corpus.langs if lang != entry.lang]
    if entry.lang not in corpus.langs:
        raise ArgumentError(
            f"{url}: its language {entry.lang} is not among those that are paired"
            f" ({', '.join(corpus.langs)}); give --langs"
        )
    encoded = encode_corpus(corpus, corpus.langs)
    for other in others:
        langs = sorted((entry.lang, other), key=corpus.langs.index)
        learn = CorpusLexicon(encoded.encoder, langs[0], langs[1])
        sites = pair_sites(
            encoded.compare(langs[0], langs[1]),
            shipped_model(),
            learn,
            rounds=make_options(corpus.settings).rounds,
        )
        yield f"{entry.url} in {to_bcp47(other)}:"
        lines = [line for site in sites for line in _describe(site, entry.id)]
        yield from lines or ["  no candidates"]


def _find(corpus: Corpus, url: str) -> DocumentEntry:
    try:
        identity = document_id(canonicalize(url))
    except ValueError as error:
        raise ArgumentError(f"{error}; give it as https://www.example.org/") from error
    entry = corpus.index.document(identity)
    if entry is None:
        raise ArgumentError(
            f"{url}: no such document in {corpus.files.root}; scrapy url tells why"
        )
    return entry


def _describe(judged: Judged, identity: str) -> Iterator[str]:
    """Yield the table of a document's candidates, if the site has it."""
    candidates, comparison = judged.candidates, judged.comparison
    for owners, others, own, other in (
        (candidates.rows, candidates.columns, comparison.left, comparison.right),
        (candidates.columns, candidates.rows, comparison.right, comparison.left),
    ):
        rows = [n for n, d in enumerate(own.documents) if d.id == identity]
        places = np.nonzero(np.isin(owners, rows))[0]
        if not len(places):
            continue
        order = np.lexsort((others[places], -judged.probabilities[places]))
        best = places[order[:_SHOWN]]
        chosen = set(judged.chosen.tolist())
        for number, place in enumerate(best.tolist(), 1):
            mark = ", the pair" if place in chosen else ""
            yield (
                f"  {number}. {other.documents[others[place]].url}"
                f" p={judged.probabilities[place]:.3f}{mark}"
            )
        yield "  " + " " * 16 + "".join(f"{n:>8}" for n in range(1, len(best) + 1))
        for column, evidence in enumerate(EVIDENCE):
            values = judged.values[best, column]
            if values.any():
                yield f"  {evidence.name:16}" + "".join(f"{v:8.3f}" for v in values)
