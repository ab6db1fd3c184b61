"""Alignment over a corpus: the segments of every pair."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ilspfc.alignment import align_documents
from ilspfc.exceptions import SettingError
from ilspfc.language.sentences import split_sentences

if TYPE_CHECKING:
    from ilspfc.stages.corpus import Corpus

METHODS = ("length",)


def run_alignment(corpus: Corpus) -> None:
    """Align the segments of every pair of documents."""
    method = corpus.settings.get("ALIGNMENT_METHOD")
    if method not in METHODS:
        raise SettingError(
            f"ALIGNMENT_METHOD={method}: no such method; known are {', '.join(METHODS)}"
        )
    dropped: Counter[str] = Counter()
    for source_lang, target_lang in corpus.bitext.language_pairs():
        for entry in corpus.bitext.pairs(source_lang, target_lang):
            alignment = align_documents(
                corpus.read(entry.source),
                corpus.read(entry.target),
                split=split_sentences,
            )
            dropped.update({str(reason): n for reason, n in alignment.dropped.items()})
            corpus.bitext.set_units(
                entry.pair,
                alignment.units,
                null_share=alignment.null_share,
                mean_score=alignment.mean_score,
            )
    corpus.index.set_drops("alignment", dropped)
