"""What languages are called, in their own tongue and in others."""

from __future__ import annotations

import pytest

from ilspfc.text.codes import find_code, language_name, names_of


@pytest.mark.parametrize(
    ("lang", "name"),
    [
        *(("deu", "Deutsch"), ("ita", "italiano"), ("fra", "français")),
        *(("ell", "Ελληνικά"), ("rus", "русский"), ("zho", "中文"), ("ara", "العربية")),
    ],
)
def test_a_language_has_a_name_of_its_own(lang: str, name: str) -> None:
    assert language_name(lang, in_lang=lang) == name


@pytest.mark.parametrize(
    ("lang", "in_lang", "name"),
    [
        ("deu", "eng", "German"),
        ("deu", "ita", "tedesco"),
        ("ita", "deu", "Italienisch"),
        ("gsw", "deu", "Schweizerdeutsch"),
    ],
)
def test_a_language_has_a_name_in_another(lang: str, in_lang: str, name: str) -> None:
    assert language_name(lang, in_lang) == name


def test_a_language_without_a_name_is_called_by_its_code() -> None:
    assert language_name("qaa") == "qaa"
    assert language_name("deu", in_lang="qaa") == "deu"
    assert names_of("qaa", in_langs=("deu",)) == frozenset()


def test_names_are_folded_and_each_is_there_once() -> None:
    names = names_of("ita", in_langs=("deu", "eng", "ita"))
    assert names == {"italiano", "italian", "italienisch"}
    assert names_of("deu", in_langs=()) == {"deutsch", "german"}


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("German", "de"),
        ("ITALIANO", "it"),
        ("Ελληνικά", "el"),
        ("gr", "el"),
        ("JP", "ja"),
        ("at", "de"),
        # A country of several languages counts for the most spoken one.
        ("ch", "de"),
    ],
)
def test_a_code_is_found_for_names_and_countries(word: str, code: str) -> None:
    assert find_code(word) == code


@pytest.mark.parametrize("word", ["", "qq", "GRC", "tedesco", "hello", "1", "us"])
def test_other_words_have_no_code(word: str) -> None:
    assert find_code(word) == ""
