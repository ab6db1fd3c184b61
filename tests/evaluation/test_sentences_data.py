"""The sentences that splitting is measured on."""

from __future__ import annotations

import pytest

from evaluation.sentences import LANGS, PARTS, boundaries, measure, read_paragraphs


@pytest.mark.parametrize("lang", LANGS)
def test_each_language_has_a_hundred_sentences(lang: str) -> None:
    paragraphs = [p for part in PARTS for p in read_paragraphs(lang, part)]
    assert sum(map(len, paragraphs)) >= 100
    texts = [" ".join(paragraph) for paragraph in paragraphs]
    assert len(set(texts)) == len(texts)


def test_boundaries_are_counted_without_blanks() -> None:
    assert boundaries(["a b.", "c.", "d."]) == {3, 5}


def test_a_splitter_is_measured_by_its_boundaries() -> None:
    gold = [["a.", "b.", "c."], ["d.", "e."]]
    found = {"a. b. c.": ["a.", "b. c."], "d. e.": ["d.", "e."]}
    precision, recall, f1, whole, errors = measure(gold, found.__getitem__)
    assert (precision, f1, whole) == (1.0, 0.8, 0.5)
    assert recall == pytest.approx(2 / 3)
    assert errors == [(["a.", "b.", "c."], ["a.", "b. c."])]
