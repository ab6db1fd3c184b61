"""Pages from templates: those of the report, and those of the web application."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.responses import HTMLResponse

from ilspfc.judging.printing import format_share
from ilspfc.report.html import make_environment
from ilspfc.text.language_names import language_name

if TYPE_CHECKING:
    from starlette.requests import Request


@cache
def _environment() -> Environment:
    loaders = [PackageLoader("ilspfc.server"), PackageLoader("ilspfc.report")]
    environment = make_environment().overlay(loader=ChoiceLoader(loaders))
    environment.filters["language"] = language_name
    environment.filters["interval"] = format_share
    return environment


def root_path(request: Request) -> str:
    """Return the path under which the application is shown, without a slash at its end."""
    # Inside a mount, ``root_path`` has the path of the mount as well.
    scope = request.scope
    return str(scope.get("app_root_path", scope.get("root_path", ""))).rstrip("/")


def render(
    request: Request, template: str, status: int = 200, /, **values: object
) -> HTMLResponse:
    """Return a page; all values are escaped."""
    page = _environment().get_template(template)
    text = page.render(root=root_path(request), request=request, **values)
    return HTMLResponse(text, status)


def read_style() -> str:
    """Return the style sheet of the report."""
    style = files("ilspfc.report").joinpath("templates", "report.css")
    return style.read_text("utf-8")
