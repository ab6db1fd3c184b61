"""Pages to look at a corpus: documents, pairs side by side, units, and what was lost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ilspfc.alignment.page_units import PageText
from ilspfc.corpus import counts
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.exports.archived_pages import ArchivedPages
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.formats.xces import locate_units
from ilspfc.exports.units import SplitDocument
from ilspfc.extensions.status import ENDS
from ilspfc.judging.questions import PARALLEL
from ilspfc.judging.samples import judged_tables
from ilspfc.line.report import count_losses, count_report
from ilspfc.report.charts import harvest_curve
from ilspfc.report.data import HISTOGRAM_BINS
from ilspfc.report.funnel import build_funnel, order_losses
from ilspfc.report.reason_texts import EVIDENCE, explain
from ilspfc.server import queries
from ilspfc.server.bodies import read_number
from ilspfc.server.library import read_states
from ilspfc.server.pages.downloads import list_files
from ilspfc.server.pages.jobs import list_open
from ilspfc.server.pages.judging import open_store
from ilspfc.server.rendering import (
    describe_state,
    is_narrow,
    library_of,
    open_corpus,
    render,
)
from ilspfc.server.search import (
    ALL_SCORES,
    UNIT_ORDERS,
    SearchIndex,
    UnitFilter,
    split_words,
)
from ilspfc.server.word_links import learn_words, mark_words
from ilspfc.text.codes import language_name

_MAX_SOURCE_CHARS = 500_000
_MAX_HITS = 200
_MAX_LINES = 500
_MAX_CHOICES = 100
# Documents with the words of a search up to which all are counted.
_MAX_COUNTED = 1_000
# Documents and units of a search of both.
_SHOWN_HITS = 10
MAX_EXCLUDED = 10_000
"""Documents, pairs or units that can be excluded at once."""
_NO_PLACE = "after={}: no place in this list; follow its links"
UNITS_START = (-2.0, 0)
"""The place before the first unit, in every order."""


def corpora(request: Request) -> Response:
    """List the corpora and the crawls of the user, with their states."""
    library = library_of(request)
    rows: list[tuple[str, object]] = []
    for name in library.names:
        try:
            with library.open(name) as corpus:
                head = library.keep(
                    name, "head", lambda one: counts.count_corpus(one.index, one.langs)
                )
                rows.append((name, (corpus.run.get("domain", ""), head)))
        except CorpusError as error:
            rows.append((name, str(error)))
    states = {name: describe_state(request, name) for name in library.names}
    jobs = list_open(request)
    return render(request, "corpora.html", corpora=rows, states=states, jobs=jobs)


def overview(request: Request) -> Response:
    """Show the numbers of a corpus; each leads to what it counts."""
    library, name = library_of(request), request.path_params["corpus"]
    with library.open(name) as corpus:
        found = library.keep(name, "overview", _count_overview)
        data = found["data"]
        return render(
            request,
            "overview.html",
            steps=build_funnel(data),
            curve=harvest_curve(data.harvest),
            parts=[one for one in order_losses(data.dropped) if not one.is_comparable],
            judged=judged_tables(corpus),
            files=list_files(corpus),
            **found,
            alarms=[
                (crawler, alarm["text"])
                for crawler, state in read_states(corpus.files.root)
                for alarm in state.get("alarms", ())
                if state.get("state") not in ENDS or alarm["name"] == "lost_site"
            ],
        )


def _count_overview(corpus: Corpus) -> dict[str, Any]:
    """Return the numbers of the overview: a report, those of charts, losses with a list."""
    index, bins = corpus.index, HISTOGRAM_BINS
    reasons = ExportReason if corpus.language_pairs else ()
    return {
        "data": count_report(corpus),
        "genres": counts.count_values(index, "genre"),
        "probabilities": counts.score_histogram(index, bins, "probability", "pairs"),
        "listed": {*counts.lost_codes(index), *(f"exports/{one}" for one in reasons)},
    }


def _read_filters(request: Request, **filters: str) -> dict[str, str]:
    """Return the filters of a list by name: as they are given, else as they stand here."""
    given = request.query_params
    return {name: given.get(name, "").strip() or text for name, text in filters.items()}


def documents(request: Request) -> Response:
    """List documents by filters, or those that a search finds."""
    library, name = library_of(request), request.path_params["corpus"]
    filters = read_document_filter(request)
    words, after = filters["q"], request.query_params.get("after", "")
    with (
        library.open(name) as corpus,
        library.search(name, waits=bool(words)) as search,
    ):
        index = corpus.index
        choices = library.keep(name, "choices", _find_choices)
        passages: dict[str, str] = {}
        if words:
            listing, passages = _list_hits(index, search, filters, after)
            found = find_shown(index, search, filters)
            number = None if found is None else len(found)
        else:
            listing = queries.list_documents(index, filters, after)
            number = choices["number"]
            if is_narrow(filters):
                number = queries.count_documents(index, filters)
        return render(
            request,
            "documents.html",
            listing=listing,
            most=MAX_EXCLUDED,
            passages=passages,
            filters=filters,
            langs=[(lang, language_name(lang)) for lang in corpus.langs],
            **{**choices, "number": number},
        )


def read_document_filter(request: Request) -> dict[str, str]:
    """Return the filters of the list of documents."""
    names = "lang site subdomain license relevance cleaning q genre sort".split()
    return _read_filters(request, **dict.fromkeys(names, ""))


def find_shown(
    index: CorpusIndex, search: SearchIndex, filters: Mapping[str, str]
) -> list[str] | None:
    """Return the ids of all documents of a list, None where very many have its words."""
    if not filters["q"]:
        return queries.all_documents(index, filters)
    ids = search.find_ids(split_words(filters["q"]), _MAX_COUNTED + 1)
    if len(ids) > _MAX_COUNTED:
        return None
    return list(queries.find_documents(index, ids, filters))


def _list_hits(
    index: CorpusIndex, search: SearchIndex, filters: Mapping[str, str], after: str
) -> tuple[queries.Listing, dict[str, str]]:
    """Return documents with the words of the filters that meet all, and passages of these.

    ``after`` is the number of hits on the pages before. A page looks at ``_MAX_HITS``.
    """
    start = place = read_number(after or "0") or 0
    rows: list[Any] = []
    passages: dict[str, str] = {}
    size = queries.PAGE_ROWS
    while place < start + _MAX_HITS:
        hits = search.find_documents(filters["q"], size, place)
        ids = [hit.document for hit in hits]
        found = queries.find_documents(index, ids, filters)
        for hit in hits:
            place += 1
            if hit.document in found:
                rows.append(found[hit.document])
                passages[hit.document] = hit.passage
            if len(rows) == size:
                return queries.Listing(rows, str(place)), passages
        if len(hits) < size:
            return queries.Listing(rows), passages
    return queries.Listing(rows, str(place)), passages


def _find_choices(corpus: Corpus) -> dict[str, Any]:
    """Return the number of documents, and the values by which they can be chosen.

    Of sites and licenses these are the most frequent ones.
    """
    index = corpus.index
    sites = counts.count_values(index, "site")[:_MAX_CHOICES]
    licenses = counts.count_values(index, "license_id")[:_MAX_CHOICES]
    return {
        "number": queries.count_documents(index, {}),
        "sites": [name for name, _ in sites],
        "genres": [name for name, _ in counts.count_values(index, "genre")],
        "licenses": [name for name, _ in licenses],
        "subdomains": sorted(dict(counts.count_subdomains(index))),
    }


def document(request: Request) -> Response:
    """Show a document: its text, what was not taken as text, and its partners."""
    with open_corpus(request) as corpus:
        entry = _find_entry(corpus, request.path_params["document"])
        return render(
            request,
            "document.html",
            entry=entry,
            document=corpus.read(entry),
            partners=queries.partners(corpus.index, entry.id),
        )


def source(request: Request) -> Response:
    """Show the page of a document as it was fetched, as text."""
    with open_corpus(request) as corpus:
        entry = _find_entry(corpus, request.path_params["document"])
        try:
            page = ArchivedPages(corpus).find(entry.id)
        except (ArgumentError, CorpusError) as error:
            raise HTTPException(404, str(error)) from error
        text = page.data.decode("utf-8", "replace")[:_MAX_SOURCE_CHARS]
        if page.suffix in {".pdf", ".docx"}:
            text = f"A file of {len(page.data):,} bytes ({page.suffix})."
        return render(request, "source.html", entry=entry, text=text)


def _find_entry(corpus: Corpus, identity: str) -> DocumentEntry:
    entry = corpus.index.document(identity)
    if entry is None:
        raise HTTPException(404, f"{identity}: no such document")
    return entry


def pairs(request: Request) -> Response:
    """List the pairs of two languages, or candidates in another state."""
    library, name = library_of(request), request.path_params["corpus"]
    with library.open(name) as corpus:
        filters, wanted = read_pair_filter(request, corpus)
        evidence = library.keep(
            name,
            f"evidence {filters['langs']}",
            lambda one: list(counts.count_pairs(one.index, *wanted.langs).evidence),
        )
        after = request.query_params.get("after", "")
        if after and corpus.bitext.candidate(*after.partition("-")[::2]) is None:
            raise HTTPException(400, _NO_PLACE.format(after))
        return render(
            request,
            "pairs.html",
            listing=queries.list_pairs(corpus.index, wanted, filters["sort"], after),
            number=queries.count_pairs(corpus.index, wanted),
            most=MAX_EXCLUDED,
            filters=filters,
            all_langs=_name_pairs(corpus),
            evidence=evidence,
        )


def read_pair_filter(
    request: Request, corpus: Corpus
) -> tuple[dict[str, str], queries.PairFilter]:
    """Return the filters of the list of pairs, as they are given and as they are asked for."""
    filters = _read_filters(
        request,
        langs="",
        state="pair",
        evidence="",
        min="0",
        max="1",
        sort="",
    )
    langs = _choose_langs(corpus, filters)
    bounds = _read_bounds(filters)
    return filters, queries.PairFilter(
        langs, filters["state"], filters["evidence"], bounds
    )


def _choose_langs(corpus: Corpus, filters: dict[str, str]) -> tuple[str, str]:
    """Return the language pair asked for, else the first, which the filters then name."""
    known = {"-".join(langs): langs for langs in corpus.language_pairs}
    if not known:
        raise HTTPException(404, "This corpus has one language: there are no pairs.")
    if filters["langs"] not in known:
        filters["langs"] = next(iter(known))
    return known[filters["langs"]]


def _name_pairs(corpus: Corpus) -> list[tuple[str, str]]:
    """Return the language pairs as choices: codes and names."""
    return [
        ("-".join(langs), " – ".join(map(language_name, langs)))
        for langs in corpus.language_pairs
    ]


def _read_bounds(filters: Mapping[str, str]) -> tuple[float, float]:
    """Return the range of scores asked for; HTTPException for what is no number."""
    try:
        return float(filters["min"]), float(filters["max"])
    except ValueError as error:
        raise HTTPException(400, f"{error}; give numbers from 0 to 1") from error


def _read_place(request: Request) -> tuple[float, int]:
    """Return place and id of the unit that the page before ended with, or the start."""
    after = request.query_params.get("after", "")
    number, _, key = after.partition(" ")
    try:
        return (float(number), read_number(key) or 0) if after else UNITS_START
    except ValueError as error:
        raise HTTPException(400, _NO_PLACE.format(after)) from error


def pair(request: Request) -> Response:
    """Show a pair side by side, sentence by sentence, with the evidence and the rivals."""
    source, _, target = request.path_params["ids"].partition("-")
    ids = source, target
    with open_corpus(request) as corpus:
        entry = corpus.bitext.candidate(*ids)
        if entry is None:
            raise HTTPException(404, f"{'-'.join(ids)}: no such pair")
        values = sorted(entry.pair.values, key=lambda one: -one[1])
        evidence = [(kind, value, EVIDENCE.get(kind, "")) for kind, value in values]
        with open_store(corpus) as store:
            verdicts = store.verdicts_on("pairs", "-".join(ids), PARALLEL.name)
        return render(
            request,
            "pair.html",
            entry=entry,
            rows=_join_sides(corpus, entry),
            evidence=evidence,
            question=PARALLEL,
            verdicts=verdicts,
            judge=request.query_params.get("judge", "").strip(),
            rivals=queries.rivals(corpus.index, ids),
            neighbors=queries.neighbors(corpus.index, entry),
            others=[
                row
                for one in ids
                for row in queries.partners(corpus.index, one)
                if tuple(row[:2]) != ids
            ],
        )


def _join_sides(
    corpus: Corpus, entry: PairEntry
) -> list[tuple[str, str, float | None]]:
    """Return the sentences of both sides, those joined that were aligned."""
    sides = []
    for one in (entry.source, entry.target):
        page = PageText.of(corpus.reading(one).clean_sentences(), one.lang)
        sides.append(SplitDocument(one.id, page.sentences, page.blocks, page.glue))
    units = corpus.bitext.units(entry.pair)
    links, _ = locate_units(sides[0], sides[1], units)
    rows = []
    for link in links:
        texts = [
            side.glue.join(side.sentences[number - 1] for number in numbers)
            for side, numbers in zip(sides, link.sides, strict=True)
        ]
        rows.append((texts[0], texts[1], link.certainty))
    return rows


def units(request: Request) -> Response:
    """List translation units by score, words and remark, in the order asked for."""
    library, name = library_of(request), request.path_params["corpus"]
    with library.open(name) as corpus:
        filters, wanted = read_unit_filter(request, corpus)
        after = _read_place(request)
        with library.search(name) as search:
            number_of_all = search.count_units(wanted._replace(scores=ALL_SCORES))
            is_whole = wanted.scores == ALL_SCORES
            counted = (
                number_of_all if is_whole else search.count_units(wanted),
                number_of_all,
            )
            found = search.find_units(wanted, after, queries.PAGE_ROWS + 1)
            remarks = search.find_reasons([row.id for row in found])
        shown = found[: queries.PAGE_ROWS]
        last = shown[-1] if len(found) > len(shown) else None
        return render(
            request,
            "units.html",
            langs=wanted.langs.split("-"),
            units=[(row, read_unit(corpus, row)) for row in shown],
            after=f"{last.place!r} {last.id}" if last else "",
            counted=counted,
            remarks=remarks,
            orders=UNIT_ORDERS,
            most=MAX_EXCLUDED,
            filters=filters,
            all_langs=_name_pairs(corpus),
            reasons=[(str(one), explain(f"exports/{one}")) for one in ExportReason],
        )


def read_unit_filter(
    request: Request, corpus: Corpus
) -> tuple[dict[str, str], UnitFilter]:
    """Return the filters of the list of units, as they are given and as they are asked for."""
    filters = _read_filters(
        request,
        langs="",
        q="",
        reason="",
        min="0",
        max="1",
        sort=next(iter(UNIT_ORDERS)),
    )
    if filters["sort"] not in UNIT_ORDERS:
        raise HTTPException(400, f"sort: {', '.join(UNIT_ORDERS)}")
    _choose_langs(corpus, filters)
    return filters, UnitFilter(
        filters["langs"],
        _read_bounds(filters),
        filters["q"],
        filters["reason"],
        filters["sort"],
    )


def unit_words(request: Request) -> Response:
    """Return both sides of a unit with the words that translate each other marked."""
    library, name = library_of(request), request.path_params["corpus"]
    source, _, target = request.path_params["ids"].partition("-")
    with library.open(name) as corpus:
        entry = corpus.bitext.candidate(source, target)
        number = read_number(request.path_params["number"])
        unit = read_unit(corpus, (source, target, number))
        if entry is None or unit is None:
            raise HTTPException(404, "There is no such unit any more.")
        langs = entry.source.lang, entry.target.lang
        what = f"words {'-'.join(langs)}"
        scores = library.keep(name, what, partial(learn_words, langs=langs))
    texts = mark_words(unit[:2], langs, scores, request.query_params.get("q", ""))
    return render(request, "unit_words.html", langs=langs, texts=texts)


def search(request: Request) -> Response:
    """Show the first documents and translation units with all of some words."""
    library, name = library_of(request), request.path_params["corpus"]
    words = request.query_params.get("q", "").strip()
    documents, found = [], []
    with library.open(name) as corpus, library.search(name, waits=bool(words)) as index:
        if words:
            hits = index.find_documents(words, _SHOWN_HITS)
            ids = [hit.document for hit in hits]
            known = queries.find_documents(corpus.index, ids, {})
            documents = [(h, known[h.document]) for h in hits if h.document in known]
            for langs in corpus.language_pairs:
                wanted = UnitFilter("-".join(langs), words=words)
                rows = index.find_units(wanted, UNITS_START, _SHOWN_HITS)
                found.append((langs, [(row, read_unit(corpus, row)) for row in rows]))
    return render(request, "search.html", words=words, documents=documents, found=found)


def concordance(request: Request) -> Response:
    """Show the places of a word or phrase in their context, sorted by what stands beside it."""
    library, name = library_of(request), request.path_params["corpus"]
    sorts = "document", "left", "right"
    filters = _read_filters(request, q="", lang="", sort=sorts[0])
    with library.open(name) as corpus, library.search(name) as search:
        found = search.find_lines(filters["q"], _MAX_LINES) if filters["q"] else []
        ids = list(dict.fromkeys(line.document for line in found))
        rows = queries.find_documents(corpus.index, ids, {"lang": filters["lang"]})
        langs = {one: row[1] for one, row in rows.items()}
        lines = [line for line in found if line.document in langs]
        if filters["sort"] == "left":
            lines.sort(key=lambda line: line.left.casefold().split()[::-1])
        elif filters["sort"] == "right":
            lines.sort(key=lambda line: line.right.casefold().split())
        return render(
            request,
            "concordance.html",
            lines=lines,
            langs=langs,
            filters=filters,
            sorts=sorts,
            is_cut=len(found) == _MAX_LINES,
            all_langs=[(lang, language_name(lang)) for lang in corpus.langs],
        )


def read_unit(corpus: Corpus, row: Any) -> tuple[str, str, str] | None:
    """Return both texts and the type of a unit; None where it has gone meanwhile."""
    sql = (
        "SELECT source_text, target_text, kind FROM units"
        " WHERE source = ? AND target = ? AND number = ?"
    )
    return next(corpus.index.rows(sql, tuple(row[:3])), None)


def lost(request: Request) -> Response:
    """List what was lost for a reason: pages, addresses or documents."""
    given = request.query_params
    code = given.get("reason", "")
    with open_corpus(request) as corpus:
        return render(
            request,
            "lost.html",
            code=code,
            text=explain(code),
            listing=queries.list_lost(corpus.index, code, given.get("after", "")),
            number=count_losses(corpus).get(code, 0),
        )
