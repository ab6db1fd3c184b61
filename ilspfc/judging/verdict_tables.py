"""Tables of the verdicts on samples: those of section 5 of the founding paper (000), and units."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
from ilspfc.report.numbers import align_numbers

if TYPE_CHECKING:
    from ilspfc.judging.store import Item, JudgingStore


@dataclass(frozen=True, slots=True)
class Row:
    """Verdicts of a group: the number judged, the number of each, the shares with intervals."""

    group: str
    judged: int
    counts: Mapping[str, int]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Table of the verdicts on one question.

    ``counted`` are the columns of counts, ``shares`` those of shares; ``agreement`` is the
    mean kappa of the judges, None for one judge.
    """

    title: str
    counted: tuple[str, ...]
    shares: tuple[str, ...]
    rows: tuple[Row, ...]
    judges: tuple[str, ...]
    agreement: float | None


@dataclass(frozen=True, slots=True)
class _Form:
    """Form of a table: each share is that of the items whose verdict is one of some."""

    title: str
    what: str
    question: Question
    shares: Mapping[str, tuple[str, ...]]


_FORMS = (
    _Form(
        "Parallelness",
        "pairs",
        PARALLEL,
        {"parallel": ("parallel",), "usable": ("parallel", "borderline")},
    ),
    _Form("Domain", "documents", DOMAIN, {"precision": ("in",)}),
    _Form("Language of documents", "documents", LANGUAGE, {"right": ("right",)}),
    _Form("Language of paragraphs", "paragraphs", LANGUAGE, {"right": ("right",)}),
    _Form("Boilerplate", "paragraphs", BOILERPLATE, {"errors": ("lost", "left")}),
    _Form(
        "Translation units",
        "segments",
        UNIT,
        {"right": ("right",), "usable": ("right", "partly")},
    ),
)
# Errors against what the corpus says: text that it lacks, frame that it has.
_BOILERPLATE_ERRORS = {("frame", "text"): "lost", ("text", "frame"): "left"}


def make_tables(store: JudgingStore) -> list[Table]:
    """Return a table for each question that has verdicts."""
    tables = []
    for form in _FORMS:
        by_judge = store.verdicts(form.what, form.question.name)
        if not by_judge:
            continue
        verdicts = decide(by_judge.values(), form.question)
        counted = tuple(form.question.verdicts)
        items = list(store.items(form.what))
        if form.question is BOILERPLATE:
            counted = ("right", "lost", "left")
            verdicts = _compare(items, verdicts)
        groups = _group(items, verdicts)
        rows = tuple(
            Row(
                group,
                found.total(),
                found,
                tuple(
                    estimate(sum(found[name] for name in names), found.total())
                    for names in form.shares.values()
                ),
            )
            for group, found in groups.items()
        )
        agreement = measure_agreement(by_judge)
        shares = tuple(form.shares)
        tables.append(
            Table(form.title, counted, shares, rows, tuple(by_judge), agreement)
        )
    return tables


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


def _compare(items: Iterable[Item], verdicts: Mapping[str, str]) -> dict[str, str]:
    """Return by item the error of the corpus, or ``right``."""
    return {
        item.name: _BOILERPLATE_ERRORS.get((item.said, verdicts[item.name]), "right")
        for item in items
        if item.name in verdicts
    }


def _group(
    items: Iterable[Item], verdicts: Mapping[str, str]
) -> dict[str, Counter[str]]:
    """Return the number of each verdict by group, and over all where there are several."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        if verdict := verdicts.get(item.name):
            groups[item.group][verdict] += 1
    if len(groups) > 1:
        groups["all"] = sum(groups.values(), Counter())
    return groups


@dataclass(frozen=True, slots=True)
class Bound:
    """Judged items with at least a score, and the share of good ones among them."""

    bound: float
    kept: int
    share: Share


BOUNDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


def curve(store: JudgingStore, what: str) -> list[Bound]:
    """Return the precision of judged pairs or units over bounds of their score."""
    question = PARALLEL if what == "pairs" else UNIT
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
    return bounds


# -- as text -----------------------------------------------------------------------------


def format_tables(store: JudgingStore) -> str:
    """Return the tables of all verdicts, empty without any."""
    parts = ["\n".join(_format_table(table)) for table in make_tables(store)]
    if errors := count_errors(store):
        listed = ", ".join(f"{name} {number}" for name, number in errors.most_common())
        parts.append(f"Errors of units: {listed}\n")
    for what in ("pairs", "segments"):
        rows = [
            [f"{row.bound:g}", str(row.kept), format_share(row.share)]
            for row in curve(store, what)
        ]
        if rows:
            header = ["score at least", "judged", "right"]
            table = [[what.capitalize(), "", ""], header, *rows]
            parts.append("\n".join([*align_numbers(table), ""]))
    return "\n".join(parts)


def format_share(share: Share) -> str:
    """Return a share with its interval in percent.

    >>> from ilspfc.judging.sampling import estimate
    >>> format_share(estimate(94, 103))
    '91.3 % (84.2 to 95.3)'
    """
    if share.value is None or share.low is None or share.high is None:
        return "–"
    return (
        f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})".replace("%", " %", 1)
        .replace("%)", ")")
        .replace("% to", " to")
    )


def _format_table(table: Table) -> Iterator[str]:
    yield f"{table.title} ({describe_judges(table)})"
    yield from align_numbers(list(iter_rows(table)))
    yield ""


def describe_judges(table: Table) -> str:
    """Return who judged, and how far they agree."""
    judges = ", ".join(table.judges)
    kappa = f"; kappa {table.agreement:.2f}" if table.agreement is not None else ""
    return f"judged by {judges}{kappa}"


def iter_rows(table: Table) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table as text, the header first."""
    yield ("", "judged", *table.counted, *table.shares)
    for row in table.rows:
        counts = (str(row.counts.get(name, 0)) for name in table.counted)
        yield (row.group, str(row.judged), *counts, *map(format_share, row.shares))
