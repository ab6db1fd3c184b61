"""Alignment over a corpus: the segments of every pair."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from ilspfc.alignment import (
    Options,
    PageText,
    align_lengths,
    align_texts,
    drop_units,
    is_parallel,
    make_alignment,
    pair_pages,
)
from ilspfc.exceptions import SettingError
from ilspfc.lexicon import DEFAULT_OPTIONS, Prior, Segments, tokenize, train
from ilspfc.stages.lexicon_store import known_entries
from ilspfc.stages.pairs import count_unpaired, settle_pairs
from ilspfc.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrapy.settings import BaseSettings

    from ilspfc.alignment import Alignment
    from ilspfc.alignment.sides import Groups, Tokenizer
    from ilspfc.corpus.records import PairEntry
    from ilspfc.documents import DocumentPair
    from ilspfc.stages.corpus import Corpus
    from ilspfc.text.arrays import FloatArray, IdArray

METHODS = ("lexical", "length")

# Fewer units and segments without a partner cannot refute a pair.
_MIN_JUDGED = 5


def learn_lexicon(
    source: Groups,
    target: Groups,
    weights: FloatArray,
    sizes: tuple[int, int],
    prior: tuple[IdArray, IdArray, FloatArray],
) -> tuple[Any, Any]:
    """Return what the lexicon learns from groups of sentences; see alignment's Trainer."""
    lexicon = train(
        Segments(*source),
        Segments(*target),
        sizes,
        weights=weights,
        prior=Prior(*prior),
        options=DEFAULT_OPTIONS,
    )
    return lexicon.forward, lexicon.backward


def check_method(settings: BaseSettings) -> str:
    """Return the method that is set; SettingError if there is none of that name."""
    method = str(settings.get("ALIGNMENT_METHOD"))
    if method not in METHODS:
        raise SettingError(
            f"ALIGNMENT_METHOD={method}: no such method; known are {', '.join(METHODS)}"
        )
    return method


def make_tokenizers(langs: tuple[str, str]) -> tuple[Tokenizer, Tokenizer]:
    """Return what cuts sentences of two languages (ISO 639-3) into tokens and signs."""
    source, target = langs
    return (
        partial(tokenize, lang=source, punctuation=True),
        partial(tokenize, lang=target, punctuation=True),
    )


def run_alignment(corpus: Corpus) -> None:
    """Align the segments of every pair of documents.

    Pairs that turn out not to be parallel are told to pairing: they are pairs no more, and
    where a rival takes their place it is aligned in turn.
    """
    method = check_method(corpus.settings)
    align = _align_by_length if method == "length" else _align_by_lexicon
    dropped: Counter[str] = Counter()
    for langs in corpus.bitext.language_pairs():
        # Bounds that were changed may have made pairs of what was none.
        settle_pairs(corpus, langs, corpus.bitext.candidates(*langs))
        aligned: set[DocumentPair] = set()
        losses: Counter[str] = Counter()
        while aligned != (pairs := _find_pairs(corpus, langs)):
            aligned = pairs
            losses = _align_pairs(corpus, langs, align)
            settle_pairs(corpus, langs, corpus.bitext.candidates(*langs))
        dropped += losses
    corpus.index.set_drops("alignment", dropped)
    count_unpaired(corpus)


def _find_pairs(corpus: Corpus, langs: tuple[str, str]) -> set[DocumentPair]:
    return {entry.pair for entry in corpus.bitext.aligned_pairs(*langs)}


def _align_pairs(
    corpus: Corpus,
    langs: tuple[str, str],
    align: Callable[..., Iterator[Alignment]],
) -> Counter[str]:
    """Align the pairs of two languages; return what was dropped.

    Those that are known not to be parallel are aligned with them, so that a second run
    learns the same, but not judged again.
    """
    settings = corpus.settings
    max_null_share = settings.getfloat("ALIGNMENT_MAX_NULL_SHARE")
    min_mean_score = settings.getfloat("ALIGNMENT_MIN_MEAN_SCORE")
    dropped: Counter[str] = Counter()
    entries = corpus.bitext.aligned_pairs(*langs)
    for entry, found in zip(entries, align(corpus, langs, entries), strict=True):
        segments = len(found.units) + sum(found.dropped.values())
        is_judged = segments >= _MIN_JUDGED
        stays = entry.is_parallel and (
            not is_judged
            or is_parallel(
                found.null_share,
                found.mean_score,
                max_null_share=max_null_share,
                min_mean_score=min_mean_score,
            )
        )
        alignment = found if stays else drop_units(found)
        dropped.update({str(reason): n for reason, n in alignment.dropped.items()})
        if entry.is_parallel:
            corpus.bitext.set_units(
                entry.pair,
                alignment.units,
                null_share=alignment.null_share if is_judged else None,
                mean_score=alignment.mean_score if is_judged else None,
            )
    return dropped


def _read_pages(corpus: Corpus, entry: PairEntry) -> tuple[PageText, PageText]:
    return (
        PageText(corpus.read(entry.source), split_sentences),
        PageText(corpus.read(entry.target), split_sentences),
    )


def _align_by_length(
    corpus: Corpus, langs: tuple[str, str], entries: Sequence[PairEntry]
) -> Iterator[Alignment]:
    """Yield the alignment of each pair by the lengths of the sentences alone."""
    del langs
    texts = (pair_pages(*_read_pages(corpus, entry)) for entry in entries)
    for entry, beads in zip(entries, align_lengths(texts), strict=True):
        yield make_alignment(*_read_pages(corpus, entry), beads)


def _align_by_lexicon(
    corpus: Corpus, langs: tuple[str, str], entries: Sequence[PairEntry]
) -> Iterator[Alignment]:
    """Yield the alignment of each pair, with one lexicon learned from all of them.

    Documents are read twice, so that their texts need not be held.
    """
    sites = sorted({entry.source.site for entry in entries})
    # What the site itself has taught is left out: aligning it again gives the same.
    own = sites[0] if len(sites) == 1 else ""
    known = known_entries(corpus.settings, langs, without_site=own)
    rounds = corpus.settings.getint("ALIGNMENT_ROUNDS")
    found = align_texts(
        (pair_pages(*_read_pages(corpus, entry)) for entry in entries),
        make_tokenizers(langs),
        learn_lexicon,
        dictionary=[(entry.source, entry.target, entry.score) for entry in known],
        options=Options(rounds=rounds if rounds >= 0 else None),
    )
    for entry, beads in zip(entries, found, strict=True):
        yield make_alignment(*_read_pages(corpus, entry), beads)
