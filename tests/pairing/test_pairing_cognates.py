"""Which words are of one family."""

from __future__ import annotations

import pytest

from ilspfc.text.cognates import cognate_key, cognate_keys


@pytest.mark.parametrize(
    "words",
    [
        ("konfiguration", "configurazione", "configuration"),
        ("zentrale", "centrale"),
        ("telefon", "telefono", "telephone", "τηλέφωνο"),
        ("systeme", "sistema", "система", "σύστημα"),
        ("straße", "strasse"),
        ("übersicht", "ubersicht"),
    ],
)
def test_words_of_one_family_have_one_key(words: tuple[str, ...]) -> None:
    assert len({cognate_key(word) for word in words}) == 1
    assert cognate_key(words[0])


@pytest.mark.parametrize("word", ["die", "1984", "x86a", "設定方法", "서울특별시", ""])
def test_short_words_numbers_and_other_scripts_have_none(word: str) -> None:
    assert cognate_key(word) == ""


def test_keys_are_an_array_of_tokens_by_families() -> None:
    keys = cognate_keys(["zentrale", "und", "centrale", "telefon"]).toarray()

    assert keys.shape == (4, 2)
    assert keys[0].tolist() == keys[2].tolist()
    assert keys[1].sum() == 0
    assert keys[3] @ keys[0] == 0
