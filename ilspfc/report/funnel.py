"""The way from pages to translation units: what remained after each stage, what was lost there, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ilspfc.report.data import ReportData

PAGE_STAGES = (
    ("cleaning", "Pages with text"),
    ("language", "Pages in the languages of the crawl"),
    ("classification", "Pages about the domain"),
    ("export", "Pages written"),
)
"""The stages between a fetched page and a document, and what remains after each."""

_KNOWN_STAGES = frozenset(
    {stage for stage, _ in PAGE_STAGES} | {"fetch", "dedup", "pairing", "alignment"}
)


@dataclass(frozen=True, slots=True)
class Loss:
    """What was lost for one reason; ``share`` is its part of what entered the stage, in [0, 1]."""

    code: str
    count: int
    share: float
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What remained after a stage. ``whole`` is what the track started with, ``entered`` what entered the stage.

    ``unexplained`` is what is missing without a recorded reason; it is negative where more came out than went in, as it
    does when an earlier run has left documents in the corpus.
    """

    title: str
    count: int
    whole: int
    entered: int
    losses: tuple[Loss, ...] = ()
    unexplained: int = 0


def build_funnel(data: ReportData) -> tuple[Step, ...]:
    """Return the steps from the addresses considered to the translation units.

    Three tracks follow each other, each with its own whole: addresses, pages and documents, alignments. A stage that
    lost nothing has a step only if it is a milestone: pages fetched, documents, pairs, units.
    """
    steps = [*_address_steps(data), *_page_steps(data)]
    if data.is_multilingual or data.pairs:
        steps += [*_pair_steps(data), *_unit_steps(data)]
    return tuple(steps)


def losses_by_size(data: ReportData) -> tuple[tuple[str, int], ...]:
    """Return every code with its count, largest first, codes of the same count in alphabetical order."""
    counted = ((code, count) for code, count in data.dropped.items() if count)
    return tuple(sorted(counted, key=lambda item: (-item[1], item[0])))


def other_losses(data: ReportData) -> tuple[Loss, ...]:
    """Return the losses of stages that have no place in the funnel; their share is 0."""
    return tuple(
        Loss(code, count, 0.0, tuple(data.dropped_samples.get(code, ())))
        for code, count in losses_by_size(data)
        if code.partition("/")[0] not in _KNOWN_STAGES
    )


def _losses(data: ReportData, stage: str, entered: int) -> tuple[Loss, ...]:
    return tuple(
        Loss(
            code,
            count,
            count / entered if entered else 0.0,
            tuple(data.dropped_samples.get(code, ())),
        )
        for code, count in losses_by_size(data)
        if code.partition("/")[0] == stage
    )


def _lost(data: ReportData, stage: str) -> int:
    return sum(loss.count for loss in _losses(data, stage, 0))


def _address_steps(data: ReportData) -> list[Step]:
    considered = data.pages_fetched + _lost(data, "fetch")
    fetched = Step(
        "Pages fetched",
        data.pages_fetched,
        considered,
        considered,
        _losses(data, "fetch", considered),
    )
    if considered == data.pages_fetched:
        return [fetched]
    start = Step("Addresses considered", considered, considered, considered)
    return [start, fetched]


def _page_steps(data: ReportData) -> list[Step]:
    whole = remaining = data.pages_fetched
    steps = []
    for stage, title in PAGE_STAGES:
        losses = _losses(data, stage, remaining)
        if losses:
            left = max(0, remaining - sum(loss.count for loss in losses))
            steps.append(Step(title, left, whole, remaining, losses))
            remaining = left
    kept = data.document_count
    losses = _losses(data, "dedup", remaining)
    unexplained = remaining - sum(loss.count for loss in losses) - kept
    whole = max(whole, kept)
    steps.append(Step("Documents", kept, whole, remaining, losses, unexplained))
    return steps


def _pair_steps(data: ReportData) -> list[Step]:
    documents = data.document_count
    losses = _losses(data, "pairing", documents)
    steps = []
    if losses:
        paired = max(0, documents - sum(loss.count for loss in losses))
        whole = max(data.pages_fetched, documents)
        steps.append(Step("Documents in a pair", paired, whole, documents, losses))
    return [*steps, Step("Document pairs", data.pair_count, 0, 0)]


def _unit_steps(data: ReportData) -> list[Step]:
    units = data.unit_count
    alignments = units + _lost(data, "alignment")
    losses = _losses(data, "alignment", alignments)
    whole = alignments if losses else 0
    return [Step("Translation units", units, whole, alignments, losses)]
