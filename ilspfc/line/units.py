"""Units stage: the reasons against each unit, determined once and stored.

Exports, search, report and samples select units by them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from scrapy.settings import BaseSettings

from ilspfc.corpus.corpus import Corpus
from ilspfc.crawl.text_options import language_texts
from ilspfc.documents import TranslationUnit
from ilspfc.exports.export_options import Privacy, unit_actions, unit_limits
from ilspfc.exports.filters import ExportReason, UnitSigns, judge_unit, neighbor_scores
from ilspfc.exports.own_scorers import Scores
from ilspfc.exports.selection import Action
from ilspfc.exports.split import HeldOutSegments
from ilspfc.exports.units import ExportUnit
from ilspfc.language.identification import page_identifier
from ilspfc.language.labels import is_identifiable
from ilspfc.language.segment_filter import SegmentJudge
from ilspfc.setting_table import split_list

# Batch size of language identification, which takes a third of the time for single units.
_BATCH_UNITS = 1_000


def run_units(corpus: Corpus) -> None:
    """Judge the units of all pairs, and store the reasons against each."""
    # Errors are raised before anything is written.
    unit_actions(corpus.settings)
    HeldOutSegments(split_list(corpus.settings, "EXPORTS_TEST_SETS"))
    scores = Scores(corpus.settings)
    corpus.bitext.set_unit_reasons(_judge_pairs(corpus, scores))


def _judge_pairs(
    corpus: Corpus, scores: Scores
) -> Iterator[tuple[str, str, int, list[ExportReason]]]:
    """Yield the ids of the pair and the number of each unit, with the reasons against it."""
    for langs in corpus.bitext.language_pairs():
        keys: deque[tuple[str, str, int]] = deque()
        units = _iter_units(corpus, langs, keys)
        for reasons in judge_units(
            units, langs, corpus.settings, scores=scores if scores.can_drop else None
        ):
            yield (*keys.popleft(), reasons)


def _iter_units(
    corpus: Corpus, langs: tuple[str, str], keys: deque[tuple[str, str, int]]
) -> Iterator[tuple[TranslationUnit, float]]:
    """Yield the units of the pairs in two languages, appending the key of each to ``keys``."""
    for entry in corpus.bitext.pairs(*langs):
        ids = entry.pair.source, entry.pair.target
        found = with_neighbors(corpus.bitext.units(entry.pair))
        for number, unit in enumerate(found):
            keys.append((*ids, number))
            yield unit


def with_neighbors(
    units: Iterable[TranslationUnit],
) -> Iterator[tuple[TranslationUnit, float]]:
    """Yield the units of a pair in order, with the mean score of their neighbors."""
    found = list(units)
    means = neighbor_scores([unit.score for unit in found]).tolist()
    yield from zip(found, means, strict=True)


def judge_units(
    units: Iterator[tuple[TranslationUnit | ExportUnit, float]],
    langs: tuple[str, str],
    settings: BaseSettings,
    *,
    scores: Scores | None = None,
) -> Iterator[list[ExportReason]]:
    """Yield the reasons against each unit in two languages (ISO 639-3), except duplicates.

    ``units`` are paired with the mean scores of their neighbors; ``scores`` are those of
    custom scorers.
    """
    limits, privacy = unit_limits(settings), Privacy(settings)
    test_sets = HeldOutSegments(split_list(settings, "EXPORTS_TEST_SETS"))
    find_foreign = _foreign_finder(settings, langs)
    while batch := list(islice(units, _BATCH_UNITS)):
        sources = find_foreign([unit.source for unit, _ in batch], langs[0])
        targets = find_foreign([unit.target for unit, _ in batch], langs[1])
        texts = [(unit.source, unit.target) for unit, _ in batch]
        found = scores.score_units(langs, texts) if scores else [{}] * len(batch)
        rows = zip(batch, found, sources, targets, strict=True)
        for (unit, mean), own, *foreign in rows:
            signs = UnitSigns(
                unit.kind,
                unit.score,
                mean,
                is_foreign=any(foreign),
                is_personal=privacy.is_dropped(unit.source, langs[0])
                or privacy.is_dropped(unit.target, langs[1]),
                is_low=scores is not None and scores.are_low(own),
                is_test=test_sets.has(unit.source, unit.target),
            )
            yield judge_unit(unit.source, unit.target, signs, limits)


def _foreign_finder(
    settings: BaseSettings, langs: tuple[str, str]
) -> Callable[[list[str], str], list[bool]]:
    """Return a function that marks texts not in the given language."""
    learned = language_texts(settings)
    taught = {lang for lang, _ in learned}
    if unit_actions(settings)[ExportReason.LANGUAGE] is Action.OFF or not all(
        lang in taught or is_identifiable(lang) for lang in langs
    ):
        return lambda texts, _: [False] * len(texts)
    identifier = page_identifier(langs, learned)
    judges = {lang: SegmentJudge(identifier, lang) for lang in langs}
    return lambda texts, lang: judges[lang].find_foreign(texts)
