"""Frequencies of words: what they say of short texts, and that they say nothing of others."""

from __future__ import annotations

import numpy as np
import pytest

from ilspfc.language.identification import PageIdentifier
from ilspfc.language.second_opinion import listed_languages, weigh_words

ROMANCE = ("spa", "por", "fra", "ita", "cat")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("spa", "los trabajadores"),
        ("por", "não são"),
        ("ita", "della scuola"),
        ("cat", "els treballadors"),
    ],
)
def test_the_words_of_a_language_speak_for_it(lang: str, text: str) -> None:
    (logs,) = weigh_words([text], ROMANCE)
    assert ROMANCE[int(logs.argmax())] == lang


def test_each_text_is_weighed_by_itself() -> None:
    texts = ["los trabajadores", "", "12 – 3", "della scuola", "della  Scuola!"]
    together = weigh_words(texts, ROMANCE)
    assert together.shape == (5, 5)
    alone = np.vstack([weigh_words([text], ROMANCE) for text in texts])
    np.testing.assert_allclose(together, alone)
    assert not together[1:3].any()  # no words, no evidence
    np.testing.assert_allclose(together[3], together[4])


def test_unknown_words_say_nothing() -> None:
    (logs,) = weigh_words(["xqzvw"], ROMANCE)
    np.testing.assert_allclose(logs, logs[0])


def test_no_texts_and_no_languages() -> None:
    assert weigh_words([], ROMANCE).shape == (0, 5)
    assert weigh_words(["della scuola"], []).shape == (1, 0)


def test_languages_without_blanks_or_alone_in_their_script_have_no_list() -> None:
    assert {"deu", "rus", "hrv", "bos", "tgl"} <= listed_languages()
    assert listed_languages().isdisjoint({"zho", "jpn", "ell", "kor"})


def test_two_words_are_enough() -> None:
    identifier = PageIdentifier(("spa", "por", "fra", "ita", "ron", "cat"))
    texts = {"gran part": "cat", "la maggior": "ita", "uma vez": "por"}
    verdicts = identifier.identify(list(texts))
    assert [verdict.lang for verdict in verdicts] == list(texts.values())
