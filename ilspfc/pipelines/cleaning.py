"""Cleaning: the bytes of a page become its document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ilspfc.cleaning import (
    CleaningReason,
    clean_file,
    clean_page,
    count_clean_tokens,
    format_of,
    mime_type,
)
from ilspfc.documents import Document, Link, Page
from ilspfc.frontier.link_header import alternates, licenses
from ilspfc.pipelines.base import StagePipeline

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def cleaning_options(settings: BaseSettings) -> dict[str, Any]:
    """Return the options that the settings give to the cleaning of any page."""
    return {
        "min_paragraph_tokens": settings.getint("CLEANING_MIN_PARAGRAPH_TOKENS"),
        "backend": settings["CLEANING_BACKEND"],
        "threshold": settings.getfloat("CLEANING_THRESHOLD"),
    }


class CleaningPipeline(StagePipeline):
    """Calls ``clean_page``, or ``clean_file`` for PDF and Word files, in a worker."""

    stage = "cleaning"

    async def process_item(self, item: object) -> object:
        """Give the page its document, or drop it."""
        if not isinstance(item, Page):
            return item
        formats = self.settings.getlist("CLEANING_FORMATS")
        name = format_of(mime_type(item.content_type), item.url, formats)
        if name is None:
            result = await self._clean_page(item)
        else:
            result = await self._clean_file(item, name)
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

    async def _clean_page(self, page: Page) -> Document | CleaningReason:
        return await self.work(
            page,
            clean_page,
            page.body,
            url=page.url,
            identity=page.id,
            content_type=page.content_type,
            robots_header=page.robots_header,
            license_links=licenses(page.link_header, page.url),
            context_words=self.settings.getint("FRONTIER_CONTEXT_WORDS"),
            max_links=self.settings.getint("FRONTIER_MAX_LINKS"),
            **cleaning_options(self.settings),
        )

    async def _clean_file(self, page: Page, name: str) -> Document | CleaningReason:
        return await self.work(
            page,
            clean_file,
            page.body,
            name,
            url=page.url,
            identity=page.id,
            robots_header=page.robots_header,
            license_links=licenses(page.link_header, page.url),
            min_paragraph_tokens=self.settings.getint("CLEANING_MIN_PARAGRAPH_TOKENS"),
            max_pages=self.settings.getint("CLEANING_MAX_PDF_PAGES"),
        )

    def _is_error_page(self, page: Page, document: Document) -> bool:
        """Return whether the host answers like this for what does not exist."""
        pages = self.job.error_pages
        if pages is None or page.depth == 0:
            return False
        return pages.has(page.url, (p.text for p in document.clean_paragraphs))
