"""The summary of a run for the terminal: at most 25 lines of at most 100 columns."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

from ilspfc.report.data import ReportData
from ilspfc.report.funnel import CRAWL_STAGES, losses_by_size
from ilspfc.report.numbers import (
    count_noun,
    format_duration,
    format_share,
)
from ilspfc.report.reason_texts import describe_held_back, explain, unit_of

COLUMNS = 100
LABEL_COLUMNS = 11
MAX_LANGUAGES = 5
MAX_PAIRS = 4
MAX_LOSSES = 7
MAX_HELD = 3
MAX_SEEDS = 3
MAX_FILES = 4
_TEXTS = ("texts/", "plain/")
_LIMITS = frozenset({"pages", "megabytes", "seconds"})
_BUCKET_LABELS = {
    "high": "HIGH",
    "medium": "MEDIUM",
    "normal": "NORMAL",
    "discarded": "beyond the last bound",
    "unmeasured": "without a sentence",
}
TMX_SUFFIXES = (".tmx", ".tmx.gz")


def render_summary(
    data: ReportData, *, stopped: str = "", columns: int = COLUMNS
) -> str:
    """Return the summary, without a newline at its end.

    Lines are cut at ``columns``, 0 for not at all.

    ``stopped`` names the stage over the corpus that was interrupted: results of this stage
    and of the later ones are left out, since they are incomplete or of an earlier run.
    Long lists end in the number of entries left out. Control characters of crawled text are
    replaced, because a terminal would obey them.
    """
    setting = f"FRONTIER_MAX_{data.limit.upper()}"
    limit = f"the crawl ended at {setting}; the same command goes on"
    recrawl = [data.recrawl.describe()] if data.recrawl else []
    recrawl_label = "Recrawl" if data.recrawl and data.recrawl.revisits else "This run"
    perplexity = _buckets(data)
    lost_sites = data.addresses.describe_lost_sites()
    alarms = [lost_sites] if lost_sites else []
    scripted = [text] if (text := data.describe_scripted()) else []
    others = (recrawl, perplexity, alarms, scripted)
    blocks = [
        ("", [_heading(data)]),
        (recrawl_label, recrawl),
        ("Limit", [limit] if data.limit in _LIMITS else []),
        ("Documents", _shorten(_languages(data), MAX_LANGUAGES)),
        ("Pairs", _shorten(_pairs(data, stopped), MAX_PAIRS)),
        ("Perplexity", perplexity),
        ("Alarm", alarms),
        ("Scripts", scripted),
        ("Dropped", _losses(data, MAX_LOSSES - sum(map(len, others)), stopped)),
        ("Held back", _held_back(data)),
        ("Seeds", _seeds(data)),
        ("Files", _shorten(_files(data, is_whole=not stopped), MAX_FILES)),
    ]
    lines = []
    for label, texts in blocks:
        indent = f"{label:<{LABEL_COLUMNS}}" if label else ""
        for text in texts:
            lines.append(fit_columns(indent + text, columns))
            indent = " " * LABEL_COLUMNS
    return "\n".join(lines)


def fit_columns(text: str, columns: int = COLUMNS) -> str:
    r"""Return a text as one line of at most ``columns`` columns; wide characters take two.

    Without ``columns`` nothing is cut.

    >>> fit_columns("a\x1b[31mb"), fit_columns("漢字漢字", columns=5)
    ('a�[31mb', '漢字…')
    """
    line = "".join(c if c.isprintable() else "\ufffd" for c in text).rstrip()
    if not columns or _columns(line) <= columns:
        return line
    while _columns(line) > columns - 1:
        line = line[: min(len(line) - 1, columns - 1)]
    return line + "…"


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _shorten(texts: Sequence[str], limit: int) -> list[str]:
    """Return at most ``limit`` lines; the last one gives the number of lines left out."""
    if len(texts) <= limit:
        return list(texts)
    rest = len(texts) - limit + 1
    return [*texts[: limit - 1], f"and {rest:,} more"]


def _align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines in columns; cells that start with a digit align right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if cell[:1].isdigit() else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        )
        for row in rows
    ]


def _heading(data: ReportData) -> str:
    time = f" in {format_duration(data.seconds)}" if data.seconds else ""
    kept = count_noun(data.document_count, "document")
    share = format_share(data.document_count, data.pages_fetched)
    pages = count_noun(data.pages_fetched, "page")
    return f"{data.title or 'Corpus'}: {pages} fetched{time}, {kept} kept ({share})"


def _languages(data: ReportData) -> list[str]:
    if not data.documents:
        return ["none"]
    rows = [
        (
            f"{data.language_name(count.lang)} ({count.lang})",
            count_noun(count.documents, "document"),
            count_noun(count.tokens, "token"),
        )
        for count in data.documents
    ]
    return _align(rows)


def _pairs(data: ReportData, stage: str) -> list[str]:
    """Return the lines on pairs, or on the stage that was interrupted."""
    if stage:
        return [
            f"not told: interrupted in {stage}; what it and later stages make is not there yet,",
            "not whole or of an earlier run. To go on give the same command again, or run",
            f"scrapy build {data.corpus_dir}",
        ]
    if not data.is_multilingual:
        return ["none looked for: the crawl has one language"]
    if not data.pair_count:
        return ["none found"]
    rows = [
        (
            data.pair_name(count),
            count_noun(count.pairs, "pair"),
            count_noun(count.units, "translation unit"),
        )
        for count in data.pairs
    ]
    return _align(rows)


def _losses(data: ReportData, limit: int, stopped: str) -> list[str]:
    """Return the largest losses of addresses and pages, and the sum of the others.

    Where a stage over the corpus was interrupted, only those of the crawl are of this run.
    """
    losses = [
        loss
        for loss in losses_by_size(data)
        if loss.is_comparable and (loss.stage in CRAWL_STAGES or not stopped)
    ]
    if not losses:
        return ["nothing"]
    shown = losses if len(losses) <= limit else losses[: limit - 1]
    rows = [(f"{loss.count:,}", unit_of(loss.code, loss.count)) for loss in shown]
    lines = [
        f"{counted}  {explain(loss.code)} [{loss.code}]"
        for counted, loss in zip(_align(rows), shown, strict=True)
    ]
    if rest := losses[len(shown) :]:
        total = sum(loss.count for loss in rest)
        lines.append(f"and {len(rest)} more reasons: {total:,} pages and addresses")
    return lines


def _buckets(data: ReportData) -> list[str]:
    """Return the pages by bucket in one line, none for a crawl without domain texts."""
    counts: dict[str, int] = {}
    for one in data.perplexity:
        for name, pages, _ in one.buckets:
            counts[name] = counts.get(name, 0) + pages
    shown = [
        f"{counts[name]:,} {label}"
        for name, label in _BUCKET_LABELS.items()
        if name in counts
    ]
    return [f"pages: {', '.join(shown)}"] if shown else []


def _held_back(data: ReportData) -> list[str]:
    """Return the addresses by pattern that were not asked for, and the remedy."""
    groups = _shorten(list(map(describe_held_back, data.held_back)), MAX_HELD)
    return [*groups, "all are asked for with -s FRONTIER_TRAPS=False"] if groups else []


def _seeds(data: ReportData) -> list[str]:
    missing = data.unreached_seeds
    total = len(data.seeds)
    if not data.seeds:
        return ["none given"]
    if not missing:
        return [f"all {total:,} reached"]
    texts = [
        f"{seed.url} ({explain(seed.cause) or 'no cause recorded'})" for seed in missing
    ]
    head = f"{len(missing):,} of {total:,} not reached:"
    return [head, *_shorten(texts, MAX_SEEDS)]


def _files(data: ReportData, *, is_whole: bool) -> list[str]:
    """Return the paths of XML documents, report and TMX, in this order.

    Of a corpus in one language, whose product is text, texts stand in the place of the TMX;
    of a corpus whose stages did not all run, the documents alone.
    """
    root = data.corpus_dir.rstrip("/")
    product = TMX_SUFFIXES if data.is_multilingual else _TEXTS
    ends = (("xml/",), ("report.html",), product) if is_whole else (("xml/",),)
    shown = [entry for end in ends for entry in data.files if entry[0].endswith(end)]
    if not shown:
        return [f"{root}/"]
    return _align([(f"{root}/{path}", what) for path, what in shown])
