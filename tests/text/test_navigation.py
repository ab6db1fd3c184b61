"""Breadcrumbs and lists of languages, told by their form."""

from __future__ import annotations

import pytest

from ilspfc.text.navigation import is_navigation, split_languages, split_trail


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Home > News", ["Home", "News"]),
        ("You are here: Home » News » Choir", ["Home", "News", "Choir"]),
        ("Sie sind hier： Start › Verein", ["Start", "Verein"]),
        ("Start → Verein ❯ Chor", ["Start", "Verein", "Chor"]),
        ("Home :: News", ["Home", "News"]),
        ("Path: Home :: News :: Choir", ["Home", "News", "Choir"]),
    ],
)
def test_a_breadcrumb_is_split_into_steps(text: str, steps: list[str]) -> None:
    assert split_trail(text) == steps
    assert is_navigation(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Home",
        "Home > ",  # an empty step
        "> Home",
        "Choose File > Save.",
        "Is 3 > 2?",
        "std::vector",
        "std::chrono::seconds",
        "See File > Open:",
        "Home > " + "word " * 13,
        "A label that is far longer than any label before a trail: Home",
    ],
)
def test_other_texts_are_no_breadcrumbs(text: str) -> None:
    assert split_trail(text) == []
    assert not is_navigation(text)


def test_a_step_may_have_twelve_words() -> None:
    assert split_trail("Home > " + " ".join(["word"] * 12))


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Deutsch | Italiano", ["deutsch", "italiano"]),
        ("EN / DE / FR", ["en", "de", "fr"]),
        ("[en] · (it)", ["en", "it"]),
        ("Sprachen: Deutsch, English", ["deutsch", "english"]),
        ("pt-BR, zh-Hant, es_419", ["pt-br", "zh-hant", "es_419"]),
        ("English - Português", ["english", "português"]),
        ("日本語、한국어，中文", ["日本語", "한국어", "中文"]),
        ("Deutsch\nEnglish\n", ["deutsch", "english"]),
    ],
)
def test_a_list_of_languages_is_split(text: str, items: list[str]) -> None:
    assert split_languages(text) == items
    assert is_navigation(text)


@pytest.mark.parametrize(
    "text",
    ["", "Deutsch", "Deutsch, Mathematik", "en-latn-x, de", "Deutsch English", ", ;"],
)
def test_other_texts_are_no_lists_of_languages(text: str) -> None:
    assert split_languages(text) == []
    assert not is_navigation(text)
