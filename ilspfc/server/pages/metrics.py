"""Metrics for Prometheus: the last state of each crawl, its parts among them."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from ilspfc.corpus.files import CorpusFiles
from ilspfc.report.manifest import read_json
from ilspfc.report.numbers import parse_time
from ilspfc.server.library import read_states
from ilspfc.server.rendering import library_of

# Name of a metric: its type, its help, and the field of status.json that it is.
_METRICS = {
    "pages_total": ("counter", "Pages done in this run.", "pages"),
    "documents_total": ("counter", "Documents made in this run.", "documents"),
    "failed_total": ("counter", "Requests that failed in this run.", "failed"),
    "errors_total": ("counter", "Errors in the log of this run.", "errors"),
    "queued_urls": ("gauge", "Addresses that this crawler has to visit.", "queued"),
    "seconds_total": ("counter", "Seconds since this run began.", "seconds"),
    "free_megabytes": ("gauge", "Free space on the disk.", "free_megabytes"),
    "megabytes": ("gauge", "Largest memory of the crawler.", "megabytes"),
    "alarms": ("gauge", "Alarms for an operator.", ""),
    "alarm": ("gauge", "1 for each alarm that is raised, by its name.", ""),
    "age_seconds": ("gauge", "Seconds since this state was written.", ""),
    "build_running": ("gauge", "1 while the stages of a corpus run, by stage.", ""),
    "build_seconds_total": ("counter", "Seconds since the stages began.", ""),
    "finished": ("gauge", "1 once the crawl and its stages are done.", ""),
}


def metrics(request: Request) -> PlainTextResponse:
    """Return the metrics of all corpora in Prometheus' text format, version 0.0.4."""
    library = library_of(request)
    lines: dict[str, list[str]] = defaultdict(list)
    for name in library.names:
        root = library.root_of(name)
        samples = [
            ({"corpus": name, "crawler": part, **labels}, metric, value)
            for part, state in read_states(root)
            for labels, metric, value in _iter_samples(state)
        ]
        if build := read_json(CorpusFiles(root).build):
            labels = {"corpus": name, "stage": str(build.get("state"))}
            is_running = build.get("state") not in {"finished", "stopped"}
            samples.append((labels, "build_running", is_running))
            seconds = build.get("seconds") or 0
            samples.append((labels, "build_seconds_total", seconds))
        for labels, metric, value in samples:
            told = ",".join(f'{key}="{_escape(text)}"' for key, text in labels.items())
            lines[metric].append(f"ilspfc_{metric}{{{told}}} {value:g}\n")
    text = "".join(
        f"# HELP ilspfc_{metric} {meaning}\n# TYPE ilspfc_{metric} {kind}\n"
        + "".join(lines[metric])
        for metric, (kind, meaning, _) in _METRICS.items()
    )
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


def _iter_samples(
    state: Mapping[str, Any],
) -> Iterator[tuple[dict[str, str], str, float]]:
    """Yield the metrics of the state of a crawler: additional labels, name, value."""
    for metric, (_, _, field) in _METRICS.items():
        if field:
            yield {}, metric, float(state.get(field) or 0)
    alarms = state.get("alarms") or ()
    yield {}, "alarms", len(alarms)
    for alarm in alarms:
        yield {"alarm": alarm["name"]}, "alarm", 1
    updated = parse_time(str(state.get("updated")))
    written = updated.timestamp() if updated else 0.0
    yield {}, "age_seconds", max(0.0, time.time() - written)
    yield {}, "finished", state.get("state") == "finished"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
