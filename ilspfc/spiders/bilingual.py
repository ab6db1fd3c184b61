"""The bilingual spider: ``scrapy crawl bilingual -a langs=de,it``."""

from __future__ import annotations

from ilspfc.frontier.scope import Scope
from ilspfc.spiders.corpus_spider import CorpusSpider


class BilingualSpider(CorpusSpider):
    """Collects pages in two or more languages from the seeds' sites and pairs them.

    Thresholds of relevance are lower than in a monolingual crawl, as in ILSP-FC: the
    translation of a page may have the terms.
    """

    name = "bilingual"
    lang_argument = "langs"
    default_scope = Scope.SITE
    custom_settings = {  # noqa: RUF012 - Scrapy declares it on the instance
        "CLASSIFICATION_MIN_CONTENT_TERMS": 1,
        "CLASSIFICATION_MIN_UNIQUE_TERMS": 1,
        "FRONTIER_MAX_TUNNEL": 20,
    }
