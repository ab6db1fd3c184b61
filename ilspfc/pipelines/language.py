"""Language: of the page and of each paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.cleaning import count_clean_tokens
from ilspfc.documents import Page
from ilspfc.language.identify import LanguageReason, identify_page
from ilspfc.language_texts import language_options
from ilspfc.pipelines.base import StagePipeline

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class LanguagePipeline(StagePipeline):
    """Calls :func:`~ilspfc.language.identify.identify_page` in a worker."""

    stage = "language"

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._options = language_options(crawler.settings)

    async def process_item(self, item: object) -> object:
        """Label the paragraphs; drop a page in no wanted language."""
        if not isinstance(item, Page) or item.document is None:
            return item
        document, langs = item.document, self.job.arguments.langs
        document.lang, document.paragraphs = await self.work(
            item,
            identify_page,
            document.paragraphs,
            langs,
            document.metadata.declared_lang,
            **self._options,
        )
        if document.lang not in langs:
            raise self.drop(item, LanguageReason.OTHER_LANGUAGE)
        document.tokens = count_clean_tokens(document.paragraphs)
        if document.tokens < self.settings.getint("LANGUAGE_MIN_TOKENS"):
            # Only now is it known which paragraphs are clean text in the language.
            raise self.drop(item, LanguageReason.TOO_SHORT)
        return item
