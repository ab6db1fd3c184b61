"""Pages of a subject without seeds: its terms, its sites, then the form of a crawl.

They show and change the files of ``bootstrap`` in the domains of the working folder; what
collects is the command itself.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.exceptions import HTTPException

from ilspfc.atomic import open_atomic
from ilspfc.crawl.arguments import parse_langs, project_domains
from ilspfc.exceptions import ArgumentError
from ilspfc.report.manifest import read_json
from ilspfc.server.bodies import Form, read_number, takes_form
from ilspfc.server.jobs.request import check_urls
from ilspfc.server.pages.jobs import find_queue
from ilspfc.server.rendering import go_to, library_of, render
from ilspfc.server.term_table import TermTable

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_MAX_RUNNING = 2
# Numbers of the form, named as options of the command: default and maximum.
_NUMBERS = {"depth": (2, 5), "max_pages": (500, 5000), "max_seeds": (100, 500)}
_SHOWN_LOSSES = 50


class _Subject:
    """Files of a subject in the domains of the working folder, as ``bootstrap`` names them."""

    def __init__(self, name: str) -> None:
        self.name, self.folder = name, project_domains() / name
        self.seeds = self.folder.with_name(f"{name}.seeds.txt")
        self.terms = self.folder.with_name(f"{name}.tsv")
        self.figures = read_json(self.folder / "bootstrap.json")

    @classmethod
    def of(cls, request: Request) -> _Subject:
        """Return the subject that a path names; HTTPException for an unknown one."""
        _check_operator(request)
        name = request.path_params["name"]
        if re.fullmatch(r"[\w-]+", name):
            subject = cls(name)
            if subject.figures or request.app.state.builds.state(subject.folder):
                return subject
        raise HTTPException(404, f"{name}: no such subject here")

    @property
    def langs(self) -> str:
        """The codes of the languages, separated by commas."""
        codes = (name.partition("/terms_")[2] for name in self.figures)
        return ",".join(filter(None, codes))

    @property
    def title(self) -> str:
        """The name of the subject as it was given."""
        head = self.terms.read_text("utf-8")[:500] if self.terms.exists() else ""
        found = re.match(r"# [^“\n]*“(.+)”", head)
        return found[1] if found else self.name

    def read_table(self, name: str) -> list[list[str]]:
        """Return the rows of a table of the command without its head, none without a file."""
        path = self.folder / name
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        return [line.split("\t") for line in lines[1:]]

    def keep_partial(self) -> None:
        """Take the files of a run that a source ended early for those of the subject."""
        for path in (self.terms, self.seeds):
            partial = self.folder / path.name.replace(self.name, "partial", 1)
            if partial.exists():
                partial.replace(path)


def _check_operator(request: Request) -> None:
    """Raise HTTPException where no crawls are started, or users are strangers."""
    find_queue(request)
    if request.app.state.user_header:
        raise HTTPException(403, "Subjects are collected by the operator alone.")


def begin(request: Request) -> Response:
    """Show the form for a subject, and the subjects that there are."""
    return _show_form(request, {})


def _show_form(
    request: Request, values: Form | dict[str, str], error: str = ""
) -> Response:
    _check_operator(request)
    options = request.app.state.bootstrap
    contact = library_of(request).settings.get("FETCH_CONTACT")
    known = sorted(
        path.parent.name for path in project_domains().glob("*/bootstrap.json")
    )
    return render(
        request,
        "subjects.html",
        400 if error else 200,
        values={
            **dict.fromkeys(("subject", "langs"), ""),
            **{name: default for name, (default, _) in _NUMBERS.items()},
            **values,
        },
        limits={name: most for name, (_, most) in _NUMBERS.items()},
        error=error,
        has_source=bool(contact) or {"--urls", "--contact"} & {*options},
        has_search="--searxng" in options,
        subjects=known,
    )


@takes_form
def collect(request: Request, form: Form) -> Response:
    """Start to collect the terms and seeds of a subject."""
    _check_operator(request)
    builds = request.app.state.builds
    try:
        subject, text, options = _read_form(form)
    except ArgumentError as error:
        return _show_form(request, form, str(error))
    if builds.running >= _MAX_RUNNING:
        text = "Others are being collected; try again in a moment."
        return _show_form(request, form, text)
    # What was collected before is shown.
    if "overwrite" in form or not subject.figures:
        words = [text, *request.app.state.bootstrap, *options]
        builds.start(subject.folder, "bootstrap", *words)
    return go_to(request, f"/subjects/{subject.name}")


def _read_form(form: Form) -> tuple[_Subject, str, list[str]]:
    """Return a subject, its name and the options of the command; ArgumentError names a mistake."""
    text = form.get("subject", "").strip(" -")
    subject = _Subject(re.sub(r"[^\w]+", "-", text.casefold()).strip("-"))
    if not subject.name:
        raise ArgumentError("subject: none; give its name, as in Flowers")
    langs = form.get("langs", "").replace(" ", "")
    parse_langs("--langs", langs)
    options = ["--langs", langs, "--out", str(subject.folder)]
    for option, (default, most) in _NUMBERS.items():
        number = read_number(form.get(option, str(default)))
        if number is None or number > most:
            raise ArgumentError(f"{option}: give a number up to {most:,}")
        options.append(f"--{option.replace('_', '-')}={number}")
    if "overwrite" in form:
        options.append("--overwrite")
    elif subject.terms.exists() and not subject.figures:
        raise ArgumentError(
            f"{subject.name}: there is a domain of this name; take another"
        )
    return subject, text, options


def show(request: Request) -> Response:
    """Show the state of a subject: what was found, and the step that comes next."""
    return _show(request, _Subject.of(request))


def _show(
    request: Request, subject: _Subject, problems: tuple[str, ...] = ()
) -> Response:
    builds, folder, table = request.app.state.builds, subject.folder, None
    subject.keep_partial()
    if subject.terms.exists():
        text = subject.terms.read_text("utf-8-sig")
        table = TermTable(text).show(request.query_params)
    sites = subject.read_table("sites.tsv")
    return render(
        request,
        "subject.html",
        400 if problems else 200,
        subject=subject,
        table=table,
        problems=problems,
        runs=(builds.state(folder), builds.state(folder / "sites")),
        sites=[site for site in sites if not site[5]],
        others=[site for site in sites if site[5]],
        lost=subject.read_table("left-out.tsv")[:_SHOWN_LOSSES],
        limits=find_queue(request).limits,
    )


@takes_form
def review(request: Request, form: Form) -> Response:
    """Keep the changes of the terms; go to the next page of them, or visit the sites."""
    subject = _Subject.of(request)
    table = TermTable(subject.terms.read_text("utf-8-sig"))
    problems = table.change(form)
    _write(subject.terms, table.text)
    if problems:
        return _show(request, subject, tuple(problems))
    if "visit" not in form:
        return go_to(request, f"/subjects/{subject.name}?{find_place(form)}")
    if urls := form.get("urls", "").split():
        try:
            check_urls(urls)
        except ArgumentError as error:
            return _show(request, subject, (str(error),))
        known = subject.seeds.read_text("utf-8") if subject.seeds.exists() else ""
        _write(subject.seeds, "\n".join([known.rstrip("\n"), *urls, ""]))
    words = ["--langs", subject.langs, "--out", str(subject.folder), str(subject.seeds)]
    builds = request.app.state.builds
    builds.start(subject.folder / "sites", "bootstrap", "sites", *words)
    return go_to(request, f"/subjects/{subject.name}#sites")


@takes_form
def choose(request: Request, form: Form) -> Response:
    """Write the sites that are chosen as the seeds of the domain; go to the form of a crawl."""
    subject, chosen = _Subject.of(request), form.getlist("site")
    lines = ["# Sites of the subject; those behind # are not visited."]
    for site, langs, pages, _, starts, reason, _ in subject.read_table("sites.tsv"):
        if not reason:
            mark = "" if site in chosen else "# "
            lines.append(f"{mark}{starts}  # {langs}; {pages} pages known")
    _write(subject.seeds, "\n".join([*lines, ""]))
    return go_to(request, f"/try?domain={subject.name}&langs={subject.langs}")


def find_place(form: Form) -> str:
    """Return the query of the page of a table that a button asks for."""
    names = ("sort", "only", "page")
    return urlencode({name: form[name] for name in names if form.get(name)})


def _write(path: Path, text: str) -> None:
    with open_atomic(path) as stream:
        stream.write(text.encode())
