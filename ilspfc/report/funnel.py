"""The funnel from pages to translation units: counts after each stage, losses by reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ilspfc.report.data import ReportData
from ilspfc.report.numbers import largest_first

PAGE_STAGES = {
    "cleaning": "Pages with text",
    "optout": "Pages not reserved",
    "language": "Pages in the languages of the crawl",
    "classification": "Pages about the domain",
    "export": "Pages written",
}
"""Stages between a fetched page and a document, with the title of their step."""

CRAWL_STAGES = frozenset({*PAGE_STAGES, "frontier", "fetch"})
"""Stages that lose pages and addresses while the crawl fetches."""

# Stages that lose parts of pages, which cannot be compared with pages and addresses.
_PARTS = frozenset({"alignment", "content", "exports"})
_KNOWN_STAGES = CRAWL_STAGES | {"dedup", "decisions", "pairing", "alignment"}


@dataclass(frozen=True, slots=True)
class Loss:
    """Loss for one reason, with the ``stage/reason`` as its code and examples of URLs or texts."""

    code: str
    count: int
    samples: tuple[str, ...] = ()

    @property
    def stage(self) -> str:
        """Stage of the loss."""
        return self.code.partition("/")[0]

    @property
    def is_comparable(self) -> bool:
        """True for addresses and pages, False for units, segments and paragraphs."""
        return self.stage not in _PARTS


@dataclass(frozen=True, slots=True)
class Step:
    """Output of a stage. ``entered`` is the input of the stage, ``whole`` that of the track.

    ``unexplained`` counts losses without a recorded reason. A negative count means more output
    than input, because an earlier run has left documents in the corpus.
    """

    title: str
    count: int
    whole: int
    entered: int
    losses: tuple[Loss, ...] = ()
    unexplained: int = 0


def build_funnel(data: ReportData) -> tuple[Step, ...]:
    """Return the steps from the addresses considered to the translation units.

    Three tracks follow each other, each with its own whole: addresses, pages and documents,
    alignments. A stage without losses has a step only if it is a milestone: pages fetched,
    documents, pairs, units.
    """
    steps = [*_address_steps(data), *_page_steps(data)]
    if data.is_multilingual:
        steps += _pair_steps(data)
    return tuple(steps)


def order_losses(
    dropped: Mapping[str, int], samples: Mapping[str, Sequence[str]] | None = None
) -> list[Loss]:
    """Return losses by ``stage/reason``, whatever their stage, the largest first.

    Addresses and pages come before parts of pages, losses of the same size in alphabetical
    order.
    """
    losses = [
        Loss(code, count, tuple((samples or {}).get(code, ())))
        for code, count in largest_first(dropped.items())
        if count
    ]
    return sorted(losses, key=lambda loss: not loss.is_comparable)


def losses_by_size(data: ReportData) -> list[Loss]:
    """Return all losses of a corpus in the order of :func:`order_losses`."""
    return order_losses(data.dropped, data.dropped_samples)


def largest_loss(data: ReportData) -> Loss | None:
    """Return the largest loss of addresses or pages."""
    return next((loss for loss in losses_by_size(data) if loss.is_comparable), None)


def other_losses(data: ReportData) -> list[Loss]:
    """Return the losses of stages that have no place in the funnel."""
    return [loss for loss in losses_by_size(data) if loss.stage not in _KNOWN_STAGES]


def _losses(data: ReportData, *stages: str) -> tuple[Loss, ...]:
    return tuple(loss for loss in losses_by_size(data) if loss.stage in stages)


def _sum(losses: Iterable[Loss]) -> int:
    return sum(loss.count for loss in losses)


def _address_steps(data: ReportData) -> list[Step]:
    waiting = Loss("frontier/queued", sum(data.addresses.queued.values()))
    redirected = Loss("frontier/redirected", data.addresses.redirected)
    others = tuple(loss for loss in (waiting, redirected) if loss.count)
    losses = _losses(data, "frontier", "fetch") + others
    known = data.pages_fetched + _sum(losses)
    step = Step("Pages fetched", data.pages_fetched, known, known, losses)
    return [Step("Addresses known", known, known, known), step] if losses else [step]


def _page_steps(data: ReportData) -> list[Step]:
    whole = remaining = data.pages_fetched
    steps = []
    for stage, title in PAGE_STAGES.items():
        if losses := _losses(data, stage):
            left = max(0, remaining - _sum(losses))
            steps.append(Step(title, left, whole, remaining, losses))
            remaining = left
    kept = data.document_count
    losses = _losses(data, "dedup", "decisions")
    unexplained = remaining - _sum(losses) - kept
    whole = max(whole, kept)
    steps.append(Step("Documents", kept, whole, remaining, losses, unexplained))
    return steps


def _pair_steps(data: ReportData) -> list[Step]:
    steps, documents = [], data.document_count
    if losses := _losses(data, "pairing"):
        whole, left = max(data.pages_fetched, documents), documents - _sum(losses)
        step = Step("Documents in a pair", max(0, left), whole, documents, losses)
        steps.append(step)
    steps.append(Step("Document pairs", data.pair_count, 0, 0))
    losses = _losses(data, "alignment")
    entered = data.unit_count + _sum(losses)
    whole = entered if losses else 0
    return [*steps, Step("Translation units", data.unit_count, whole, entered, losses)]
