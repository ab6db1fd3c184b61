"""The language model of a domain, the perplexity of pages, the buckets of their links."""

from __future__ import annotations

import math
import pickle
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.classification.perplexity.buckets import Bounds, Buckets
from ilspfc.classification.perplexity.kneser_ney import BOS, EOS, estimate_discounts
from ilspfc.classification.perplexity.page_perplexity import (
    NgramModel,
    iter_sentences,
    train,
    train_from_files,
)
from ilspfc.exceptions import DomainError
from ilspfc.text.word_split import split_words

Sentence = list[str]
Ngram = tuple[str, ...]

TOY = [
    line.split()
    for line in (
        "the cat sat on the mat",
        "the cat sat on the dog",
        "the dog ate the cat food",
        "a cat ate the mat",
        "a dog sat on a cat",
        "on the mat the cat ate",
        "cat",
    )
]


def random_sentences(seed: int, count: int, words: int = 30) -> list[Sentence]:
    """Sentences of 1 to 12 words, of which the first of the vocabulary are frequent."""
    rng = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(words)]
    weights = [1 / (number + 1) for number in range(words)]
    return [
        rng.choices(vocabulary, weights, k=rng.randint(1, 12)) for _ in range(count)
    ]


class Reference:
    """Interpolated modified Kneser-Ney as the papers write it: sets, tuples, recursion."""

    def __init__(self, sentences: Sequence[Sentence], order: int) -> None:
        self.order = order
        occurrences: Counter[Ngram] = Counter()
        for sentence in sentences:
            padded = ("<s>", *sentence, "</s>")
            for n in range(1, order + 1):
                occurrences.update(
                    padded[i : i + n] for i in range(len(padded) - n + 1)
                )
        before: dict[Ngram, set[str]] = defaultdict(set)
        for ngram in occurrences:
            before[ngram[1:]].add(ngram[0])
        self.adjusted = {
            ngram: number
            if len(ngram) == order or ngram[0] == "<s>"
            else len(before[ngram])
            for ngram, number in occurrences.items()
            if ngram != ("<s>",)
        }
        self.vocabulary = {ngram[0] for ngram in occurrences if len(ngram) == 1}
        self.vocabulary = self.vocabulary - {"<s>"} | {"<unk>"}
        self.followers: dict[Ngram, dict[str, int]] = defaultdict(dict)
        for ngram, number in self.adjusted.items():
            self.followers[ngram[:-1]][ngram[-1]] = number
        self.discounts = {n: self.discount(n) for n in range(1, order + 1)}
        self.probability = cache(self._probability)

    def discount(self, n: int) -> tuple[float, ...]:
        counts = [a for ngram, a in self.adjusted.items() if len(ngram) == n]
        t1, t2, t3, t4 = (counts.count(k) for k in (1, 2, 3, 4))
        try:
            y = t1 / (t1 + 2 * t2)
            d = (1 - 2 * y * t2 / t1, 2 - 3 * y * t3 / t2, 3 - 4 * y * t4 / t3)
        except ZeroDivisionError:
            return (0.5, 1.0, 1.5)
        return d if min(d) > 0 else (0.5, 1.0, 1.5)

    def _probability(self, word: str, context: Ngram) -> float:
        followers = self.followers.get(context)
        shorter = (
            self.probability(word, context[1:]) if context else 1 / len(self.vocabulary)
        )
        if not followers:
            return shorter
        d = self.discounts[len(context) + 1]
        total = sum(followers.values())
        freed = sum(d[min(a, 3) - 1] for a in followers.values())
        a = followers.get(word, 0)
        kept = a - d[min(a, 3) - 1] if a else 0.0
        return kept / total + freed / total * shorter

    def probabilities(self, sentence: Sentence) -> list[float]:
        known = [word if word in self.vocabulary else "<unk>" for word in sentence]
        padded = ("<s>", *known, "</s>")
        return [
            self.probability(padded[i], padded[max(0, i - self.order + 1) : i])
            for i in range(1, len(padded))
        ]


# -- the model -----------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_probabilities_of_all_words_sum_to_one(order: int) -> None:
    model = train(TOY, order)
    model.unknown_log10 = None
    words = [word for word in model.words if word not in {"<s>", "</s>"}]
    padded = [["<s>", *sentence, "</s>"] for sentence in TOY]
    contexts = {
        tuple(sentence[start:end])
        for sentence in padded
        for start in range(len(sentence))
        for end in range(start, min(start + order, len(sentence)))
    }
    assert len(contexts) >= {1: 1, 2: 11}.get(order, 20)
    for context in contexts | {("never", "seen"), ("never", "cat"), ("the", "never")}:
        # Before a context that does not begin the sentence, a word that nobody knows.
        start = list(context[1:]) if context[:1] == ("<s>",) else ["never", *context]
        log10 = [
            model.log10_probabilities([[*start, word]])[len(start)] for word in words
        ]
        if start:
            log10.append(model.log10_probabilities([start])[-1])
        else:
            # No sentence is empty, so this one is put together by hand.
            unigrams = model.levels[0]
            weight = unigrams.backoff[BOS] if order > 1 else 0
            log10.append(unigrams.log10[EOS] + weight)
        total = sum(10.0**score for score in log10)
        assert total == pytest.approx(1, abs=1e-5), context


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("count", [3, 40, 600])
def test_probabilities_are_those_of_the_papers(order: int, count: int) -> None:
    corpus = random_sentences(count, count)
    model, reference = train(corpus, order), Reference(corpus, order)
    model.unknown_log10 = None
    # Words beyond the thirtieth are unknown.
    text = random_sentences(99, 200, words=40) + corpus
    expected = [p for sentence in text for p in reference.probabilities(sentence)]
    actual = 10.0 ** model.log10_probabilities(text).astype(float)
    np.testing.assert_allclose(actual, expected, rtol=3e-6, atol=1e-6)


def test_the_larger_corpus_of_that_comparison_has_discounts_of_its_own() -> None:
    corpus = random_sentences(600, 600)
    discounts = Reference(corpus, 5).discounts
    assert sum(d != (0.5, 1.0, 1.5) for d in discounts.values()) >= 3


@pytest.mark.parametrize(
    ("times", "discounts"),
    [
        ((60, 20, 10, 6), (0.6, 1.1, 1.56)),
        ((60, 20, 10, 0), (0.6, 1.1, 3.0)),
        ((0, 20, 10, 6), (0.5, 1.0, 1.5)),
        ((60, 0, 10, 6), (0.5, 1.0, 1.5)),
        ((60, 20, 0, 6), (0.5, 1.0, 1.5)),
        ((60, 20, 40, 6), (0.5, 1.0, 1.5)),  # D(2) would be negative
        ((0, 0, 0, 0), (0.5, 1.0, 1.5)),
    ],
)
def test_discounts_are_estimated_or_fall_back(
    times: tuple[int, ...], discounts: tuple[float, ...]
) -> None:
    adjusted = np.repeat([1, 2, 3, 4, 5, 99], [*times, 7, 3])
    assert estimate_discounts(adjusted).tolist() == pytest.approx([0.0, *discounts])


def test_the_order_of_the_sentences_changes_nothing() -> None:
    corpus = random_sentences(1, 100)
    model, reversed_model = train(corpus), train(corpus[::-1])
    assert model.words == reversed_model.words
    for level, other in zip(model.levels, reversed_model.levels, strict=True):
        assert level.keys.tobytes() == other.keys.tobytes()
        assert level.log10.tobytes() == other.log10.tobytes()
        assert level.backoff.tobytes() == other.backoff.tobytes()


def test_each_sentence_is_scored_for_itself() -> None:
    model = train(TOY)
    text = [["the", "cat"], ["sat"], [], ["on", "never", "the"], ["cat"]]
    alone = [model.log10_probabilities([sentence]) for sentence in text]
    assert [len(scores) for scores in alone] == [3, 2, 0, 4, 2]
    together = model.log10_probabilities(text)
    assert together.dtype == np.float32
    assert together.tolist() == np.concatenate(alone).tolist()


def test_a_model_has_no_order_that_no_sentence_reaches() -> None:
    model = train([["a"], ["b", "a"]], 7)
    assert model.order == 4
    same = train([["a"], ["b", "a"]], 4)
    text = [["a", "b", "a"]]
    assert model.perplexity(text) == same.perplexity(text)


def test_there_must_be_words_to_train_from() -> None:
    with pytest.raises(DomainError, match="no sentences to train"):
        train([[], []])


@pytest.mark.parametrize("word", ["<s>", "</s>"])
def test_marks_of_a_sentence_are_no_words(word: str) -> None:
    with pytest.raises(ValueError, match="are no words"):
        train([["a", word, "b"]])


def test_a_model_goes_to_another_process() -> None:
    model = train(TOY)
    assert pickle.loads(pickle.dumps(model)).perplexity(TOY) == model.perplexity(TOY)


# -- perplexity ----------------------------------------------------------------------------


def test_perplexity_is_two_to_the_cross_entropy() -> None:
    model = train(TOY)
    text = [["the", "cat", "ate"], ["a", "mouse"]]
    log2 = model.log10_probabilities(text).astype(float) / math.log10(2)
    assert model.perplexity(text) == pytest.approx(2 ** -log2.mean())


def test_words_that_are_all_alike_have_the_perplexity_of_their_number() -> None:
    # Four words and the end, once each: (1 - 1/2) / 5 + 1/2 · 1/6, and 1/2 · 1/6 is left.
    model = train([["a", "b", "c", "d"]], 1)
    assert model.perplexity([["a", "d", "b"]]) == pytest.approx(60 / 11)
    model.unknown_log10 = None
    assert model.perplexity([["a", "x"]]) == pytest.approx(
        (60 / 11 * 12 * 60 / 11) ** (1 / 3)
    )


def test_unknown_words_have_the_probability_of_topicrawler() -> None:
    model = train(TOY, 1)
    assert model.log10_probabilities([["x"]])[0] == -10
    assert model.perplexity([["x"] * 10_000]) == pytest.approx(1e10, rel=0.01)
    model.unknown_log10 = -7
    assert model.log10_probabilities([["x"]])[0] == -7
    model.unknown_log10 = None
    assert -2 < model.log10_probabilities([["x"]])[0] < -1


def test_without_a_sentence_perplexity_is_infinite() -> None:
    model = train(TOY)
    assert model.perplexity([]) == math.inf
    assert model.perplexity([[]]) == math.inf


def test_perplexity_beyond_all_numbers_is_infinite() -> None:
    model = train(TOY)
    model.unknown_log10 = -1000
    assert model.perplexity([["x"] * 100]) == math.inf


def test_texts_of_the_domain_are_less_perplexing() -> None:
    def perplexity(model: NgramModel, text: str) -> float:
        return model.perplexity(iter_sentences([text], lambda text: text.split(".")))

    domain = """Employers must assess the risks of machines at work. The employer provides
    protective equipment to all workers. Workers must wear protective equipment at
    work. The risks of noise at work must be assessed by the employer."""
    model = train(iter_sentences([domain], lambda text: text.split(".")))
    inside = "The employer must assess the risks of noise. All workers wear equipment."
    outside = (
        "The cat must sleep on a warm sofa at night. All kittens of our cat drink milk."
    )
    foreign = "Der Arbeitgeber muss die Gefahren durch Lärm bei der Arbeit beurteilen."
    figures = [perplexity(model, text) for text in (domain, inside, outside, foreign)]
    assert figures == sorted(figures)
    assert figures[1] * 10 < figures[2]
    assert figures[2] * 10 < figures[3]


# -- buckets -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("perplexity", "bounds", "bucket"),
    [
        (1, (100, 5000, 50_000), "high"),
        (100, (100, 5000, 50_000), "high"),
        (100.1, (100, 5000, 50_000), "medium"),
        (50_000, (100, 5000, 50_000), "normal"),
        (50_001, (100, 5000, 50_000), "discarded"),
        (math.inf, (100, 5000, 50_000), "unmeasured"),
        (math.inf, (100, 5000, math.inf), "unmeasured"),
        (math.nan, (100, 5000, math.inf), "discarded"),
    ],
)
def test_pages_go_into_the_bucket_of_their_perplexity(
    perplexity: float, bounds: Bounds, bucket: str
) -> None:
    assert Buckets(bounds).name(perplexity, "deu") == bucket


def test_the_bounds_are_those_of_topicrawler() -> None:
    found = [Buckets().name(one, "deu") for one in (500, 501, 5000, 5001, 1e10)]
    assert found == ["high", "medium", "medium", "normal", "normal"]


# -- text ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Die Größe: 12,5 m (ca.)", "die größe m ca"),
        ("L’infortunio dell'operaio", "l infortunio dell operaio"),
        ("snake_case COVID-19 3D", "snake case covid d"),
        ("cafe\u0301 ΟΔΟΣ", "café οδος"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("今天 ok 天气。", "今 天 ok 天 气"),
        ("العَرَبِيَّة ١٢", "العَرَبِيَّة"),
        ("12 – 34 %", ""),
    ],
)
def test_words_are_small_and_without_numbers_and_punctuation(
    text: str, words: str
) -> None:
    assert split_words(text) == words.split()


@given(st.text())
def test_words_hold_no_blanks_digits_or_punctuation(text: str) -> None:
    for word in split_words(text):
        assert word
        assert not any(char.isspace() or char in "0123456789.,;-_" for char in word)


def test_short_sentences_do_not_count() -> None:
    texts = ["One two three four five. One two three 4 5.", "Six seven", "a b c d e f"]
    sentences = iter_sentences(texts, lambda text: text.split("."))
    assert list(sentences) == ["one two three four five".split(), list("abcdef")]
    sentences = iter_sentences(texts, lambda text: text.split("."), min_words=2)
    assert len(list(sentences)) == 4


# -- domain texts --------------------------------------------------------------------------


def test_domain_texts_are_the_text_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("The cat sat on the mat.\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("Ein Hund saß auf dem Dach", encoding="utf-8-sig")
    (tmp_path / "notes.md").write_text("These words are not from the domain")
    model = train_from_files(tmp_path, str.splitlines)
    expected = "auf cat dach dem ein hund mat on sat saß the"
    assert model.words == ["<unk>", "<s>", "</s>", *expected.split()]


def test_a_text_that_cannot_be_read_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "good.txt").write_text("The cat sat on the mat")
    (tmp_path / "latin.txt").write_bytes(b"Der Hund sa\xdf auf dem Dach")
    (tmp_path / "folder.txt").mkdir()
    model = train_from_files(tmp_path, str.splitlines)
    assert "hund" not in model.words
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == 2
    assert "folder.txt" in messages[0]
    assert f"{tmp_path / 'latin.txt'}: 'utf-8' codec can't decode byte" in messages[1]


def test_some_text_must_be_readable(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"Der Hund sa\xdf auf dem Dach")
    with pytest.raises(DomainError, match=r"latin\.txt: .*; save .* as UTF-8"):
        train_from_files(tmp_path, str.splitlines)


@pytest.mark.parametrize("folder", [".", "missing"])
def test_a_folder_without_texts_is_an_error(tmp_path: Path, folder: str) -> None:
    with pytest.raises(DomainError, match=r"there is no \.txt file"):
        train_from_files(tmp_path / folder, str.splitlines)


def test_texts_without_a_sentence_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("Too short.\n1 2 3 4 5 6\n")
    with pytest.raises(DomainError, match="no sentence of 5 words"):
        train_from_files(tmp_path, str.splitlines)
