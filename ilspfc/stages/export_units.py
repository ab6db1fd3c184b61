"""The units of a corpus on their way to the exports: where from, in which language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ilspfc.exports import ExportReason, PageOrigin, UnitOrigin
from ilspfc.exports.selection import Action
from ilspfc.language.identify import page_identifier
from ilspfc.language.labels import is_identifiable
from ilspfc.language.segments import SegmentJudge
from ilspfc.language_texts import language_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ilspfc.corpus.entries import DocumentEntry, PairEntry
    from ilspfc.documents import TranslationUnit
    from ilspfc.exports import Selection
    from ilspfc.stages.corpus import Corpus
    from ilspfc.stages.export_options import ExportOptions

# Languages are identified for so many units at a time: at a third of the cost of one.
_BATCH_UNITS = 2_000
_DAY_CHARS = len("2026-01-31")


class _Judged(NamedTuple):
    unit: TranslationUnit
    entry: PairEntry


def judge_units(
    corpus: Corpus,
    langs: tuple[str, str],
    entries: Sequence[PairEntry],
    selection: Selection,
    options: ExportOptions,
) -> None:
    """Give all units of some pairs to a selection, in their order."""
    find_foreign = _foreign_finder(corpus, langs, options)
    for batch in _iter_batches(corpus, entries):
        sides = [one.unit.source for one in batch], [one.unit.target for one in batch]
        foreign = [
            find_foreign(texts, lang) for texts, lang in zip(sides, langs, strict=True)
        ]
        for (unit, entry), *sides_foreign in zip(batch, *foreign, strict=True):
            selection.add(
                unit.source,
                unit.target,
                unit.kind,
                unit.score,
                null_share=entry.null_share or 0.0,
                is_foreign=any(sides_foreign),
            )


def _iter_batches(
    corpus: Corpus, entries: Sequence[PairEntry]
) -> Iterator[list[_Judged]]:
    batch: list[_Judged] = []
    for entry in entries:
        batch += [_Judged(unit, entry) for unit in corpus.bitext.units(entry.pair)]
        if len(batch) >= _BATCH_UNITS:
            yield batch
            batch = []
    yield batch


def _foreign_finder(
    corpus: Corpus, langs: tuple[str, str], options: ExportOptions
) -> Callable[[list[str], str], list[bool]]:
    """Return what tells which texts are in another language than they should be."""
    language = language_options(corpus.settings)
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
        file=f"xml/{entry.file}",
        subdomains=entry.subdomains,
        license=entry.license,
        optouts=tuple(entry.optouts.splitlines()),
        # The day alone: crawls of the same day write the same files.
        fetched_at=entry.fetched_at[:_DAY_CHARS],
    )
