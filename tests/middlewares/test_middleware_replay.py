"""What is different in a crawl over WARC files: nobody is contacted or spared."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pages_under_way import PartialJob
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings

from ilspfc.crawl.archives.warc_replay import is_replay, use_archive
from ilspfc.middlewares.guard import AddressRefusedError, GuardMiddleware
from ilspfc.middlewares.throttle import PolitenessMiddleware


def make_crawler(*, over_archive: bool) -> Any:
    settings = Settings()
    if over_archive:
        use_archive(settings)
    spider = SimpleNamespace(job=PartialJob())
    return SimpleNamespace(settings=settings, spider=spider)


def test_the_guard_lets_any_address_pass_but_no_other_scheme() -> None:
    guard = GuardMiddleware.from_crawler(make_crawler(over_archive=True))
    for url in ("http://127.0.0.1/", "http://[::1]/", "https://10.0.0.1:8080/"):
        guard.process_request(Request(url))
        with pytest.raises(AddressRefusedError):
            GuardMiddleware.from_crawler(
                make_crawler(over_archive=False)
            ).process_request(Request(url))
    with pytest.raises(AddressRefusedError):
        guard.process_request(Request("file:///etc/hosts"))


def test_no_host_is_spared() -> None:
    with pytest.raises(NotConfigured):
        PolitenessMiddleware.from_crawler(make_crawler(over_archive=True))
    PolitenessMiddleware.from_crawler(make_crawler(over_archive=False))
    assert not is_replay(make_crawler(over_archive=False))


def test_no_handler_is_left_that_could_open_a_connection() -> None:
    settings = Settings({"DOWNLOAD_HANDLERS": {"s3": None}, "RETRY_ENABLED": True})
    settings.set("DOWNLOAD_DELAY", "5", priority="cmdline")
    use_archive(settings)
    handlers = {
        scheme: handler
        for scheme, handler in settings.getwithbase("DOWNLOAD_HANDLERS").items()
        if handler is not None
    }
    ours = "ilspfc.middlewares.replay.ReplayHandler"
    assert handlers == {"http": ours, "https": ours}
    assert settings.getfloat("DOWNLOAD_DELAY") == 0
    assert not settings.getbool("RETRY_ENABLED")
    assert not settings.getbool("ARCHIVE_WARC")
