"""Parts that all pages share: the corpus of a request, pages from templates, ways elsewhere."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.responses import HTMLResponse, RedirectResponse

from ilspfc.judging.printing import format_share
from ilspfc.report.html import make_environment
from ilspfc.text.language_names import language_name

if TYPE_CHECKING:
    from starlette.requests import Request

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.server.library import Library


@cache
def _environment() -> Environment:
    loaders = [PackageLoader("ilspfc.server"), PackageLoader("ilspfc.report")]
    environment = make_environment().overlay(loader=ChoiceLoader(loaders))
    environment.filters["language"] = language_name
    environment.filters["interval"] = format_share
    return environment


def library_of(request: Request) -> Library:
    """Return the corpora that the application shows."""
    library: Library = request.app.state.library
    return library


def open_corpus(request: Request) -> AbstractContextManager[Corpus]:
    """Open the corpus that the path of a request names."""
    return library_of(request).open(request.path_params["corpus"])


def root_path(request: Request) -> str:
    """Return the path under which the application is shown, without a slash at its end."""
    # Inside a mount, ``root_path`` has the path of the mount as well.
    scope = request.scope
    return str(scope.get("app_root_path", scope.get("root_path", ""))).rstrip("/")


def is_api(request: Request) -> bool:
    """Test whether a request is one of the JSON interface."""
    return str(request.scope["path"]).startswith(f"{root_path(request)}/api/")


def go_to(request: Request, path: str) -> RedirectResponse:
    """Return the way to another page; ``path`` begins with a slash."""
    return RedirectResponse(f"{root_path(request)}{path}", 303)


def render(
    request: Request, template: str, status: int = 200, /, **values: object
) -> HTMLResponse:
    """Return a page; all values are escaped. ``corpus`` is that of the path unless given."""
    page = _environment().get_template(template)
    values = {"corpus": request.path_params.get("corpus", ""), **values}
    text = page.render(root=root_path(request), request=request, **values)
    return HTMLResponse(text, status)
