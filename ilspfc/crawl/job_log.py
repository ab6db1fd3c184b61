"""The log of a crawl, as text or as JSON: a job of scrapyd tells its progress and errors there."""

from __future__ import annotations

import io
import json
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def make_record(*args: Any, **values: Any) -> logging.LogRecord:
    """Return a record with itself as JSON: time, level, logger, message, error."""
    record = logging.LogRecord(*args, **values)
    entry = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
        "level": record.levelname,
        "logger": record.name,
        "message": record.getMessage(),
    }
    if record.exc_info:
        entry["error"] = logging.Formatter().formatException(record.exc_info)
        # A formatter would write it below the line.
        record.exc_info = None
    record.json = json.dumps(entry, ensure_ascii=False, default=str)
    return record


class JsonLines(io.TextIOBase):
    """Text stream that writes each line as a record of the log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the lines of a text, empty ones left out."""
        for line in text.splitlines():
            if line.strip():
                record = make_record("ilspfc", logging.INFO, "", 0, line, (), None)
                self._stream.write(f"{record.json}\n")  # type: ignore[attr-defined]
        return len(text)

    def flush(self) -> None:
        """Flush the stream below, which is closed before this one is collected."""
        if not self._stream.closed:
            self._stream.flush()

    def close(self) -> None:
        """Close the stream below, unless it is standard error."""
        if self._stream is not sys.stderr:
            self._stream.close()


def is_json(settings: BaseSettings) -> bool:
    """Test whether the log is JSON."""
    return settings.getbool("REPORT_LOG_JSON")


def open_log(settings: BaseSettings) -> TextIO | None:
    """Open the log file (LOG_FILE) at its end, None where there is none."""
    path = settings.get("LOG_FILE")
    if not path and not is_json(settings):
        return None
    stream = (
        Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115
        if path
        else sys.stderr
    )
    return JsonLines(stream) if is_json(settings) else stream  # type: ignore[return-value]


def tell_log(settings: BaseSettings, text: str) -> None:
    """Write lines to the log file, if there is one."""
    if settings.get("LOG_FILE") and (log := open_log(settings)):
        with log:
            log.write(f"{text}\n")


def use_json(settings: BaseSettings) -> None:
    """Have the log that Scrapy opens after this written as JSON."""
    logging.setLogRecordFactory(make_record)
    settings.set("LOG_FORMAT", "%(json)s", priority="cmdline")
