"""Scores of test sets under a language model."""

from __future__ import annotations

import pytest

from evaluation.held_out_score import score_test_set
from ilspfc.classification.perplexity.page_perplexity import train

SENTENCES = [
    "der helm liegt auf dem gerüst".split(),
    "auf dem dach liegt der helm".split(),
    "das gerüst steht auf dem dach".split(),
]


def test_a_test_set_is_scored_with_and_without_unknown_words() -> None:
    model = train(SENTENCES, 2)
    known = score_test_set(model, SENTENCES)
    assert (known.sentences, known.words, known.unknown) == (3, 18, 0)
    assert known.oov == known.no_oov == pytest.approx(model.perplexity(SENTENCES))
    one = ["unbekannt", *SENTENCES[0]]
    model.unknown_log10 = -7.0
    score = score_test_set(model, [one, []])
    assert (score.sentences, score.words, score.unknown) == (1, 7, 1)
    log10 = model.log10_probabilities([one]).astype(float)
    assert score.oov == pytest.approx(10 ** -log10.mean())
    assert score.no_oov == pytest.approx(10 ** -log10[1:].mean())
    assert score_test_set(model, []).oov == float("inf")
