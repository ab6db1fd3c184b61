"""Alignment stage: units and figures of every candidate."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ilspfc.alignment.beads import Bead
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.page_units import (
    Alignment,
    AlignmentReason,
    PageText,
    make_alignment,
    pair_pages,
)
from ilspfc.alignment.sides import TextPair
from ilspfc.corpus.corpus import Corpus
from ilspfc.decisions.pairs import Figures, decide_pairs
from ilspfc.documents import DocumentPair, PairState
from ilspfc.lexicon.ibm1 import learn_tables
from ilspfc.line.lexicons import known_entries
from ilspfc.spool import Spool

# Segments of both pages from which null share and mean score tell whether these are parallel;
# of fewer, the share of words explained does.
_MIN_SEGMENTS = 10


def run_alignment(corpus: Corpus) -> None:
    """Align every candidate of pairing, including rivals of pairs.

    Units, losses and figures of all are recorded; the decisions stage chooses among them.
    """
    corpus.index.set_drops("alignment", {})
    for langs in corpus.bitext.language_pairs():
        for pair, pages, beads in align_candidates(corpus, langs):
            found = make_alignment(*pages, beads)
            losses = {**found.dropped, AlignmentReason.NOT_PARALLEL: len(found.units)}
            figures = find_figures(found)._asdict()
            corpus.bitext.set_units(pair, found.units, **figures, losses=losses)


def find_figures(found: Alignment) -> Figures:
    """Return the figures that tell whether the pages of an alignment are parallel."""
    if found.segments < _MIN_SEGMENTS:
        return Figures(explained=found.explained)
    return Figures(found.null_share, found.mean_score, found.explained)


def align_candidates(
    corpus: Corpus, langs: tuple[str, str]
) -> Iterator[tuple[DocumentPair, tuple[PageText, PageText], list[Bead]]]:
    """Yield each candidate in two languages (ISO 639-3) with its pages and their beads.

    One lexicon is learned from the best candidates.
    Lessons are the candidates that are pairs by probability alone, so that another run
    learns the same.
    """
    candidates = corpus.bitext.candidate_pairs(*langs)
    threshold = corpus.settings.getfloat("PAIRING_THRESHOLD")
    states = decide_pairs(candidates, threshold=threshold)
    sites = corpus.bitext.sites(*langs)
    # Entries learned from the site itself are left out, so that another run gives the same.
    own = sites[0] if len(sites) == 1 else ""
    known = known_entries(corpus.settings, langs, without_site=own)
    pages: Spool[tuple[PageText, PageText]] = Spool()

    def read() -> Iterator[TextPair]:
        for pair in candidates:
            source, target = (
                PageText.of(corpus.reading(one).clean_sentences(), one.lang)
                for one in corpus.bitext.sides(pair, langs)
            )
            pages.append((source, target))
            is_lesson = states[pair] == PairState.PAIR
            yield pair_pages(source, target, is_lesson=is_lesson)

    has_words = corpus.settings["ALIGNMENT_METHOD"] != "length"
    found = align_texts(
        read(),
        langs,
        partial(learn_tables, run=corpus.run_tasks) if has_words else None,
        dictionary=[(entry.source, entry.target, entry.score) for entry in known],
        progress=corpus.progress,
        run=corpus.run_tasks,
    )
    yield from zip(candidates, pages, found, strict=True)
