"""Buckets of perplexity, and what is expected of a link by texts of few words."""

from __future__ import annotations

from math import inf, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.classification.perplexity.buckets import Buckets
from ilspfc.classification.perplexity.expectation import (
    expect_page,
    expect_target,
    measure_page,
)
from ilspfc.classification.perplexity.page_perplexity import train

SENTENCES = [
    "der helm ist auf dem gerüst".split(),
    "das gerüst ist auf dem dach".split(),
]
ITALIAN = [["il", "casco", "è", "sul", "tetto", "oggi"]]


def test_each_bucket_has_its_name() -> None:
    buckets = Buckets((10, 20, 30), {"ita": (1, 2, inf)})
    values = (10, 20, 30, 31, inf)
    names = [buckets.name(value, "deu") for value in values]
    assert names == ["high", "medium", "normal", "discarded", "unmeasured"]
    assert buckets.name(1e9, "ita") == "normal"


@given(st.floats(1, 1e12), st.sampled_from(["deu", "ita"]))
def test_surprise_and_perplexity_are_two_scales_of_one_thing(
    perplexity: float, lang: str
) -> None:
    buckets = Buckets((10, 20, 30), {"ita": (1, 2, inf)})
    surprise = buckets.to_surprise(perplexity, lang)
    assert buckets.to_perplexity(surprise, lang) == pytest.approx(perplexity)
    assert (surprise <= 0) == (perplexity <= buckets.of(lang)[1])


def test_sentences_have_the_entropy_of_texts_of_their_own() -> None:
    model = train(SENTENCES)
    texts = [*SENTENCES, ["helm"], ["unbekannt"]]
    alone = [log2(model.perplexity([text])) for text in texts]
    assert model.entropies(texts) == pytest.approx(alone)
    assert model.entropies([]) == []


def test_a_page_is_measured_by_the_model_it_surprises_least() -> None:
    models = {"deu": train(SENTENCES), "ita": train(ITALIAN)}
    texts = ["il casco è sul tetto. zu kurz."]
    links = ["il casco", "", "il casco", "12 %"]
    entropy = measure_page(models, texts, links, lambda text: text.split("."))
    assert entropy.lang == "ita"
    assert entropy.words == 5
    assert entropy.perplexity == pytest.approx(
        models["ita"].perplexity([[*texts[0].split()[:4], "tetto"]])
    )
    assert entropy.link_words.tolist() == [2, 0, 2, 0]
    bits = entropy.link_bits.tolist()
    assert (
        bits[0]
        == bits[2]
        == pytest.approx(models["ita"].entropies([["il", "casco"]])[0])
    )
    assert bits[1] == bits[3] == 0


def test_a_page_without_sentences_or_links_has_no_perplexity() -> None:
    entropy = measure_page({"deu": train(SENTENCES)}, ["Kurz."], [], str.split)
    assert entropy.perplexity == inf
    assert entropy.words == 0


def test_long_anchors_are_cut() -> None:
    entropy = measure_page({"deu": train(SENTENCES)}, [], ["helm " * 70_000], str.split)
    assert entropy.link_words.tolist() == [60]


@given(st.integers(0, 10_000), st.floats(-20, 20), st.floats(-20, 20))
def test_the_more_words_the_more_a_page_speaks_for_itself(
    words: int, bits: float, before: float
) -> None:
    fewer, more = (expect_page(n, bits, before) for n in (words, words + 100))
    assert abs(more - bits) <= abs(fewer - bits) + 1e-9
    assert min(bits, before) - 1e-9 <= fewer <= max(bits, before) + 1e-9


@given(st.integers(0, 60), st.floats(-20, 20), st.floats(-20, 20))
def test_words_around_a_link_never_speak_against_it(
    words: int, bits: float, page: float
) -> None:
    assert expect_target(words, bits, page) <= page + 1e-9
