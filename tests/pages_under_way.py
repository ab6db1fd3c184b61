"""Pages under way, as tests of pipelines and extensions make them up."""

from __future__ import annotations

from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from scrapy.utils.test import get_crawler

from ilspfc.corpus.files import CorpusFiles
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.job import CrawlJob
from ilspfc.documents import Document, Link

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

URL = "https://www.example.org/a"
ID = "0123456789ab"


class PartialJob(CrawlJob):
    """The objects of a crawl that a test needs, and no others."""

    def __init__(self, **parts: object) -> None:
        for name, part in parts.items():
            setattr(self, name, part)


def make_page(**verdicts: StrEnum | None) -> FetchedPage:
    """Return a page that a worker has processed, with the verdicts of its stages."""
    document = Document(ID, URL, [], links=[Link("https://www.example.org/b")])
    document.lang = "deu"
    work = PageWork(document, verdicts, body=b"<p>Gurt</p>", digest="d1", paragraphs=1)
    return FetchedPage(
        url=URL,
        id=ID,
        fetched_at="2026-03-01",
        depth=1,
        body=b"",
        document=document,
        work=work,
    )


def make_crawler(folder: Path, extension: object = None, **job: object) -> Crawler:
    """Return a crawler with a job of these objects, an extension and no engine."""
    given = {
        "files": CorpusFiles(folder),
        "disk": nullcontext(),
        "error_pages": None,
        "stores": lambda _: True,
        "cues": SimpleNamespace(detect=lambda _: None, detect_in_url=lambda _: None),
        "scope": SimpleNamespace(accept=lambda _: True),
        "arguments": SimpleNamespace(domain=None, delta=False, scope=""),
        "archive": None,
        **job,
    }
    crawler = get_crawler()
    crawler.spider = cast("Any", SimpleNamespace(job=PartialJob(**given)))
    cast("Any", crawler).get_extension = lambda _: extension
    return crawler
