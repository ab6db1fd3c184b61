"""The log of a job: the file in which a crawl that nobody watches tells its progress."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def open_log(settings: BaseSettings) -> TextIO | None:
    """Open the log file (LOG_FILE) at its end, None where there is none."""
    path = settings.get("LOG_FILE")
    return Path(path).open("a", encoding="utf-8", buffering=1) if path else None


def tell_log(settings: BaseSettings, text: str) -> None:
    """Write lines to the log file, if there is one."""
    if log := open_log(settings):
        with log:
            log.write(f"{text}\n")
