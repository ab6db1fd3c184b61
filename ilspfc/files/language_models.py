"""Sentences for language models: from text files, folders of them, or a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path

from scrapy.settings import BaseSettings

from ilspfc.classification.perplexity.page_perplexity import iter_sentences, text_files
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.exceptions import ArgumentError
from ilspfc.text.sentences import split_sentences
from ilspfc.text.text_files import read_text


def read_sentences(
    source: Path, lang: str, settings: BaseSettings
) -> Iterator[list[str]]:
    """Yield the sentences, as words, of a text, a folder of ``*.txt`` or a corpus folder.

    ``lang`` is an ISO 639-3 code; of a corpus, its documents in that language count.
    Numbers and punctuation are left out, and sentences of fewer than five words (004, section
    3.1). ArgumentError names what is missing or unreadable.
    """
    split = partial(split_sentences, lang=lang)
    return iter_sentences(_iter_texts(source, lang, settings), split)


def _iter_texts(source: Path, lang: str, settings: BaseSettings) -> Iterator[str]:
    if not source.exists():
        raise ArgumentError(
            f"{source}: no such file or folder; give texts, or the folder of a corpus"
        )
    if CorpusFiles(source).index.is_file():
        yield from _iter_documents(source, lang, settings)
        return
    paths = text_files(source)
    if not paths:
        raise ArgumentError(
            f"{source}: neither .txt files in it nor a corpus; give another folder"
        )
    for path in paths:
        yield read_text(path, str(path), "texts saved as UTF-8", ArgumentError)


def _iter_documents(root: Path, lang: str, settings: BaseSettings) -> Iterator[str]:
    """Yield the clean paragraphs of the documents of a corpus in a language."""
    with open_corpus(root, settings) as corpus:
        entries = [one for one in corpus.index.documents() if one.lang == lang]
        if not entries:
            raise ArgumentError(
                f"{root}: no document in {lang}; give --lang as the corpus has it"
            )
        for entry in entries:
            for paragraph in corpus.read(entry).clean_paragraphs:
                yield paragraph.text


def drop_repeated(sentences: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield each sentence once, at its first place (004, section 4)."""
    seen: set[bytes] = set()
    for sentence in sentences:
        digest = blake2b(" ".join(sentence).encode(), digest_size=8).digest()
        if digest not in seen:
            seen.add(digest)
            yield sentence
