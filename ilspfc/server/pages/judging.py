"""Pages to judge a sample: one item at a time, by keys; the tables of all verdicts."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ilspfc.corpus.corpus import Corpus
from ilspfc.judging.questions import QUESTIONS
from ilspfc.judging.samples import Size, draw_items
from ilspfc.judging.store import Item, JudgingStore
from ilspfc.judging.verdict_tables import make_curves, make_tables
from ilspfc.server.bodies import Form, read_number, takes_form
from ilspfc.server.rendering import go_to, open_corpus, render

_MAX_SIZE = 2000
_NO_NAME = "Give your name: verdicts are kept by judge."


def open_store(corpus: Corpus) -> JudgingStore:
    """Open the samples of a corpus; none is made by looking at it."""
    path = corpus.files.judging
    return JudgingStore(path if path.is_file() else Path(":memory:"))


def samples(request: Request) -> Response:
    """Show the samples of a corpus and the tables of the verdicts."""
    with open_corpus(request) as corpus, open_store(corpus) as store:
        found = {what: store.verdicts(what, q[0].name) for what, q in QUESTIONS.items()}
        return render(
            request,
            "judging.html",
            samples={what: len(list(store.items(what))) for what in QUESTIONS},
            progress={
                what: [(judge, len(verdicts)) for judge, verdicts in by_judge.items()]
                for what, by_judge in found.items()
            },
            tables=make_tables(store),
            curves=make_curves(store),
        )


@takes_form
def draw(request: Request, form: Form) -> Response:
    """Draw a sample of the kind and size that the form asks for."""
    what = form.get("what", "")
    size = read_number(form.get("size", "").strip() or "0")
    if what not in QUESTIONS or size is None:
        raise HTTPException(400, "Choose what to judge, and a whole number or no size.")
    with open_corpus(request) as corpus:
        items = draw_items(corpus, what, Size(items=min(size, _MAX_SIZE)))
        with JudgingStore(corpus.files.judging) as store:
            store.set_items(what, items)
    return _go_to_items(request, what)


def _go_to_items(request: Request, place: str) -> Response:
    return go_to(request, f"/c/{request.path_params['corpus']}/judge/{place}")


def item(request: Request) -> Response:
    """Show the next item that a judge has not judged, or the one asked for."""
    what, judge = _what(request), request.query_params.get("judge", "").strip()
    with open_corpus(request) as corpus, open_store(corpus) as store:
        items = list(store.items(what))
        verdicts = {
            question.name: store.verdicts(what, question.name).get(judge, {})
            for question in QUESTIONS[what]
        }
    first = QUESTIONS[what][0].name
    done = len(verdicts[first])
    since, before = _read_session(request.query_params, done)
    pace = (time.time() - since) / (done - before) if done > before else 0.0
    number = _choose(request, items, set(verdicts[first]))
    shown = items[number - 1] if number <= len(items) else None
    return render(
        request,
        "judge_item.html",
        what=what,
        judge=judge,
        item=shown,
        number=number,
        total=len(items),
        done=done,
        session={"judge": judge, "since": since, "before": before},
        left=max(round(pace * (len(items) - done)), 0),
        questions=QUESTIONS[what],
        given={
            q: found.get(shown.name if shown else "", "")
            for q, found in verdicts.items()
        },
    )


def _read_session(query: Mapping[str, str], done: int) -> tuple[int, int]:
    """Return when a judge began (seconds since 1970), and with how many items judged.

    That is now, unless the address says it.
    """
    since, before = (read_number(query.get(name, "")) for name in ("since", "before"))
    if since is None or before is None:
        return int(time.time()), done
    return since, before


def _what(request: Request) -> str:
    what = str(request.path_params["what"])
    if what not in QUESTIONS:
        raise HTTPException(404, f"{what}: nothing to judge")
    return what


def _choose(request: Request, items: list[Item], judged: set[str]) -> int:
    """Return the number of the item to show, from 1; past the last if all are judged."""
    if asked := request.query_params.get("number", ""):
        number = read_number(asked)
        if number is None:
            raise HTTPException(400, f"number={asked}: no number of an item")
        return max(1, number)
    waiting = (n for n, item in enumerate(items, 1) if item.name not in judged)
    return next(waiting, len(items) + 1)


@takes_form
def answer(request: Request, form: Form) -> Response:
    """Keep the verdicts of a judge on an item, and go on to the next."""
    what = _what(request)
    judge, number = form.get("judge", "").strip(), read_number(form.get("number", ""))
    if not judge or number is None:
        raise HTTPException(400, _NO_NAME)
    with open_corpus(request) as corpus, open_store(corpus) as store:
        items = list(store.items(what))
        if not 1 <= number <= len(items):
            raise HTTPException(404, "This item is in the sample no more.")
        _add_verdicts(store, what, judge, items[number - 1].name, form)
    since, before = _read_session(request.query_params, number)
    session = {"judge": judge, "since": since, "before": before}
    return _go_to_items(request, f"{what}?{urlencode(session)}")


def _add_verdicts(
    store: JudgingStore, what: str, judge: str, name: str, form: Form
) -> None:
    """Keep the verdicts of a form on an item; an unknown one is none."""
    rows = [
        (name, one.name, form[one.name])
        for one in QUESTIONS[what]
        if form.get(one.name) in one.verdicts
    ]
    store.add_verdicts(what, judge, rows)


@takes_form
def judge_pair(request: Request, form: Form) -> Response:
    """Keep the verdict of a judge on a pair, which need not be in the sample."""
    judge, ids = form.get("judge", "").strip(), request.path_params["ids"]
    if not judge:
        raise HTTPException(400, _NO_NAME)
    with open_corpus(request) as corpus:
        if corpus.bitext.candidate(*ids.partition("-")[::2]) is None:
            raise HTTPException(404, f"{ids}: no such pair")
        with JudgingStore(corpus.files.judging) as store:
            _add_verdicts(store, "pairs", judge, ids, form)
    name = request.path_params["corpus"]
    return go_to(request, f"/c/{name}/pairs/{ids}?{urlencode({'judge': judge})}")
