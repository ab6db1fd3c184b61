"""Pairs of pages as the formats of exports take them: origin, units, aligned sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.exports.units import PageOrigin, UnitOrigin

if TYPE_CHECKING:
    from ilspfc.corpus.records import DocumentEntry, PairEntry
    from ilspfc.exports.formats.xces import SentenceLink, SplitDocument
    from ilspfc.exports.units import ExportUnit

DAY_CHARS = len("2026-01-31")
"""Characters of a date without its time, in ISO 8601."""


class AlignedPages(NamedTuple):
    """Two documents in sentences, and the links between these in reading order."""

    source: SplitDocument
    target: SplitDocument
    links: Sequence[SentenceLink]


class PairOfPages:
    """A pair of pages with its units to export; its sentences are aligned on demand."""

    def __init__(
        self,
        entry: PairEntry,
        origin: UnitOrigin,
        units: Sequence[ExportUnit],
        align: Callable[[], AlignedPages],
    ) -> None:
        self.entry, self.origin, self.units = entry, origin, units
        self._align = align

    @property
    def name(self) -> str:
        """The base name of its files."""
        ids = self.entry.source.id, self.entry.target.id
        return "_".join((*ids, self.entry.pair.evidence))

    @cached_property
    def aligned(self) -> AlignedPages:
        """The sentences of both pages, and the links between them."""
        return self._align()


def make_origin(entry: PairEntry, domain: str) -> UnitOrigin:
    """Return the origin that all units of a pair share."""
    return UnitOrigin(
        _page_origin(entry.source),
        _page_origin(entry.target),
        probability=entry.pair.probability,
        evidence=entry.pair.evidence,
        domain=domain,
    )


def _page_origin(entry: DocumentEntry) -> PageOrigin:
    return PageOrigin(
        url=entry.url,
        file=entry.path,
        subdomains=entry.subdomains,
        license=entry.license,
        optouts=tuple(entry.optouts.splitlines()),
        # The day alone: crawls of the same day write the same files.
        fetched_at=entry.fetched_at[:DAY_CHARS],
    )
