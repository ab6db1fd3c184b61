"""The upper part of the report: heading, headline figures, the funnel, the two charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.report.charts import bar, harvest_curve, score_histogram
from ilspfc.report.funnel import (
    Loss,
    Step,
    build_funnel,
    losses_by_size,
    other_losses,
)
from ilspfc.report.markup import Markup, element, join
from ilspfc.report.numbers import (
    DASH,
    MINUS,
    count_noun,
    elapsed_seconds,
    format_count,
    format_duration,
    format_share,
    format_time,
)
from ilspfc.report.reason_texts import explain, unit_of
from ilspfc.report.recrawl_counts import describe_recrawl
from ilspfc.report.tables import code, examples, paragraph, section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.report.data import ReportData


def page_header(data: ReportData) -> Markup:
    """Return the heading: title, subject, languages, time, and the headline figures."""
    languages = ", ".join(map(data.language_name, data.langs)) or "not given"
    facts = [
        ("Domain", data.domain or "none: every subject is kept"),
        ("Languages", languages),
        ("Run", _run(data)),
        ("Corpus", data.corpus_dir),
    ]
    items = (
        element("div", element("dt", name), element("dd", value, dir="auto"))
        for name, value in facts
        if value
    )
    return element(
        "header",
        element("h1", data.title or "Corpus", dir="auto"),
        element("dl", *items, class_="facts"),
        element("ul", *_headline(data), class_="headline"),
        *[paragraph(text, class_="lede") for text in _findings(data)],
    )


def _run(data: ReportData) -> str:
    parts = [data.spider]
    if data.started:
        end = f" {DASH} {format_time(data.finished)}" if data.finished else ""
        parts.append(format_time(data.started) + end)
    if seconds := elapsed_seconds(data.started, data.finished):
        parts.append(format_duration(seconds))
    return ", ".join(filter(None, parts))


def _headline(data: ReportData) -> list[Markup]:
    seconds = elapsed_seconds(data.started, data.finished)
    rate = format_count(round(60 * data.pages_fetched / seconds)) if seconds else ""
    share = format_share(data.document_count, data.pages_fetched)
    figures = [
        (data.pages_fetched, "pages fetched", f"{rate} a minute" if rate else ""),
        (
            data.document_count,
            "documents",
            f"{share} of the pages" if data.pages_fetched else "",
        ),
        (data.token_count, "tokens", "of clean text"),
    ]
    if data.is_multilingual or data.pairs:
        figures += [
            (data.pair_count, "document pairs", ""),
            (data.unit_count, "translation units", ""),
        ]
    hosts = len(data.hosts)
    figures.append((hosts, "host" if hosts == 1 else "hosts", ""))
    return [
        element(
            "li",
            element("strong", format_count(number)),
            element("span", name),
            element("small", remark),
        )
        for number, name, remark in figures
    ]


def _findings(data: ReportData) -> list[str]:
    """Return what a reader should know first, as whole sentences."""
    findings = []
    if not data.pages_fetched:
        findings.append("No page was fetched.")
    elif not data.document_count:
        findings.append("Pages were fetched, but no document was kept.")
    elif data.is_multilingual and not data.pair_count:
        findings.append("Documents were kept, but no two of them were paired.")
    if data.recrawl:
        text = describe_recrawl(data.recrawl)
        findings.append(f"The crawl went over an earlier one: {text}.")
    losses = [
        (name, count)
        for name, count in losses_by_size(data)
        if name.partition("/")[0] not in {"alignment", "fetch", "frontier"}
    ]
    if losses:
        name, count = losses[0]
        lost = f"{format_count(count)} {unit_of(name, count)}"
        findings.append(f"Largest loss: {lost}, {explain(name)}.")
    if missing := len(data.unreached_seeds):
        total = count_noun(len(data.seeds), "seed")
        verb = "was" if missing == 1 else "were"
        findings.append(f"{format_count(missing)} of {total} {verb} not reached.")
    return [" ".join(findings)] if findings else []


def funnel_section(data: ReportData) -> Markup:
    """Return the way from pages to translation units, with every loss and its reason."""
    title = "What was kept, what was lost"
    if not (data.pages_fetched or data.document_count or losses_by_size(data)):
        text = "No page was fetched: nothing was kept, and nothing was lost."
        return section("funnel", title, paragraph(text))
    steps = [_step(step) for step in build_funnel(data)]
    others = other_losses(data)
    children = [
        paragraph(
            "Each line says what was left after a stage; below it stands what the stage dropped, and why. "
            "Open a reason for examples.",
            class_="note",
        ),
        element("ol", *steps, class_="funnel"),
    ]
    if others:
        children.append(element("h3", "Lost elsewhere"))
        children.append(element("ul", *map(_loss, others), class_="losses"))
    if not data.is_multilingual and not data.pairs:
        children.append(
            paragraph("This crawl has one language: no pairs are looked for.")
        )
    return section("funnel", title, *children)


def _step(step: Step) -> Markup:
    dropped = step.entered - step.count if step.losses else 0
    share = format_share(step.count, step.entered) if step.losses else ""
    head = element(
        "div",
        element("strong", format_count(step.count), class_="count"),
        element("span", step.title, class_="title"),
        element("span", f"{share} remained" if share else "", class_="share"),
        bar(step.count, step.whole, max(0, dropped)) if step.whole else "",
        class_="step",
    )
    items = [_loss(loss) for loss in step.losses]
    if step.unexplained > 0:
        reason = "dropped without a recorded reason"
        items.append(_loss_line(step.unexplained, "", element("em", reason)))
    losses = element("ul", *items, class_="losses") if items else ""
    note = ""
    if step.unexplained < 0:
        more = count_noun(-step.unexplained, "document")
        note = paragraph(
            f"{more} more than the pages of this run explain: earlier runs left them, or"
            " they were imported.",
            class_="note",
        )
    return element("li", head, losses, note)


def _loss(loss: Loss) -> Markup:
    why = join(
        [element("span", explain(loss.code), class_="why"), " ", code(loss.code)]
    )
    share = format_share(loss.share, 1.0) if loss.share else ""
    return _loss_line(loss.count, share, why, loss.samples)


def _loss_line(
    count: int, share: str, why: Markup, samples: Sequence[str] = ()
) -> Markup:
    more = ""
    if samples:
        number = count_noun(len(samples), "example")
        more = element("span", number, class_="more")
    cells = (
        element("span", MINUS + format_count(count), class_="count"),
        element("span", share, class_="share"),
        element("span", why, more),
    )
    line = element("span", *cells, class_="loss")
    if not samples:
        return element("li", line)
    summary = element("summary", line)
    return element("li", element("details", summary, examples(samples)))


def charts_section(data: ReportData) -> Markup:
    """Return the harvest curve and the histogram of unit scores side by side."""
    figures = [_harvest_figure(data.harvest)]
    if data.is_multilingual or data.pairs:
        figures.append(_histogram_figure(data.score_histogram))
    return element("div", *figures, class_="charts")


def _harvest_figure(points: Sequence[tuple[int, int]]) -> Markup:
    if not points or max(points)[0] == 0:
        return section(
            "harvest", "Harvest", paragraph("No page was fetched: no curve to draw.")
        )
    pages, kept = max(points)
    text = f"{count_noun(kept, 'document')} from {count_noun(pages, 'page')}: {format_share(kept, pages)} were kept"
    tail = [point for point in sorted(points) if point[0] >= 0.9 * pages]
    tail_pages, tail_kept = pages - tail[0][0], kept - tail[0][1]
    if tail_pages > 0:
        text += f", and {format_share(tail_kept, tail_pages)} of the last {format_count(tail_pages)}"
    return section(
        "harvest",
        "Harvest",
        harvest_curve(points),
        paragraph(text + ". The dashed line is the average.", class_="note"),
    )


def _histogram_figure(bins: Sequence[int]) -> Markup:
    title = "Scores of the translation units"
    if not any(bins):
        return section("scores", title, paragraph("There are no translation units."))
    total = sum(bins)
    upper = sum(bins[len(bins) // 2 :])
    text = f"{format_share(upper, total)} of {count_noun(total, 'unit')} score 0.5 or more."
    return section(
        "scores", title, score_histogram(bins), paragraph(text, class_="note")
    )
