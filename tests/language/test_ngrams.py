"""The n-gram model: what py3langid says of one text, for many at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from ilspfc.language.labels import MODEL_LABELS
from ilspfc.language.ngrams import load_ngrams
from ilspfc.text.scripts import MIXED, SCRIPTS, count_letters, scripts_of

TEXTS = (
    "Der Arbeitgeber stellt die nötige Ausrüstung.",
    "",
    "Η ασφάλεια στην εργασία αφορά όλους.",
    "劳动安全是每个人的责任。",
    "12",
    "a",
    "xyz " * 100,
)


@pytest.fixture(scope="module")
def reference() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE)


def test_the_likelihoods_are_those_of_py3langid(reference: LanguageIdentifier) -> None:
    model = load_ngrams()
    assert list(model.labels) == reference.nb_classes
    assert model.labels == MODEL_LABELS
    found = model.score(model.count(TEXTS))
    for text, row in zip(TEXTS, found, strict=True):
        if len(text) > 2:
            expected = reference._raw_score(text.encode())
            np.testing.assert_allclose(row, expected, atol=0.05)
        else:
            np.testing.assert_allclose(row, model.bias)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(max_size=30), max_size=6))
def test_texts_do_not_influence_each_other(texts: list[str]) -> None:
    model = load_ngrams()
    together = model.score(model.count(texts))
    assert together.shape == (len(texts), len(model.labels))
    for text, row in zip(texts, together, strict=True):
        alone = model.score(model.count([text]))[0]
        np.testing.assert_allclose(row, alone, atol=1e-3)


def test_the_total_counts_the_selected_texts() -> None:
    model = load_ngrams()
    selected = np.array([0, 2])
    counts = model.count(TEXTS).with_total(selected)
    rows = np.rint(np.expm1(counts.logs().toarray()))
    assert len(rows) == len(TEXTS) + 1
    np.testing.assert_array_equal(rows[-1], rows[selected].sum(axis=0))
    assert counts.lengths[-1] == sum(len(TEXTS[n].encode()) for n in selected)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Grüße aus Łódź", "Latn"),
        ("ﬁn ĳs Ａ", "Latn"),
        ("Ελλάδα", "Grek"),
        ("Безпека й Ґ", "Cyrl"),
        ("漢字とかな", None),
        ("劳动安全", "Hani"),
        ("한국어", "Hang"),
        ("हिन्दी।", "Deva"),
        ("مرحبا، 123", "Arab"),
        ("Windows στην Ελλάδα", None),
        ("Η Ελληνική Δημοκρατία (GR)", "Grek"),
        ("12.5.2026 – §", None),
        ("", None),
    ],
)
def test_a_text_is_in_the_script_of_most_of_its_letters(
    text: str, script: str | None
) -> None:
    (number, whole) = count_letters([text]).find_scripts(np.array([0])).tolist()
    assert number == whole == (SCRIPTS.index(script) if script else MIXED)


@pytest.mark.parametrize(
    ("texts", "script"),
    [
        (["模块 mod_autoindex", "模块 mod_negotiation"], None),
        (["모듈 mod_autoindex"], None),
        # Text beside text counts by its letters.
        (["模块", "mod_autoindex", "mod_negotiation"], "Latn"),
        (["カラー関係", "Returns the components of colors"], "Latn"),
        (["Beijing (北京) is the capital of China"], "Latn"),
        (["Это modules"], None),
        (["Мы, mod_autoindex"], "Latn"),
    ],
)
def test_a_word_in_characters_weighs_as_much_as_the_names_beside_it(
    texts: list[str], script: str | None
) -> None:
    numbers = count_letters(texts).find_scripts(np.arange(len(texts)))
    assert numbers[-1] == (SCRIPTS.index(script) if script else MIXED)


@pytest.mark.parametrize(
    ("lang", "scripts"),
    [
        *(("deu", {"Latn"}), ("srp", {"Cyrl", "Latn"}), ("zho", {"Hani"})),
        *(("jpn", {"Hani", "Kana"}), ("kor", {"Hang", "Hani"}), ("grc", set())),
    ],
)
def test_languages_have_their_scripts(lang: str, scripts: set[str]) -> None:
    assert scripts_of(lang) == scripts
