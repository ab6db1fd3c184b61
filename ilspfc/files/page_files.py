"""Single pages outside of a crawl: from a file or an answer to text, JSON or XML."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ilspfc.cleaning.files.office import clean_file
from ilspfc.cleaning.page import (
    TEXT_TYPES,
    CleaningReason,
    clean_page,
    count_clean_tokens,
)
from ilspfc.corpus.xml import format_document
from ilspfc.documents import Document, document_id
from ilspfc.documents.markdown import to_markdown
from ilspfc.exceptions import ArgumentError, WorkerLostError, WorkerTimeoutError
from ilspfc.files.page_sources import PageSource, read_source
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from ilspfc.language.identification import PageIdentifier
    from ilspfc.workers import WorkerPool

logger = logging.getLogger(__name__)
# What a paragraph of the clean text is labelled, which has no crawlinfo.
KEPT = "content"

# Pages that are under way at a time, for each worker.
_AHEAD = 4
_SHOWN_COLUMNS = 80
_REASONS = {
    CleaningReason.NOT_HTML: "neither HTML nor text",
    CleaningReason.EMPTY: "no page can be read from it",
    CleaningReason.NEEDS_JAVASCRIPT: "scripts build its text; save the page in a browser",
    CleaningReason.EXCESSIVE_MARKUP: "its markup is excessive",
    CleaningReason.NO_READER: "a PDF, which pypdfium2 reads: pip install pypdfium2",
    CleaningReason.UNREADABLE: "a PDF or Word file that is broken, encrypted or too large",
}


@dataclass(frozen=True, slots=True)
class PageOptions:
    """Options of the output; without ``langs`` (ISO 639-3) a page may be in any language.

    ``files`` are the formats read beside HTML and text, ``cleaning`` the options of
    :func:`~ilspfc.cleaning.clean_page`, ``language_texts`` the files that languages are
    learned from.
    """

    format: str = "text"
    langs: tuple[str, ...] = ()
    files: tuple[str, ...] = ("pdf", "docx")
    cleaning: Mapping[str, Any] = field(default_factory=dict)
    language_texts: tuple[tuple[str, Path], ...] = ()

    @property
    def needs_language(self) -> bool:
        """Test whether the language of a page is shown, or decides on paragraphs."""
        return bool(self.langs) or self.format in {"json", "xml"}

    def identifier(self) -> PageIdentifier:
        """Return the language identifier of this process."""
        from ilspfc.language.identification import page_identifier  # noqa: PLC0415

        return page_identifier(self.langs, self.language_texts)


class ShownDocument(Document):
    """A document that is printed as a line for each paragraph, what is no text with its label."""

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return a document to be shown."""
        return cls(
            **{one.name: getattr(document, one.name) for one in fields(document)}
        )

    def __repr__(self) -> str:
        heads = (p.crawlinfo or p.type or KEPT for p in self.paragraphs)
        lines = [
            f"  {head:<12} {' '.join(p.text.split())[:_SHOWN_COLUMNS]}"
            for head, p in zip(heads, self.paragraphs, strict=True)
        ]
        kept = len(self.clean_paragraphs)
        title = f"{self.url}: {len(lines)} paragraphs, {kept} of them clean text"
        return "\n".join([title, *lines])


def _clean(source: PageSource, options: PageOptions) -> Document | CleaningReason:
    body, name = read_source(source, options.files)
    url, identity = source.url or "file:///", document_id(source.url or source.name)
    if name:
        least = options.cleaning.get("min_paragraph_tokens", 3)
        return clean_file(
            body, name, url=url, identity=identity, min_paragraph_tokens=least
        )
    content_type = source.content_type
    if not content_type and Path(source.name).suffix.lower() == ".txt":
        content_type = next(iter(TEXT_TYPES))
    return clean_page(
        body, url=url, identity=identity, content_type=content_type, **options.cleaning
    )


def make_document(source: PageSource, options: PageOptions) -> Document:
    """Return the document of a page, as a crawl has it behind language identification.

    Without languages all paragraphs that cleaning keeps are in the page's own. Raises
    ArgumentError for what is no page.
    """
    document = _clean(source, options)
    if isinstance(document, Document) and document.needs_javascript:
        document = CleaningReason.NEEDS_JAVASCRIPT
    if isinstance(document, CleaningReason):
        raise ArgumentError(f"{source.name}: {_REASONS.get(document, document)}")
    if error := document.backend_error:
        logger.warning("%s: %s; the learned result is kept", source.name, error)
    document.url = source.url
    if not source.url:
        document.sources = (source.name,)
    if options.needs_language:
        document.lang = options.identifier().identify_page(
            document.paragraphs, document.metadata.declared_lang
        )
    if not options.langs:
        for paragraph in document.clean_paragraphs:
            paragraph.lang = document.lang
    document.tokens = count_clean_tokens(document.paragraphs)
    return document


def render_page(source: PageSource, options: PageOptions) -> bytes:
    """Return a page in the format asked for; ArgumentError for what is no page."""
    document = make_document(source, options)
    if options.format == "json":
        record = json.dumps(_to_record(document, source.name), ensure_ascii=False)
        return record.encode("utf-8", "replace") + b"\n"
    if options.format == "xml":
        return format_document(document)
    if options.format == "markdown":
        return to_markdown(document).encode("utf-8", "replace")
    return "".join(f"{line}\n" for line in _lines(document)).encode("utf-8", "replace")


def _lines(document: Document) -> list[str]:
    """Return the content of a page: short paragraphs, too, which the clean text lacks."""
    return [one.line for one in document.paragraphs if one.is_content]


def _to_record(document: Document, name: str) -> dict[str, object]:
    return {
        "file": name,
        "title": document.metadata.title,
        "language": _tag(document.lang),
        "text": "\n".join(_lines(document)),
        "paragraphs": [
            {
                "text": paragraph.text,
                "type": paragraph.type,
                "label": paragraph.crawlinfo or KEPT,
                "score": paragraph.score and round(paragraph.score, 4),
                "language": paragraph.lang and _tag(paragraph.lang),
            }
            for paragraph in document.paragraphs
        ],
    }


def _tag(lang: str) -> str:
    from ilspfc.language.labels import OTHER  # noqa: PLC0415 - loads numpy

    return lang if lang == OTHER else to_bcp47(lang)


async def render_pages(
    sources: Iterable[PageSource], options: PageOptions, pool: WorkerPool
) -> AsyncIterator[bytes | ArgumentError]:
    """Yield each page as :func:`render_page` has it, or why there is none, in order.

    Workers go a few pages ahead; a page that hangs or kills its worker is lost alone.
    """
    waiting: deque[asyncio.Task[bytes | ArgumentError]] = deque()
    for source in sources:
        waiting.append(asyncio.create_task(_render(source, options, pool)))
        if len(waiting) > _AHEAD * max(pool.size, 1):
            yield await waiting.popleft()
    while waiting:
        yield await waiting.popleft()


async def _render(
    source: PageSource, options: PageOptions, pool: WorkerPool
) -> bytes | ArgumentError:
    try:
        return await pool.run(render_page, source, options)
    except ArgumentError as error:
        return error
    except WorkerTimeoutError:
        return ArgumentError(
            f"{source.name}: took too long; to give it more time, set WORKERS_CPU_SECONDS"
        )
    except WorkerLostError:
        return ArgumentError(f"{source.name}: its worker died over it")
