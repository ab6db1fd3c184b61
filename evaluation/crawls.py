"""Crawls that are stopped after a number of pages: real processes of ``scrapy crawl``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.data import PROJECT
from ilspfc.settings import ITEM_PIPELINES

if TYPE_CHECKING:
    from evaluation.served import PageKey, ServedPages

_POLL_SECONDS = 0.02
_STOP_SECONDS = 60.0

# One download at a time: so the order is the scorer's, not the network's. A page's links
# still come a moment after the next page was asked for.
CRAWL_SETTINGS = {
    "GUARD_ALLOW": "127.0.0.0/8",
    "DOWNLOAD_DELAY": "0",
    "CONCURRENT_REQUESTS": "1",
    # What follows a crawl is not measured here.
    "ITEM_PIPELINES": json.dumps(
        {path: order for path, order in ITEM_PIPELINES.items() if "pairing" not in path}
    ),
}


def crawl_command(
    spider: str, arguments: Mapping[str, str], settings: Mapping[str, str]
) -> list[str]:
    """Return the command of a crawl."""
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    for name, value in arguments.items():
        command += ["-a", f"{name}={value}"]
    for name, value in {**CRAWL_SETTINGS, **settings}.items():
        command += ["-s", f"{name}={value}"]
    return command


def log_crawl(
    served: ServedPages,
    spider: str,
    arguments: Mapping[str, str],
    settings: Mapping[str, str],
    *,
    budget: int,
) -> list[PageKey]:
    """Crawl what is served until so many pages were fetched; return them in order.

    Raises CalledProcessError when the crawl fails.
    """
    served.clear()
    with tempfile.TemporaryDirectory() as folder:
        corpus = {"CORPUS_DIR": str(Path(folder) / "corpus")}
        command = crawl_command(spider, arguments, {**settings, **corpus})
        with subprocess.Popen(
            command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=sys.stderr
        ) as process:
            while process.poll() is None and len(served.log) < budget:
                time.sleep(_POLL_SECONDS)
            if process.poll() is None:
                _stop(process)
            elif process.returncode:
                raise subprocess.CalledProcessError(process.returncode, command)
    return served.log[:budget]


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Have a crawl end itself, as Ctrl-C does."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
