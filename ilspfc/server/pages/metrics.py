"""Metrics for Prometheus: the last state of each crawl, its parts among them."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import PlainTextResponse

from ilspfc.corpus.files import CorpusFiles
from ilspfc.report.manifest import read_json
from ilspfc.server.library import read_states
from ilspfc.server.rendering import library_of

if TYPE_CHECKING:
    from starlette.requests import Request

# Name of a metric: its type, its help, and the field of status.json.
_METRICS = {
    "pages_total": ("counter", "Pages done in this run.", "pages"),
    "documents_total": ("counter", "Documents kept in this run.", "kept"),
    "failed_total": ("counter", "Requests that failed in this run.", "failed"),
    "errors_total": ("counter", "Errors in the log of this run.", "errors"),
    "queued_urls": ("gauge", "Addresses that this crawler has to visit.", "queued"),
    "seconds_total": ("counter", "Seconds since this run began.", "seconds"),
    "free_megabytes": ("gauge", "Free space on the disk.", "free_megabytes"),
    "megabytes": ("gauge", "Largest memory of the crawler.", "megabytes"),
    "alarms": ("gauge", "Alarms for an operator.", "alarms"),
    "alarm": ("gauge", "1 for each alarm that is raised, by its name.", ""),
    "age_seconds": ("gauge", "Seconds since this state was written.", "updated"),
    "build_running": ("gauge", "1 while the stages of a corpus run, by stage.", ""),
    "build_seconds_total": ("counter", "Seconds since the stages began.", ""),
    "finished": ("gauge", "1 once the crawl and its stages are done.", "state"),
}


def metrics(request: Request) -> PlainTextResponse:
    """Return the metrics of all corpora in Prometheus' text format, version 0.0.4."""
    library = library_of(request)
    lines: dict[str, list[str]] = defaultdict(list)
    for name in library.names:
        for part, state in read_states(library.root_of(name)):
            labels = f'corpus="{_escape(name)}",crawler="{_escape(part)}"'
            for metric, (_, _, field) in _METRICS.items():
                if not field:
                    continue
                value = _value(field, state.get(field))
                lines[metric].append(f"ilspfc_{metric}{{{labels}}} {value:g}")
            for alarm in state.get("alarms", ()):
                named = f'{labels},alarm="{_escape(alarm["name"])}"'
                lines["alarm"].append(f"ilspfc_alarm{{{named}}} 1")
        for labels, state in _read_builds(name, library.root_of(name)):
            is_running = state.get("state") != "finished"
            lines["build_running"].append(
                f"ilspfc_build_running{{{labels}}} {is_running:d}"
            )
            seconds = _value("seconds", state.get("seconds"))
            lines["build_seconds_total"].append(
                f"ilspfc_build_seconds_total{{{labels}}} {seconds:g}"
            )
    text = "".join(
        f"# HELP ilspfc_{metric} {meaning}\n# TYPE ilspfc_{metric} {kind}\n"
        + "".join(f"{line}\n" for line in lines[metric])
        for metric, (kind, meaning, _) in _METRICS.items()
    )
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def _read_builds(name: str, root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the labels and the state of the last build of a corpus, if there was one."""
    if state := read_json(CorpusFiles(root).build):
        labels = f'corpus="{_escape(name)}",stage="{_escape(str(state.get("state")))}"'
        yield labels, state


def _value(field: str, value: Any) -> float:
    """Return a field as a number, 0 for one that is missing."""
    if field == "alarms":
        return len(value or ())
    if field == "state":
        return float(value == "finished")
    if field == "updated":
        written = datetime.fromisoformat(value).timestamp() if value else 0.0
        return max(0.0, time.time() - written)
    return float(value or 0)


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
