"""Check of a corpus by translation: the model, its measures, the units held out."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exceptions import CorpusError
from ilspfc.papers.translation_check import (
    Model,
    bleu,
    check_translation,
    chrf,
    find_links,
    find_phrases,
)

if TYPE_CHECKING:
    from pathlib import Path

LANGS = ("deu", "ita")
STEMS = (
    "bad",
    "col",
    "dun",
    "fer",
    "gim",
    "hol",
    "kat",
    "lum",
    "nor",
    "pis",
    "rot",
    "sal",
)
WORDS = [f"{one}{other}" for one in STEMS for other in ("am", "el", "is")]
FOUND = (
    "the garden of the town has old trees",
    "nobody knows where the path ends here",
    "a red gate",
    "he came on the 12 of may by train",
)
RIGHT = (
    "the town garden has many old trees",
    "nobody knows where this path ends",
    "the red gate stands open",
    "he came by train on the 12 of may",
)
PAIRS = [
    (tuple(a.split()), tuple(b.split())) for a, b in zip(FOUND, RIGHT, strict=True)
]


def translate(word: str) -> str:
    return f"{word[::-1]}o"


def make_text(random: Random) -> list[str]:
    return random.choices(WORDS, k=random.randint(4, 9))


def fill(corpus: SmallCorpus, *, wrong: float) -> None:
    """Add 40 pairs of documents of ten units; a share of them, of low scores, is wrong."""
    random = Random(1)
    pairs = [DocumentPair(f"d{n}", f"i{n}", 0.99, "urls") for n in range(40)]
    for pair in pairs:
        corpus.add(pair.source, "deu", ["Text."])
        corpus.add(pair.target, "ita", ["Testo."])
    with corpus.open() as opened:
        opened.bitext.set_states(*LANGS, dict.fromkeys(pairs, PairState.PAIR))
        for pair in pairs:
            units = []
            for _ in range(10):
                text, is_wrong = make_text(random), random.random() < wrong
                other = make_text(random) if is_wrong else text
                score = random.uniform(0.5, 0.7) if is_wrong else random.uniform(0.8, 1)
                units.append(
                    TranslationUnit(
                        " ".join(text), " ".join(map(translate, other)), "1:1", score
                    )
                )
            opened.bitext.set_units(pair, units, null_share=0.1, mean_score=0.9)


def test_the_measures_are_those_of_sacrebleu() -> None:
    # sacrebleu 2.6.0: corpus_bleu with tokenize="none" and no smoothing, corpus_chrf.
    assert bleu(PAIRS) == pytest.approx(33.051362, abs=1e-6)
    assert chrf(PAIRS) == pytest.approx(63.995371, abs=1e-6)


def test_no_word_in_common_is_nothing() -> None:
    assert bleu([(("a",), ("b",))]) == chrf([(("a",), ("b",))]) == 0.0
    assert bleu([((), ("b",))]) == chrf([((), ("b",))]) == 0.0


def test_phrases_have_no_link_to_words_outside() -> None:
    pair = (("ein", "rotes", "tor"), ("una", "porta", "rossa"))
    found = set(find_phrases(pair, [(0, 0), (1, 2), (2, 1)]))
    assert (("ein",), ("una",)) in found
    assert (("rotes", "tor"), ("porta", "rossa")) in found
    assert (("ein", "rotes"), ("una", "porta")) not in found
    assert len(found) == 5


def test_words_without_a_link_go_with_their_neighbors() -> None:
    found = set(find_phrases((("oft",), ("di", "solito")), [(0, 1)]))
    assert found == {(("oft",), ("solito",)), (("oft",), ("di", "solito"))}


def test_words_that_are_each_others_best_are_linked() -> None:
    texts = [("das", "tor"), ("das", "rad"), ("ein", "tor"), ("ein", "rad")]
    others = [("la", "porta"), ("la", "ruota"), ("una", "porta"), ("una", "ruota")]
    assert (
        list(find_links(list(zip(texts, others, strict=True)) * 3))
        == [[(0, 0), (1, 1)]] * 12
    )


def test_what_was_learned_is_translated_and_names_stay() -> None:
    random = Random(2)
    texts = [tuple(make_text(random)) for _ in range(300)]
    model = Model([(text, tuple(map(translate, text))) for text in texts])
    text = tuple(make_text(random))
    right = tuple(map(translate, text))
    assert model.translate(text) == right
    assert model.translate(("Meran", *text)) == ("Meran", *right)


def test_wrong_units_of_low_score_cost_more_than_a_random_quarter(
    tmp_path: Path,
) -> None:
    corpus = SmallCorpus(tmp_path)
    fill(corpus, wrong=0.25)
    with corpus.open() as opened:
        rows = list(check_translation(opened, LANGS))
    names, learned, held, figures = zip(*rows, strict=True)
    assert names[:2] == ("all units", "without the lowest quarter")
    assert set(held) == {30}
    assert learned[0] > 340
    assert set(learned[1:]) == {learned[0] - learned[0] // 4}
    for measured in zip(*figures, strict=True):
        assert measured[1] > max(measured[n] for n in (0, 2, 3)) + 3


def test_too_few_units_are_refused(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path)
    with (
        corpus.open() as opened,
        pytest.raises(CorpusError, match="0 units in deu-ita"),
    ):
        list(check_translation(opened, LANGS))
