"""The units of a corpus on their way to the exports: where from, in which language."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.crawl.language_texts import language_options
from ilspfc.exports import ExportReason, PageOrigin, UnitOrigin
from ilspfc.exports.selection import Action
from ilspfc.language.identification import page_identifier
from ilspfc.language.labels import is_identifiable
from ilspfc.language.segment_filter import SegmentJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrapy.settings import BaseSettings

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry, PairEntry
    from ilspfc.exports import Selection
    from ilspfc.stages.exports.export_options import ExportOptions

# Languages are identified for so many units at a time: at a third of the cost of one.
_BATCH_UNITS = 1_000
_DAY_CHARS = len("2026-01-31")


class Judged(NamedTuple):
    """What of a unit is judged; see :meth:`ilspfc.exports.Selection.add`."""

    source: str
    target: str
    kind: str
    score: float | None
    null_share: float = 0.0


def iter_judged(corpus: Corpus, entries: Sequence[PairEntry]) -> Iterator[Judged]:
    """Yield the units of some pairs, in their order."""
    for entry in entries:
        share = entry.null_share or 0.0
        for unit in corpus.bitext.units(entry.pair):
            yield Judged(unit.source, unit.target, unit.kind, unit.score, share)


def judge_units(
    units: Iterator[Judged],
    langs: tuple[str, str],
    selection: Selection,
    settings: BaseSettings,
    options: ExportOptions,
) -> None:
    """Give units in two languages (ISO 639-3) to a selection, in their order."""
    find_foreign = _foreign_finder(settings, langs, options)
    while batch := list(islice(units, _BATCH_UNITS)):
        sources = find_foreign([unit.source for unit in batch], langs[0])
        targets = find_foreign([unit.target for unit in batch], langs[1])
        for unit, source, target in zip(batch, sources, targets, strict=True):
            selection.add(
                unit.source,
                unit.target,
                unit.kind,
                unit.score,
                null_share=unit.null_share,
                is_foreign=source or target,
            )


def _foreign_finder(
    settings: BaseSettings, langs: tuple[str, str], options: ExportOptions
) -> Callable[[list[str], str], list[bool]]:
    """Return what tells which texts are in another language than they should be."""
    language = language_options(settings)
    taught = {lang for lang, _ in language["texts"]}
    if options.actions[ExportReason.LANGUAGE] is Action.OFF or not all(
        lang in taught or is_identifiable(lang) for lang in langs
    ):
        return lambda texts, _: [False] * len(texts)
    identifier = page_identifier(langs, **language)
    judges = {lang: SegmentJudge(identifier, lang) for lang in langs}
    return lambda texts, lang: judges[lang].find_foreign(texts)


def make_origin(entry: PairEntry, domain: str) -> UnitOrigin:
    """Return what all units of a pair share."""
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
        fetched_at=entry.fetched_at[:_DAY_CHARS],
    )
