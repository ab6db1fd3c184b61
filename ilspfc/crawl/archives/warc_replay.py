"""A crawl over WARC files, a folder or Common Crawl: its settings, and its archive, indexed once."""

from __future__ import annotations

import asyncio

from scrapy.crawler import Crawler
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from ilspfc.cleaning.files.formats import add_media_types
from ilspfc.corpus.warc.lookup import WarcArchive
from ilspfc.crawl.archives.common_crawl import CommonCrawlArchive
from ilspfc.crawl.archives.folder_archive import FolderArchive
from ilspfc.crawl.arguments import CrawlArguments

_HANDLER = "ilspfc.middlewares.replay.ReplayHandler"


def use_archive(settings: BaseSettings, *, is_archived: bool = True) -> None:
    """Change the settings of a crawl to those of a crawl over an archive or a folder.

    What ``is_archived`` already is not archived again.
    """
    handlers = dict.fromkeys(settings.getwithbase("DOWNLOAD_HANDLERS"))
    handlers |= {"http": _HANDLER, "https": _HANDLER}
    # Nothing in the process can open a connection to a site, and none needs politeness.
    # Above the command line: no wish of the user's, which the manifest would repeat.
    changed = {
        "DOWNLOAD_DELAY": 0,
        "RETRY_ENABLED": False,
        "DOWNLOAD_HANDLERS": handlers,
        "CONCURRENT_REQUESTS_PER_DOMAIN": settings.getint("CONCURRENT_REQUESTS"),
        **({"ARCHIVE_WARC": False} if is_archived else {}),
    }
    settings.update(changed, priority=SETTINGS_PRIORITIES["cmdline"] + 1)


def is_replay(crawler: Crawler) -> bool:
    """Test whether a crawl reads an archive and contacts no site."""
    return bool(crawler.settings.getdict("DOWNLOAD_HANDLERS").get("http") == _HANDLER)


PageArchive = WarcArchive | FolderArchive | CommonCrawlArchive
"""The answers that a crawl reads in place of the web."""


class Replay:
    """The archive of a crawl, indexed in a thread at the first use."""

    def __init__(self, archive: PageArchive) -> None:
        self.archive = archive
        self._indexing: asyncio.Future[None] | None = None

    async def index(self, crawler: Crawler) -> PageArchive:
        """Return the archive once it is indexed."""
        if self._indexing is None:
            self._indexing = asyncio.ensure_future(self._index(crawler))
        await asyncio.shield(self._indexing)
        return self.archive

    async def _index(self, crawler: Crawler) -> None:
        crawler.stats.set_value("stage", "archive")
        try:
            await asyncio.to_thread(self.archive.index)
        finally:
            crawler.stats.set_value("stage", "")
        for kind, number in self.archive.counts.items():
            crawler.stats.set_value(f"archive/{kind}_records", number)


def page_types(settings: BaseSettings) -> list[str]:
    """Return the media types of pages, those of the formats that can be read among them."""
    formats = settings.getlist("CLEANING_FORMATS")
    return add_media_types(settings.getlist("FETCH_MEDIA_TYPES"), formats)


def make_replay(arguments: CrawlArguments, settings: BaseSettings) -> Replay | None:
    """Return the replay of the archive or the folder, None in a crawl of the web."""
    if not arguments.is_offline:
        return None
    media_types = page_types(settings)
    if arguments.folder is not None:
        return Replay(FolderArchive(arguments.folder, media_types))
    if arguments.cc:
        return Replay(CommonCrawlArchive(arguments, settings, media_types))
    return Replay(WarcArchive(arguments.warc, media_types))
