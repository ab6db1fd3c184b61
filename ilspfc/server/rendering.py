"""Parts that all pages share: the corpus of a request, pages from templates, ways elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

import ilspfc
from ilspfc import __version__
from ilspfc.corpus.corpus import Corpus
from ilspfc.exceptions import IlspfcError
from ilspfc.extensions.status import ENDS
from ilspfc.judging.verdict_tables import format_share
from ilspfc.report.html import make_environment
from ilspfc.report.numbers import parse_time
from ilspfc.server.library import Library, UnknownCorpusError, read_states
from ilspfc.server.word_links import mark_words
from ilspfc.text.codes import language_name

DOCS = Path(ilspfc.__file__).parents[1] / "docs"
"""Pages of the documentation, which a checkout has."""


@cache
def _environment() -> Environment:
    loaders = [PackageLoader("ilspfc.server"), PackageLoader("ilspfc.report")]
    environment = make_environment().overlay(loader=ChoiceLoader(loaders))
    environment.filters["language"] = _name_language
    environment.filters["interval"] = format_share
    environment.filters["mark_words"] = mark_words
    environment.filters["address"] = shorten_address
    environment.filters["is_narrow"] = is_narrow
    environment.globals["version"] = __version__
    environment.globals["has_docs"] = DOCS.is_dir()
    return environment


# A crawl writes its state every few seconds (docs/operations.md).
_FRESH_SECONDS = 120
_SHOWN_ADDRESS = 70
_KEPT_HEAD = 28


def _name_language(code: str) -> str:
    """Return the name of a language, any other text (``other``, nothing) as it is."""
    try:
        return language_name(code)
    except ValueError:
        return code


def shorten_address(url: str) -> str:
    """Return an address without its scheme, and without its middle where it is long.

    >>> shorten_address("https://www.example.org/de/")
    'www.example.org/de/'
    >>> shorten_address("https://www.example.org/" + 60 * "x" + "/schutz.html")[:32]
    'www.example.org/xxxxxxxxxxxx…xxx'
    """
    text = url.partition("://")[2] or url
    if len(text) <= _SHOWN_ADDRESS:
        return text
    return f"{text[:_KEPT_HEAD]}…{text[_KEPT_HEAD + 1 - _SHOWN_ADDRESS :]}"


def is_narrow(filters: Mapping[str, str]) -> bool:
    """Test whether filters leave rows of a list out; languages and state choose the list.

    >>> is_narrow({"langs": "deu-ita", "q": "", "max": "1"}), is_narrow({"min": "1"})
    (False, True)
    """
    whole = {"min": "0", "max": "1"}
    return any(
        text and whole.get(name) != text
        for name, text in filters.items()
        if name not in {"langs", "state", "sort"}
    )


def describe_state(request: Request, corpus: str) -> tuple[str, str]:
    """Return the state of a corpus: a class of the style sheet, and the text to show."""
    try:
        root = library_of(request).root_of(corpus)
    except UnknownCorpusError:
        return "", ""
    build = request.app.state.builds.state(root)
    if build and build.is_running:
        return "busy", "building"
    return describe_crawl(root)


def describe_crawl(root: Path) -> tuple[str, str]:
    """Return the state of the crawlers of a folder, as :func:`describe_state` does."""
    states = [state for _, state in read_states(root)]
    ended = [str(one["state"]) for one in states if one.get("state") in ENDS]
    open_ones = [one for one in states if one.get("state") not in ENDS]
    running = [one for one in open_ones if _is_fresh(one)]
    if any(one.get("alarms") for one in open_ones):
        return "alarm", "alarm"
    if running:
        name = str(running[0]["state"])
        rate = sum(one.get("pages_per_second") or 0 for one in running)
        is_crawl = name == "crawling"
        return "busy", f"crawling, {rate:.1f} pages a second" if is_crawl else name
    if open_ones:
        return "alarm", "interrupted"
    bad = [state for state in ended if state != "finished"]
    return ("alarm", bad[0]) if bad else ("ready", "ready")


def _is_fresh(state: Mapping[str, Any]) -> bool:
    """Test whether a process has written its state a short while ago."""
    updated = parse_time(str(state.get("updated")))
    if updated is None:
        return False
    return (datetime.now(UTC) - updated).total_seconds() < _FRESH_SECONDS


def _has_pairs(library: Library, corpus: str) -> bool:
    """Test whether a corpus has several languages; one that cannot be read may have them."""
    try:
        return library.keep(corpus, "has_pairs", lambda one: len(one.langs) > 1)
    except (IlspfcError, OSError):
        return True


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
    values["is_guest"] = getattr(request.state, "is_guest", False)
    values["copied_rows"] = getattr(request.state, "copied_rows", 0)
    if values["corpus"]:
        name = str(values["corpus"])
        values["state"] = describe_state(request, name)
        values["has_pairs"] = _has_pairs(library_of(request), name)
    text = page.render(root=root_path(request), request=request, **values)
    return HTMLResponse(text, status)
