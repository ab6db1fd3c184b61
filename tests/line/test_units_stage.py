"""Judgment of units: by their neighbors and by the languages of their sides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.settings import Settings
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exports import Selection
from ilspfc.exports.export_options import export_options
from ilspfc.exports.filters import ExportReason
from ilspfc.line import run_stage
from ilspfc.line import units as units_stage
from ilspfc.line.report import run_report
from ilspfc.line.units import judge_units, with_neighbors
from ilspfc.server.search import SearchIndex, UnitFilter

GERMAN = "Die Leiter wird vor jedem Gebrauch von einer erfahrenen Person geprüft."
ITALIAN = "La scala viene controllata prima di ogni uso da una persona esperta."
GOOD = TranslationUnit(GERMAN, ITALIAN, "1:1", 0.9)
FOREIGN = TranslationUnit(
    "La echelle doit etre controlee avant chaque utilisation par une personne.",
    "La scala deve essere controllata prima di ogni uso da una persona.",
    "1:1",
    0.9,
)


def settings_with(**given: object) -> Settings:
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    settings.update(given)
    return settings


def judge(
    units: list[TranslationUnit],
    langs: tuple[str, str] = ("deu", "ita"),
    **given: object,
) -> list[tuple[str, ...] | None]:
    """Return the remarks on each unit, None for one that is dropped."""
    selection = select([(unit, 1.0) for unit in units], langs, **given)
    selection.finish()
    return list(selection.infos())


def select(
    pairs: list[tuple[TranslationUnit, float]],
    langs: tuple[str, str] = ("deu", "ita"),
    **given: object,
) -> Selection:
    settings = settings_with(**given)
    options = export_options(settings)
    selection = Selection(options.actions, options.limits)
    found = judge_units(iter(pairs), langs, settings)
    for (unit, _), reasons in zip(pairs, found, strict=True):
        selection.add(unit.source, unit.target, unit.score, reasons)
    return selection


def test_each_unit_comes_with_the_mean_of_its_neighbors() -> None:
    units = [replace(GOOD, score=score) for score in (0.9, 0.1, 0.5)]
    found = list(with_neighbors(iter(units)))
    assert [unit for unit, _ in found] == units
    assert [mean for _, mean in found] == pytest.approx([0.3, 0.7, 0.5])
    assert list(with_neighbors([])) == []


def test_a_side_in_another_language_is_a_reason() -> None:
    good, foreign = judge([GOOD, FOREIGN], EXPORTS_FILTERS="language=drop")
    assert good == ()
    assert foreign is None


def test_languages_are_not_identified_where_nobody_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(units_stage, "page_identifier", refuse)
    assert judge([GOOD, FOREIGN], EXPORTS_FILTERS="language=off") == [(), ()]


def test_languages_that_nobody_can_identify_are_no_reason() -> None:
    # Quenya: no model knows it, so that nothing can be in the wrong language.
    found = judge([GOOD], ("deu", "qya"), EXPORTS_FILTERS="language=drop")
    assert found == [()]


def test_batches_do_not_change_the_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    units = [GOOD, FOREIGN, GOOD, replace(GOOD, kind="3:1"), replace(GOOD, score=0.0)]
    whole = judge(units, EXPORTS_FILTERS="language=drop")
    monkeypatch.setattr(units_stage, "_BATCH_UNITS", 2)
    assert judge(units, EXPORTS_FILTERS="language=drop") == whole
    assert len(whole) == len(units)


def test_poor_neighbors_are_a_reason() -> None:
    selection = select(
        [(GOOD, 1.0), (GOOD, 0.0)],
        EXPORTS_FILTERS="unaligned=drop,duplicate=off,near_duplicate=off",
    )
    counts = selection.finish()
    assert counts.units == 1
    assert counts.dropped[ExportReason.UNALIGNED] == 1


def test_no_units_are_no_error() -> None:
    assert judge([]) == []


def test_everybody_shows_the_same_reasons(tmp_path: Path) -> None:
    small = SmallCorpus(tmp_path)
    small.add("d1", "deu", [GOOD.source])
    small.add("i1", "ita", [GOOD.target])
    pair = DocumentPair("d1", "i1", 0.9, "urls")
    settings = {"EXPORTS_MIN_SCORE": 0.95, "EXPORTS_FILTERS": "quality=annotate"}
    with small.open(**settings) as corpus:
        corpus.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        corpus.bitext.set_units(pair, [GOOD], null_share=0.0, mean_score=0.9)
        run_stage("exports", corpus)
        (stored,) = corpus.index.rows("SELECT reasons FROM unit_reasons")
        data = run_report(corpus)
        with SearchIndex(corpus.files.search) as search:
            search.renew(corpus)
            found = search.find_units(
                UnitFilter("deu-ita", reason="quality"), (-1.0, 0), 9
            )
    assert stored == ("quality",)
    assert [row[:3] for row in found] == [("d1", "i1", 0)]
    shown = [group.units for group in data.unit_groups if "score" in group.title]
    assert [one.unit for one in shown[-1]] == [GOOD]
    assert "score lower than 0.95" in (tmp_path / "de-it.tmx").read_text("utf-8")
