"""Feeds of Scrapy (``-o``, ``-O``, FEEDS): the documents and pairs of the corpus, at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrapy import Spider
from scrapy.extensions.feedexport import FeedExporter, ItemFilter

from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.crawl.component import is_corpus_crawl, job_of
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.documents import Document
from ilspfc.text.codes import to_bcp47


class DocumentItem(dict[str, object]):
    """A document of the corpus; ``text`` is its clean text, a line for each paragraph."""


class PairItem(dict[str, object]):
    """Two documents that translate each other; ids and URLs are those of their items."""


class Feeds(FeedExporter):
    """Scrapy's extension; the items of a spider without a corpus pass unchanged."""

    def open_spider(self, spider: Spider) -> None:
        """Open the feeds; one in CSV has the columns of documents, unless it says otherwise."""
        for uri, options in self.feeds.items() if is_corpus_crawl(self.crawler) else ():
            is_free = not (options.get("fields") or options.get("item_classes"))
            if options["format"] == "csv" and is_free:
                self.filters[uri] = ItemFilter({"item_classes": [DocumentItem]})
        super().open_spider(spider)

    def item_scraped(self, item: Any, spider: Spider) -> None:
        """Export an item; a page has to wait until what is text, and kept, is decided."""
        if not isinstance(item, FetchedPage):
            super().item_scraped(item, spider)

    async def close_spider(self, spider: Spider) -> None:
        """Export documents and pairs of the corpus, then close the feeds."""
        if is_corpus_crawl(self.crawler):
            for item in _iter_items(job_of(self.crawler).files.root):
                super().item_scraped(item, spider)
                await asyncio.sleep(0)  # progress and signals go on
        await super().close_spider(spider)


def _iter_items(root: Path) -> Iterator[DocumentItem | PairItem]:
    with open_corpus(root, None) as corpus:
        for entry in corpus.index.documents():
            yield _make_document(entry, corpus.read(entry))
        for langs in corpus.bitext.language_pairs():
            yield from map(_make_pair, corpus.bitext.pairs(*langs))


def _make_document(entry: DocumentEntry, document: Document) -> DocumentItem:
    return DocumentItem(
        kind="document",
        id=entry.id,
        url=entry.url,
        lang=to_bcp47(entry.lang),
        title=entry.title,
        tokens=entry.tokens,
        relevance=entry.relevance,
        terms=entry.terms,
        license=entry.license,
        fetched_at=entry.fetched_at,
        file=entry.path,
        text="\n".join(paragraph.text for paragraph in document.clean_paragraphs),
    )


def _make_pair(entry: PairEntry) -> PairItem:
    source, target = entry.source, entry.target
    return PairItem(
        kind="pair",
        source=source.id,
        target=target.id,
        source_url=source.url,
        target_url=target.url,
        source_lang=to_bcp47(source.lang),
        target_lang=to_bcp47(target.lang),
        probability=round(entry.pair.probability, 4),
        evidence=entry.pair.evidence,
        score=entry.mean_score and round(entry.mean_score, 4),
    )
