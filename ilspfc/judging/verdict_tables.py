"""Tables of the verdicts on samples: those of section 5 of the founding paper (000), and units."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ilspfc.judging.questions import (
    BOILERPLATE,
    DOMAIN,
    ERROR,
    LANGUAGE,
    PARALLEL,
    UNIT,
    Question,
)
from ilspfc.judging.sampling import Share, estimate, measure_agreement
from ilspfc.judging.store import Item, JudgingStore
from ilspfc.report.data import JudgedTable
from ilspfc.report.numbers import DASH, align_numbers


@dataclass(frozen=True, slots=True)
class _Form:
    """Form of a table: each share is that of the items whose verdict is one of some.

    Errors, items with some verdicts, are told by a text of the items: evidence or address.
    """

    title: str
    what: str
    question: Question
    shares: Mapping[str, tuple[str, ...]]
    errors: tuple[str, ...] = ()
    place: str = ""


_FORMS = (
    _Form(
        "Parallelness",
        "pairs",
        PARALLEL,
        {"parallel": ("parallel",), "usable": ("parallel", "borderline")},
        ("not",),
        "evidence",
    ),
    _Form("Domain", "documents", DOMAIN, {"precision": ("in",)}),
    _Form("Language of documents", "documents", LANGUAGE, {"right": ("right",)}),
    _Form("Language of paragraphs", "paragraphs", LANGUAGE, {"right": ("right",)}),
    _Form(
        "Boilerplate",
        "paragraphs",
        BOILERPLATE,
        {"errors": ("lost", "left")},
        ("lost", "left"),
        "url",
    ),
    _Form(
        "Translation units",
        "segments",
        UNIT,
        {"right": ("right",), "usable": ("right", "partly")},
        ("wrong",),
        "url1",
    ),
)
# Places of errors that are listed.
_MAX_PLACES = 10
# Errors against what the corpus says: text that it lacks, frame that it has.
_BOILERPLATE_ERRORS = {("frame", "text"): "lost", ("text", "frame"): "left"}


def make_tables(store: JudgingStore) -> list[JudgedTable]:
    """Return a table for each question that has verdicts: who judged, numbers, shares."""
    tables = []
    for form in _FORMS:
        by_judge = store.verdicts(form.what, form.question.name)
        if not by_judge:
            continue
        verdicts = decide(by_judge.values(), form.question)
        counted = tuple(form.question.verdicts)
        items = [one for one in store.items(form.what) if one.name in verdicts]
        if form.question is BOILERPLATE:
            counted = ("right", "lost", "left")
            verdicts = {
                one.name: _BOILERPLATE_ERRORS.get(
                    (one.said, verdicts[one.name]), "right"
                )
                for one in items
            }
        groups: dict[str, Counter[str]] = defaultdict(Counter)
        for item in items:
            groups[item.group][verdicts[item.name]] += 1
        if len(groups) > 1:
            groups["all"] = sum(groups.values(), Counter())
        rows = [("", "judged", *counted, *form.shares)]
        for group, found in groups.items():
            numbers = (str(found[name]) for name in counted)
            shares = (
                estimate(sum(found[name] for name in names), found.total())
                for names in form.shares.values()
            )
            rows.append(
                (group, str(found.total()), *numbers, *map(format_share, shares))
            )
        remark = f"judged by {', '.join(by_judge)}"
        if (kappa := measure_agreement(by_judge)) is not None:
            remark += f"; kappa {kappa:.2f}"
        tables.append(JudgedTable(form.title, remark, tuple(rows)))
        if found := Counter(
            item.texts.get(form.place, "")
            for item in items
            if verdicts[item.name] in form.errors
        ):
            tables.append(_list_errors(form, found, items))
    return tables


def _list_errors(
    form: _Form, errors: Counter[str], items: Sequence[Item]
) -> JudgedTable:
    """Return the places of the errors, the most first: often a single document (000, 5.3)."""
    judged = Counter(item.texts.get(form.place, "") for item in items)
    rows = [
        (place, str(judged[place]), str(number), f"{number / errors.total():.0%}")
        for place, number in sorted(errors.items(), key=lambda one: (-one[1], one[0]))
    ]
    head = ("", "judged", "errors", "of all")
    by = "evidence" if form.place == "evidence" else "document"
    title = f"{form.title}: errors by {by}"
    remark = f"{errors.total()} of {len(items)}"
    return JudgedTable(title, remark, (head, *rows[:_MAX_PLACES]))


def count_errors(store: JudgingStore) -> Counter[str]:
    """Return the number of units with each kind of error, by the most judges."""
    by_judge = store.verdicts("segments", ERROR.name)
    return Counter(decide(by_judge.values(), ERROR).values())


def decide(verdicts: Iterable[Mapping[str, str]], question: Question) -> dict[str, str]:
    """Return the verdict of most judges on each item; of equally many, the less favorable.

    >>> decide([{"1": "right"}, {"1": "wrong"}], UNIT)
    {'1': 'wrong'}
    """
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for one in verdicts:
        for item, verdict in one.items():
            votes[item][verdict] += 1
    order = list(question.verdicts)
    return {
        item: max(found, key=lambda verdict: (found[verdict], order.index(verdict)))
        for item, found in votes.items()
    }


@dataclass(frozen=True, slots=True)
class Bound:
    """Judged items with at least a score, and the share of good ones among them."""

    bound: float
    kept: int
    share: Share | None


BOUNDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
# The question by whose first verdict items with a high score should be good.
_SCORED = {
    "pairs": PARALLEL,
    "documents": DOMAIN,
    "segments": UNIT,
    "paragraphs": BOILERPLATE,
}


def make_curves(store: JudgingStore) -> dict[tuple[str, str], list[Bound]]:
    """Return the shares of good ones over bounds of the score, by kind and good verdict.

    Kinds are those of which items with a score were judged.
    """
    curves = {}
    for what, question in _SCORED.items():
        good = next(iter(question.verdicts))
        verdicts = decide(store.verdicts(what, question.name).values(), question)
        judged = [
            (item.score, verdicts[item.name] == good)
            for item in store.items(what)
            if item.name in verdicts and item.score is not None
        ]
        bounds = []
        for bound in BOUNDS if judged else ():
            kept = [is_good for score, is_good in judged if score >= bound]
            bounds.append(Bound(bound, len(kept), estimate(sum(kept), len(kept))))
        if bounds:
            curves[what, good] = bounds
    return curves


# -- as text -----------------------------------------------------------------------------


def format_tables(store: JudgingStore) -> str:
    """Return the tables of all verdicts, empty without any."""
    parts = [
        "\n".join([f"{one.title} ({one.remark})", *align_numbers(one.rows), ""])
        for one in make_tables(store)
    ]
    if errors := count_errors(store):
        listed = ", ".join(f"{name} {number}" for name, number in errors.most_common())
        parts.append(f"Errors of units: {listed}\n")
    for (what, good), bounds in make_curves(store).items():
        rows = [
            [f"{row.bound:g}", str(row.kept), format_share(row.share)] for row in bounds
        ]
        header = ["score at least", "judged", good]
        table = [[what.capitalize(), "", ""], header, *rows]
        parts.append("\n".join([*align_numbers(table), ""]))
    return "\n".join(parts)


def format_share(share: Share | None) -> str:
    """Return a share with its interval in percent, a dash where nothing was judged.

    >>> from ilspfc.judging.sampling import estimate
    >>> format_share(estimate(94, 103)), format_share(None)
    ('91.3 % (84.2 to 95.3)', '–')
    """
    if share is None:
        return DASH
    value, low, high = (100 * one for one in share)
    return f"{value:.1f} % ({low:.1f} to {high:.1f})"
