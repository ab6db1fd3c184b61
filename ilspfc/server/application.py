"""The web application: its routes, its errors, its guard."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from importlib.resources import files
from typing import cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from ilspfc.command_summaries import name_commands
from ilspfc.exceptions import ArgumentError, IlspfcError
from ilspfc.server.builds import Builds
from ilspfc.server.jobs.queue import JobQueue, UnknownJobError
from ilspfc.server.library import Library, UnknownCorpusError
from ilspfc.server.pages import downloads, edit, jobs, judging, look, metrics, subjects
from ilspfc.server.rendering import DOCS, is_api, render
from ilspfc.server.security import Guard

LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Files of the application: the package that has each, and its media type.
STATIC = {
    "htmx.min.js": ("ilspfc.server", "static", "text/javascript"),
    "server.js": ("ilspfc.server", "static", "text/javascript"),
    "server.css": ("ilspfc.server", "static", "text/css"),
    "report.css": ("ilspfc.report", "templates", "text/css"),
}


def corpus_routes() -> list[Route]:
    """Return the routes below the address of a corpus."""
    return [
        Route("/", look.overview),
        Route("/documents", look.documents),
        Route("/documents/{document}", look.document),
        Route("/documents/{document}/source", look.source),
        Route("/pairs", look.pairs),
        Route("/pairs/{ids}", look.pair),
        Route("/units", look.units),
        Route("/units/{ids}/{number}", look.unit_words),
        Route("/search", look.search),
        Route("/concordance", look.concordance),
        Route("/lost", look.lost),
        Route("/downloads", downloads.downloads),
        Route("/downloads/{number}", downloads.download),
        Route("/judge", judging.samples),
        Route("/judge", judging.draw, methods=["POST"]),
        Route("/judge/{what}", judging.item),
        Route("/judge/{what}", judging.answer, methods=["POST"]),
        Route("/edit", edit.edit),
        Route("/edit/domain", edit.show_domain),
        Route("/edit/domain", edit.change_domain, methods=["POST"]),
        Route("/edit/domain/check", edit.check_domain, methods=["POST"]),
        Route("/{what:str}/exclude", edit.exclude_shown, methods=["POST"]),
        Route("/pairs/{ids}", judging.judge_pair, methods=["POST"]),
        Route("/exclude", edit.exclude, methods=["POST"]),
        Route("/filter", edit.use_filter, methods=["POST"]),
        Route("/share", edit.share, methods=["POST"]),
        Route("/build", edit.build, methods=["POST"]),
    ]


def _job_routes() -> list[Route]:
    return [
        Route("/subjects", subjects.begin),
        Route("/subjects", subjects.collect, methods=["POST"]),
        Route("/subjects/{name}", subjects.show),
        Route("/subjects/{name}/terms", subjects.review, methods=["POST"]),
        Route("/subjects/{name}/sites", subjects.choose, methods=["POST"]),
        Route("/try", jobs.show),
        Route("/try", jobs.start, methods=["POST"]),
        Route("/try/check", jobs.check, methods=["POST"]),
        Route("/api/openapi.json", jobs.describe_api),
        Route("/api/jobs", jobs.show),
        Route("/api/jobs", jobs.start, methods=["POST"]),
        *(
            route
            for prefix in ("", "/api")
            for route in (
                Route(f"{prefix}/jobs/{{job}}", jobs.watch),
                Route(f"{prefix}/jobs/{{job}}/stop", jobs.stop, methods=["POST"]),
                Route(f"{prefix}/jobs/{{job}}/resume", jobs.resume, methods=["POST"]),
            )
        ),
    ]


def make_application(
    library: Library,
    jobs_queue: JobQueue | None = None,
    *,
    token: str = "",
    hosts: Collection[str] = LOOPBACK,
    user_header: str = "",
    bootstrap: Sequence[str] = (),
) -> Starlette:
    """Return the application; without a token it makes one (``state.token``).

    ``bootstrap`` are options of that command, for subjects that are collected on request.
    """
    token = token or secrets.token_urlsafe(24)
    application = Starlette(
        routes=[
            Route("/", look.corpora),
            Route("/metrics", metrics.metrics),
            *_job_routes(),
            Mount("/c/{corpus}", routes=corpus_routes()),
            Route("/static/{name}", _static),
            Route("/docs/{name}", _documentation),
        ],
        middleware=[
            Middleware(Guard, token=token, hosts={host.lower() for host in hosts})
        ],
        exception_handlers={
            HTTPException: _show_error,
            IlspfcError: _show_problem,
            OSError: _show_problem,
        },
    )
    application.state.library = library
    application.state.jobs = jobs_queue
    application.state.builds = Builds(library.settings)
    application.state.user_header = user_header
    application.state.bootstrap = bootstrap
    application.state.token = token
    return application


def _static(request: Request) -> Response:
    """Return a file of the application; the names are known."""
    name = request.path_params["name"]
    if name not in STATIC:
        raise HTTPException(404, f"{name}: no such file")
    package, folder, kind = STATIC[name]
    body = files(package).joinpath(folder, name).read_bytes()
    fields = {"Cache-Control": "private, max-age=300"}
    return Response(body, headers=fields, media_type=kind)


def _documentation(request: Request) -> Response:
    """Show a page of the documentation as it is written."""
    name, pages = request.path_params["name"], {p.stem: p for p in DOCS.glob("*.md")}
    if name not in pages:
        raise HTTPException(404, f"{name}: no such page of the documentation")
    text = pages[name].read_text("utf-8")
    return render(request, "docs.html", name=name, names=sorted(pages), text=text)


def _show_error(request: Request, error: Exception) -> Response:
    known = cast("HTTPException", error)
    answer = _show(request, known.status_code, known.detail)
    answer.headers.update(known.headers or {})
    return answer


def _show_problem(request: Request, error: Exception) -> Response:
    is_unknown = isinstance(error, UnknownCorpusError | UnknownJobError)
    status = 404 if is_unknown else 400 if isinstance(error, ArgumentError) else 503
    return _show(request, status, name_commands(str(error)))


def _show(request: Request, status: int, text: str) -> Response:
    if is_api(request):
        return JSONResponse({"errors": {"": text}}, status)
    return render(request, "error.html", status, status=status, text=text)
