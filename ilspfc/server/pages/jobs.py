"""Pages and JSON interface of jobs: try a crawl, watch it, stop it.

The addresses below ``/api/`` are for scripts: the same handlers answer them in JSON.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from importlib.resources import files
from itertools import chain
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ilspfc.corpus import counts
from ilspfc.crawl.arguments import NO_DOMAIN, domain_library, read_seeds
from ilspfc.crawl.index_records import count_addresses
from ilspfc.exceptions import ArgumentError, CorpusError, IlspfcError
from ilspfc.line.report import count_losses
from ilspfc.line.stages import STAGES
from ilspfc.report.charts import harvest_curve
from ilspfc.report.funnel import order_losses
from ilspfc.report.manifest import read_json
from ilspfc.report.numbers import largest_first
from ilspfc.report.reason_texts import explain
from ilspfc.server.bodies import list_languages, takes_fields, to_codes
from ilspfc.server.jobs.queue import Job, JobQueue
from ilspfc.server.jobs.request import JobRequest
from ilspfc.server.library import read_corpus
from ilspfc.server.rendering import (
    describe_crawl,
    go_to,
    is_api,
    library_of,
    render,
    root_path,
)

_LATEST = 15
_HOSTS = 10
# What a job does in each state of its crawl, and the limits at which it may end.
_DOING = {one.name: one.title for one in STAGES} | {"report": "writing the report"}
_LIMITS = {"pages": "pages", "seconds": "minutes", "megabytes": "megabytes"}


def find_queue(request: Request) -> JobQueue:
    """Return the jobs; HTTPException where the server starts none."""
    queue: JobQueue | None = request.app.state.jobs
    if queue is None:
        raise HTTPException(
            404, "This server starts no crawls; see `ilspfc serve --jobs`."
        )
    return queue


def _user(request: Request) -> str:
    """Return the user that a proxy names, else the one name of all who have the token."""
    field = request.app.state.user_header
    user: str = request.headers.get(field, "") if field else "local"
    if not user:
        # The empty name is that of all users.
        raise HTTPException(403, f"The proxy names no user in {field}.")
    return user


def show(request: Request) -> Response:
    """Show the jobs of the user, below the form for another one."""
    if is_api(request):
        jobs = find_queue(request).jobs(_user(request))
        return JSONResponse([_to_json(job) for job in jobs])
    given = request.query_params
    domain, seeds = given.get("domain", NO_DOMAIN), ""
    if file := domain_library().seeds(domain):
        seeds = "\n".join(chain.from_iterable(read_seeds(file, f"seeds of {domain}")))
    return _show_form(
        request, JobRequest(given.get("langs", ""), seeds, "", domain), {}
    )


def list_open(request: Request) -> list[tuple[Job, tuple[str, str]]]:
    """Return the user's jobs that have not ended, each with the state of its crawl.

    There are none where no jobs can be started now, or for nobody.
    """
    try:
        queue = find_queue(request)
        jobs = queue.jobs(_user(request))
    except (HTTPException, IlspfcError):
        return []
    return [(one, describe_crawl(queue.folder_of(one))) for one in jobs if one.is_open]


def _show_form(
    request: Request, values: JobRequest, errors: Mapping[str, str], status: int = 200
) -> Response:
    queue = find_queue(request)
    return render(
        request,
        "try.html",
        status,
        values=values,
        errors=errors,
        limits=queue.limits,
        domains=domain_library().names(),
        langs=list_languages(),
        jobs=queue.jobs(_user(request)),
    )


@takes_fields
def check(request: Request, fields: Mapping[str, object]) -> Response:
    """Return the errors of the form so far, as a fragment of the page."""
    errors, _ = _check(find_queue(request), fields)
    shown = {name: text for name, text in errors.items() if fields.get(name)}
    return render(request, "try_errors.html", errors=shown)


def _check(
    queue: JobQueue, fields: Mapping[str, object]
) -> tuple[dict[str, str], JobRequest | None]:
    """Return the errors by field, and the request, None where it cannot be read.

    Languages may be given by their names.
    """
    if isinstance(langs := fields.get("langs"), str):
        fields = {**fields, "langs": to_codes(langs)}
    try:
        values = JobRequest.read(fields)
    except ArgumentError as error:
        # The text begins with the name of the field.
        name = str(error).partition(":")[0]
        return {name if name in JobRequest.__slots__ else "": str(error)}, None
    return values.find_errors(queue.limits), values


@takes_fields
def start(request: Request, fields: Mapping[str, object]) -> Response:
    """Start the crawl that the fields describe, or tell their errors."""
    queue, user = find_queue(request), _user(request)
    errors, values = _check(queue, fields)
    if values and not errors:
        try:
            job = queue.start(user, values)
        except ArgumentError as error:
            errors = {"": str(error)}
        else:
            if is_api(request):
                return JSONResponse(_to_json(job), 201)
            return go_to(request, f"/jobs/{job.name}")
    if is_api(request):
        return JSONResponse({"errors": errors}, 422)
    return _show_form(request, values or JobRequest(), errors, 400)


def watch(request: Request) -> Response:
    """Show a job: its state, and what it has found so far."""
    found = _describe(request)
    if is_api(request):
        numbers = {name: found[name] for name in ("pages", "kept", "queued", "corpus")}
        return JSONResponse({**_to_json(found["job"]), **numbers})
    return render(request, "job.html", **found)


def stop(request: Request) -> Response:
    """Stop a job in order; what it has found is kept."""
    return _act(request, find_queue(request).cancel, "stopping")


def resume(request: Request) -> Response:
    """Go on with a job."""
    return _act(request, find_queue(request).resume, "pending")


def _act(request: Request, act: Callable[[str, str], None], then: str) -> Response:
    """Change a job, whose state is another one then."""
    name = request.path_params["job"]
    act(name, _user(request))
    if is_api(request):
        return JSONResponse({"name": name, "state": then}, 202)
    return go_to(request, f"/jobs/{name}")


def _describe(request: Request) -> dict[str, Any]:
    """Return the facts of a job, of its corpus and of its queue of addresses."""
    queue = find_queue(request)
    job = queue.find(request.path_params["job"], _user(request))
    root = queue.folder_of(job)
    found: dict[str, Any] = dict.fromkeys(("pages", "kept", "queued", "rate"), 0)
    found |= dict.fromkeys(("curve", "latest", "drops", "hosts"), ())
    found |= {"doing": "starting", "end": "Ended"}
    # A crawl that has not begun to write yet is described without numbers.
    with (
        suppress(CorpusError, sqlite3.Error),
        read_corpus(root, library_of(request).settings) as corpus,
    ):
        index = corpus.index
        counted = counts.count_corpus(index, corpus.langs)
        addresses = count_addresses(corpus.files.frontier)
        state = read_json(corpus.files.status)
        found = {
            "doing": _DOING.get(str(state.get("state")), "fetching pages"),
            "end": _describe_end(state, corpus.run),
            "pages": counted.pages_fetched,
            "kept": counted.document_count,
            "queued": sum(addresses.queued.values()),
            "rate": state.get("pages_per_second", 0),
            "curve": harvest_curve(counts.harvest_curve(index)),
            "latest": [
                (url, "kept" if fate == "kept" else explain(fate), lang)
                for url, fate, lang in counts.latest_pages(index, _LATEST)
            ],
            "drops": order_losses(count_losses(corpus, addresses)),
            "hosts": largest_first(addresses.queued.items())[:_HOSTS],
        }
        if not job.is_open:
            found["corpus"] = library_of(request).add(root, f"job-{job.name}")
    return {"job": job, "corpus": "", **found}


def _describe_end(state: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    """Return the end of a crawl in words, by its last state and the description of its run."""
    if state.get("state") in {"stopped", "failed"}:
        return f"Stopped: {state.get('reason')}"
    limit = _LIMITS.get(run.get("stats", {}).get("frontier/limit_reached"))
    return f"Ended at the limit of {limit}" if limit else "Ended"


def _to_json(job: Job) -> dict[str, object]:
    names = ("name", "request", "begun", "state", "cause")
    values = asdict(job)
    return {name: values[name] for name in names}


def describe_api(request: Request) -> Response:
    """Return the description of the JSON interface (OpenAPI 3.1)."""
    text = files("ilspfc.server").joinpath("openapi.json").read_text("utf-8")
    return JSONResponse(
        {**json.loads(text), "servers": [{"url": root_path(request) or "/"}]}
    )
