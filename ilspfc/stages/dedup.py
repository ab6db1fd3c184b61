"""Dedup over a corpus: near-duplicates leave ``xml/`` for ``duplicates/``."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ilspfc.dedup import DedupReason, DocumentParagraphs, find_near_duplicates

if TYPE_CHECKING:
    from ilspfc.corpus.entries import DocumentEntry
    from ilspfc.stages.corpus import Corpus


def run_dedup(corpus: Corpus) -> None:
    """Find the near-duplicates in each language and put their files apart.

    Their files are kept, so that another threshold can bring them back.
    """
    threshold = corpus.settings.getfloat("DEDUP_THRESHOLD")
    min_paragraphs = corpus.settings.getint("DEDUP_MIN_PARAGRAPHS")
    by_lang: dict[str, list[DocumentParagraphs]] = defaultdict(list)
    entries = corpus.index.documents(duplicates=True)
    for entry in entries:
        texts = (p.text for p in corpus.read(entry).clean_paragraphs)
        by_lang[entry.lang].append(
            DocumentParagraphs.from_texts(entry.id, entry.tokens, texts)
        )
    survivors: dict[str, str] = {}
    for lang in sorted(by_lang):
        survivors |= find_near_duplicates(
            by_lang[lang], threshold=threshold, min_paragraphs=min_paragraphs
        )
    for entry in entries:
        _place(corpus, entry, is_duplicate=entry.id in survivors)
    corpus.index.set_duplicates(survivors)
    corpus.index.set_drops("dedup", {DedupReason.NEAR_DUPLICATE: len(survivors)})


def _place(corpus: Corpus, entry: DocumentEntry, *, is_duplicate: bool) -> None:
    """Move a document's file to the folder where it belongs now."""
    folders = (corpus.files.documents, corpus.files.duplicates)
    wrong, right = folders if is_duplicate else folders[::-1]
    if not is_duplicate and (right / entry.file).exists():
        # A new text was exported; what is left of the old one goes.
        (wrong / entry.file).unlink(missing_ok=True)
    if (wrong / entry.file).exists():
        right.mkdir(exist_ok=True)
        (wrong / entry.file).replace(right / entry.file)
