"""Pages to edit a corpus: its domain definition, exclusions, a new build."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from ilspfc.atomic import open_atomic
from ilspfc.classification.definition import Domain, parse_domain
from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.corpus.records import DocumentEntry
from ilspfc.corpus.removals import Exclusion, Exclusions
from ilspfc.crawl.arguments import domain_library, project_domains
from ilspfc.crawl.domain_terms import make_matchers, make_thresholds
from ilspfc.exceptions import DomainError
from ilspfc.server.bodies import Form, read_number, takes_form
from ilspfc.server.rendering import go_to, library_of, open_corpus, render
from ilspfc.server.security import sign_share

if TYPE_CHECKING:
    from starlette.requests import Request

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.server.builds import Builds

_HEADER = "weight\tterm\tsubdomain\tlang\n"
_NAME_RE = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
_MAX_DAYS = 365
_DAY_SECONDS = 86_400
# Documents over which the shift of relevance is shown.
_MAX_DOCUMENTS = 400
_SHOWN = 20
# The file is read and written again.
_EXCLUDING = Lock()


def _builds(request: Request) -> Builds:
    builds: Builds = request.app.state.builds
    return builds


def edit(request: Request, shared: str = "") -> Response:
    """Show the definition of the domain, the exclusions, the last build and a read-only link."""
    with open_corpus(request) as corpus:
        return render(
            request,
            "edit.html",
            text=_definition_text(corpus),
            domain=corpus.run.get("domain", ""),
            exclusions=Exclusions(corpus.files.exclusions).entries[::-1],
            build=_builds(request).state(corpus.files.root),
            saved=request.query_params.get("saved", ""),
            shared=shared,
        )


@takes_form
def share(request: Request, form: Form) -> Response:
    """Make a link by which others look at the corpus for some days, and change nothing."""
    days, name = read_number(form.get("days", "")), request.path_params["corpus"]
    if days is None or not 1 <= days <= _MAX_DAYS:
        raise HTTPException(400, f"Give a number of days from 1 to {_MAX_DAYS}.")
    expires = int(time.time()) + days * _DAY_SECONDS
    return edit(request, sign_share(request.app.state.token, name, expires))


def _definition_text(corpus: Corpus) -> str:
    """Return the definition that a corpus was crawled for, a header where there is none."""
    file, name = corpus.run.get("domain_file"), corpus.run.get("domain")
    if not name or name == "none":
        return _HEADER
    try:
        source = Path(file) if file else domain_library().definition(name)
        return source.read_text(encoding="utf-8-sig")
    except (DomainError, OSError, UnicodeDecodeError):
        return _HEADER


@takes_form
def check_domain(request: Request, form: Form) -> Response:
    """Return the problems of a definition, and how it shifts the relevance of documents."""
    domain, problems = parse_domain(form.get("text", ""), "edited")
    values: dict[str, Any] = {"problems": list(map(str, problems)), "shifts": []}
    if domain.terms:
        with open_corpus(request) as corpus:
            old, _ = parse_domain(_definition_text(corpus), "present")
            shifts = list(_shift_relevance(corpus, old, domain))
        shifts.sort(key=lambda one: -abs(one.after - one.before))
        values |= {"shifts": shifts[:_SHOWN], "number": len(shifts)}
        values["kept"] = sum(one.is_kept for one in shifts)
    return render(request, "domain_shift.html", terms=len(domain.terms), **values)


class Shift(NamedTuple):
    """Relevance of a document by two definitions, in median terms of each.

    ``is_kept`` tells whether it is about the subject by the second one.
    """

    entry: DocumentEntry
    before: float
    after: float
    is_kept: bool


def _shift_relevance(corpus: Corpus, old: Domain, new: Domain) -> Iterator[Shift]:
    """Yield what two definitions make of the documents, of a sample if they are many."""
    scorers = [RelevanceScorer(make_matchers(one, corpus.langs)) for one in (old, new)]
    units = [one.median_weight() or 1.0 for one in (old, new)]
    thresholds = make_thresholds(new, corpus.settings)
    entries = corpus.index.documents()
    for entry in entries[:: -(-len(entries) // _MAX_DOCUMENTS) or 1]:
        document = corpus.read(entry)
        document.relevance = 0.0
        found = []
        for scorer, unit in zip(scorers, units, strict=True):
            scorer.score(document)
            found.append(document.relevance / unit)
        yield Shift(entry, found[0], found[1], thresholds.accept(document))


@takes_form
def save_domain(request: Request, form: Form) -> Response:
    """Save a definition under a new name in the domains of the working folder."""
    name, text = form.get("name", "").strip(), form.get("text", "")
    if request.app.state.user_header:
        raise HTTPException(403, "Definitions are saved by the operator alone.")
    if not _NAME_RE.fullmatch(name):
        raise HTTPException(
            400, "Give a name of small letters, digits and hyphens, such as bees-2."
        )
    domain, problems = parse_domain(text, name)
    if problems or not domain.terms:
        why = problems[0] if problems else "no terms"
        raise HTTPException(400, f"The definition cannot be used: {why}.")
    if name in domain_library().names():
        raise HTTPException(400, f"There is a domain {name}; choose another name.")
    with open_atomic(project_domains() / f"{name}.tsv") as stream:
        stream.write(text.replace("\r\n", "\n").encode())
    return _go_back(request, f"?saved={name}")


@takes_form
def exclude(request: Request, form: Form) -> Response:
    """Exclude a host, a pair or a unit from all exports, or take that back."""
    try:
        entry = Exclusion.of(form.get("kind", ""), form.getlist("value"))
    except ValueError as error:
        raise HTTPException(400, f"{error}.") from error
    with open_corpus(request) as corpus, _EXCLUDING:
        exclusions = Exclusions(corpus.files.exclusions)
        if form.get("undo"):
            exclusions.remove([entry])
        else:
            exclusions.add(entry)
    if "hx-request" in request.headers:
        return HTMLResponse("excluded from the next build")
    return _go_back(request)


def build(request: Request) -> Response:
    """Run the stages of the corpus that are out of date."""
    root = library_of(request).root_of(request.path_params["corpus"])
    _builds(request).start(root, "build", str(root))
    return _go_back(request)


def build_state(request: Request) -> Response:
    """Return the changing part of the page: the state of the build."""
    root = library_of(request).root_of(request.path_params["corpus"])
    return render(request, "build_state.html", build=_builds(request).state(root))


def _go_back(request: Request, query: str = "") -> Response:
    return go_to(request, f"/c/{request.path_params['corpus']}/edit{query}")
