"""Pages to edit a corpus: its domain definition, exclusions, a read-only link, a new build."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import NamedTuple, cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ilspfc.add_ons import load
from ilspfc.classification.definition import Domain, Term, parse_domain
from ilspfc.classification.relevance import OFF_TOPIC_REASONS, RelevanceScorer
from ilspfc.cleaning.page import count_clean_tokens
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.removals import Exclusion, Exclusions
from ilspfc.crawl.arguments import domain_library, project_domains
from ilspfc.crawl.domain_terms import make_matchers, make_thresholds
from ilspfc.crawl.job_file import find_recipe, write_recipe
from ilspfc.crawl.text_options import cleaning_options
from ilspfc.documents import Document
from ilspfc.exceptions import ArgumentError, CorpusError, DomainError, SettingError
from ilspfc.exports.archived_pages import ArchivedPages, find_archive
from ilspfc.exports.filters import ExportReason
from ilspfc.server import queries
from ilspfc.server.bodies import Form, read_number, takes_form
from ilspfc.server.pages.look import (
    MAX_EXCLUDED,
    UNITS_START,
    find_shown,
    read_document_filter,
    read_pair_filter,
    read_unit,
    read_unit_filter,
)
from ilspfc.server.rendering import go_to, library_of, open_corpus, render
from ilspfc.server.security import sign_share
from ilspfc.server.term_table import TermTable, find_place
from ilspfc.setting_table import check_value

_NAME_RE = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
_MAX_DAYS = 365
_DAY_SECONDS = 86_400
# Documents over which the shift of relevance is shown.
_MAX_DOCUMENTS = 400
# Dropped pages that are read from the archive and scored as well.
_MAX_DROPPED = 100
_SHOWN = 20
# Documents that are looked at for each term.
_MAX_HITS = 200
# Exclusions on the page, the last ones.
_MAX_SHOWN = 100
# The file is read and written again.
_EXCLUDING = Lock()


def edit(request: Request, shared: str = "") -> Response:
    """Show the last build, the exclusions, a read-only link, and the way to the domain."""
    with open_corpus(request) as corpus:
        exclusions = Exclusions(corpus.files.exclusions).entries
        return render(
            request,
            "edit.html",
            domain=corpus.run.get("domain", ""),
            exclusions=exclusions[: -_MAX_SHOWN - 1 : -1],
            unshown=max(len(exclusions) - _MAX_SHOWN, 0),
            build=request.app.state.builds.state(corpus.files.root),
            recipe=find_recipe(corpus.files),
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
    """Return the definition that a corpus was crawled for, nothing where there is none."""
    file, name = corpus.run.get("domain_file"), corpus.run.get("domain")
    if not name or name == "none":
        return ""
    try:
        source = Path(file) if file else domain_library().definition(name)
        return source.read_text(encoding="utf-8-sig")
    except (DomainError, OSError, UnicodeDecodeError):
        return ""


def _read_table(corpus: Corpus) -> tuple[TermTable, Path]:
    """Return the definition that is being edited, at first that of the crawl, and its file."""
    draft = corpus.files.root / "edited-domain.tsv"
    if draft.exists():
        return TermTable.read(draft), draft
    return TermTable(_definition_text(corpus)), draft


def show_domain(request: Request, problems: Sequence[str] = ()) -> Response:
    """Show the definition as a table, with the documents that have each term."""
    library, name = library_of(request), request.path_params["corpus"]
    with library.open(name) as corpus, library.search(name) as search:

        def count_hits(terms: Sequence[Term]) -> list[int]:
            found = [search.find_ids([term.text], _MAX_HITS) for term in terms]
            langs = queries.find_langs(corpus.index, {*chain(*found)})
            return [
                sum(term.lang in {"", langs[one]} for one in ids if one in langs)
                for term, ids in zip(terms, found, strict=True)
            ]

        table, draft = _read_table(corpus)
        return render(
            request,
            "domain.html",
            400 if problems else 200,
            table=table.show(request.query_params, count_hits),
            problems=[*map(str, table.problems), *problems],
            domain=corpus.run.get("domain", ""),
            is_edited=draft.exists(),
        )


@takes_form
def change_domain(request: Request, form: Form) -> Response:
    """Keep the changes of the terms, import others, save all as a definition, or discard them."""
    query = find_place(form)
    with open_corpus(request) as corpus:
        table, draft = _read_table(corpus)
        if "discard" in form:
            draft.unlink(missing_ok=True)
            return _go_back(request, "/domain")
        problems = table.change(form)
        if imported := form.get("imported", "").strip():
            langs = {*corpus.langs, *table.domain.langs}
            try:
                terms = _read_terms(imported, langs, form.get("concept", ""))
                query += f"&added={table.add(terms)}"
            except ArgumentError as error:
                problems.append(str(error))
        table.write(draft)
    if problems:
        return show_domain(request, problems)
    if "save" in form:
        _save_domain(request, name := form.get("name", "").strip(), table)
        query = f"saved={name}"
    return _go_back(request, f"/domain?{query}")


def _read_terms(text: str, langs: set[str], concept: str) -> Iterable[Term]:
    """Return the terms of a definition, or of a file of another format, given as text."""
    domain, problems = parse_domain(text, "import")
    if domain.terms and not problems:
        return domain.terms
    read = load("bootstrap.term_files.read_terms", "import")
    return cast("Iterable[Term]", read(text, langs, concept))


@takes_form
def check_domain(request: Request, form: Form) -> Response:
    """Return the shift of relevance that the changes of a form make.

    It is that of documents and, on request, of pages that the crawl found off topic.
    """
    name, dropped = request.path_params["corpus"], None
    shifts: list[Shift] = []
    gained: list[Shift] = []
    with open_corpus(request) as corpus:
        table, _ = _read_table(corpus)
        problems, domain = table.change(form), table.domain
        if "dropped" in form:
            keep = library_of(request).keep
            dropped = keep(name, "dropped", _read_dropped, _READING)
        if domain.terms:
            shift = _make_shift(corpus, domain)
            entries = corpus.index.documents()
            sample = entries[:: -(-len(entries) // _MAX_DOCUMENTS) or 1]
            shifts = [shift(corpus.read(entry)) for entry in sample]
            # Others may be scoring the same one.
            pages = map(replace, dropped.documents if dropped else ())
            gained = [one for one in map(shift, pages) if one.is_kept]
    changed = [one for one in shifts if one.size or not one.is_kept]
    changed.sort(key=lambda one: (one.is_kept, -one.size))
    return render(
        request,
        "domain_shift.html",
        terms=len(domain.terms),
        problems=problems,
        shifts=changed[:_SHOWN],
        gained=sorted(gained, key=lambda one: -one.size),
        number=len(shifts),
        kept=sum(one.is_kept for one in shifts),
        dropped=dropped,
        is_reading=dropped is _READING,
    )


class Shift(NamedTuple):
    """Relevance of a document by two definitions, in median terms of each.

    ``is_kept`` tells whether it is about the subject by the second one.
    """

    document: Document
    before: float
    after: float
    is_kept: bool

    @property
    def size(self) -> float:
        """The size of the shift."""
        return abs(self.after - self.before)


def _make_shift(corpus: Corpus, new: Domain) -> Callable[[Document], Shift]:
    """Return a function that compares what the present and a new definition make of a document."""
    old, _ = parse_domain(_definition_text(corpus), "present")
    scorers = [RelevanceScorer(make_matchers(one, corpus.langs)) for one in (old, new)]
    units = [one.median_weight() or 1.0 for one in (old, new)]
    thresholds = make_thresholds(new, corpus.settings)

    def shift(document: Document) -> Shift:
        document.relevance = 0.0
        found = []
        for scorer, unit in zip(scorers, units, strict=True):
            scorer.score(document)
            found.append(document.relevance / unit)
        return Shift(document, found[0], found[1], thresholds.accept(document))

    return shift


class _Dropped(NamedTuple):
    """Pages that a crawl found off topic: their number, and a sample from its archive."""

    number: int = 0
    documents: Sequence[Document] = ()
    problem: str = ""


# Stands for the sample while it is read.
_READING = _Dropped()


def _read_dropped(corpus: Corpus) -> _Dropped:
    """Read a sample of the pages that were dropped as off topic."""
    fates = [f"classification/{reason}" for reason in OFF_TOPIC_REASONS]
    number, langs = queries.sample_pages(corpus.index, fates, _MAX_DROPPED)
    try:
        if langs and not find_archive(corpus):
            return _Dropped(number, problem="The corpus has no archive of its pages.")
        pages = ArchivedPages(corpus).clean(langs, cleaning_options(corpus.settings))
        documents = list(pages)
    except (CorpusError, OSError) as error:
        return _Dropped(number, problem=str(error))
    for page in documents:
        page.lang, page.links = langs[page.url], []
        page.tokens = count_clean_tokens(page.paragraphs)
    return _Dropped(number, documents)


def _save_domain(request: Request, name: str, table: TermTable) -> None:
    """Save a definition under a new name in the domains of the working folder."""
    if request.app.state.user_header:
        raise HTTPException(403, "Definitions are saved by the operator alone.")
    if not _NAME_RE.fullmatch(name):
        raise HTTPException(
            400, "Give a name of small letters, digits and hyphens, such as bees-2."
        )
    if not table.domain.terms:
        raise HTTPException(400, "The definition has no terms.")
    if name in domain_library().names():
        raise HTTPException(400, f"There is a domain {name}; choose another name.")
    table.write(project_domains() / f"{name}.tsv")


@takes_form
def exclude(request: Request, form: Form) -> Response:
    """Exclude a host, a document, a pair or a unit from all exports, or take that back."""
    try:
        entry = Exclusion.of(form.get("kind", ""), form.getlist("value"))
    except ValueError as error:
        raise HTTPException(400, f"{error}.") from error
    with open_corpus(request) as corpus, _EXCLUDING:
        _change_exclusions(corpus, form, [entry])
    if "hx-request" in request.headers:
        return HTMLResponse("excluded from the next build")
    return _go_back(request)


@takes_form
def exclude_shown(request: Request, form: Form) -> Response:
    """Exclude all that the filter in the address shows of a list, or take that back."""
    what = request.path_params["what"]
    if what not in _LISTS:
        raise HTTPException(404, f"{what}: {', '.join(_LISTS)} can be excluded")
    with open_corpus(request) as corpus, _EXCLUDING:
        entries = _LISTS[what](request, corpus)
        _change_exclusions(corpus, form, entries)
    if "hx-request" not in request.headers:
        return _go_back(request)
    address, is_undone = str(request.url.query), bool(form.get("undo"))
    values = {"number": len(entries), "query": address, "is_undone": is_undone}
    return render(request, "excluded.html", what=what, **values)


def _change_exclusions(corpus: Corpus, form: Form, entries: list[Exclusion]) -> None:
    """Write exclusions down, or take them back as a form asks for."""
    exclusions = Exclusions(corpus.files.exclusions)
    change = exclusions.remove if form.get("undo") else exclusions.add
    change(entries)


@takes_form
def use_filter(request: Request, form: Form) -> Response:
    """Write a bound or a dropped remark into the recipe of the corpus, or remove the recipe."""
    library, name = library_of(request), request.path_params["corpus"]
    with _EXCLUDING:
        files = CorpusFiles(library.root_of(name))
        if form.get("undo"):
            files.recipe.unlink(missing_ok=True)
        else:
            recipe = find_recipe(files)
            write_recipe(files, recipe | _read_use(form, recipe))
    return _go_back(request)


def _read_use(form: Form, recipe: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that a button of the list of units stands for."""
    if reason := form.get("reason", ""):
        if reason not in set(ExportReason):
            raise HTTPException(400, f"{reason}: no such remark")
        words = filter(None, recipe.get("EXPORTS_FILTERS", "").split(","))
        others = [word for word in words if word.partition("=")[0] != reason]
        return {"EXPORTS_FILTERS": ",".join([*others, f"{reason}=drop"])}
    value = form.get("min", "")
    try:
        check_value("EXPORTS_MIN_SCORE", value)
    except SettingError as error:
        raise HTTPException(400, str(error)) from error
    return {"EXPORTS_MIN_SCORE": value}


def _list_documents(request: Request, corpus: Corpus) -> list[Exclusion]:
    filters = read_document_filter(request)
    with library_of(request).search(request.path_params["corpus"]) as search:
        found = find_shown(corpus.index, search, filters)
    _check_number(None if found is None else len(found))
    return [Exclusion.of("document", [one]) for one in found or ()]


def _list_pairs(request: Request, corpus: Corpus) -> list[Exclusion]:
    _, wanted = read_pair_filter(request, corpus)
    _check_number(queries.count_pairs(corpus.index, wanted))
    found = queries.all_pairs(corpus.index, wanted)
    return [Exclusion.of("pair", ids) for ids in found]


def _list_units(request: Request, corpus: Corpus) -> list[Exclusion]:
    if only := request.query_params.get("only"):
        ids, _, number = only.partition("/")
        unit = read_unit(corpus, (*ids.partition("-")[::2], read_number(number)))
        return [Exclusion.of("unit", unit[:2])] if unit else []
    _, wanted = read_unit_filter(request, corpus)
    with library_of(request).search(request.path_params["corpus"]) as search:
        _check_number(search.count_units(wanted))
        rows = search.find_units(wanted, UNITS_START, MAX_EXCLUDED)
    units = (read_unit(corpus, row) for row in rows)
    return [Exclusion.of("unit", unit[:2]) for unit in units if unit]


_LISTS = {"documents": _list_documents, "pairs": _list_pairs, "units": _list_units}


def _check_number(number: int | None) -> None:
    if number is None or number > MAX_EXCLUDED:
        text = (
            f"These are too many to exclude at once; narrow them to {MAX_EXCLUDED:,}."
        )
        raise HTTPException(400, text)


def build(request: Request) -> Response:
    """Run the stages of the corpus that are out of date."""
    root = library_of(request).root_of(request.path_params["corpus"])
    request.app.state.builds.start(root, "build", str(root))
    return _go_back(request)


def _go_back(request: Request, rest: str = "") -> Response:
    return go_to(request, f"/c/{request.path_params['corpus']}/edit{rest}")
