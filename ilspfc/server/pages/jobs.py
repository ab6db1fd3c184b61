"""Pages and JSON interface of jobs: try a crawl, watch it, stop it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse

from ilspfc.corpus import counts
from ilspfc.crawl.arguments import domain_library
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.line.report import count_losses
from ilspfc.report.charts import harvest_curve
from ilspfc.report.funnel import order_losses
from ilspfc.report.reason_texts import explain
from ilspfc.server import queries
from ilspfc.server.bodies import Form, takes_form, takes_json
from ilspfc.server.jobs.request import JobRequest
from ilspfc.server.pages.look import library_of
from ilspfc.server.reading import read_corpus
from ilspfc.server.rendering import render, root_path

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from ilspfc.server.jobs.queue import Job, JobQueue

_LATEST = 15
_HOSTS = 10
# Status by which htmx asks no more.
_STOP_POLLING = 286


def _queue(request: Request) -> JobQueue:
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


def form(request: Request) -> Response:
    """Show the form for a crawl, and the jobs of the user."""
    queue = _queue(request)
    return render(
        request,
        "try.html",
        values=JobRequest(),
        errors={},
        limits=queue.limits,
        domains=domain_library().names(),
        jobs=queue.jobs(_user(request)),
    )


@takes_form
def check(request: Request, form: Form) -> Response:
    """Return the errors of the form so far, as a fragment of the page."""
    errors, values = _check(_queue(request), form)
    shown = {name: text for name, text in errors.items() if form.get(name)}
    return render(request, "try_errors.html", errors=shown, values=values)


def _check(
    queue: JobQueue, fields: Mapping[str, object]
) -> tuple[dict[str, str], JobRequest | None]:
    try:
        values = JobRequest.read(fields)
    except ArgumentError as error:
        # The text begins with the name of the field.
        name = str(error).partition(":")[0]
        return {name if name in JobRequest.__slots__ else "": str(error)}, None
    return values.find_errors(queue.limits), values


def _start(
    request: Request, fields: Mapping[str, object]
) -> tuple[Job | None, dict[str, str], JobRequest | None]:
    """Return the job that was started, or the errors of its fields, and what was read."""
    queue, user = _queue(request), _user(request)
    errors, values = _check(queue, fields)
    if values is None or errors:
        return None, errors, values
    try:
        return queue.start(user, values), {}, values
    except ArgumentError as error:
        return None, {"": str(error)}, values


@takes_form
def start(request: Request, form: Form) -> Response:
    """Start the crawl of the form, or show its errors."""
    queue = _queue(request)
    job, errors, values = _start(request, form)
    if job:
        return RedirectResponse(f"{root_path(request)}/jobs/{job.name}", 303)
    return render(
        request,
        "try.html",
        400,
        values=values or JobRequest(),
        errors=errors,
        limits=queue.limits,
        domains=domain_library().names(),
        jobs=queue.jobs(_user(request)),
    )


def watch(request: Request) -> Response:
    """Show a job: its state, and what it has found so far."""
    return render(request, "job.html", **_describe(request))


def state(request: Request) -> Response:
    """Return the changing part of the page of a job."""
    found = _describe(request)
    status = _STOP_POLLING if found["job"].state == "finished" else 200
    return render(request, "job_state.html", status, **found)


def stop(request: Request) -> Response:
    """Stop a job in order; what it has found is kept."""
    name = request.path_params["job"]
    _call(lambda: _queue(request).cancel(name, _user(request)))
    return RedirectResponse(f"{root_path(request)}/jobs/{name}", 303)


def resume(request: Request) -> Response:
    """Go on with a job."""
    name = request.path_params["job"]
    _call(lambda: _queue(request).resume(name, _user(request)))
    return RedirectResponse(f"{root_path(request)}/jobs/{name}", 303)


def _call(function: Any) -> Any:
    """Return the result of a function; an unknown job is not found."""
    try:
        return function()
    except ArgumentError as error:
        raise HTTPException(404, str(error)) from error


def _describe(request: Request) -> dict[str, Any]:
    """Return the facts of a job, of its corpus and of its queue of addresses."""
    queue = _queue(request)
    job: Job = _call(lambda: queue.find(request.path_params["job"], _user(request)))
    root = queue.folder_of(job)
    found: dict[str, Any] = {"job": job, "corpus": "", "pages": 0, "latest": []}
    found["rate"] = 0.0
    found |= {"hosts": [], "drops": [], "curve": [], "kept": 0, "queued": 0}
    try:
        with read_corpus(root, library_of(request).settings) as corpus:
            found["curve"] = harvest_curve(counts.harvest_curve(corpus.index))
            found["rate"] = _read_rate(corpus.files.status)
            found["pages"] = counts.count_pages(corpus.index)
            found["kept"] = sum(row[1] for row in counts.count_languages(corpus.index))
            found["latest"] = [
                (url, "kept" if fate == "kept" else explain(fate), lang)
                for url, fate, lang, _ in queries.latest_pages(corpus.index, _LATEST)
            ]
            found["drops"] = order_losses(count_losses(corpus))
            found["hosts"] = _queued_hosts(corpus.files.frontier)
            found["queued"] = sum(number for _, number in found["hosts"])
            if job.state == "finished":
                found["corpus"] = library_of(request).add(root, f"job-{job.name}")
    except (CorpusError, sqlite3.Error):
        # The crawl has not begun to write, or is about to.
        pass
    return found


def _read_rate(path: Path) -> float:
    """Return the pages a second that a crawl tells of itself, 0 where it has not yet."""
    try:
        return float(json.loads(path.read_text("utf-8"))["pages_per_second"])
    except (OSError, ValueError):
        return 0.0


def _queued_hosts(path: Path) -> list[tuple[str, int]]:
    """Return the hosts with the most addresses in the queue."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    sql = (
        "SELECT host, count(*) FROM urls WHERE state = 'queued' GROUP BY host"
        " ORDER BY 2 DESC LIMIT ?"
    )
    with closing(sqlite3.connect(address, uri=True)) as connection:
        return connection.execute(sql, (_HOSTS,)).fetchall()


# The JSON interface: the same functions for scripts.


@takes_json
def api_start(request: Request, fields: dict[str, object]) -> Response:
    """Start a job from a JSON object with the fields of the form."""
    job, errors, _ = _start(request, fields)
    if job:
        return JSONResponse(_to_json(job), 201)
    return JSONResponse({"errors": errors}, 422)


def api_jobs(request: Request) -> Response:
    """List the jobs of the user."""
    jobs = _queue(request).jobs(_user(request))
    return JSONResponse([_to_json(job) for job in jobs])


def api_job(request: Request) -> Response:
    """Return the state of a job and its counts."""
    found = _describe(request)
    numbers = {name: found[name] for name in ("pages", "kept", "queued", "corpus")}
    return JSONResponse({**_to_json(found["job"]), **numbers})


def api_stop(request: Request) -> Response:
    """Stop a job."""
    name = request.path_params["job"]
    _call(lambda: _queue(request).cancel(name, _user(request)))
    return JSONResponse({"name": name, "state": "stopping"}, 202)


def api_resume(request: Request) -> Response:
    """Go on with a job."""
    name = request.path_params["job"]
    _call(lambda: _queue(request).resume(name, _user(request)))
    return JSONResponse({"name": name, "state": "pending"}, 202)


def _to_json(job: Job) -> dict[str, object]:
    values = asdict(job)
    return {name: values[name] for name in ("name", "request", "begun", "state")}


def api_description(request: Request) -> Response:
    """Return the description of the JSON interface (OpenAPI 3.1)."""
    fields = {
        name: {"type": "integer" if isinstance(value, int) else "string"}
        for name, value in asdict(JobRequest()).items()
    }
    body = {"application/json": {"schema": {"type": "object", "properties": fields}}}
    job = {"name": "job", "in": "path", "required": True, "schema": {"type": "string"}}

    def operation(summary: str, status: str, **more: object) -> dict[str, object]:
        answers = {
            status: {"description": summary},
            "404": {"description": "no such job"},
        }
        return {"summary": summary, "responses": answers, **more}

    paths = {
        "/api/jobs": {
            "get": operation("The jobs of the user", "200"),
            "post": operation(
                "Start a job", "201", requestBody={"required": True, "content": body}
            ),
        },
        "/api/jobs/{job}": {
            "get": operation("State and counts of a job", "200", parameters=[job])
        },
        "/api/jobs/{job}/stop": {
            "post": operation("Stop a job in order", "202", parameters=[job])
        },
        "/api/jobs/{job}/resume": {
            "post": operation("Go on with a job", "202", parameters=[job])
        },
    }
    return JSONResponse(
        {
            "openapi": "3.1.0",
            "info": {"title": "ilspfc", "version": "1"},
            "servers": [{"url": root_path(request) or "/"}],
            "security": [{"token": []}],
            "components": {
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}
            },
            "paths": paths,
        }
    )
