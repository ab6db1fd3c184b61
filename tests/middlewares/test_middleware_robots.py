"""A Crawl-delay where no frontier keeps it: the download slot does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from scrapy.core.scheduler import Scheduler
from scrapy.settings import Settings

from ilspfc.middlewares.robots_files import RobotsMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


@pytest.mark.parametrize(("asked", "kept"), [(3.0, 3.0), (0.5, 1.0), (90.0, 30.0)])
def test_a_crawl_delay_holds_in_the_download_slot(asked: float, kept: float) -> None:
    slot = SimpleNamespace(delay=1.0)
    downloader = SimpleNamespace(slots={"a.example": slot})
    engine = SimpleNamespace(
        scheduler=Scheduler.__new__(Scheduler), downloader=downloader
    )
    settings = Settings(
        {
            "ROBOTSTXT_OBEY": True,
            "OPTOUT_POLICY": "skip",
            "USER_AGENT": "a",
        }
    )
    crawler = SimpleNamespace(settings=settings, engine=engine, spider=None)
    middleware = RobotsMiddleware(cast("Crawler", crawler))
    middleware._slow_to("a.example", asked)
    middleware._slow_to("b.example", asked)
    assert slot.delay == kept
