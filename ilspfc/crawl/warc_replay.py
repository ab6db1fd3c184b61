"""A crawl over WARC files: its settings, and its archive, which is indexed once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ilspfc.cleaning import add_media_types
from ilspfc.corpus.warc.lookup import WarcArchive
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from ilspfc.crawl.arguments import CrawlArguments

_HANDLER = "ilspfc.middlewares.replay.ReplayHandler"
# Nothing in the process can open a connection, and no host needs politeness.
_SETTINGS = {
    "ARCHIVE_WARC": False,
    "DOWNLOAD_DELAY": 0,
    "FRONTIER_MAX_CRAWL_DELAY": 0,
    "RETRY_ENABLED": False,
}


def use_archive(settings: BaseSettings) -> None:
    """Change the settings of a crawl to those of a crawl over WARC files."""
    handlers = {
        **dict.fromkeys(settings.getwithbase("DOWNLOAD_HANDLERS")),
        "http": _HANDLER,
        "https": _HANDLER,
    }
    changed = {
        **_SETTINGS,
        "DOWNLOAD_HANDLERS": handlers,
        "CONCURRENT_REQUESTS_PER_DOMAIN": settings.getint("CONCURRENT_REQUESTS"),
    }
    settings.update(changed, priority="cmdline")


def is_replay(crawler: Crawler) -> bool:
    """Test whether a crawl reads WARC files and contacts nobody."""
    return bool(crawler.settings.getdict("DOWNLOAD_HANDLERS").get("http") == _HANDLER)


class Replay:
    """The archive of a crawl, indexed in a thread at the first use."""

    def __init__(self, archive: WarcArchive) -> None:
        self.archive = archive
        self._indexing: asyncio.Future[None] | None = None

    async def index(self, crawler: Crawler) -> WarcArchive:
        """Return the archive once it is indexed."""
        if self._indexing is None:
            self._indexing = asyncio.ensure_future(self._index(crawler))
        await asyncio.shield(self._indexing)
        return self.archive

    async def _index(self, crawler: Crawler) -> None:
        crawler.stats.set_value("stage", "archive")
        await asyncio.to_thread(self.archive.index)
        crawler.stats.set_value("stage", "")
        for kind, number in self.archive.counts.items():
            crawler.stats.set_value(f"archive/{kind}_records", number)


def make_replay(arguments: CrawlArguments, settings: BaseSettings) -> Replay | None:
    """Return the replay of the WARC files, None in a crawl of the web."""
    if not arguments.warc:
        return None
    media_types = add_media_types(
        settings.getlist("FETCH_MEDIA_TYPES"), settings.getlist("CLEANING_FORMATS")
    )
    return Replay(WarcArchive(arguments.warc, canonicalize, media_types))
