"""Entries learned from texts."""

from __future__ import annotations

import random

from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.learner import SegmentTexts

WORDS = {
    "Haus": "casa",
    "Garten": "giardino",
    "Straße": "strada",
    "Wasser": "acqua",
    "Feuer": "fuoco",
    "Leiter": "scala",
}


def _sentences(number: int) -> list[tuple[str, str]]:
    chance = random.Random(1)
    picked = [chance.sample(sorted(WORDS), 3) for _ in range(number)]
    return [
        (" ".join(words), " ".join(WORDS[word] for word in reversed(words)))
        for words in picked
    ]


def _learn(sentences: list[tuple[str, str]]) -> list[Entry]:
    texts = SegmentTexts(("deu", "ita"))
    for source, target in sentences:
        texts.add(source, target)
    return texts.learn(min_score=0.5)


def test_words_are_learned() -> None:
    found = _learn(_sentences(60))
    assert [(entry.source, entry.target) for entry in found] == [
        ("feuer", "fuoco"),
        ("garte", "giard"),
        ("haus", "casa"),
        ("leite", "scala"),
        ("stras", "strad"),
        ("wasse", "acqua"),
    ]
    assert all(entry.segments > 10 and entry.documents == 1 for entry in found)


def test_the_order_does_not_matter() -> None:
    sentences = _sentences(60)
    assert _learn(sentences) == _learn(sentences[::-1])


def test_what_is_no_translation_is_left_out() -> None:
    texts = SegmentTexts(("deu", "ita"))
    texts.add("Apache 2.4", "apache 2.4")
    texts.add("!", "casa")
    texts.add("Haus", "casa", weight=0.0)
    assert (len(texts), texts.skipped) == (0, 3)
    assert texts.learn() == []


def test_numbers_are_no_entries() -> None:
    """Neither beside themselves nor beside a word that is always where they are."""
    sentences = [
        (f"{source} 12, 1.250", f"{target} 12, 1250")
        for source, target in _sentences(60)
    ]
    found = _learn([*sentences, *[("Seite 77", "pagina"), ("Blatt", "foglio 88")] * 3])
    words = {side for entry in found for side in (entry.source, entry.target)}
    assert {"leite", "scala", "seite", "pagin"} <= words
    assert not any(word.isdigit() for word in words)


def test_a_dictionary_helps_where_texts_are_few() -> None:
    texts = SegmentTexts(("deu", "ita"))
    for _ in range(2):
        texts.add("Haus Garten", "giardino casa")
    plain = {(e.source, e.target): e.score for e in texts.learn()}
    prior = [Entry("haus", "casa", 0.7), Entry("feuer", "fuoco", 0.7)]
    helped = {(e.source, e.target): e.score for e in texts.learn(prior=prior)}
    assert plain["haus", "casa"] == plain["haus", "giard"]
    assert helped.keys() == {("haus", "casa"), ("garte", "giard")}
