"""What the pipelines share: calls in a worker for one page."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from scrapy.exceptions import DropItem
from scrapy.utils.test import get_crawler

from ilspfc.documents import Page
from ilspfc.pipelines.stage import StagePipeline
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Iterator


def compute(prepared: object, seconds: float) -> str:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return f"done {prepared}"


def prepare() -> str:
    return "as prepared"


def die(_: object) -> None:
    os.kill(os.getpid(), 9)


class SomePipeline(StagePipeline):
    stage = "language"


@pytest.fixture
def pipeline() -> Iterator[SomePipeline]:
    crawler = get_crawler()
    workers = WorkerPool(1, cpu_seconds=0.5, prepare=prepare)
    crawler.spider = SimpleNamespace(
        job=SimpleNamespace(workers=workers, disk=nullcontext())
    )  # type: ignore[assignment]
    yield SomePipeline(crawler)
    workers.close()


def make_page() -> Page:
    return Page("http://example.org/", "x", b"", "", "", 0, None)  # type: ignore[arg-type]


def test_the_calls_for_a_page_share_its_seconds(pipeline: SomePipeline) -> None:
    async def run() -> None:
        for page in (make_page(), make_page()):
            assert await pipeline.work(page, compute, 0.35) == "done as prepared"
            assert page.cpu_seconds >= 0.35
            with pytest.raises(DropItem, match="language/timeout"):
                await pipeline.work(page, compute, 0.35)
            assert page.drop == "language/timeout"

    asyncio.run(run())
    assert pipeline._crawler.stats.get_value("language/dropped/timeout") == 2


def test_a_page_that_kills_its_worker_is_dropped(pipeline: SomePipeline) -> None:
    with pytest.raises(DropItem, match="language/worker_lost"):
        asyncio.run(pipeline.work(make_page(), die))
