"""The sections of the report below the charts: languages, pairs, hosts, seeds, files, settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.report.charts import bar
from ilspfc.report.markup import Markup, element, file_link, join, quoted, web_link
from ilspfc.report.numbers import DASH, count_noun, format_count, format_share
from ilspfc.report.reason_texts import explain
from ilspfc.report.tables import code, definitions, paragraph, section, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ilspfc.report.data import HostCount, PairCount, ReportData, SeedStatus

MAX_HOSTS = 50
MAX_BARS = 30
MAX_SEEDS = 200


def language_section(data: ReportData) -> Markup:
    """Return the documents of each language and of each subdomain."""
    if not data.document_count:
        children = [paragraph("The corpus holds no document.")]
    else:
        rows = [
            (
                join([data.language_name(count.lang), " ", code(count.lang)]),
                format_count(count.documents),
                bar(count.documents, data.document_count),
                format_count(count.clean_paragraphs),
                format_share(count.clean_paragraphs, count.paragraphs),
                format_count(count.tokens),
            )
            for count in data.documents
        ]
        columns = (
            "Language",
            "Documents",
            "",
            "Clean paragraphs",
            "of all",
            "Tokens",
        )
        children = [table(columns, rows, numeric=(1, 3, 4, 5), bars=(2,))]
    children.append(_bars("Documents by subdomain", data.subdomains))
    return section("languages", "Documents by language", *children)


def rights_section(data: ReportData) -> Markup:
    """Return the licences that pages declare, and the reservations of their owners."""
    licensed = sum(count for _, count in data.licenses)
    total = count_noun(data.document_count, "document")
    children = [
        paragraph(f"{format_count(licensed)} of {total} name a license."),
        element(
            "div",
            _bars("Documents by license", data.licenses),
            _bars("Where it was found", data.license_places),
            class_="columns",
        ),
    ]
    if data.optouts or data.pages_reserved:
        reserved = count_noun(data.pages_reserved, "page")
        skipped = format_count(data.pages_skipped)
        text = f"Text and data mining is reserved for {reserved}; left out for it: {skipped}."
        children += [
            paragraph(text),
            _bars("Pages by signal", data.optouts, "Pages"),
        ]
    else:
        children.append(paragraph("No signal on text and data mining was found."))
    return section("rights", "Licenses and reservations", *children)


def _bars(
    title: str, counts: Sequence[tuple[str, int]], what: str = "Documents"
) -> Markup:
    if not counts:
        return join([])
    ordered = sorted(counts, key=lambda item: (-item[1], item[0]))
    largest = ordered[0][1]
    rows = [
        (_name(name), format_count(count), bar(count, largest))
        for name, count in ordered[:MAX_BARS]
    ]
    if len(ordered) > MAX_BARS:
        rest = sum(count for _, count in ordered[MAX_BARS:])
        label = f"{format_count(len(ordered) - MAX_BARS)} others"
        rows.append((element("span", label), format_count(rest), bar(rest, largest)))
    content = table(("Name", what, ""), rows, numeric=(1,), bars=(2,))
    return element("div", element("h3", title), content)


def _name(text: str) -> Markup:
    is_address = text.startswith(("http://", "https://"))
    return web_link(text) if is_address else quoted(text)


def pair_section(data: ReportData) -> Markup:
    """Return the document pairs of each language pair, by the evidence that found them."""
    title = "Pairs by language and evidence"
    if not data.is_multilingual and not data.pairs:
        text = "This crawl has one language: no pairs are looked for."
        return section("pairs", title, paragraph(text))
    if not data.pair_count:
        return section("pairs", title, paragraph("No document pair was found."))
    rows = [
        (
            _pair_name(data, pair),
            format_count(pair.pairs),
            format_count(pair.units),
            format_count(pair.source_tokens),
            format_count(pair.target_tokens),
            DASH if pair.null_share is None else format_share(pair.null_share, 1.0),
        )
        for pair in data.pairs
    ]
    columns = (
        "Languages",
        "Pairs",
        "Units",
        "Source tokens",
        "Target tokens",
        "Unaligned",
    )
    counts = table(columns, rows, numeric=(1, 2, 3, 4, 5))
    evidence = [row for pair in data.pairs for row in _evidence_rows(data, pair)]
    if not evidence:
        return section("pairs", title, counts)
    headings = ("Languages", "Evidence that found them", "Pairs", "Share", "")
    by_evidence = table(headings, evidence, numeric=(2, 3), bars=(4,))
    return section("pairs", title, counts, by_evidence)


def _pair_name(data: ReportData, pair: PairCount) -> str:
    source = data.language_name(pair.source_lang)
    return f"{source} {DASH} {data.language_name(pair.target_lang)}"


def _evidence_rows(data: ReportData, pair: PairCount) -> Iterator[tuple[str, ...]]:
    """Yield the kinds of evidence, most frequent first; the first row names the languages."""
    name = _pair_name(data, pair)
    total = sum(pair.evidence.values())
    for kind, count in sorted(
        pair.evidence.items(), key=lambda item: (-item[1], item[0])
    ):
        label = kind.replace("_", " ")
        share = format_share(count, total)
        yield name, label, format_count(count), share, bar(count, total)
        name = ""


def host_section(data: ReportData) -> Markup:
    """Return the hosts with most pages and errors; the others are summed up in one row."""
    if not data.hosts:
        return section("hosts", "Hosts", paragraph("No host was visited."))
    ordered = sorted(data.hosts, key=_host_order)
    rows = [_host_row(quoted(host.host), [host]) for host in ordered[:MAX_HOSTS]]
    if rest := ordered[MAX_HOSTS:]:
        label = count_noun(len(rest), "other host")
        rows.append(_host_row(element("em", label), rest))
    columns = ("Host", "Pages fetched", "Kept", "Share", "", "Errors")
    hosts = table(columns, rows, numeric=(1, 2, 3, 5), bars=(4,))
    return section("hosts", f"Hosts ({format_count(len(ordered))})", hosts)


def _host_order(host: HostCount) -> tuple[int, str]:
    return -(host.fetched + host.errors), host.host


def _host_row(name: Markup, hosts: Sequence[HostCount]) -> tuple[str, ...]:
    fetched = sum(host.fetched for host in hosts)
    kept = sum(host.kept for host in hosts)
    errors = sum(host.errors for host in hosts)
    share = format_share(kept, fetched)
    many = errors > fetched
    error = element("strong" if many else "span", format_count(errors))
    return (
        name,
        format_count(fetched),
        format_count(kept),
        share,
        bar(kept, fetched),
        error,
    )


def seed_section(data: ReportData) -> Markup:
    """Return the seeds that were not reached, and the cause of each."""
    missing = data.unreached_seeds
    if not data.seeds:
        text = "The crawl was given no seeds."
    elif not missing:
        text = f"All seeds were reached: {format_count(len(data.seeds))}."
    else:
        total = count_noun(len(data.seeds), "seed")
        text = f"{format_count(len(missing))} of {total} not reached:"
    children = [paragraph(text)]
    if missing:
        rows = [(web_link(seed.url), _cause(seed)) for seed in missing[:MAX_SEEDS]]
        children.append(table(("Seed", "Cause"), rows))
    if len(missing) > MAX_SEEDS:
        rest = format_count(len(missing) - MAX_SEEDS)
        children.append(paragraph(f"and {rest} more", class_="note"))
    return section("seeds", "Seeds", *children)


def _cause(seed: SeedStatus) -> Markup:
    if not seed.cause:
        return element("span", "no cause recorded")
    words = explain(seed.cause)
    return join([words] if words == seed.cause else [words, " ", code(seed.cause)])


def file_section(data: ReportData) -> Markup:
    """Return the files of the corpus, each with a link relative to the report."""
    if not data.files:
        text = "No files were recorded."
        return section("files", "Files", paragraph(text))
    rows = [(file_link(path), what) for path, what in data.files]
    return section("files", "Files", table(("File", "What it is"), rows))


def settings_section(data: ReportData) -> Markup:
    """Return arguments, settings and versions, folded."""
    groups = (
        ("Arguments", data.arguments),
        ("Settings", data.settings),
        ("Versions", data.versions),
    )
    children = [
        element(
            "details",
            element("summary", f"{title} ({format_count(len(entries))})"),
            definitions(entries.items()) if entries else paragraph("None recorded."),
        )
        for title, entries in groups
    ]
    return section("settings", "How it was made", *children)
