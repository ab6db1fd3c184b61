"""Dedup stage: duplicates are moved from ``xml/`` to ``duplicates/``."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import partial

from ilspfc.cleaning.page import count_clean_tokens
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry
from ilspfc.dedup.duplicates import find_duplicates
from ilspfc.dedup.hashes import DocumentParagraphs, count_url_words, digest_texts
from ilspfc.documents import document_id
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.language.labels import group_of
from ilspfc.text.codes import find_iso639_3, two_letter_codes
from ilspfc.web.urls import find_key

logger = logging.getLogger(__name__)


def run_dedup(corpus: Corpus) -> None:
    """Find the duplicates and move their files.

    The files are kept, so that another threshold can restore them. Only the hashes of
    paragraphs are held in memory.
    """
    entries = corpus.index.documents(duplicates=True)
    documents = list(_hash_paragraphs(corpus, entries))
    duplicates = find_duplicates(
        documents,
        threshold=corpus.settings.getfloat("DEDUP_THRESHOLD"),
        named=partial(_find_named, corpus),
    )
    empty = sum(not document.digests for document in documents)
    if empty:
        logger.info("dedup: documents without clean text, not compared: %d", empty)
    files = corpus.files
    for entry in entries:
        folder = files.off_topic if entry.is_off_topic else files.documents
        is_duplicate = entry.id in duplicates
        files.place_document(entry.file, files.duplicates if is_duplicate else folder)
    corpus.index.set_duplicates(
        {identity: (one.survivor, one.reason) for identity, one in duplicates.items()}
    )
    corpus.index.set_drops("dedup", Counter(one.reason for one in duplicates.values()))


def _hash_paragraphs(
    corpus: Corpus, entries: Iterable[DocumentEntry]
) -> Iterator[DocumentParagraphs]:
    """Yield the documents as input of dedup."""
    detector = CueDetector(corpus.langs, others=two_letter_codes())
    announced = _announced_langs(corpus)
    for entry in entries:
        reading = corpus.reading(entry, is_decided=False)
        urls = (entry.url, reading.canonical)
        foreign, own = count_marks(
            entry.lang,
            {find_iso639_3(reading.declared_lang)},
            announced.get(entry.id, set()),
            *({detector.detect_in_url(url) or ""} for url in urls),
        )
        texts = [paragraph.text for paragraph in reading.clean_paragraphs]
        yield DocumentParagraphs(
            entry.id,
            count_clean_tokens(reading.paragraphs),
            digest_texts(texts),
            lang=entry.lang,
            url=entry.url,
            foreign_marks=foreign,
            own_marks=own,
            url_words=count_url_words(" ".join(texts[:3]), entry.url),
            original=document_id(find_key(reading.canonical)),
        )


def count_marks(lang: str, *marks: AbstractSet[str]) -> tuple[int, int]:
    """Return the numbers of marks of a document with only other languages, and with its own.

    A mark is a set of languages (ISO 639-3), from the declaration of the page, links to it,
    or its URL. Empty codes are ignored.
    """
    names = group_of(lang, is_grouped=False)
    nonempty = [mark - {""} for mark in marks if mark - {""}]
    own = sum(not names.isdisjoint(mark) for mark in nonempty)
    return len(nonempty) - own, own


def _find_named(corpus: Corpus, identity: str) -> Iterator[str]:
    """Yield the documents that one links to by the beginning of their titles."""
    rows = corpus.index.rows(
        "SELECT DISTINCT target FROM links JOIN documents ON id = target"
        " WHERE source = ? AND anchor <> '' AND substr(title, 1, length(anchor)) = anchor"
        " ORDER BY target",
        (identity,),
    )
    return (target for (target,) in rows)


def _announced_langs(corpus: Corpus) -> Mapping[str, set[str]]:
    """Return the languages announced by links, by target."""
    announced: dict[str, set[str]] = defaultdict(set)
    rows = corpus.index.rows(
        "SELECT target, lang FROM links WHERE kind = 'hreflang' AND lang != ''"
    )
    for target, lang in rows:
        announced[target].add(lang)
    return announced
