"""Cleaning: the bytes of a page become its document."""

from __future__ import annotations

from ilspfc.cleaning import CleaningReason, clean_page, count_clean_tokens
from ilspfc.documents import Document, Link, Page
from ilspfc.frontier.link_header import alternates, licenses
from ilspfc.pipelines.base import StagePipeline


class CleaningPipeline(StagePipeline):
    """Calls :func:`~ilspfc.cleaning.clean_page` in a worker."""

    stage = "cleaning"

    async def process_item(self, item: object) -> object:
        """Give the page its document, or drop it."""
        if not isinstance(item, Page):
            return item
        result = await self.work(
            item,
            clean_page,
            item.body,
            url=item.url,
            identity=item.id,
            content_type=item.content_type,
            robots_header=item.robots_header,
            license_links=licenses(item.link_header, item.url),
            min_paragraph_tokens=self.settings.getint("CLEANING_MIN_PARAGRAPH_TOKENS"),
            context_words=self.settings.getint("FRONTIER_CONTEXT_WORDS"),
            max_links=self.settings.getint("FRONTIER_MAX_LINKS"),
        )
        if isinstance(result, CleaningReason):
            raise self.drop(item, result)
        item.body = b""  # nothing downstream parses again
        item.document = result
        result.fetched_at, result.depth = item.fetched_at, item.depth
        versions = alternates(item.link_header, item.url)
        result.links[:0] = [
            Link(url, rel="alternate", hreflang=lang) for lang, url in versions
        ]
        if not result.index:
            raise self.drop(item, CleaningReason.NO_INDEX)
        if not result.paragraphs:
            raise self.drop(item, CleaningReason.EMPTY)
        if self._is_error_page(item, result):
            raise self.drop(item, CleaningReason.SOFT_404)
        result.tokens = count_clean_tokens(result.paragraphs)
        return item

    def _is_error_page(self, page: Page, document: Document) -> bool:
        """Return whether the host answers like this for what does not exist."""
        pages = self.job.error_pages
        if pages is None or page.depth == 0:
            return False
        return pages.has(page.url, (p.text for p in document.clean_paragraphs))
