"""Readings: the text of each document as all stages read it, split into sentences once.

The worker that cleaned a page has its paragraphs in its hands and encodes the reading; the
ledger stores it with the document. No stage over the corpus reads XML. Decisions on the
text are stored beside the reading, one sign for each paragraph, so that a second run starts
from what cleaning left.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

from ilspfc.corpus.xml import xml_text
from ilspfc.documents import (
    CLEAN_TEXT,
    CrawlInfo,
    Document,
    Paragraph,
    ParagraphType,
    turn_paragraphs,
)
from ilspfc.text.sentences import split_sentences

# A change of the format, or of the way sentences are split, makes old readings unreadable:
# they are made again from the XML.
READING_VERSION = 2
_LEVEL = 1  # of zlib: twice as fast as the default, and a tenth larger
_TYPES = (None, *ParagraphType)
# A sign for each verdict on a paragraph.
_SIGNS = {
    None: ".",
    CrawlInfo.BOILERPLATE: "b",
    CrawlInfo.OOI_LENGTH: "s",
    CrawlInfo.OOI_LANG: "l",
    CrawlInfo.OOI_NEG: "n",
}
_VERDICTS = {sign: verdict for verdict, sign in _SIGNS.items()}


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a document: its paragraphs, and the sentences of each.

    ``spans`` has the ends of the sentences of each paragraph as offsets into its text: start
    and end of the first, start and end of the second and so on. ``canonical`` and
    ``declared_lang`` are what the page declares.
    """

    id: str
    lang: str
    paragraphs: list[Paragraph]
    spans: list[list[int]]
    canonical: str = ""
    declared_lang: str = ""

    @property
    def clean_paragraphs(self) -> list[Paragraph]:
        """The clean text: the paragraphs without a crawlinfo."""
        return [one for one in self.paragraphs if one.crawlinfo is None]

    def sentences(self, number: int) -> list[str]:
        """Return the sentences of a paragraph, without the blanks between them."""
        text, spans = self.paragraphs[number].text, self.spans[number]
        return [
            text[start:end] for start, end in zip(spans[::2], spans[1::2], strict=True)
        ]

    def clean_sentences(self) -> Iterator[tuple[ParagraphType | None, list[str]]]:
        """Yield the type and the sentences of each paragraph of the clean text."""
        for number, paragraph in enumerate(self.paragraphs):
            if paragraph.crawlinfo is None:
                yield paragraph.type, self.sentences(number)


def encode_reading(document: Document) -> bytes:
    """Return the reading of a document as cleaning left it, compressed.

    It has what the cesDoc file has (text without the characters that XML forbids, scores with
    two decimals), and the places of paragraphs. JSON, since a corpus may come from elsewhere.
    """
    rows = []
    for paragraph in document.paragraphs:
        text = xml_text(paragraph.text)
        score = paragraph.score
        is_foreign = paragraph.page_verdict is CrawlInfo.OOI_LANG
        lang = (paragraph.lang if is_foreign else "") or document.lang
        row = (
            text,
            _TYPES.index(paragraph.type),
            _sign(paragraph, paragraph.page_verdict),
            paragraph.level,
            None if score is None else float(f"{score:.2f}"),
            [xml_text(term) for term in paragraph.topic],
            paragraph.place,
            _find_spans(text, split_sentences(text, lang)),
        )
        shape = paragraph.indent, paragraph.gap
        rows.append((*row, *shape) if any(shape) else row)
    metadata = document.metadata
    head = document.lang, xml_text(metadata.canonical), xml_text(metadata.declared_lang)
    data = json.dumps([*head, rows], ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(data.encode("utf-8", "surrogatepass"), _LEVEL)


def _find_spans(text: str, sentences: Iterable[str]) -> list[int]:
    spans = []
    end = 0
    for sentence in sentences:
        start = text.index(sentence, end)
        end = start + len(sentence)
        spans += [start, end]
    return spans


def decode_reading(identity: str, data: bytes, signs: str = "") -> Reading:
    """Return a reading; with ``signs``, the decisions on its paragraphs are applied.

    ValueError or zlib.error for data that is not what :func:`encode_reading` returns.
    """
    lang, canonical, declared_lang, rows = json.loads(zlib.decompress(data))
    paragraphs, spans = [], []
    found = signs.split(",") if signs else []
    for number, row in enumerate(rows):
        text, kind, sign, level, score, topic, place, ends, *shape = row
        decided = found[number] if found else sign
        verdict, crawlinfo = _VERDICTS[sign[0]], _VERDICTS[decided[0]]
        cleaning = "" if crawlinfo is verdict else verdict or CLEAN_TEXT
        paragraphs.append(
            Paragraph(
                text,
                _TYPES[kind],
                crawlinfo,
                decided[1:] or None,
                tuple(topic),
                level,
                score,
                cleaning,
                place,
                *shape,
            )
        )
        spans.append(ends)
    return Reading(identity, lang, paragraphs, spans, canonical, declared_lang)


class StoredReading(NamedTuple):
    """A reading as stored, with the decisions on it and the language of the document."""

    id: str
    lang: str
    data: bytes
    signs: str

    @property
    def may_be_foreign(self) -> bool:
        """False if cleaning left no paragraph in another language; cheaper than to decode."""
        mark = f',"{_SIGNS[CrawlInfo.OOI_LANG]}'
        return mark.encode() in zlib.decompress(self.data)

    def decode(self, *, is_decided: bool = True) -> Reading:
        """Return the reading, as decided or as cleaning left it."""
        reading = decode_reading(self.id, self.data, self.signs if is_decided else "")
        if all(one.lang != self.lang for one in reading.paragraphs):
            return reading
        # A page in two languages, with the text in its second one for clean text.
        turned = turn_paragraphs(reading.paragraphs, reading.lang, self.lang)
        return replace(reading, lang=self.lang, paragraphs=turned)


def encode_verdicts(paragraphs: Iterable[Paragraph]) -> str:
    """Return the decision on each paragraph as a sign, separated by commas."""
    return ",".join(_sign(one, one.crawlinfo) for one in paragraphs)


def _sign(paragraph: Paragraph, verdict: CrawlInfo | None) -> str:
    """Return the sign of a verdict; that of another language is followed by its code."""
    lang = paragraph.lang if verdict is CrawlInfo.OOI_LANG else ""
    return _SIGNS[verdict] + (lang or "")


# -- the digest by which a revisited page has a new text ---------------------------------


def text_digest(document: Document) -> str:
    """Return a digest of the clean text of a document: 32 hex digits of BLAKE2b.

    It covers the language, the clean paragraphs, the terms that were found in them, and what
    is said of licenses and opt-outs. Clean text is that of the page alone: the decision on it
    may change without the page. A clock in the boilerplate does not change it, another
    definition of the domain may.
    """
    head = (document.lang, document.licenses, document.optouts)
    digest = blake2b(repr(head).encode("utf-8", "surrogatepass"), digest_size=16)
    for paragraph in document.paragraphs:
        if paragraph.page_verdict is not None:
            continue
        for text in (paragraph.text, *paragraph.topic):
            data = text.encode("utf-8", "surrogatepass")
            # With its length, so that no two ways of dividing a text are the same.
            digest.update(b"%d:" % len(data) + data)
        digest.update(b"\n")
    return digest.hexdigest()
