"""The documents of a corpus as pairing compares them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from ilspfc.documents import CrawlInfo, ParagraphType
from ilspfc.pairing.page_content import PairingDocument, VersionLink, make_fingerprint
from ilspfc.pairing.page_vectors import PageBlock, PageContent
from ilspfc.text.measure import measure_length
from ilspfc.text.tokens import HANGUL_CHARS, PREFIX_CHARS, tokenize

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.documents import Document, Paragraph

# Where a sentence may end: near enough for pages to be compared.
_SENTENCE_END_RE = re.compile(r"(?<=[.!?;:])\s+|(?<=[。！？；])")
# Longer words are compared by so many of their characters.
_MAX_WORD = 40
# Anchors of a page that are read; a page that everything links to has thousands.
_MAX_ANCHORS = 30
_KINDS = {None: 0} | {kind: number for number, kind in enumerate(ParagraphType, 1)}
_BOILERPLATE = 64


def stem(token: str, lang: str) -> str:
    """Return the stem of a token as lexicons have it."""
    return (
        token[:HANGUL_CHARS] if "\uac00" <= token <= "\ud7af" else token[:PREFIX_CHARS]
    )


def iter_pages(
    corpus: Corpus, langs: Container[str]
) -> Iterator[tuple[PairingDocument, PageContent]]:
    """Yield the documents in some languages that are to be paired, by id."""
    versions = _read_versions(corpus)
    images: dict[str, list[str]] = defaultdict(list)
    for document, name in corpus.index.rows("SELECT document, name FROM images"):
        images[document].append(name)
    links = _read_links(corpus)
    anchors = _read_anchors(corpus)
    for entry in corpus.index.documents_to_pair():
        if entry.lang not in langs:
            continue
        document = corpus.read(entry)
        yield (
            PairingDocument(
                id=entry.id,
                lang=entry.lang,
                url=entry.url,
                depth=entry.url_depth,
                paragraphs=entry.paragraphs,
                tokens=entry.tokens,
                fingerprint=make_fingerprint(document.paragraphs),
                images=frozenset(images[entry.id]),
                versions=tuple(versions[entry.id]),
            ),
            _read_content(
                document, entry.lang, links.get(entry.id, ()), anchors.get(entry.id, ())
            ),
        )


def _read_content(
    document: Document, lang: str, links: tuple[str, ...], anchors: tuple[str, ...]
) -> PageContent:
    anchor_tokens: list[str] = []
    for anchor in anchors:
        anchor_tokens += tokenize_words(anchor, lang)
    return PageContent(
        blocks=[_make_block(p, lang) for p in document.clean_paragraphs],
        frame=[_frame_kind(paragraph) for paragraph in document.paragraphs],
        links=links,
        anchors=anchor_tokens,
    )


def _make_block(paragraph: Paragraph, lang: str) -> PageBlock:
    sentences = [
        tokenize_words(sentence, lang)
        for sentence in _SENTENCE_END_RE.split(paragraph.text)
        if sentence
    ]
    return PageBlock(_KINDS[paragraph.type], measure_length(paragraph.text), sentences)


def tokenize_words(text: str, lang: str) -> list[str]:
    """Return the whole words of a text."""
    return tokenize(text, lang, prefix_chars=_MAX_WORD, hangul_chars=_MAX_WORD)


def _frame_kind(paragraph: Paragraph) -> int:
    is_boilerplate = paragraph.crawlinfo is CrawlInfo.BOILERPLATE
    return _KINDS[paragraph.type] + _BOILERPLATE * is_boilerplate


def _read_versions(corpus: Corpus) -> dict[str, list[VersionLink]]:
    versions: dict[str, list[VersionLink]] = defaultdict(list)
    rows = corpus.index.rows(
        "SELECT source, target, kind FROM links WHERE kind IN ('hreflang', 'cue')"
        " UNION SELECT source, target, 'hreflang' FROM versions ORDER BY 1, 2, 3"
    )
    for source, target, kind in rows:
        versions[source].append(VersionLink(target, is_declared=kind == "hreflang"))
    return versions


def _read_links(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    links: dict[str, dict[str, None]] = defaultdict(dict)
    rows = corpus.index.rows(
        "SELECT links.source, links.target FROM links"
        " JOIN documents ON documents.id = links.target"
        " ORDER BY links.source, links.position"
    )
    for source, target in rows:
        links[source][target] = None
    return {source: tuple(targets) for source, targets in links.items()}


def _read_anchors(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """Return the texts of links from pages of the same language, the most frequent."""
    anchors: dict[str, list[str]] = defaultdict(list)
    rows = corpus.index.rows(
        "SELECT links.target, links.anchor FROM links"
        " JOIN documents AS there ON there.id = links.target"
        " JOIN documents AS here ON here.id = links.source AND here.lang = there.lang"
        " WHERE links.anchor <> ''"
        " GROUP BY links.target, links.anchor"
        " ORDER BY links.target, count(*) DESC, links.anchor"
    )
    for target, anchor in rows:
        if len(anchors[target]) < _MAX_ANCHORS:
            anchors[target].append(anchor)
    return {target: tuple(texts) for target, texts in anchors.items()}
