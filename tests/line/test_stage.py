"""Stages take what they declare and nothing else; a user's stage stands among them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_corpus import SmallCorpus

from ilspfc.exceptions import SettingError
from ilspfc.line import Stage, find_stages, run_one, run_outdated
from ilspfc.line.stages import STAGES, UndeclaredError
from ilspfc.setting_table import is_asked_for

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", ["Das Feuer ist gefährlich."])
    return corpus


def _count_links(corpus: Corpus) -> None:
    list(corpus.index.rows("SELECT count(*) FROM links"))


def _take_a_threshold(corpus: Corpus) -> None:
    corpus.settings.getfloat("PAIRING_THRESHOLD")


def _forget_links(corpus: Corpus) -> None:
    with corpus.index.transaction() as connection:
        connection.execute("DELETE FROM links")


def _count_words(corpus: Corpus) -> None:
    assert corpus.settings.getint("EXPORTS_MIN_TOKENS") == 3
    with corpus.index.transaction() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS words (document, number)")
        for entry in corpus.index.documents():
            texts = corpus.reading(entry).clean_paragraphs
            number = sum(len(one.text.split()) for one in texts)
            connection.execute("INSERT INTO words VALUES (?, ?)", (entry.id, number))


WORDS = Stage(
    "words",
    "counting words",
    _count_words,
    reads=frozenset({"readings", "verdicts"}),
    writes=frozenset({"words"}),
    settings=("EXPORTS_MIN_TOKENS",),
    after="content",
)
LATE = Stage("late", "nothing", _count_words, after="later")


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (_count_links, "the stage s reads links without declaring it"),
        (_take_a_threshold, "the stage s takes PAIRING_THRESHOLD without declaring it"),
        (_forget_links, "the stage s writes links without declaring it"),
        (_count_words, "the stage s takes EXPORTS_MIN_TOKENS"),
    ],
)
def test_what_is_not_declared_is_refused(
    corpus: SmallCorpus, run: object, said: str
) -> None:
    with corpus.open() as opened, pytest.raises(UndeclaredError, match=said):
        run_one(Stage("s", "testing", run, after="dedup"), opened)  # type: ignore[arg-type]


def test_what_a_user_asked_for_is_known_in_a_stage(corpus: SmallCorpus) -> None:
    def run(opened: Corpus) -> None:
        assert is_asked_for(opened.settings, "EXPORTS_LANG_MAP")
        assert not is_asked_for(opened.settings, "EXPORTS_PRESET")

    stage = Stage("s", "testing", run, after="dedup", settings=("EXPORTS_",))
    with corpus.open() as opened:
        opened.settings.set("EXPORTS_LANG_MAP", "de=de-CH", priority="cmdline")
        stage(opened)


def test_what_is_declared_is_given(corpus: SmallCorpus) -> None:
    stage = Stage("s", "testing", _count_links, reads=frozenset({"links"}))
    with corpus.open() as opened:
        stage(opened)


def test_a_stage_reads_what_the_crawl_or_a_stage_before_it_has_written(
    corpus: SmallCorpus,
) -> None:
    with corpus.open() as opened:
        tables = opened.index.tables
    of_stages: set[str] = set().union(*(stage.writes for stage in STAGES))
    assert of_stages <= tables
    known = set(tables - of_stages)
    for stage in STAGES:
        # Cleaning's verdicts stand where no decision has been written yet.
        assert stage.reads <= known | stage.writes | {"verdicts", "candidates"}
        known |= stage.writes


def test_a_stage_of_the_user_runs_in_its_place(corpus: SmallCorpus) -> None:
    settings = {"CORPUS_STAGES": ["test_stage.WORDS"]}
    with corpus.open(**settings) as opened:
        names = [stage.name for stage in find_stages(opened)]
        assert names[names.index("content") + 1] == "words"
        assert "words" in run_outdated(opened)
        assert list(opened.index.rows("SELECT * FROM words")) == [("d1", 4)]
        assert run_outdated(opened) == []
    with corpus.open(**settings, EXPORTS_MIN_TOKENS=3.0) as opened:
        assert run_outdated(opened)[0] == "words"


@pytest.mark.parametrize(
    "path", ["test_stage.LATE", "test_stage.NONE", "nowhere.STAGE", "words"]
)
def test_what_is_no_stage_is_named(corpus: SmallCorpus, path: str) -> None:
    with (
        corpus.open(CORPUS_STAGES=[path]) as opened,
        pytest.raises(SettingError, match=f"CORPUS_STAGES={path}: "),
    ):
        find_stages(opened)
