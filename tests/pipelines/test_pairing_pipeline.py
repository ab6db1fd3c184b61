"""The pipeline that runs the stages: what is not needed for them ends before."""

from __future__ import annotations

import asyncio
import os
from types import SimpleNamespace
from typing import Any

import pytest

from ilspfc.pipelines.pairing import PairingPipeline
from ilspfc.workers import WorkerPool


async def _close(workers: WorkerPool) -> int:
    """Close the spider of a crawl with these workers; return the process of one."""
    number = await workers.run(os.getpid)
    job = SimpleNamespace(workers=workers, disk=SimpleNamespace(refusal="full"))
    crawler: Any = SimpleNamespace(spider=SimpleNamespace(job=job))
    await PairingPipeline(crawler).close_spider()
    return number


def test_the_workers_of_the_pages_end_before_the_stages() -> None:
    number = asyncio.run(_close(WorkerPool(1, cpu_seconds=30.0)))
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
