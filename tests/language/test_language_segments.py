"""Segments in another language than their page: told by words, or read."""

from __future__ import annotations

import pytest

from ilspfc.language import segment_filter as segments
from ilspfc.language.identification import Verdict, page_identifier
from ilspfc.language.segment_filter import SegmentJudge

GERMAN = [
    "Der Arbeitgeber prüft die Leitern einmal im Jahr und schreibt es auf.",
    "Die Schutzausrüstung wird vor jedem Gebrauch sorgfältig überprüft.",
    "Bitte tragen Sie auf der Baustelle immer einen Helm.",
]
ITALIAN = "Il datore di lavoro verifica le scale una volta all'anno."
ENGLISH = "The employer checks the ladders once a year and writes it down."
JAPANESE = "今日はとても良い天気ですから、公園まで歩いて行きましょう。"
CHINESE = "今天天气很好，我们一起去公园散步吧，然后回家吃饭休息。"


def judge(lang: str = "deu", other: str = "ita") -> SegmentJudge:
    return SegmentJudge(page_identifier((lang, other)), lang)


def test_foreign_segments_are_found_among_their_own() -> None:
    texts = [
        *GERMAN,
        ITALIAN,
        ENGLISH,
        "Fin.",
        "",
        " " * 30,
        "12 – 34 – 56 – 78 – 90 – 12",
    ]
    assert judge().find_foreign(texts) == [False] * 3 + [True] * 2 + [False] * 4


def test_words_spare_reading_what_is_as_it_should_be() -> None:
    doubtful = judge().find_doubtful([*GERMAN, ITALIAN, ENGLISH])
    assert {3, 4} <= set(doubtful)
    assert len(doubtful) < 5


def test_the_verdict_on_a_doubtful_segment_is_that_of_identification(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = judge()
    asked: list[str] = []

    def identify(texts: list[str], page_lang: str) -> list[Verdict]:
        asked.extend(texts)
        return [Verdict(page_lang, 1.0) for _ in texts]

    monkeypatch.setattr(one._identifier, "identify", identify)
    assert one.find_foreign([GERMAN[0], ITALIAN * 3]) == [False, False]
    assert asked[-1] == (ITALIAN * 3)[: segments.MAX_CHARS]


def test_words_beyond_the_bound_are_not_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(segments, "MAX_WORDS", 5)
    one = judge()
    assert one.find_foreign([*GERMAN, ENGLISH]) == [False, False, False, True]
    assert len(one._odds) == 5
    assert one.find_foreign([*GERMAN, ENGLISH]) == [False, False, False, True]
    assert len(one._odds) == 5


@pytest.mark.parametrize(
    ("lang", "own", "foreign"), [("jpn", JAPANESE, CHINESE), ("zho", CHINESE, JAPANESE)]
)
def test_scripts_without_blanks_are_read_by_pairs_of_characters(
    lang: str, own: str, foreign: str
) -> None:
    one = judge(lang, "eng")
    assert one.find_doubtful([own]) == []
    assert one.find_foreign([own, foreign, ENGLISH]) == [False, True, True]
