"""Freshness of the stages: what has changed decides from where they run again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.index import CorpusIndex
from ilspfc.line import Stage, run_outdated, run_stage, runner
from ilspfc.line.compare import CorpusContents
from ilspfc.line.report import collect_report
from ilspfc.line.runner import find_outdated, record_run
from ilspfc.line.stages import STAGES
from ilspfc.report.html import render_html
from ilspfc.report.manifest import build_manifest

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

NAMES = [stage.name for stage in STAGES]


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    """Return a corpus whose stages have all been recorded as run."""
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", ["Das Feuer ist gefährlich."])
    with corpus.open() as opened:
        for stage in STAGES:
            record_run(opened, stage)
    return corpus


def outdated(corpus: SmallCorpus, **settings: object) -> list[str]:
    with corpus.open(**settings) as opened:
        return [stage.name for stage in find_outdated(opened)]


def test_what_has_run_on_the_same_inputs_is_fresh(corpus: SmallCorpus) -> None:
    assert outdated(corpus) == []


def test_before_the_first_run_all_stages_are_outdated(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    assert outdated(corpus) == NAMES


@pytest.mark.parametrize(
    ("setting", "value", "first"),
    [
        ("DEDUP_THRESHOLD", 0.5, "dedup"),
        ("PAIRING_THRESHOLD", 0.9, "pairing"),
        ("PAIRING_METHOD", "urls", "pairing"),
        ("LEXICON_STORE", "store", "pairing"),
        ("DECISIONS_TEXT", False, "content"),
        ("CLEANING_BACKEND", "none", "content"),
        ("CLEANING_MIN_PARAGRAPH_TOKENS", 9, "content"),
        ("ALIGNMENT_METHOD", "length", "alignment"),
        ("CLASSIFICATION_DECIDES_BY", "terms", "decisions"),
        ("EXPORTS_PRESET", "clean", "units"),
        ("EXPORTS_MIN_TOKENS", 7, "units"),
        ("EXPORTS_COMPRESS", True, "exports"),
    ],
)
def test_a_setting_outdates_its_stage_and_those_behind(
    corpus: SmallCorpus, setting: str, value: object, first: str
) -> None:
    assert outdated(corpus, **{setting: value}) == NAMES[NAMES.index(first) :]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("FRONTIER_MAX_PAGES", 7),
        ("FETCH_CONTACT", "me@example.org"),
        ("CLEANING_THRESHOLD", 0.9),
    ],
)
def test_settings_of_no_stage_over_the_corpus_outdate_nothing(
    corpus: SmallCorpus, setting: str, value: object
) -> None:
    assert outdated(corpus, **{setting: value}) == []


def test_a_new_document_outdates_all(corpus: SmallCorpus) -> None:
    corpus.add("d2", "deu", ["Der Helm schützt."])
    assert outdated(corpus) == NAMES


def test_another_crawl_outdates_all_even_without_new_documents(
    corpus: SmallCorpus,
) -> None:
    with CorpusIndex(corpus.files.index) as index:
        index.add_run({"langs": ["deu", "ita"]})
    assert outdated(corpus) == NAMES


def test_another_version_outdates_all(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "__version__", "0.0.0")
    assert outdated(corpus) == NAMES


def test_a_stage_run_alone_with_other_settings_outdates_those_behind(
    corpus: SmallCorpus,
) -> None:
    other = {"PAIRING_THRESHOLD": 0.9}
    with corpus.open(**other) as opened:
        record_run(opened, STAGES[NAMES.index("pairing")])
    assert outdated(corpus, **other) == [
        "content",
        "alignment",
        "decisions",
        "units",
        "exports",
    ]
    # By the old settings its results are as much out of date as by new ones.
    assert outdated(corpus)[0] == "pairing"


def make_stages(monkeypatch: pytest.MonkeyPatch, failing: str = "") -> list[str]:
    """Put stages that do nothing in place of the real ones; return the names of those run."""
    ran: list[str] = []

    def make(stage: Stage) -> Stage:
        def run(_: Corpus) -> None:
            if stage.name == failing:
                raise RuntimeError
            ran.append(stage.name)

        return replace(stage, run=run)

    monkeypatch.setattr(runner, "STAGES", tuple(map(make, STAGES)))
    return ran


def test_outdated_stages_run_once_in_their_order(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = make_stages(monkeypatch)
    with corpus.open(ALIGNMENT_METHOD="length") as opened:
        assert run_outdated(opened) == ["alignment", "decisions", "units", "exports"]
        assert run_outdated(opened) == []
    assert ran == ["alignment", "decisions", "units", "exports"]


def test_the_settings_of_a_later_run_are_told(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures are of the last run of each stage, whatever the crawl was told."""
    make_stages(monkeypatch)
    with corpus.open() as opened:
        opened.index.finish_run({"settings": {"PAIRING_THRESHOLD": "0.7"}})
    with corpus.open(PAIRING_THRESHOLD=0.7, EXPORTS_PRESET="clean") as opened:
        run_outdated(opened, everything=True)
        data = collect_report(opened)
        assert data.stages == {
            "units": {"EXPORTS_PRESET": "clean"},
            "exports": {"EXPORTS_PRESET": "clean"},
        }
        assert build_manifest(data, [])["stages"] == data.stages
        assert CorpusContents.of(opened).settings["EXPORTS_PRESET"] == "clean"
        page = render_html(data)
        assert "Settings of the stage exports, other than the crawl’s (1)" in page
    with corpus.open() as opened:
        run_outdated(opened)
        told = collect_report(opened).stages
    assert set(told) == {"pairing", "content", "alignment", "decisions"}
    assert told["pairing"] == {"PAIRING_THRESHOLD": "0.5"}


def test_a_stage_that_fails_stays_outdated(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_stages(monkeypatch, failing="decisions")
    with corpus.open(ALIGNMENT_METHOD="length") as opened:
        with pytest.raises(RuntimeError):
            run_outdated(opened)
        names = [stage.name for stage in find_outdated(opened)]
        assert names == ["decisions", "units", "exports"]


def test_a_forced_run_that_fails_is_ended_by_the_next(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_stages(monkeypatch, failing="decisions")
    with corpus.open() as opened:
        with pytest.raises(RuntimeError):
            run_outdated(opened, everything=True)
        names = [stage.name for stage in find_outdated(opened)]
        assert names == ["decisions", "units", "exports"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dedup", ["dedup", "decisions", "units"]),
        ("pairing", ["pairing", "decisions", "units"]),
        ("alignment", ["content", "alignment", "decisions", "units"]),
        ("exports", ["units", "exports"]),
    ],
)
def test_a_stage_comes_with_those_that_have_no_command(
    corpus: SmallCorpus,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    expected: list[str],
) -> None:
    ran = make_stages(monkeypatch)
    with corpus.open() as opened:
        run_stage(name, opened)
    assert ran == expected


def test_one_stage_is_recorded_with_its_settings(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_stages(monkeypatch)
    with corpus.open(EXPORTS_PRESET="off") as opened:
        run_stage("exports", opened)
        assert find_outdated(opened) == []
    assert outdated(corpus) == ["units", "exports"]
