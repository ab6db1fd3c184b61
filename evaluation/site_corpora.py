"""A corpus of a site's files, made without a crawl: what pairing and dedup start from.

Every page is cleaned, identified and written as a crawl would write it, so that methods
can be compared on the same documents in minutes. Duplicates are put apart, as they are
before any pairing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from scrapy.settings import Settings

from ilspfc.atomic import open_atomic
from ilspfc.cleaning.page import CleaningReason, clean_page, count_clean_tokens
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.reading import encode_reading, text_digest
from ilspfc.corpus.xml import format_document
from ilspfc.crawl.index_records import make_entry, make_link, make_markup
from ilspfc.documents import Document, document_id
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.language.identification import identify_page
from ilspfc.line.dedup import run_dedup
from ilspfc.web.urls import canonicalize

# The pages of a site get URLs of this host: it is never contacted.
HOST = "www.example.org"
_MIN_TOKENS = 3


def read_page(path: str, *, root: Path, langs: tuple[str, ...]) -> Document | None:
    """Return the document of a file below ``root``; None where a crawl would drop it."""
    url = canonicalize(f"http://{HOST}/{path}")
    document = clean_page(
        (root / path).read_bytes(), url=url, identity=document_id(url)
    )
    if isinstance(document, CleaningReason) or not document.index:
        return None
    declared = document.metadata.declared_lang
    document.lang, document.paragraphs = identify_page(
        document.paragraphs, langs, declared
    )
    document.tokens = count_clean_tokens(document.paragraphs)
    if document.lang not in langs or document.tokens < _MIN_TOKENS:
        return None
    return document


def build_corpus(
    folder: Path, root: Path, paths: Iterable[str], langs: tuple[str, ...]
) -> None:
    """Write the corpus of files below ``root`` in ISO 639-3 languages into a folder."""
    read = partial(read_page, root=root, langs=langs)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(read, sorted(paths), chunksize=16)
        write_corpus(folder, (one for one in found if one is not None), langs)
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    with open_corpus(folder, settings) as corpus:
        run_dedup(corpus)


def write_corpus(
    folder: Path, documents: Iterable[Document], langs: tuple[str, ...]
) -> None:
    """Write the corpus of documents in ISO 639-3 languages into a folder."""
    files = CorpusFiles(folder)
    files.documents.mkdir(parents=True)
    cues = CueDetector(langs)
    with CorpusIndex(files.index) as index:
        index.add_run({"langs": list(langs)})
        for document in documents:
            name = files.document_name(document.lang, document.id)
            with open_atomic(files.documents / name, sync=False) as stream:
                stream.write(format_document(document))
            links = [make_link(cues, link, document.url) for link in document.links]
            index.add_document(
                make_entry(
                    document,
                    name,
                    (len(document.paragraphs), len(document.clean_paragraphs)),
                ),
                links,
                document.images,
                digest=text_digest(document),
                markup=make_markup(document),
                reading=encode_reading(document),
            )
