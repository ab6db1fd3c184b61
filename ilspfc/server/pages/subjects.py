"""Pages of a subject without seeds: its terms, its sites, then the form of a crawl.

They show and change the files of ``bootstrap`` in the domains of the working folder; what
collects is the command itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ilspfc.atomic import write_lines
from ilspfc.crawl.arguments import parse_langs, project_domains
from ilspfc.exceptions import ArgumentError
from ilspfc.report.manifest import read_json
from ilspfc.server.bodies import Form, list_languages, takes_form, to_codes
from ilspfc.server.pages.jobs import find_queue
from ilspfc.server.rendering import go_to, library_of, render
from ilspfc.server.term_table import TermTable, find_place

# Options of the command that the form has, with their defaults: a visit of 1,000 sites, the
# command's own, would take long.
_NUMBERS = {"depth": 2, "max-pages": 500, "max-seeds": 100}
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


def begin(
    request: Request, values: Mapping[str, str] | None = None, error: str = ""
) -> Response:
    """Show the form for a subject, and the subjects that there are."""
    _check_operator(request)
    options = request.app.state.bootstrap
    has_contact = bool(library_of(request).settings.get("FETCH_CONTACT"))
    known = project_domains().glob("*/bootstrap.json")
    return render(
        request,
        "subjects.html",
        400 if error else 200,
        values={"subject": "", "langs": "", **_NUMBERS, **(values or {})},
        error=error,
        has_source=has_contact or {"--urls", "--contact"} & {*options},
        has_search="--searxng" in options,
        all_langs=list_languages(),
        subjects=sorted(path.parent.name for path in known),
    )


@takes_form
def collect(request: Request, form: Form) -> Response:
    """Start to collect the terms and seeds of a subject."""
    _check_operator(request)
    text, langs = form.get("subject", "").strip(" -"), to_codes(form.get("langs", ""))
    subject = _Subject(re.sub(r"[^\w]+", "-", text.casefold()).strip("-"))
    try:
        parse_langs("--langs", langs)
    except ArgumentError as error:
        return begin(request, form, str(error))
    if not subject.name:
        return begin(request, form, "no subject; give its name, as in Flowers")
    # What was collected before is shown.
    if "overwrite" in form or not subject.figures:
        options = [f"--{name}={form.get(name, n)}" for name, n in _NUMBERS.items()]
        options += [f"--langs={langs}", f"--out={subject.folder}"]
        if "overwrite" in form:
            options.append("--overwrite")
            # Sites of what was found before.
            (subject.folder / "sites.tsv").unlink(missing_ok=True)
        words = [text, *request.app.state.bootstrap, *options]
        request.app.state.builds.start(subject.folder, "bootstrap", *words)
    return go_to(request, f"/subjects/{subject.name}")


def show(request: Request, problems: Sequence[str] = ()) -> Response:
    """Show the state of a subject: what was found, and the step that comes next."""
    subject, builds = _Subject.of(request), request.app.state.builds
    subject.keep_partial()
    sites = subject.read_table("sites.tsv")
    table = TermTable.read(subject.terms) if subject.figures else None
    return render(
        request,
        "subject.html",
        400 if problems else 200,
        subject=subject,
        table=table and table.show(request.query_params),
        problems=problems,
        runs=[builds.state(one) for one in (subject.folder, subject.seeds)],
        sites=[site for site in sites if not site[5]],
        others=[site for site in sites if site[5]],
        lost=subject.read_table("left-out.tsv")[:_SHOWN_LOSSES],
        limits=find_queue(request).limits,
    )


@takes_form
def review(request: Request, form: Form) -> Response:
    """Keep the changes of the terms; go to another page of them, or visit the sites."""
    subject = _Subject.of(request)
    table = TermTable.read(subject.terms)
    problems = table.change(form)
    table.write(subject.terms)
    if problems:
        return show(request, problems)
    address = f"/subjects/{subject.name}"
    if "visit" not in form:
        return go_to(request, f"{address}?{find_place(form)}")
    words = ["sites", str(subject.seeds), "--langs", subject.langs]
    words += ["--out", str(subject.folder)]
    request.app.state.builds.start(subject.seeds, "bootstrap", *words)
    return go_to(request, f"{address}#sites")


@takes_form
def choose(request: Request, form: Form) -> Response:
    """Write the sites that are chosen as the seeds of the domain; go to the form of a crawl."""
    subject, chosen = _Subject.of(request), form.getlist("site")
    lines = ["# Sites of the subject; those behind # are not visited."]
    for site, langs, pages, _, starts, reason, _ in subject.read_table("sites.tsv"):
        if not reason:
            mark = "" if site in chosen else "# "
            lines.append(f"{mark}{starts}  # {langs}; {pages} pages known")
    write_lines(subject.seeds, lines)
    return go_to(request, f"/try?domain={subject.name}&langs={subject.langs}")
