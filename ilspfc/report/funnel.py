"""The funnel from pages to translation units: the count after each stage, and the losses by reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.report.numbers import largest_first

if TYPE_CHECKING:
    from ilspfc.report.data import ReportData

PAGE_STAGES = {
    "cleaning": "Pages with text",
    "language": "Pages in the languages of the crawl",
    "classification": "Pages about the domain",
    "export": "Pages written",
}
"""Stages between a fetched page and a document, with the title of their step."""

_KNOWN_STAGES = {*PAGE_STAGES, "fetch", "dedup", "pairing", "alignment"}


@dataclass(frozen=True, slots=True)
class Loss:
    """Loss for one reason; ``share`` is its part of the input of the stage, in [0, 1]."""

    code: str
    count: int
    share: float
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """Output of a stage. ``entered`` is the input of the stage, ``whole`` that of the track.

    ``unexplained`` counts losses without a recorded reason; it is negative where the output exceeds the input, as it
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

    Three tracks follow each other, each with its own whole: addresses, pages and documents, alignments. A stage without
    losses has a step only if it is a milestone: pages fetched, documents, pairs, units.
    """
    steps = [*_address_steps(data), *_page_steps(data)]
    if data.is_multilingual:
        steps += [*_pair_steps(data), *_unit_steps(data)]
    return tuple(steps)


def losses_by_size(data: ReportData) -> list[tuple[str, int]]:
    """Return every code with its count, largest first, codes of the same count in alphabetical order."""
    return largest_first((code, count) for code, count in data.dropped.items() if count)


def largest_loss(data: ReportData) -> Loss | None:
    """Return the largest loss of pages, documents or units; links and segments are not compared with them."""
    for code, count in losses_by_size(data):
        if stage_of(code) not in {"alignment", "fetch", "frontier"}:
            return Loss(code, count, 0.0)
    return None


def other_losses(data: ReportData) -> list[Loss]:
    """Return the losses of stages that have no place in the funnel; their share is 0."""
    return [
        Loss(code, count, 0.0, tuple(data.dropped_samples.get(code, ())))
        for code, count in losses_by_size(data)
        if stage_of(code) not in _KNOWN_STAGES
    ]


def stage_of(code: str) -> str:
    """Return the stage of a ``stage/reason``."""
    return code.partition("/")[0]


def _losses(data: ReportData, stage: str, entered: int) -> tuple[Loss, ...]:
    return tuple(
        Loss(
            code,
            count,
            count / entered if entered else 0.0,
            tuple(data.dropped_samples.get(code, ())),
        )
        for code, count in losses_by_size(data)
        if stage_of(code) == stage
    )


def _lost(data: ReportData, stage: str) -> int:
    return sum(n for code, n in data.dropped.items() if stage_of(code) == stage)


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
    for stage, title in PAGE_STAGES.items():
        if losses := _losses(data, stage, remaining):
            left = max(0, remaining - _lost(data, stage))
            steps.append(Step(title, left, whole, remaining, losses))
            remaining = left
    kept = data.document_count
    losses = _losses(data, "dedup", remaining)
    unexplained = remaining - _lost(data, "dedup") - kept
    whole = max(whole, kept)
    steps.append(Step("Documents", kept, whole, remaining, losses, unexplained))
    return steps


def _pair_steps(data: ReportData) -> list[Step]:
    documents = data.document_count
    steps = []
    if losses := _losses(data, "pairing", documents):
        paired = max(0, documents - _lost(data, "pairing"))
        whole = max(data.pages_fetched, documents)
        steps.append(Step("Documents in a pair", paired, whole, documents, losses))
    return [*steps, Step("Document pairs", data.pair_count, 0, 0)]


def _unit_steps(data: ReportData) -> list[Step]:
    units = data.unit_count
    alignments = units + _lost(data, "alignment")
    losses = _losses(data, "alignment", alignments)
    whole = alignments if losses else 0
    return [Step("Translation units", units, whole, alignments, losses)]
