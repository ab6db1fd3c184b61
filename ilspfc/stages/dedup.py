"""Dedup over a corpus: duplicates leave ``xml/`` for ``duplicates/``."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ilspfc.cleaning import count_clean_tokens
from ilspfc.dedup import DocumentParagraphs, find_duplicates
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.text.codes import find_iso639_3

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry

logger = logging.getLogger(__name__)


def run_dedup(corpus: Corpus) -> None:
    """Find the duplicates and put their files apart.

    Their files are kept, so that another threshold can bring them back. Of each document
    only the hashes of its paragraphs are held in memory.
    """
    entries = corpus.index.documents(duplicates=True)
    documents = list(_hash_paragraphs(corpus, entries))
    duplicates = find_duplicates(
        documents,
        threshold=corpus.settings.getfloat("DEDUP_THRESHOLD"),
    )
    empty = sum(not document.digests for document in documents)
    if empty:
        logger.info("dedup: documents without clean text, not compared: %d", empty)
    for entry in entries:
        _place(corpus, entry, is_duplicate=entry.id in duplicates)
    corpus.index.set_duplicates(
        {identity: (one.survivor, one.reason) for identity, one in duplicates.items()}
    )
    corpus.index.set_drops("dedup", Counter(one.reason for one in duplicates.values()))


def _hash_paragraphs(
    corpus: Corpus, entries: Iterable[DocumentEntry]
) -> Iterator[DocumentParagraphs]:
    """Yield the documents as dedup looks at them."""
    detector = CueDetector(corpus.langs)
    announced = _announced_langs(corpus)
    for entry in entries:
        document = corpus.read_page(entry)
        yield DocumentParagraphs.from_texts(
            entry.id,
            count_clean_tokens(document.paragraphs),
            (paragraph.text for paragraph in document.clean_paragraphs),
            lang=entry.lang,
            url=entry.url,
            foreign_marks=count_foreign_marks(
                entry.lang,
                declared=document.metadata.declared_lang,
                announced=announced.get(entry.id, frozenset()),
                in_url=detector.detect_in_url(entry.url) or "",
            ),
        )


def count_foreign_marks(
    lang: str, *, declared: str, announced: Iterable[str], in_url: str
) -> int:
    """Return the number of marks, of three, that name another language for a document.

    They are the tag that its page declares, the languages (ISO 639-3) that links to it
    announce by ``hreflang``, and the one that its URL is marked with; empty where nothing
    is said.
    """
    langs = set(announced)
    return sum(
        (
            bool(declared) and find_iso639_3(declared) not in {"", lang},
            bool(langs) and lang not in langs,
            in_url not in {"", lang},
        )
    )


def _announced_langs(corpus: Corpus) -> Mapping[str, set[str]]:
    """Return the languages that links announce for their targets."""
    announced: dict[str, set[str]] = defaultdict(set)
    rows = corpus.index.rows(
        "SELECT target, lang FROM links WHERE kind = 'hreflang' AND lang != ''"
    )
    for target, lang in rows:
        announced[target].add(lang)
    return announced


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
