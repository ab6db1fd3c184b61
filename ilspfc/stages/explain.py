"""Why documents were or were not paired: the candidates of one, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.documents import document_id
from ilspfc.exceptions import ArgumentError
from ilspfc.frontier.url import canonicalize
from ilspfc.language.codes import to_bcp47
from ilspfc.pairing.cascade import assign
from ilspfc.pairing.combined import pair_sites
from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model import shipped_model
from ilspfc.pairing.outcome import iter_pairs, iter_spares
from ilspfc.stages.comparisons import encode_corpus
from ilspfc.stages.pairing import make_lexicon, make_options
from ilspfc.stages.pairs import find_not_parallel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    options = make_options(corpus.settings)
    for other in others:
        first, second = sorted((entry.lang, other), key=corpus.langs.index)
        sites = pair_sites(
            encoded.compare(first, second),
            shipped_model(),
            make_lexicon(corpus, encoded, (first, second)),
            rounds=options.rounds,
        )
        yield f"{entry.url} in {to_bcp47(other)}:"
        refused = find_not_parallel(corpus, (first, second))
        verdicts = dict.fromkeys(refused, ", not parallel when aligned")
        for site in sites:
            spares = iter_spares(site, options.threshold, options.min_margin)
            pairs = [*iter_pairs(site, options.threshold, options.min_margin), *spares]
            free = [pair for pair in pairs if (pair.source, pair.target) not in refused]
            verdicts |= {(p.source, p.target): ", the pair" for p in assign(free)}
        lines = [line for site in sites for line in _describe(site, entry.id, verdicts)]
        if entry.id in encoded.without_text:
            lines = ["  no text to compare"]
        yield from lines or ["  no candidates"]


def _find(corpus: Corpus, url: str) -> DocumentEntry:
    try:
        # Imported documents without a URL are known by the names of their files.
        is_file = url.startswith("file:///")
        identity = document_id(url if is_file else canonicalize(url))
    except ValueError as error:
        raise ArgumentError(f"{error}; give it as https://www.example.org/") from error
    entry = corpus.index.document(identity)
    if entry is None:
        raise ArgumentError(
            f"{url}: no such document in {corpus.files.root}; scrapy url tells why"
        )
    return entry


def _describe(
    judged: Judged, identity: str, verdicts: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    """Yield the table of a document's candidates, if the site has it.

    ``verdicts`` are what has become of candidates, by the ids of both documents.
    """
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
        for number, place in enumerate(best.tolist(), 1):
            source = comparison.left.documents[candidates.rows[place]].id
            target = comparison.right.documents[candidates.columns[place]].id
            mark = verdicts.get((source, target), "")
            yield (
                f"  {number}. {other.documents[others[place]].url}"
                f" p={judged.probabilities[place]:.3f}{mark}"
            )
        yield "  " + " " * 16 + "".join(f"{n:>8}" for n in range(1, len(best) + 1))
        for column, evidence in enumerate(EVIDENCE):
            values = judged.values[best, column]
            if values.any():
                yield f"  {evidence.name:16}" + "".join(f"{v:8.3f}" for v in values)
