"""The monolingual spider: ``scrapy crawl monolingual -a lang=it``."""

from __future__ import annotations

from ilspfc.frontier.scope import Scope
from ilspfc.spiders.corpus_spider import CorpusSpider


class MonolingualSpider(CorpusSpider):
    """Collects pages in one language, from the seeds and across hosts."""

    name = "monolingual"
    lang_argument = "lang"
    default_scope = Scope.ANY
    custom_settings = {"EXPORTS_FORMATS": "text,texts"}  # noqa: RUF012 - Scrapy declares it on the instance
