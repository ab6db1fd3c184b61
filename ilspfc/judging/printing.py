"""Tables of verdicts as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ilspfc.judging.verdict_tables import Table, count_errors, curve, make_tables
from ilspfc.report.numbers import align_numbers

if TYPE_CHECKING:
    from ilspfc.judging.sampling import Share
    from ilspfc.judging.store import JudgingStore

_DASH = "–"


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
        return _DASH
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
