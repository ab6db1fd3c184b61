"""Comparable corpora: documents on the same subject that are no translations (000, 001).

Papers 000 (section 1) and 001 (section 2) name them beside parallel corpora. The score is ours.
Two documents are alike by terms, the words that the lexicon translates, by names and numbers,
the words that stay the same, each weighted by its inverse document frequency, and by images.
On a site of one subject all pages are alike: so a pair is measured by what else its documents
are like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ilspfc.atomic import write_lines
from ilspfc.corpus.corpus import Corpus
from ilspfc.lexicon.learner import SegmentTexts
from ilspfc.line import Stage
from ilspfc.line.comparisons import CorpusLexicon, encode_corpus
from ilspfc.line.lexicons import known_entries
from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.evidence.identical import IDENTICAL
from ilspfc.pairing.evidence.images import IMAGES
from ilspfc.pairing.evidence.lexicon import LEXICON
from ilspfc.pairing.ranking import best_of_each
from ilspfc.pairing.sparse import inverse_frequencies, pair_products, weigh
from ilspfc.papers.page_dictionary import propose
from ilspfc.text.arrays import FloatArray
from ilspfc.text.codes import to_bcp47
from ilspfc.text.vocabulary import Segments

MOST = 3
"""Pairs of a document that are listed, and that it is measured by."""

LEAST_LIKENESS = 0.1
"""Likeness that is added to that of the best: few words in common are no subject."""

RARE = float(np.log(2))
"""Inverse document frequency, that of a word on half the pages, from which it counts."""

COLUMNS = ("url1", "url2", "score", "terms", "names", "numbers", "images")
FILES = ("file1", "file2")
_NOTHING = Segments.join([])
_EVIDENCE = (LEXICON, IDENTICAL, IMAGES)
_TABLE = (
    "comparable (source TEXT, target TEXT, source_lang TEXT, target_lang TEXT, score REAL,"
    " terms INTEGER, names INTEGER, numbers INTEGER, images INTEGER)"
)


class Comparable(NamedTuple):
    """Two documents by id, their score, and the numbers of what they have in common."""

    source: str
    target: str
    score: float
    terms: int
    names: int
    numbers: int
    images: int


def run_comparable(corpus: Corpus) -> None:
    """Record the comparable documents of each language pair, and write their lists."""
    threshold = corpus.settings.getfloat("COMPARABLE_THRESHOLD")
    encoded = encode_corpus(corpus, corpus.langs)
    with corpus.index.transaction() as connection:
        connection.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
    for langs in corpus.language_pairs:
        pairs = [(e.source.id, e.target.id) for e in corpus.bitext.pairs(*langs)]
        partners = dict([*pairs, *(pair[::-1] for pair in pairs)])
        texts = SegmentTexts(langs)
        for unit in corpus.units(*langs):
            texts.add(unit.source, unit.target)
        taught = [*corpus.dictionaries.get(langs, ()), *texts.learn()]
        entries = known_entries(corpus.settings, langs, dictionary=taught)
        learn = CorpusLexicon(encoded.encoder, *langs, entries)
        found, lexicon = list[Comparable](), None
        for site in encoded.compare(*langs):
            if lexicon is None:  # the words of all sites are numbered by now
                lexicon, _ = learn(_NOTHING, _NOTHING, np.zeros(0, np.int64))
            site.set_lexicon(lexicon)
            listed = find_comparable(site, partners)
            found += [one for one in listed if one.score >= threshold]
        found.sort(key=lambda one: (-one.score, one.source, one.target))
        corpus.index.set_rows(
            "comparable",
            ((one[0], one[1], *langs, *one[2:]) for one in found),
            "source_lang = ? AND target_lang = ?",
            *langs,
        )
        _write(corpus, langs, found)


def find_comparable(
    site: Comparison, partners: Mapping[str, str]
) -> Iterator[Comparable]:
    """Yield the best comparable documents of a site that has a lexicon, in no order.

    ``partners`` has the translations of documents that have one, by their ids. These pairs
    are left out, as are two documents that both have a translation: what a comparable corpus
    adds are texts without one.
    """
    candidates = propose(site, _EVIDENCE)
    left, right = (
        [document.id for document in side.documents] for side in (site.left, site.right)
    )

    def name(some: Candidates) -> list[tuple[str, str]]:
        places = zip(some.rows.tolist(), some.columns.tolist(), strict=True)
        return [(left[row], right[column]) for row, column in places]

    is_free = [partners.get(one) != other for one, other in name(candidates)]
    candidates = candidates.take(np.array(is_free, bool))
    likeness = np.zeros(len(candidates))
    for kind in _EVIDENCE:
        likeness += kind.score(site, candidates)
    scores = _compare_to_best(candidates, likeness)
    scores[[partners.keys() >= {*both} for both in name(candidates)]] = 0.0
    best = best_of_each(candidates, scores, MOST) & (scores > 0)
    chosen = candidates.take(best)
    shared = (part.astype(int).tolist() for part in _count_shared(site, chosen))
    found = name(chosen), scores[best].round(4).tolist()
    for (source, target), *figures in zip(*found, *shared, strict=True):
        yield Comparable(source, target, *figures)


def _compare_to_best(candidates: Candidates, likeness: FloatArray) -> FloatArray:
    """Return the likeness of each candidate over the mean of its pages' ``MOST`` best."""
    means = np.full(len(likeness), LEAST_LIKENESS)
    for owners in (candidates.rows, candidates.columns):
        order = np.lexsort((-likeness, owners))
        ordered = owners[order]
        is_best = np.arange(len(order)) - np.searchsorted(ordered, ordered) < MOST
        best = order[is_best]
        means += np.bincount(owners[best], likeness[best])[owners] / MOST / 2
    compared: FloatArray = likeness / means
    return compared


def _count_shared(site: Comparison, candidates: Candidates) -> Iterator[FloatArray]:
    """Yield the numbers of terms, names, numbers and images in common; common words do not count."""
    stems, other_stems = site.arrays("clean.stems")
    words = site.arrays("clean.words")
    is_rare = site.word_weights >= RARE
    terms = inverse_frequencies(other_stems) >= RARE
    for left, right, counted in (
        (csr_array(stems @ csr_array(site.lexicon)), other_stems, terms),
        (*words, is_rare & ~site.table.numbers),
        (*words, is_rare & site.table.numbers),
        (*IMAGES.sides(site), np.ones(site.left.images.shape[1])),
    ):
        ones = (csr_array(side > 0, dtype="f4") for side in (left, right))
        a, b = (weigh(side, counted.astype(float)) for side in ones)
        yield pair_products(a, b, candidates.rows, candidates.columns)


def _write(corpus: Corpus, langs: tuple[str, str], found: list[Comparable]) -> None:
    """Write the list of two languages, the best first."""
    entries = {entry.id: entry for entry in corpus.index.documents_to_pair()}
    rows: list[tuple[object, ...]] = [(*COLUMNS, *FILES)]
    for source, target, *figures in found:
        first, second = entries[source], entries[target]
        rows.append((first.url, second.url, *figures, first.path, second.path))
    path = corpus.export_root / f"comparable/{'-'.join(map(to_bcp47, langs))}.tsv"
    write_lines(path, ("\t".join(map(str, row)) for row in rows))


COMPARABLE = Stage(
    "comparable",
    "finding comparable documents",
    run_comparable,
    reads=frozenset(
        {
            "candidates",
            "images",
            "links",
            "markup",
            "readings",
            "units",
            "verdicts",
            "versions",
        }
    ),
    writes=frozenset({"comparable"}),
    settings=("COMPARABLE_", "LEXICON_"),
    after="decisions",
)
"""The stage that ``-a comparable=1`` adds to the corpus line."""
