"""Samples in the report: random pairs, and units with the lowest scores or with remarks."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.documents import TranslationUnit
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.selection import PRESETS, Action
from ilspfc.report import data as records
from ilspfc.report.reason_texts import explain

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

# Fixed seed, so that the same corpus has the same samples.
_SEED = 1
# Pairs that the report shows: some minutes of reading. For judgments: `scrapy sample`.
_PAIRS = 20
# Maximum numbers of doubtful documents, of units in a group, and of pairs to search for units
# with a remark.
_DOUBTFUL_DOCUMENTS = 10
_GROUP_UNITS = 10
_SEARCHED_PAIRS = 200


def draw_pairs(
    corpus: Corpus, pairs: Sequence[PairEntry]
) -> Iterator[records.PairSample]:
    """Yield a random sample of pairs, each with one of its units."""
    choose_pair, choose_unit = (random.Random(_SEED) for _ in range(2))  # noqa: S311 - no secret
    number = min(_PAIRS, len(pairs))
    for entry in choose_pair.sample(pairs, number):
        source, target = (
            _make_document(document) for document in (entry.source, entry.target)
        )
        units = list(corpus.bitext.judged_units(entry.pair))
        unit, reasons = choose_unit.choice(units) if units else (None, ())
        presets = _find_presets(reasons) if unit else ()
        of_pair = entry.pair.probability, entry.pair.evidence
        yield records.PairSample(source, target, *of_pair, unit, presets)


def _make_document(entry: DocumentEntry) -> records.DocumentSample:
    return records.DocumentSample(entry.lang, entry.url, entry.title, entry.path)


def find_doubtful(corpus: Corpus) -> Iterator[tuple[float, records.DocumentSample]]:
    """Yield the documents with the lowest expected F1 of cleaning, the lowest first."""
    rows = corpus.index.rows(
        "SELECT score, id FROM cleaning_scores JOIN kept_documents ON id = document"
        " ORDER BY score, id LIMIT ?",
        (_DOUBTFUL_DOCUMENTS,),
    )
    for score, identity in list(rows):
        if entry := corpus.index.document(identity):
            yield score, _make_document(entry)


def _find_presets(reasons: Iterable[str]) -> tuple[str, ...]:
    """Return the presets that keep a unit with the given reasons, ignoring duplicates."""
    found = list(map(ExportReason, reasons))
    return tuple(
        name
        for name, actions in PRESETS.items()
        if all(actions[reason] is not Action.DROP for reason in found)
    )


def count_presets(
    corpus: Corpus, samples: Iterable[records.PairSample]
) -> Iterator[records.PresetCount]:
    """Yield the numbers that each preset keeps, of all units and of the sample."""
    stats = corpus.run.get("stats", {})
    units = [(pair.unit, pair.presets) for pair in samples if pair.unit]
    # Counts of 0 are not stored, but the preset ``off`` always has one.
    if "exports/kept/off" in stats:
        for name in PRESETS:
            scores = [unit.score for unit, presets in units if name in presets]
            number = stats.get(f"exports/kept/{name}", 0)
            yield records.PresetCount(name, number, len(scores), sum(scores))


def draw_units(
    corpus: Corpus, pairs: Sequence[PairEntry], dropped: Mapping[str, int]
) -> Iterator[records.UnitGroup]:
    """Yield the most instructive units: the lowest scores, and some with each remark.

    ``dropped`` are the losses of the corpus by ``stage/reason``. Units with a remark are
    from at most 200 random pairs. Duplicates, which depend on all exported units, have no
    examples.
    """
    if not pairs:
        return
    by_ids = {(entry.pair.source, entry.pair.target): entry for entry in pairs}
    rows = corpus.index.rows(
        "SELECT source, target, source_text, target_text, kind, score FROM units"
        " ORDER BY score, source, target, number LIMIT ?",
        (_GROUP_UNITS,),
    )
    lowest = [
        _make_sample(by_ids[source, target], TranslationUnit(*unit))
        for source, target, *unit in rows
        if (source, target) in by_ids
    ]
    if lowest:
        yield records.UnitGroup("The lowest scores", tuple(lowest))
    examples = _find_examples(corpus, pairs)
    for reason in ExportReason:
        code = f"exports/{reason}"
        noted = corpus.run.get("stats", {}).get(f"exports/annotated/{reason}", 0)
        if noted or code in dropped:
            units = tuple(examples.get(reason, ()))
            yield records.UnitGroup(explain(code), units, noted, dropped.get(code, 0))


def _find_examples(
    corpus: Corpus, pairs: Sequence[PairEntry]
) -> Mapping[ExportReason, Sequence[records.UnitSample]]:
    """Return example units for each reason, from random pairs."""
    choose = random.Random(_SEED)  # noqa: S311 - no secret
    found: dict[ExportReason, list[records.UnitSample]] = defaultdict(list)
    for entry in choose.sample(pairs, min(_SEARCHED_PAIRS, len(pairs))):
        for unit, reasons in corpus.bitext.judged_units(entry.pair):
            for reason in map(ExportReason, reasons):
                if len(found[reason]) < _GROUP_UNITS:
                    found[reason].append(_make_sample(entry, unit))
    return found


def _make_sample(entry: PairEntry, unit: TranslationUnit) -> records.UnitSample:
    langs = entry.source.lang, entry.target.lang
    urls = entry.source.url, entry.target.url
    return records.UnitSample(langs, urls, unit)
